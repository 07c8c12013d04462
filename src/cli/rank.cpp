#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/report_format.h"
#include "havln/ranking.h"
#include "io/csv.h"
#include "io/escape.h"
#include "io/file.h"
#include "report/rank_report.h"
#include "report/result_reader.h"
#include "report/score_json.h"

namespace havln::cli {

namespace {

constexpr std::uint64_t kMaxTableBytes = 64ull << 20;

struct RankCommand {
    CommonOptions common;
    std::vector<std::filesystem::path> results;
    std::filesystem::path submissions;
    std::string split;
    bool force = false;
    ReportFormat format = ReportFormat::kText;
};

/// A result that is to be ranked and how it is called.
struct Entrant {
    std::filesystem::path summary;
    std::string name;
    std::string submitted;
    std::string text;  ///< The file's content.
};

void add_options(CLI::App& app, RankCommand& command) {
    app.add_option("RESULT", command.results,
                   "score_summary.json files, or the folders that hold them; one that cannot be "
                   "opened ends the run, one at fault is listed last and says why")
        ->type_name("");
    app.add_option("--submissions", command.submissions,
                   "CSV table with the columns result (path from the table's folder), name and "
                   "submitted (RFC 3339, may be empty); all its results are ranked, or the RESULTs "
                   "given, by the table's names and times")
        ->type_name("FILE");
    app.add_option("--split", command.split,
                   "Split to rank by (default: val_unseen, or the only one)")
        ->type_name("NAME");
    app.add_flag("--force", command.force, "Rank results whose signatures differ; they are marked");
    add_format_option(app, command.format);
}

/// The folder of the summary names a result that nobody named.
std::string default_name(const std::filesystem::path& summary) {
    const std::filesystem::path folder = std::filesystem::absolute(summary).parent_path();
    return summary.filename() == kSummaryFile ? folder.filename().string()
                                              : summary.stem().string();
}

std::string field(const CsvRecord& record, const char* column, const std::filesystem::path& table) {
    const auto at = record.fields.find(column);
    if (at == record.fields.end()) {
        throw usage_error(table, fmt::format("line 1: has no column \"{}\"", column));
    }
    return at->second;
}

std::vector<Entrant> read_table(const std::filesystem::path& table) {
    std::vector<Entrant> entrants;
    for (const CsvRecord& record : parse_csv(read_whole_file(table, kMaxTableBytes), table)) {
        Entrant entrant;
        const std::string result = field(record, "result", table);
        if (result.empty()) {
            throw usage_error(table, fmt::format("line {}: result is empty", record.line));
        }
        entrant.summary = summary_path(table.parent_path() / result);
        entrant.name = field(record, "name", table);
        if (entrant.name.empty()) entrant.name = default_name(entrant.summary);
        entrant.submitted = field(record, "submitted", table);
        if (!entrant.submitted.empty() && !parse_timestamp(entrant.submitted)) {
            throw usage_error(table,
                              fmt::format("line {}: submitted is \"{}\", expected an RFC 3339 "
                                          "time such as 2026-06-01T12:00:00Z",
                                          record.line, escape_control(entrant.submitted)));
        }
        entrants.push_back(std::move(entrant));
    }
    return entrants;
}

/// Those of the command line, with name and time from the table; else all of the table.
std::vector<Entrant> entrants_of(const RankCommand& command) {
    std::vector<Entrant> listed;
    if (!command.submissions.empty()) listed = read_table(command.submissions);
    if (command.results.empty()) return listed;
    std::map<std::filesystem::path, const Entrant*> by_file;
    for (const Entrant& entrant : listed) {
        by_file.emplace(std::filesystem::weakly_canonical(entrant.summary), &entrant);
    }
    std::vector<Entrant> entrants;
    for (const std::filesystem::path& result : command.results) {
        Entrant entrant{summary_path(result), default_name(summary_path(result)), {}, {}};
        const auto same = by_file.find(std::filesystem::weakly_canonical(entrant.summary));
        entrants.push_back(same == by_file.end() ? entrant : *same->second);
    }
    return entrants;
}

/// val_unseen, or the only split, of the first result that can be read.
std::string default_split(const std::vector<Entrant>& entrants) {
    std::string first_fault;
    for (const Entrant& entrant : entrants) {
        std::vector<std::string> names;
        try {
            names = SummaryReader(entrant.text, entrant.summary).split_names();
        } catch (const Error& error) {
            if (first_fault.empty()) first_fault = error.what();
            continue;  // its fault is told with its entry
        }
        if (std::find(names.begin(), names.end(), "val_unseen") != names.end()) {
            return "val_unseen";
        }
        if (names.size() == 1) return names.front();
        const std::string list = fmt::format("{}", fmt::join(names, ", "));
        throw usage_error(entrant.summary,
                          fmt::format("holds {} splits; choose one with --split: {}", names.size(),
                                      escape_control(list)));
    }
    throw usage_error({}, "no result can be read; the first: " + first_fault);
}

void fill(RankedResult& result, const SplitResult& split) {
    result.partial = split.partial;
    result.signature = split.signature;
    const ScoreComponents& c = split.components;
    if (split.has_people) {
        const auto key = tie_break_key(c);
        result.key.assign(key.begin(), key.end());
        result.values = {
            {"score", c.score}, {"SR", c.SR}, {"NE", c.NE}, {"CR", c.CR}, {"TCR", c.TCR}};
        return;
    }
    const auto primary = split.means.find(split.primary);
    if (primary == split.means.end()) {
        result.problem = "has no " + split.primary;
        return;
    }
    result.key = {primary->second, c.SR, 0 - c.NE};
    for (const std::string& name : split.reported) {
        const auto mean = split.means.find(name);
        if (mean != split.means.end()) result.values[name] = mean->second;
    }
}

/// A result whose content is at fault is an entry that cannot be ranked.
RankedResult read_result(const Entrant& entrant, Leaderboard& board) {
    RankedResult result;
    result.name = entrant.name;
    result.source = entrant.summary.string();
    result.submitted_text = entrant.submitted;
    result.submitted = parse_timestamp(entrant.submitted);
    try {
        const SplitResult split = SummaryReader(entrant.text, entrant.summary).split(board.split);
        fill(result, split);
        if (board.columns.empty()) {
            board.columns = split.has_people
                                ? std::vector<std::string>{"score", "SR", "NE", "CR", "TCR"}
                                : split.reported;
        }
    } catch (const Error& error) {
        result.problem = error.detail();
    }
    return result;
}

/// Compares every signature with that of the first entry that can be ranked.
/// @throws Error (kUsage) that lists what differs, unless forced.
void check_signatures(Leaderboard& board) {
    const RankedResult* reference = nullptr;
    std::string listing;
    for (RankedResult& result : board.results) {
        if (!result.problem.empty() || result.partial) continue;
        if (reference == nullptr) reference = &result;
        result.differences = signature_differences(reference->signature, result.signature);
        if (result.differences.empty()) continue;
        listing += fmt::format("; {} against {}: {}", result.source, reference->source,
                               describe(result.differences));
    }
    if (listing.empty() || board.forced) return;
    throw usage_error({},
                      "the results do not compare, for their signatures differ (--force ranks "
                      "and marks them)" +
                          listing);
}

/// @throws Error (kUsage) with the first entry's reason, where the board shows nothing but reasons.
void check_any_ranked(const Leaderboard& board) {
    for (const RankedResult& result : board.results) {
        if (result.rank) return;
    }
    const RankedResult& first = board.results.front();
    const std::string why = first.problem.empty() ? "is partial" : first.problem;
    const std::size_t others = board.results.size() - 1;
    throw usage_error(
        first.source,
        fmt::format("{}; nothing can be ranked by split {}{}", why, quote(board.split),
                    others == 0 ? "" : fmt::format(", nor {} more", others)));
}

ExitCode run(const RankCommand& command) {
    std::vector<Entrant> entrants = entrants_of(command);
    if (entrants.empty()) {
        throw usage_error({}, "nothing to rank: name results, or a table with --submissions");
    }
    for (Entrant& entrant : entrants) {
        entrant.text = read_whole_file(entrant.summary, kMaxSummaryBytes);
    }
    Leaderboard board;
    board.split = command.split.empty() ? default_split(entrants) : command.split;
    board.forced = command.force;
    for (const Entrant& entrant : entrants) board.results.push_back(read_result(entrant, board));
    check_signatures(board);
    rank_results(board.results);
    print_report(
        command.format, [&](TableFormat format) { return leaderboard_table(board, format); },
        [&] { return leaderboard_json(board); });
    check_any_ranked(board);
    return ExitCode::kDone;
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app("Ranks results into a leaderboard, in the challenge's order.", "havln-rank");
    RankCommand command;
    add_options(app, command);
    return run_command(app, command.common, argc, argv, [&] { return run(command); });
}
