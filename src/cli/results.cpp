#include "cli/results.h"

#include "io/file.h"

namespace havln::cli {

std::vector<OutputFile> result_files(const std::filesystem::path& out) {
    if (out.empty()) return {};
    return {{"--out", out / "episode_metrics.json"}, {"--out", out / "score_summary.json"}};
}

void write_results(const Scorecard& card, const std::vector<SplitRows>& rows,
                   const std::filesystem::path& out) {
    make_folder(out);
    write_file_atomically(out / "episode_metrics.json", episode_metrics_json(rows, card.settings));
    // Last: whoever sees a summary finds its episodes too.
    write_file_atomically(out / "score_summary.json", score_summary_json(card));
}

}  // namespace havln::cli
