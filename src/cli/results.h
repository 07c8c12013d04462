#pragma once

#include <filesystem>
#include <vector>

#include "cli/output_files.h"
#include "havln/scorecard.h"
#include "report/score_json.h"

namespace havln::cli {

/// The files that write_results writes into a folder, as --out's; none for an empty path.
std::vector<OutputFile> result_files(const std::filesystem::path& out);

/// Writes score_summary.json and episode_metrics.json into a folder, which is made.
/// @throws Error (kUsage).
void write_results(const Scorecard& card, const std::vector<SplitRows>& rows,
                   const std::filesystem::path& out);

}  // namespace havln::cli
