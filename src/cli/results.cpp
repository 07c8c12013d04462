#include "cli/results.h"

#include "io/file.h"

namespace havln::cli {

std::vector<OutputFile> result_files(const std::filesystem::path& out) {
    if (out.empty()) return {};
    return {{"--out", out / kEpisodesFile}, {"--out", out / kSummaryFile}};
}

void write_results(const Scorecard& card, const std::vector<SplitRows>& rows,
                   const std::filesystem::path& out) {
    make_folder(out);
    write_file_atomically(out / kEpisodesFile, episode_metrics_json(rows, card.settings));
    // Last: whoever sees a summary finds its episodes too.
    write_file_atomically(out / kSummaryFile, score_summary_json(card));
}

}  // namespace havln::cli
