#include <fmt/format.h>

#include "cli/common.h"
#include "cli/results.h"
#include "cli/score_options.h"
#include "havln/shard.h"
#include "io/file.h"
#include "report/rows_csv.h"
#include "report/score_table.h"
#include "report/shard_file.h"

namespace havln::cli {

namespace {

struct MergeCommand {
    CommonOptions common;
    std::vector<std::filesystem::path> shards;
    std::filesystem::path out, rows;
    ScoreFormat format = ScoreFormat::kText;
};

void add_options(CLI::App& app, MergeCommand& command) {
    app.add_option("SHARD", command.shards, "All shard-I-of-N.json files of one run, in any order")
        ->required()
        ->type_name("");
    app.add_option("--out", command.out,
                   "Write score_summary.json and episode_metrics.json into this folder")
        ->type_name("DIR");
    app.add_option("--rows", command.rows, "Write a row an episode, for DuckDB, Spark or pandas")
        ->type_name("FILE.csv");
    app.add_option("--format", command.format, "What stdout shows")
        ->transform(
            choice<ScoreFormat>({{"text", ScoreFormat::kText}, {"json", ScoreFormat::kJson}}))
        ->type_name("text|json")
        ->default_str("text");
}

ExitCode run(const MergeCommand& command) {
    std::vector<OutputFile> outputs = result_files(command.out);
    outputs.emplace_back("--rows", command.rows);
    require_distinct(outputs, command.shards);
    std::vector<Shard> shards;
    for (const auto& file : command.shards) shards.push_back(read_shard(file));
    const MergedRun merged = merge_shards(shards, command.shards);
    std::vector<SplitRows> rows;
    for (std::size_t i = 0; i < merged.rows.size(); ++i) {
        rows.push_back({merged.splits[i].get(), merged.rows[i]});
    }
    if (!command.out.empty()) write_results(merged.card, rows, command.out);
    if (!command.rows.empty()) {
        write_file_atomically(command.rows, episode_rows_csv(rows, merged.card.settings));
    }
    print_result(command.format == ScoreFormat::kJson ? score_summary_json(merged.card)
                                                      : score_table(merged.card));
    return ExitCode::kDone;
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app("Puts the shards of one scoring run together into what a single run gives.",
                 "havln-merge");
    MergeCommand command;
    add_options(app, command);
    return run_command(app, command.common, argc, argv, [&] { return run(command); });
}
