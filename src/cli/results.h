#pragma once

#include <filesystem>
#include <vector>

#include "havln/scorecard.h"
#include "report/score_json.h"

namespace havln::cli {

/// Writes score_summary.json and episode_metrics.json into a folder, which is made.
/// @throws Error (kUsage).
void write_results(const Scorecard& card, const std::vector<SplitRows>& rows,
                   const std::filesystem::path& out);

}  // namespace havln::cli
