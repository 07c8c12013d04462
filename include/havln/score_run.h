#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "havln/batch.h"
#include "havln/clock.h"
#include "havln/groundtruth.h"
#include "havln/metrics.h"
#include "havln/profile.h"
#include "havln/scorecard.h"
#include "havln/shard.h"
#include "havln/statistics.h"
#include "havln/submission.h"

namespace havln {

/// Which episodes of a split are scored. Both filters hold at once; empty filters hold for all.
struct EpisodeFilter {
    std::vector<std::string> episode_ids;
    std::vector<std::string> scans;
    bool is_partial() const { return !episode_ids.empty() || !scans.empty(); }
};

struct ScoreOptions {
    Profile profile;
    CollisionReading reading = CollisionReading::kContact;
    const Clock* clock = nullptr;  ///< Not owned.
    bool sliding = true;
    /// Replay on the navmeshes rebuilt around people, frame by frame; false: on the one without.
    bool frames_of_people = true;
    bool recipe_card = false;  ///< Add the variants of the profile's recipe card.
    bool pool = false;         ///< Add means by scene and by trajectory.
    /// Totals by episode id from the agent's own log; null where there is none. Not owned.
    const std::map<std::string, AgentLogTotals>* agent_log = nullptr;
    std::function<void()> progress;  ///< Called after each episode, on any thread; may be empty.
    bool attribute_blocks = true;    ///< Where the navmesh without people is present.
    bool keep_traces = false;
    unsigned threads = 1;
    EpisodeFilter filter;
    ShardKey shard;  ///< Which part of what the filter leaves this process scores.
    std::optional<ResamplingOptions> bootstrap;             ///< Add intervals.
    std::map<std::string, std::uint64_t> human_influenced;  ///< By split; from the user.
};

/// Everything computed for one split of one submission.
struct SplitRun {
    std::shared_ptr<const Split> split;
    std::vector<std::size_t> episodes;  ///< Indices into split->episodes, in order: what is scored.
    std::vector<EpisodeMetrics> rows;   ///< By `episodes`.
    std::vector<Trace> traces;          ///< By `episodes`, or empty.
    SplitScore score;  ///< Only its split and human_influenced are set for one shard of several.
    std::uint64_t selected_episodes = 0;  ///< Of all shards together.
    bool human_influenced_assumed =
        false;  ///< CR's denominator is the episode count for want of better.
    /// Scans that human_motion.json does not name, with their scored episodes: no step there can
    /// count as contact. Empty where there is no such file, or no people.
    std::map<std::string, std::size_t> scans_without_people;
    bool static_navmesh_missing = false;  ///< Some scene lacks it: no attribution there.
    bool partial = false;
};

/// Chosen episodes of a split, in its order. @throws Error (kUsage) for an id or scan that the
/// split does not have, or where nothing is left.
std::vector<std::size_t> select_episodes(const Split& split, const EpisodeFilter& filter);

/// CR's denominator for a split: the user's, the manifest's (whole splits only), else the number of
/// episodes (`assumed`).
struct HumanInfluenced {
    std::uint64_t episodes = 0;
    bool assumed = false;
};
HumanInfluenced human_influenced(const ScoreOptions& options, const Manifest& manifest,
                                 const Split& split, std::size_t scored_episodes, bool partial);

/// Refuses, with the way out, what cannot be scored on this data root: no goals, no baselines, or
/// the contact reading without people's positions.
/// @throws Error (kGroundTruth).
void check_scorable(const GroundTruth& ground_truth, const Split& split,
                    const ScoreOptions& options);

/// Replays and scores one split of a valid submission.
SplitRun score_split(GroundTruth& ground_truth, const Manifest& manifest,
                     const SplitSubmission& submission, const ScoreOptions& options);

/// Scores one split under several clocks: the rows of the headline's reading, by clock. Loading is
/// shared, and so are the steps that the clocks have in common; everything else of `options` holds.
/// @pre the profile has people; clocks is not empty.
std::vector<ClockSample> score_under_clocks(GroundTruth& ground_truth,
                                            const SplitSubmission& submission,
                                            const ScoreOptions& options,
                                            std::span<const std::unique_ptr<Clock>> clocks);

/// An episode's positions as the agent logged them.
struct RecordedEpisode {
    std::string episode_id;
    Trace trace;
};

/// Scores logged positions, without a replay. @pre every episode of the split stands there once.
SplitRun score_recorded(GroundTruth& ground_truth, const Manifest& manifest,
                        const std::string& split, const std::vector<RecordedEpisode>& episodes,
                        const ScoreOptions& options);

}  // namespace havln
