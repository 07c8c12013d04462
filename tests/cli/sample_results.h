#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "havln/scorecard.h"

namespace havln::test {

/// One episode of a made-up result.
struct SampleEpisode {
    bool success = false;
    std::int64_t excess = 0;
    double distance_to_goal = 0;
};

/// What a result is made of, but for its episodes.
struct SampleRun {
    std::string split = "val_unseen";
    std::string clock = "frames-per-action=1";
    std::string profile = "havln";
    bool partial = false;
};

/// Writes score_summary.json and episode_metrics.json of the episodes "1", "2", ... into a folder,
/// through the project's own writers.
void write_sample_result(const std::filesystem::path& folder,
                         const std::vector<SampleEpisode>& episodes, const SampleRun& run = {});

}  // namespace havln::test
