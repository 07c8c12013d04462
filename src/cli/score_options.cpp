#include "cli/score_options.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "io/escape.h"

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

void add_input_options(CLI::App& app, ScoreCommand& command) {
    constexpr const char* kGroup = "Input";
    app.add_option("SUBMISSION", command.inputs,
                   "A .zip, a flat folder, or loose .json files that make one submission; several "
                   "archives or folders are scored one after the other")
        ->type_name("");
    app.add_option("--data", command.data, "Data root in the official layout")
        ->type_name("DIR")
        ->group(kGroup);
    app.add_option("--dataset", command.dataset,
                   "Instead of --data: episodes file or folder of R2R-CE, RxR-CE or ObjectNav")
        ->type_name("PATH")
        ->group(kGroup);
    app.add_option("--scenes-dir", command.scenes_folder,
                   "With --dataset: folder that its scene ids are relative to")
        ->type_name("DIR")
        ->group(kGroup);
    app.add_option("--split", command.splits,
                   "Split to score; repeatable (default: those that the submission holds)")
        ->allow_extra_args(false)
        ->type_name("NAME")
        ->group(kGroup);
    app.add_option("--episodes", command.episodes, "Score these only, e.g. 1,5,10-20")
        ->type_name("IDS")
        ->group(kGroup);
    app.add_option("--scenes", command.scenes, "Score the episodes of these scans only")
        ->type_name("SCAN,...")
        ->group(kGroup);
    app.add_option("--predictions", command.predictions,
                   "What SUBMISSION holds: the challenge's JSON, lists of actions by episode, or "
                   "logged positions, which are scored without a replay")
        ->transform(choice<PredictionKind>({{"challenge", PredictionKind::kChallenge},
                                            {"actions", PredictionKind::kActionLists},
                                            {"positions", PredictionKind::kPositions}}))
        ->type_name("challenge|actions|positions")
        ->default_str("challenge")
        ->group(kGroup);
    app.add_option("--action-codes", command.action_codes,
                   "Integer codes in lists of actions (default: 0=STOP,1=MOVE_FORWARD,2=TURN_LEFT,"
                   "3=TURN_RIGHT)")
        ->type_name("CODE=NAME,...")
        ->group(kGroup);
    app.add_option(
           "--agent-log", command.agent_log,
           "The agent's own log, a JSON line per episode: skipped_steps, total_steps, gflops")
        ->type_name("FILE.jsonl")
        ->group(kGroup);
    app.add_option("--ratings", command.ratings,
                   "A judge's ratings for LLM-Match, {question_id: 1..5}; needs no SUBMISSION")
        ->type_name("FILE")
        ->group(kGroup);
}

