#include "cli/score_options.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace havln::cli {

namespace {

std::vector<std::string_view> split_at_commas(std::string_view text) {
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        if (comma != 0) pieces.push_back(text.substr(0, comma));
        text.remove_prefix(comma == text.npos ? text.size() : comma + 1);
    }
    return pieces;
}

std::optional<std::uint64_t> to_count(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

/// CLI::Range would let "nan" pass.
const CLI::Validator kRate(
    [](std::string& text) {
        double rate = 0;
        const bool valid = CLI::detail::lexical_cast(text, rate) && rate >= 0 && rate <= 1e6;
        return valid ? std::string() : text + ": expected a number from 0 to 1e6";
    },
    "");

}  // namespace

void add_score_options(CLI::App& app, ScoreCommand& command) {
    app.add_option("SUBMISSION", command.inputs,
                   "A .zip, a flat folder, or loose .json files that make one submission")
        ->required()
        ->type_name("");
    app.add_option("--data", command.data, "Data root in the official layout")
        ->required()
        ->type_name("DIR");
    app.add_option("--split", command.splits,
                   "Split to score; repeatable (default: those that the submission holds)")
        ->allow_extra_args(false)
        ->type_name("NAME");
    app.add_option("--episodes", command.episodes, "Score these only, e.g. 1,5,10-20")
        ->type_name("IDS");
    app.add_option("--scenes", command.scenes, "Score the episodes of these scans only")
        ->type_name("SCAN,...");
    app.add_option("--collisions", command.reading,
                   "Reading that makes the headline: contact counts blocked steps within 1 m of a "
                   "person, released every blocked step")
        ->transform(CLI::CheckedTransformer(std::map<std::string, CollisionReading>{
                                                {"contact", CollisionReading::kContact},
                                                {"released", CollisionReading::kReleased}})
                        .description(""))
        ->type_name("contact|released")
        ->default_str("contact");
    auto* rate = app.add_option("--frames-per-action", command.frames_per_action,
                                "Clock: animation frames per action")
                     ->check(kRate)
                     ->type_name("F")
                     ->capture_default_str();
    app.add_option("--clock", command.clock,
                   "Another clock: jitter:MEAN,SPREAD,SEED (uniform advance per action) or "
                   "file:F ({\"episode_id\": [frame per action]})")
        ->type_name("CLOCK")
        ->excludes(rate);
    app.add_flag("--sliding,!--no-sliding", command.sliding,
                 "Slide along obstacles as the official replay does (default), or not");
    app.add_option("--human-influenced", command.human_influenced,
                   "Denominator of CR where the manifest has none; repeatable")
        ->allow_extra_args(false)
        ->type_name("SPLIT=N");
    app.add_option("--jobs", command.threads, "Threads (default: the processors available)")
        ->check(CLI::Range(1, 256).description(""))
        ->type_name("N");
    app.add_option("--out", command.out,
                   "Write score_summary.json and episode_metrics.json into this folder")
        ->type_name("DIR");
    app.add_option("--trace", command.trace,
                   "Write every position and collision, a line per episode (.gz compresses)")
        ->type_name("FILE.jsonl");
    app.add_option("--format", command.format, "What stdout shows")
        ->transform(
            CLI::CheckedTransformer(std::map<std::string, ScoreFormat>{
                                        {"text", ScoreFormat::kText}, {"json", ScoreFormat::kJson}})
                .description(""))
        ->type_name("text|json")
        ->default_str("text");
}

std::vector<std::string> parse_id_list(const std::string& text) {
    constexpr std::uint64_t kMaxIds = 1'000'000;
    std::vector<std::string> ids;
    for (const std::string_view piece : split_at_commas(text)) {
        const std::size_t dash = piece.find('-');
        const auto first = to_count(piece.substr(0, dash));
        const auto last = dash == piece.npos ? std::nullopt : to_count(piece.substr(dash + 1));
        if (!first || !last) {
            ids.emplace_back(piece);
            continue;
        }
        if (*last < *first || *last - *first >= kMaxIds - ids.size()) {
            throw usage_error({}, fmt::format("--episodes: {}: expected a range FROM-TO that rises "
                                              "and holds at most {} ids",
                                              piece, kMaxIds));
        }
        for (std::uint64_t id = *first; id <= *last; ++id) ids.push_back(std::to_string(id));
    }
    if (ids.empty() && !text.empty()) {
        throw usage_error({}, fmt::format("--episodes: \"{}\" names no episode", text));
    }
    return ids;
}

std::map<std::string, std::uint64_t> parse_human_influenced(const std::vector<std::string>& items) {
    std::map<std::string, std::uint64_t> counts;
    for (const std::string& item : items) {
        const std::size_t equals = item.find('=');
        const auto count = equals == item.npos
                               ? std::nullopt
                               : to_count(std::string_view(item).substr(equals + 1));
        if (!count || *count == 0 || equals == 0) {
            throw usage_error(
                {}, fmt::format("--human-influenced: {}: expected SPLIT=N with N > 0", item));
        }
        counts[item.substr(0, equals)] = *count;
    }
    return counts;
}

}  // namespace havln::cli
