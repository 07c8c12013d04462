#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/compare_maps.h"
#include "cli/output_files.h"
#include "cli/report_format.h"
#include "havln/statistics.h"
#include "io/escape.h"
#include "io/file.h"
#include "report/compare_html.h"
#include "report/compare_report.h"
#include "report/diagnostics_text.h"
#include "report/result_reader.h"

namespace havln::cli {

namespace {

/// 100,000 episodes take about a half.
constexpr std::uint64_t kMaxEpisodesBytes = 256ull << 20;

struct CompareCommand {
    CommonOptions common;
    std::vector<std::filesystem::path> results;
    std::vector<std::string> splits;
    ResamplingOptions resampling;
    std::size_t top = 20;
    bool force = false;
    ReportFormat format = ReportFormat::kText;
    std::filesystem::path report;
    std::vector<std::filesystem::path> submissions;  ///< By result, or none.
    MapOptions maps;
};

/// More would make a page that no browser likes.
constexpr std::size_t kMostReported = 9;

void add_report_options(CLI::App& app, CompareCommand& command) {
    auto* report = app.add_option("--report", command.report,
                                  "Also write a page of its own: differences, every episode and, "
                                  "with the following two, both paths on one map")
                       ->type_name("FILE.html");
    auto* data = app.add_option("--data", command.maps.data,
                                "Data root of the results, for the report's maps")
                     ->needs(report)
                     ->type_name("DIR");
    auto* submission =
        app.add_option("--submission", command.submissions,
                       "What a RESULT was scored from: a .zip, a flat folder or a .json file; once "
                       "for each RESULT, in their order")
            ->allow_extra_args(false)
            ->needs(data)
            ->type_name("FILE");
    data->needs(submission);
    app.add_option("--maps", command.maps.maps,
                   "Maps in the report at most, of the episodes of greatest effect")
        ->check(CLI::Range(0, 100'000).description(""))
        ->needs(data)
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--clock", command.maps.clock,
                   "The clock's log that the results replayed, file:F; other clocks are known "
                   "from the results")
        ->needs(data)
        ->type_name("CLOCK");
}

void add_options(CLI::App& app, CompareCommand& command) {
    app.add_option("RESULT", command.results,
                   "Folders with score_summary.json and episode_metrics.json; each is compared "
                   "with the first")
        ->required()
        ->expected(-2)  // two at least
        ->type_name("");
    app.add_option("--split", command.splits, "Split to compare; repeatable (default: all shared)")
        ->allow_extra_args(false)
        ->type_name("NAME");
    app.add_option("--samples", command.resampling.samples, "Resamples for intervals and p-values")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--seed", command.resampling.seed, "Seed of the resampling")
        ->type_name("S")
        ->capture_default_str();
    app.add_option("--top", command.top, "Episodes shown per split; JSON holds all")
        ->check(CLI::Range(0, 1'000'000).description(""))
        ->type_name("N")
        ->capture_default_str();
    app.add_flag("--force", command.force,
                 "Compare although signatures differ or episodes are missing on one side");
    add_format_option(app, command.format);
    add_report_options(app, command);
}

/// One result: its summary by split and its episodes.
struct Result {
    std::string name;
    RunSettings settings;  ///< Where they were asked for.
    std::filesystem::path episodes_file;
    std::map<std::string, SplitResult> splits;
    std::map<std::string, std::vector<EpisodeResult>> episodes;
};

Result read_result(const std::filesystem::path& named, bool with_settings) {
    const std::filesystem::path summary = summary_path(named);
    Result result;
    result.name = named.string();
    result.episodes_file = episodes_path(summary);
    const SummaryReader reader(read_whole_file(summary, kMaxSummaryBytes), summary);
    if (with_settings) result.settings = reader.settings();
    for (const std::string& split : reader.split_names()) {
        result.splits[split] = reader.split(split);
    }
    result.episodes = read_episode_results(read_whole_file(result.episodes_file, kMaxEpisodesBytes),
                                           result.episodes_file);
    for (const auto& [name, split] : result.splits) {
        const std::size_t found = result.episodes[name].size();
        if (found == split.episodes) continue;
        throw usage_error(
            result.episodes_file,
            fmt::format("split {}: found {} episodes, but score_summary.json beside it "
                        "says {}: the files do not belong together",
                        escape_control(name), found, split.episodes));
    }
    return result;
}

std::vector<std::string> shared_splits(const CompareCommand& command, const Result& a,
                                       const Result& b) {
    std::vector<std::string> shared;
    for (const auto& [name, split] : a.splits) {
        if (b.splits.contains(name)) shared.push_back(name);
    }
    for (const std::string& name : command.splits) {
        if (std::find(shared.begin(), shared.end(), name) == shared.end()) {
            throw usage_error({}, fmt::format("split {} is not in both {} and {}", name,
                                              escape_control(a.name), escape_control(b.name)));
        }
    }
    if (!command.splits.empty()) return command.splits;
    if (shared.empty()) {
        throw usage_error({}, fmt::format("{} and {} share no split", escape_control(a.name),
                                          escape_control(b.name)));
    }
    return shared;
}

/// Pairs of the same episode, in the order of `a`.
struct Pairs {
    std::vector<const EpisodeResult*> a, b;
    std::size_t unpaired = 0;
};

Pairs pair_episodes(const std::vector<EpisodeResult>& a, const std::vector<EpisodeResult>& b) {
    std::map<std::string_view, const EpisodeResult*> by_id;
    for (const EpisodeResult& episode : b) by_id.emplace(episode.episode_id, &episode);
    Pairs pairs;
    for (const EpisodeResult& episode : a) {
        const auto same = by_id.find(episode.episode_id);
        if (same == by_id.end()) continue;
        pairs.a.push_back(&episode);
        pairs.b.push_back(same->second);
    }
    pairs.unpaired = a.size() + b.size() - 2 * pairs.a.size();
    return pairs;
}

std::vector<ScoreRow> score_rows_of(const std::vector<const EpisodeResult*>& episodes,
                                    const std::filesystem::path& file) {
    std::vector<ScoreRow> rows;
    for (const EpisodeResult* episode : episodes) rows.push_back(score_row(*episode, file));
    return rows;
}

std::vector<MetricRow> metric_rows_of(const std::vector<const EpisodeResult*>& episodes,
                                      const std::vector<std::string>& names) {
    std::vector<MetricRow> rows;
    for (const EpisodeResult* episode : episodes) {
        MetricRow& row = rows.emplace_back(names.size());
        for (std::size_t k = 0; k < names.size(); ++k) {
            const auto at = episode->metrics.find(names[k]);
            if (at != episode->metrics.end()) row[k] = at->second;
        }
    }
    return rows;
}

/// The profile's metrics that both results have, and success.
std::vector<std::string> metric_names(const SplitResult& a, const SplitResult& b) {
    std::vector<std::string> names;
    for (const std::string& name : a.reported) {
        if (a.means.contains(name) && b.means.contains(name)) names.push_back(name);
    }
    for (const std::string& needed : {std::string("success"), a.primary}) {
        if (std::find(names.begin(), names.end(), needed) == names.end()) names.push_back(needed);
    }
    return names;
}

/// Why the results do not compare; empty where they do.
std::string mismatch(const SplitResult& a, const SplitResult& b, std::size_t unpaired) {
    std::string text;
    const auto differences = signature_differences(a.signature, b.signature);
    if (!differences.empty()) text = "their signatures differ in " + describe(differences);
    if (unpaired == 0) return text;
    if (!text.empty()) text += "; ";
    return text + fmt::format("{} episodes are in one of them only", unpaired);
}

SplitComparison compare_split(const CompareCommand& command, const Result& a, const Result& b,
                              const std::string& name, const Pairs& pairs) {
    const SplitResult &sa = a.splits.at(name), &sb = b.splits.at(name);
    SplitComparison comparison;
    comparison.split = name;
    for (const EpisodeResult* episode : pairs.a) {
        comparison.episode_ids.push_back(episode->episode_id);
    }
    if (sa.has_people) {
        for (const ComponentName& part : component_names()) {
            comparison.names.emplace_back(part.name);
        }
        // Score first: it is what the comparison is about.
        std::rotate(comparison.names.begin(), comparison.names.end() - 1, comparison.names.end());
        comparison.primary = "score";
        comparison.result = compare_rows(score_rows_of(pairs.a, a.episodes_file),
                                         score_rows_of(pairs.b, b.episodes_file),
                                         sa.human_influenced, command.resampling);
        return comparison;
    }
    comparison.names = metric_names(sa, sb);
    comparison.primary = sa.primary;
    comparison.result = compare_means(metric_rows_of(pairs.a, comparison.names),
                                      metric_rows_of(pairs.b, comparison.names), comparison.names,
                                      comparison.primary, "success", command.resampling);
    return comparison;
}

ResultComparison compare(const CompareCommand& command, const Result& a, const Result& b) {
    ResultComparison comparison{a.name, b.name, {}, {}};
    for (const std::string& name : shared_splits(command, a, b)) {
        const SplitResult &sa = a.splits.at(name), &sb = b.splits.at(name);
        const Pairs pairs = pair_episodes(a.episodes.at(name), b.episodes.at(name));
        const std::string fault = mismatch(sa, sb, pairs.unpaired);
        const bool comparable = sa.has_people == sb.has_people && !pairs.a.empty();
        if (!comparable || (!fault.empty() && !command.force)) {
            throw usage_error(
                {},
                fmt::format("{} and {} do not compare on split {}{}: {}", escape_control(a.name),
                            escape_control(b.name), escape_control(name),
                            comparable ? " (--force compares them all the same)" : "",
                            fault.empty() ? "they share no episode" : fault));
        }
        if (!fault.empty()) comparison.remark = "Forced: " + fault;
        comparison.splits.push_back(compare_split(command, a, b, name, pairs));
    }
    return comparison;
}

void check_report(const CompareCommand& command) {
    if (command.report.empty()) return;
    if (command.results.size() > kMostReported) {
        throw usage_error({}, fmt::format("--report takes at most {} results, not {}",
                                          kMostReported, command.results.size()));
    }
    if (!command.submissions.empty() && command.submissions.size() != command.results.size()) {
        throw usage_error({}, fmt::format("--submission: found {}, expected one for each of the {} "
                                          "results",
                                          command.submissions.size(), command.results.size()));
    }
}

/// The page's splits, in the order of the comparisons. @param b  of each: the number of its B.
ComparePageInput page_of(const std::vector<Result>& results,
                         const std::vector<ResultComparison>& comparisons,
                         std::vector<std::size_t>& b) {
    ComparePageInput page;
    page.profile = results.front().settings.profile;
    for (std::size_t k = 0; k < comparisons.size(); ++k) {
        const Result &first = results.front(), &other = results[k + 1];
        for (const SplitComparison& split : comparisons[k].splits) {
            const Pairs pairs =
                pair_episodes(first.episodes.at(split.split), other.episodes.at(split.split));
            ComparedSplit& compared = page.splits.emplace_back();
            compared.a = comparisons[k].a;
            compared.b = comparisons[k].b;
            compared.remark = comparisons[k].remark;
            compared.comparison = &split;
            compared.result_a = &first.splits.at(split.split);
            compared.result_b = &other.splits.at(split.split);
            compared.rows_a = pairs.a;
            compared.rows_b = pairs.b;
            b.push_back(k + 1);
        }
    }
    return page;
}

std::vector<MapSource> map_sources(const CompareCommand& command,
                                   const std::vector<Result>& results) {
    std::vector<MapSource> sources;
    for (std::size_t k = 0; k < results.size(); ++k) {
        MapSource& source = sources.emplace_back();
        source.name = results[k].name;
        source.settings = results[k].settings;
        source.submission = command.submissions[k];
        for (const auto& [name, split] : results[k].splits) source.splits.push_back(name);
    }
    return sources;
}

/// Writes the page. @return kRejected where a submission is, and why is said.
ExitCode write_report(const CompareCommand& command, const std::vector<Result>& results,
                      const std::vector<ResultComparison>& comparisons) {
    std::vector<std::size_t> b;
    ComparePageInput page = page_of(results, comparisons, b);
    if (!command.maps.data.empty()) {
        MapMaker maker(command.maps, map_sources(command, results));
        if (const auto rejected = maker.read()) {
            print_result(rejection_text(*rejected, command.common.color_stdout()));
            return ExitCode::kRejected;
        }
        maker.add_maps(page, b);
    }
    write_file_atomically(command.report, compare_page(page));
    return ExitCode::kDone;
}

ExitCode run(const CompareCommand& command) {
    check_report(command);
    std::vector<std::filesystem::path> inputs = command.submissions;
    for (const auto& named : command.results) {
        const std::filesystem::path summary = summary_path(named);
        inputs.insert(inputs.end(), {named, summary, episodes_path(summary)});
    }
    require_distinct({{"--report", command.report}}, inputs);
    require_outside({{"--report", command.report}}, command.maps.data);
    std::vector<Result> results;
    for (const auto& named : command.results) {
        results.push_back(read_result(named, !command.report.empty()));
    }
    std::vector<ResultComparison> comparisons;
    for (std::size_t k = 1; k < results.size(); ++k) {
        comparisons.push_back(compare(command, results.front(), results[k]));
    }
    if (!command.report.empty()) {
        const ExitCode code = write_report(command, results, comparisons);
        if (code != ExitCode::kDone) return code;
    }
    const auto table = [&](TableFormat format) {
        std::string out;
        for (const ResultComparison& comparison : comparisons) {
            if (!out.empty()) out += '\n';
            out += comparison_report(comparison, format, command.top);
        }
        return out;
    };
    print_report(command.format, table, [&] { return comparison_json(comparisons); });
    return ExitCode::kDone;
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app(
        "Compares results on the same episodes: differences with paired intervals and p-values.",
        "havln-compare");
    CompareCommand command;
    add_options(app, command);
    return run_command(app, command.common, argc, argv, [&] { return run(command); });
}
