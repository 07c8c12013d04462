#pragma once

#include <span>
#include <string>
#include <vector>

#include "havln/groundtruth.h"
#include "havln/metrics.h"
#include "havln/replay.h"
#include "havln/scene.h"
#include "havln/scorecard.h"

namespace havln {

/// What a result's two documents are called in its folder.
inline constexpr const char* kSummaryFile = "score_summary.json";
inline constexpr const char* kEpisodesFile = "episode_metrics.json";

/// score_summary.json: schema_version, signature, settings, partial and the splits. Absent facts
/// are left out; no NaN or Infinity.
std::string score_summary_json(const Scorecard& card);

/// LLM-Match alone, of ratings without a submission: schema_version and llm_match.
std::string llm_match_json(const LlmMatchScore& match);

/// One split's per-episode results.
struct SplitRows {
    const Split* split = nullptr;
    std::span<const EpisodeMetrics> rows;  ///< Any subset of the split, by episode_index.
};

/// episode_metrics.json: one array over all splits, keys as Habitat and VLN-CE name them. SR, CR
/// and TCR follow `settings.reading`.
std::string episode_metrics_json(std::span<const SplitRows> splits, const RunSettings& settings);

/// One line of --trace, newline included: split, episode_id and, parallel to the actions:
/// `collided` (0 or 1), `frames`, and where known `human` (the nearest person's key in
/// human_motion.json) and `human_distance_m`, null where nobody is placed in that frame, both left
/// out when nobody is placed in any; `cause` ("none", "human", "static" or "both").
/// `positions` has one entry more, the start first, printed as shortest float32 round trip.
/// @param people  names of the trace's people; null where they are unknown.
std::string trace_line_json(const std::string& split, const std::string& episode_id,
                            const Trace& trace, const ScenePeople* people);

}  // namespace havln
