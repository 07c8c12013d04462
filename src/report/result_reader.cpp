#include "report/result_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "havln/error.h"
#include "io/escape.h"
#include "io/file.h"
#include "io/json_fields.h"
#include "metrics/profile_json.h"
#include "report/score_json.h"

namespace havln {

namespace {

constexpr double kMost = 1e12;
constexpr std::int64_t kMostEpisodes = 100'000'000;
/// Score is written with every digit; what is left is the order of operations.
constexpr double kScoreTolerance = 1e-9;

JsonTree parse(std::string_view text, const std::filesystem::path& origin) {
    return JsonTree::parse(text, origin, static_cast<int>(ExitCode::kUsage));
}

Signature read_signature(const JsonFields& document) {
    const std::optional<Signature> signature = Signature::parse(document.text("signature"));
    if (!signature) throw document.fault("signature", "is no signature line");
    return *signature;
}

ScoreComponents read_components(const JsonFields& split, bool has_people) {
    ScoreComponents c;
    c.SR = split.number("SR", 0, 1);
    // Without any goal that can be reached there is no NE, and none is worse.
    c.NE = has_people || split.has("NE") ? split.number("NE", 0, kMost) : kMost;
    if (!has_people) return c;
    c.CR = split.number("CR", 0, kMost);
    c.TCR = split.number("TCR", 0, kMost);
    c = complete(c);
    const double written = split.number("score", -kMost, 100);
    if (std::abs(written - c.score) > kScoreTolerance * std::max(1.0, std::abs(c.score))) {
        throw split.fault(
            "score", fmt::format("found {}, but SR, NE, CR and TCR give {}", written, c.score));
    }
    c.score = written;
    return c;
}

std::map<std::string, double> read_means(const JsonFields& split) {
    std::map<std::string, double> means;
    const JsonFields fields = split.object("means");
    for (const auto& [name, value] : fields.tree().object()) {
        means[name] = fields.number(name, value, -kMost, kMost);
    }
    return means;
}

std::string text_or_none(const JsonFields& fields, const char* key) {
    return fields.has(key) ? fields.text(key) : std::string();
}

}  // namespace

std::filesystem::path summary_path(const std::filesystem::path& result) {
    return is_folder(result) ? result / kSummaryFile : result;
}

std::filesystem::path episodes_path(const std::filesystem::path& summary) {
    return summary.parent_path() / kEpisodesFile;
}

struct SummaryReader::State {
    State(std::string_view text, const std::filesystem::path& origin)
        : tree(parse(text, origin)), document(tree, origin) {}
    JsonTree tree;
    JsonFields document;
};

SummaryReader::SummaryReader(std::string_view text, const std::filesystem::path& origin)
    : state_(std::make_unique<State>(text, origin)) {
    state_->document.integer("schema_version", 1, 1);
}

SummaryReader::~SummaryReader() = default;

std::vector<std::string> SummaryReader::split_names() const {
    std::vector<std::string> names;
    const JsonFields splits = state_->document.object("splits");
    for (const auto& [name, value] : splits.tree().object()) names.push_back(name);
    return names;
}

RunSettings SummaryReader::settings() const {
    const JsonFields fields = state_->document.object("settings");
    RunSettings settings;
    settings.profile = read_profile(fields.object("profile"));
    settings.clock = text_or_none(fields, "clock");
    settings.sliding = fields.boolean("sliding");
    settings.navmesh = fields.text("navmesh");
    settings.people_digest = text_or_none(fields, "people_sha256");
    settings.path_finder = fields.text("path_finder");
    settings.submission_digest = text_or_none(fields, "submission_sha256");
    return settings;
}

SplitResult SummaryReader::split(const std::string& name) const {
    const JsonFields& document = state_->document;
    const JsonFields split = document.object("splits").object(name);
    const JsonFields profile = document.object("settings").object("profile");
    SplitResult result;
    result.split = name;
    result.whole_signature = read_signature(document);
    result.signature = result.whole_signature.for_split(name);
    result.partial = document.boolean("partial") || split.has("partial");
    result.has_people = profile.boolean("people");
    result.episodes = static_cast<std::uint64_t>(split.integer("episodes", 1, kMostEpisodes));
    if (result.has_people) {
        result.human_influenced =
            static_cast<std::uint64_t>(split.integer("human_influenced", 1, kMostEpisodes));
    }
    result.components = read_components(split, result.has_people);
    result.means = read_means(split);
    result.ground_truth_digest = text_or_none(split, "ground_truth_sha256");
    result.primary = profile.text("primary");
    result.reported = profile.texts("reported");
    return result;
}

std::map<std::string, std::vector<EpisodeResult>> read_episode_results(
    std::string_view text, const std::filesystem::path& origin) {
    const JsonTree tree = parse(text, origin);
    if (!tree.is_array()) {
        throw usage_error(origin,
                          fmt::format("document: found {}, expected an array", tree.kind()));
    }
    std::map<std::string, std::vector<EpisodeResult>> splits;
    std::set<std::pair<std::string, std::string>> seen;
    for (std::size_t k = 0; k < tree.array().size(); ++k) {
        const JsonFields fields(tree.array()[k], origin, fmt::format("/{}", k));
        EpisodeResult episode;
        episode.episode_id = fields.text("episode_id");
        const std::string split = fields.text("split");
        if (!seen.emplace(split, episode.episode_id).second) {
            throw fields.fault("episode_id", fmt::format("\"{}\" stands twice in split {}",
                                                         escape_control(episode.episode_id),
                                                         escape_control(split)));
        }
        for (const auto& [name, value] : fields.tree().object()) {
            if (value.is_number() && name != "trajectory_id") {
                episode.metrics[name] = fields.number(name, value, -kMost, kMost);
            }
        }
        splits[split].push_back(std::move(episode));
    }
    return splits;
}

ScoreRow score_row(const EpisodeResult& episode, const std::filesystem::path& origin) {
    const auto fault = [&](const char* name, const std::string& detail) {
        return usage_error(origin, fmt::format("episode \"{}\": {} {}",
                                               escape_control(episode.episode_id), name, detail));
    };
    const auto count = [&](const char* name, double most) {
        const auto at = episode.metrics.find(name);
        if (at == episode.metrics.end()) throw fault(name, "is missing");
        const double value = at->second;
        if (value < 0 || value > most || value != std::floor(value)) {
            throw fault(name,
                        fmt::format("is {}, expected a whole number from 0 to {}", value, most));
        }
        return static_cast<std::int64_t>(value);
    };
    ScoreRow row;
    row.SR = static_cast<int>(count("SR", 1));
    row.CR = static_cast<int>(count("CR", 1));
    row.excess = count("TCR", 1e9);
    const auto distance = episode.metrics.find("distance_to_goal");
    row.distance_to_goal = distance != episode.metrics.end()
                               ? distance->second
                               : std::numeric_limits<double>::infinity();
    if (row.distance_to_goal < 0) throw fault("distance_to_goal", "is negative");
    return row;
}

}  // namespace havln