void add_rule_options(CLI::App& app, ScoreCommand& command) {
    constexpr const char* kGroup = "Rules";
    app.add_option("--profile", command.profile,
                   "Evaluation system: havln, vln-ce, hm3d-objectnav, bsc-nav or a profile's file")
        ->type_name("NAME|FILE")
        ->capture_default_str()
        ->group(kGroup);
    app.add_flag("--list-profiles", command.list_profiles, "List the built-in profiles and exit")
        ->group(kGroup);
    app.add_flag("--show-profile", command.show_profile,
                 "Print the profile, with all changes, as JSON and exit")
        ->group(kGroup);
    app.add_option("--collisions", command.reading,
                   "Reading that makes the headline: contact counts blocked steps within 1 m of a "
                   "person, released every blocked step")
        ->transform(choice<CollisionReading>(
            {{"contact", CollisionReading::kContact}, {"released", CollisionReading::kReleased}}))
        ->type_name("contact|released")
        ->default_str("contact")
        ->group(kGroup);
    auto* rate = app.add_option("--frames-per-action", command.frames_per_action,
                                "Clock: animation frames of the people per action (default: 1)")
                     ->check(finite_number(0, 1e6))
                     ->type_name("F")
                     ->group(kGroup);
    app.add_option("--clock", command.clock,
                   "Another clock: jitter:MEAN,SPREAD,SEED (uniform advance per action) or "
                   "file:F ({\"episode_id\": [frame per action]})")
        ->type_name("CLOCK")
        ->excludes(rate)
        ->group(kGroup);
    auto* sweep = app.add_option("--clock-sweep", command.clock_sweep,
                                 "Also score under STEPS clocks from FROM to TO frames per action, "
                                 "and show how the result moves")
                      ->type_name("FROM:TO:STEPS")
                      ->group(kGroup);
    app.add_option("--clock-samples", command.clock_samples,
                   "The same under N jittered clocks: that of --clock jitter with N seeds from its "
                   "own on, else uniform within half of --frames-per-action")
        ->check(CLI::Range(1, 100'000).description(""))
        ->type_name("N")
        ->excludes(sweep)
        ->group(kGroup);
    app.add_option("--bootstrap", command.bootstrap,
                   "Also give 95% intervals from N resamples of the episodes")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->type_name("N")
        ->group(kGroup);
    app.add_option("--seed", command.seed, "Seed of --bootstrap")
        ->type_name("S")
        ->capture_default_str()
        ->group(kGroup);
    app.add_flag("--sliding,!--no-sliding", command.sliding,
                 "Slide along obstacles as the official replay does (default), or not")
        ->group(kGroup);
    app.add_option("--manifest", command.manifest,
                   "Manifest that says how many episodes of a split are human-influenced (default: "
                   "the challenge's)")
        ->type_name("FILE")
        ->group(kGroup);
    app.add_option("--human-influenced", command.human_influenced,
                   "Denominator of CR where the manifest has none; repeatable")
        ->allow_extra_args(false)
        ->type_name("SPLIT=N")
        ->group(kGroup);
    app.add_option("--recipe", command.recipe,
                   "card: also compute the variants of the published recipe card, named ..._card")
        ->check(CLI::IsMember({"card"}).description(""))
        ->type_name("card")
        ->group(kGroup);
    app.add_flag("--pool", command.pool, "Also give means by scene and by trajectory")
        ->group(kGroup);
}

void add_output_options(CLI::App& app, ScoreCommand& command) {
    constexpr const char* kGroup = "Output";
    app.add_option("--jobs", command.threads, "Threads (default: the processors available)")
        ->check(CLI::Range(1, 256).description(""))
        ->type_name("N")
        ->group(kGroup);
    app.add_option_function<std::string>(
           "--shard",
           [&command](const std::string& text) {
               const auto key = parse_shard_key(text);
               if (!key)
                   throw CLI::ValidationError(
                       "--shard",
                       fmt::format("{}: expected I/N, 1 <= I <= N <= {}", text, kMaxShards));
               command.shard = *key;
           },
           "Score part I of N, whole scenes each, for havln-merge; needs --out")
        ->type_name("I/N")
        ->group(kGroup);
    app.add_option("--out", command.out,
                   "Write score_summary.json and episode_metrics.json into this folder")
        ->type_name("DIR")
        ->group(kGroup);
    app.add_option("--trace", command.trace,
                   "Write every position and collision, a line per episode (.gz compresses)")
        ->type_name("FILE.jsonl")
        ->group(kGroup);
    app.add_option("--report", command.report,
                   "Write one HTML page with charts, a table of episodes and their maps")
        ->type_name("FILE.html")
        ->group(kGroup);
    app.add_option("--rows", command.rows, "Write a row an episode, for DuckDB, Spark or pandas")
        ->type_name("FILE.csv")
        ->group(kGroup);
    app.add_option("--codabench", command.codabench,
                   "Score INPUT/res on INPUT/ref as CodaBench's scoring program: scores.json and "
                   "detailed_results.html in OUTPUT")
        ->expected(2)
        ->excludes(app.get_option("SUBMISSION"))
        ->excludes(app.get_option("--data"))
        ->excludes(app.get_option("--dataset"))
        ->excludes(app.get_option("--out"))
        ->excludes(app.get_option("--report"))
        ->type_name("INPUT OUTPUT")
        ->option_text("INPUT OUTPUT")
        ->group(kGroup);
    app.add_option("--format", command.format, "What stdout shows")
        ->transform(
            choice<ScoreFormat>({{"text", ScoreFormat::kText}, {"json", ScoreFormat::kJson}}))
        ->type_name("text|json")
        ->default_str("text")
        ->group(kGroup);
}

}  // namespace

void add_score_options(CLI::App& app, ScoreCommand& command) {
    add_input_options(app, command);
    add_rule_options(app, command);
    add_profile_options(app, command.overrides);
    add_output_options(app, command);
}

std::vector<double> parse_clock_sweep(const std::string& text) {
    constexpr std::uint64_t kMaxSteps = 10'000;
    const std::size_t first = text.find(':');
    const std::size_t second = first == text.npos ? text.npos : text.find(':', first + 1);
    double from = 0, to = 0;
    const auto rate = [&](std::size_t begin, std::size_t end, double& into) {
        std::string piece = text.substr(begin, end - begin);
        return finite_number(0, 1e6)(piece).empty() && CLI::detail::lexical_cast(piece, into);
    };
    const auto steps =
        second == text.npos ? std::nullopt : to_count(std::string_view(text).substr(second + 1));
    const bool valid = steps && *steps >= 1 && *steps <= kMaxSteps && rate(0, first, from) &&
                       rate(first + 1, second, to) && from <= to && (*steps > 1 || from == to);
    if (!valid) {
        throw usage_error({}, fmt::format("--clock-sweep {}: expected FROM:TO:STEPS with 0 <= FROM "
                                          "<= TO frames per action and 2 to {} steps",
                                          text, kMaxSteps));
    }
    std::vector<double> rates;
    for (std::uint64_t i = 0; i < *steps; ++i) {
        const double share =
            *steps == 1 ? 0 : static_cast<double>(i) / static_cast<double>(*steps - 1);
        rates.push_back(from + (to - from) * share);
    }
    return rates;
}

std::vector<std::string> parse_id_list(std::string_view option, const std::string& text) {
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
            throw usage_error({}, fmt::format("{}: {}: expected a range FROM-TO that rises "
                                              "and holds at most {} ids",
                                              option, piece, kMaxIds));
        }
        for (std::uint64_t id = *first; id <= *last; ++id) ids.push_back(std::to_string(id));
    }
    if (ids.empty() && !text.empty()) {
        throw usage_error({}, fmt::format("{}: {} names nothing", option, quote(text)));
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
