#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "havln/groundtruth.h"
#include "havln/metrics.h"
#include "havln/pooling.h"
#include "havln/profile.h"
#include "havln/signature.h"
#include "havln/statistics.h"
#include "havln/submission.h"

namespace havln {

/// Aggregates of one split under one collision reading, full precision.
/// @see challenge.md sections 3 and 4 (the challenge's published formulas).
struct ScoreComponents {
    double SR = 0;   ///< mean SR_i, in [0, 1].
    double NE = 0;   ///< mean d_i [m].
    double CR = 0;   ///< sum of CR_i over human-influenced episodes; nothing clamps it.
    double TCR = 0;  ///< mean e_i.
    double navigation = 0, social = 0, score = 0;
};

/// Navigation = 0.80 SR + 0.20 * 3/(3+NE).
double navigation_score(double SR, double NE);
/// Social = 0.75 (1-CR) + 0.25/(1+TCR).
double social_score(double CR, double TCR);
/// Score = 100 * Navigation * (0.70 + 0.30 Social).
double composite_score(double navigation, double social);

/// Fills navigation, social and score from SR, NE, CR and TCR.
ScoreComponents complete(ScoreComponents components);

/// Sort key: larger is better in every place. {score, SR, -NE, -CR, -TCR}.
std::array<double, 5> tie_break_key(const ScoreComponents& components);

/// One split's result.
struct SplitScore {
    std::string split;
    std::uint64_t episodes = 0;
    std::uint64_t human_influenced = 0;  ///< CR's denominator.
    CollisionReading reading = CollisionReading::kContact;
    /// Under `reading`. Where `has_people` is false only SR (the mean of success) and NE are set.
    ScoreComponents headline;
    std::optional<ScoreComponents> other;  ///< Under the other reading, where computable.
    /// Every per-episode metric: its mean over the episodes where it is defined and finite.
    std::map<std::string, double> means;
    std::map<std::string, std::uint64_t> left_out;  ///< Metric: episodes left out of its mean.
    std::optional<CauseCounts> causes;              ///< Sums, where every episode has causes.
    std::uint64_t unreachable_goals = 0;            ///< Episodes with goal_unreachable.
    bool partial = false;
    bool has_people = true;  ///< The profile counts collisions and has a composite score.
    std::optional<BootstrapSummary> bootstrap;  ///< Of the headline, where asked for.
    std::optional<ClockSummary> clock;          ///< Of the headline, where asked for.
    std::vector<Pooling> pooling;               ///< By scene and by trajectory, where asked for.
    std::string ground_truth_digest;  ///< sha256 (hex), filled by the caller; may be empty.
};

/// Sums in the order of `rows` (the ground truth's order), counts first, ratios last.
/// Under kReleased `other` is the contact reading where every row has it; under kContact it is the
/// released one.
/// @pre rows is not empty, in strictly ascending episode_index; human_influenced > 0; under
///      kContact every row has the contact reading.
SplitScore aggregate(const std::string& split, std::span<const EpisodeMetrics> rows,
                     std::uint64_t human_influenced, CollisionReading reading, bool partial);

/// The same for a profile without people: SR is the mean of success, and there are no CR, TCR or
/// composite. @pre rows is not empty, in strictly ascending episode_index.
SplitScore aggregate_without_people(const std::string& split, std::span<const EpisodeMetrics> rows,
                                    bool partial);

/// Per-episode metrics by the names they have in outputs, in output order; integers and flags as
/// numbers. Absent facts and distances that are not finite are left out.
/// @param reading  whose SR, CR and TCR are listed; null for a profile without people, where
///                 `SR`, `CR`, `TCR` and `baseline` are not listed.
std::vector<NamedMetric> named_metrics(const EpisodeMetrics& row, const CollisionReading* reading);

/// What a run was asked to do, and on what: all that moves a number. Written in full with every
/// result and, shortened, in the signature.
struct RunSettings {
    Profile profile;
    CollisionReading reading = CollisionReading::kContact;
    /// Canonical text of the clock, e.g. "frames-per-action=1", "jitter=1,0.2,7", "file=<digest>";
    /// empty where no frames of people are in force.
    std::string clock = "frames-per-action=1";
    bool sliding = true;
    /// Navmeshes in force: "recompute_navmesh" (rebuilt with people, by frame), "scene_datasets"
    /// (without people) or "none" (logged positions, which no navmesh bounded).
    std::string navmesh = "recompute_navmesh";
    bool has_frames_of_people() const { return navmesh == "recompute_navmesh"; }
    bool was_replayed() const { return navmesh != "none"; }
    std::string people_digest;      ///< sha256 (hex) of human_motion.json; empty: not known.
    std::string path_finder;        ///< path_finder_version().
    std::string submission_digest;  ///< sha256 (hex); may be empty.
    std::string selection;          ///< Part scored, e.g. "episodes=1,5"; empty for all.
};

/// A judge's view of an agent's answers.
struct LlmMatchScore {
    double score = 0;             ///< llm_match(), in [0, 100].
    std::uint64_t questions = 0;  ///< Rated; > 0.
};

/// A run's whole result: what the reports are made from.
struct Scorecard {
    RunSettings settings;
    std::vector<SplitScore> splits;  ///< In the order of the run.
    bool partial = false;
    std::optional<LlmMatchScore> llm_match;  ///< Where ratings were given.
};

/// sha256 (hex) of what a submission says, whatever its packing and the order of its splits and
/// episodes.
std::string submission_digest(std::span<const SplitSubmission> splits);

/// The signature of a run, keys: profile, episodes, part, collisions, human_influenced, clock,
/// sliding, navmesh, people, truth (digest of the ground truth), pathfinder, submission, version.
Signature make_signature(const Scorecard& card);

}  // namespace havln
