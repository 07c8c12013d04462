#include "havln/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "havln/error.h"
#include "io/embedded.h"
#include "io/escape.h"
#include "io/file.h"
#include "io/json_fields.h"
#include "io/sha256.h"
#include "metrics/profile_json.h"

namespace havln {

// Defined by cmake/HavlnEmbed.cmake from data/profiles.
extern const EmbeddedFile profile_files[];
extern const std::size_t profile_files_count;

namespace {

constexpr std::int64_t kSchemaVersion = 1;
constexpr std::uint64_t kMaxProfileBytes = 1 << 20;
/// Least and greatest threshold or step length [m].
constexpr double kMinLength = 1e-6, kMaxLength = 1000;

constexpr std::pair<DistanceKind, const char*> kDistanceKinds[] = {
    {DistanceKind::kEuclidean, "euclidean"},
    {DistanceKind::kGeodesic, "geodesic"},
    {DistanceKind::kGeodesicViewPoints, "geodesic_view_points"},
};
constexpr std::pair<DtwKind, const char*> kDtwKinds[] = {
    {DtwKind::kExact, "exact"},
    {DtwKind::kFastDtw, "fastdtw"},
};

/// Every metric that a profile may report, by output name.
constexpr const char* kMetricNames[] = {
    "SR",          "NE",
    "CR",          "TCR",
    "navigation",  "social",
    "score",       "steps_taken",
    "success",     "distance_to_goal",
    "path_length", "collisions",
    "oracle_spl",  "oracle_navigation_error",
    "spl",         "oracle_success",
    "soft_spl",    "ndtw",
    "sdtw",        "skip_ratio",
    "llm_match",   "gflops_per_step",
};

std::span<const EmbeddedFile> builtin_files() {
    return {profile_files, profile_files_count};
}

template <typename Enum, std::size_t N>
const char* name_in(const std::pair<Enum, const char*> (&table)[N], Enum kind) {
    for (const auto& [value, name] : table) {
        if (value == kind) return name;
    }
    return table[0].second;
}

template <typename Enum, std::size_t N>
Enum read_kind(const JsonFields& fields, const char* key,
               const std::pair<Enum, const char*> (&table)[N]) {
    const std::string text = fields.text(key);
    std::string known;
    for (const auto& [value, name] : table) {
        if (text == name) return value;
        known += (known.empty() ? "" : ", ") + std::string(name);
    }
    throw fields.fault(
        key, fmt::format("found \"{}\", expected one of {}", escape_control(text), known));
}

std::string read_name(const JsonFields& fields) {
    const std::string name = fields.text("name");
    const bool plain =
        !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                   c == '.';
        });
    if (plain) return name;
    throw fields.fault("name", "expected 1 to 64 of a-z, 0-9, '-', '_' and '.'");
}

std::array<bool, kActionCount> read_actions(const JsonFields& fields) {
    std::array<bool, kActionCount> actions = {};
    for (const std::string& name : fields.texts("actions")) {
        const std::optional<Action> action = action_from_name(name);
        if (!action) {
            throw fields.fault("actions", fmt::format("\"{}\" is no action", escape_control(name)));
        }
        if (std::exchange(actions[static_cast<std::size_t>(*action)], true)) {
            throw fields.fault("actions", fmt::format("holds {} twice", name));
        }
    }
    if (!actions[static_cast<std::size_t>(Action::kStop)]) {
        throw fields.fault("actions", "lacks STOP");
    }
    return actions;
}

std::vector<std::string> read_reported(const JsonFields& fields) {
    std::vector<std::string> names = fields.texts("reported");
    if (names.empty()) throw fields.fault("reported", "is empty, expected at least one metric");
    for (const std::string& name : names) {
        if (std::find(std::begin(kMetricNames), std::end(kMetricNames), name) ==
            std::end(kMetricNames)) {
            throw fields.fault(
                "reported", fmt::format("\"{}\" is no metric; known are {}", escape_control(name),
                                        fmt::join(kMetricNames, ", ")));
        }
    }
    return names;
}

double read_length(const JsonFields& fields, const char* key) {
    return fields.number(key, kMinLength, kMaxLength);
}

std::optional<CardRecipe> read_card(const JsonFields& fields) {
    if (fields.at("card").is_null()) return std::nullopt;
    const JsonFields card = fields.object("card");
    card.allow_only({"success_distance_m", "success_inclusive", "use_goal_radius", "path_in_nodes",
                     "soft_spl_may_be_negative", "spl_is_product_of_means"});
    CardRecipe recipe;
    recipe.success_distance_m = read_length(card, "success_distance_m");
    recipe.success_inclusive = card.boolean("success_inclusive");
    recipe.use_goal_radius = card.boolean("use_goal_radius");
    recipe.path_in_nodes = card.boolean("path_in_nodes");
    recipe.soft_spl_may_be_negative = card.boolean("soft_spl_may_be_negative");
    recipe.spl_is_product_of_means = card.boolean("spl_is_product_of_means");
    return recipe;
}

/// Metrics that exist only where people are counted.
bool needs_people(const std::string& metric) {
    static constexpr const char* kNames[] = {"CR", "TCR", "navigation", "social", "score"};
    return std::find(std::begin(kNames), std::end(kNames), metric) != std::end(kNames);
}

void check_reported(const JsonFields& fields, const Profile& profile) {
    if (std::find(profile.reported.begin(), profile.reported.end(), profile.primary) ==
        profile.reported.end()) {
        throw fields.fault("primary", "is not among the metrics of \"reported\"");
    }
    if (profile.people) return;
    for (const std::string& name : profile.reported) {
        if (needs_people(name)) {
            throw fields.fault("reported", fmt::format("{} needs \"people\": true", name));
        }
    }
}

}  // namespace

Profile read_profile(const JsonFields& fields) {
    fields.allow_only({"schema_version",
                       "name",
                       "task",
                       "actions",
                       "forward_step_m",
                       "turn_angle_deg",
                       "look_angle_deg",
                       "max_steps",
                       "stop_required",
                       "distance",
                       "success_distance_m",
                       "success_inclusive",
                       "use_goal_radius",
                       "spl_numerator",
                       "dtw",
                       "dtw_threshold_m",
                       "people",
                       "primary",
                       "reported",
                       "card"});
    fields.integer("schema_version", kSchemaVersion, kSchemaVersion);
    Profile profile;
    profile.name = read_name(fields);
    profile.task = fields.text("task");
    profile.actions = read_actions(fields);
    profile.forward_step_m = read_length(fields, "forward_step_m");
    profile.turn_angle_deg = fields.number("turn_angle_deg", 1e-3, 360);
    profile.look_angle_deg = fields.number("look_angle_deg", 1e-3, 360);
    profile.max_steps = static_cast<std::uint32_t>(fields.integer("max_steps", 1, 1'000'000));
    profile.stop_required = fields.boolean("stop_required");
    profile.distance = read_kind(fields, "distance", kDistanceKinds);
    profile.success_distance_m = read_length(fields, "success_distance_m");
    profile.success_inclusive = fields.boolean("success_inclusive");
    profile.use_goal_radius = fields.boolean("use_goal_radius");
    profile.spl_numerator = read_kind(fields, "spl_numerator", kDistanceKinds);
    profile.dtw = read_kind(fields, "dtw", kDtwKinds);
    profile.dtw_threshold_m = read_length(fields, "dtw_threshold_m");
    profile.people = fields.boolean("people");
    profile.primary = fields.text("primary");
    profile.reported = read_reported(fields);
    profile.card = read_card(fields);
    check_reported(fields, profile);
    return profile;
}

Profile parse_profile(std::string_view text, const std::filesystem::path& origin) {
    const JsonTree tree = JsonTree::parse(text, origin, static_cast<int>(ExitCode::kUsage));
    return read_profile(JsonFields(tree, origin));
}

namespace {

template <typename T>
std::string json_text(const T& value) {
    return JsonWriter(JsonWriter::Style::kCompact).value(value).take();
}

template <typename Texts>
std::string json_list(const Texts& texts) {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_array();
    for (const auto& text : texts) json.value(std::string_view(text));
    return json.end_array().take();
}

std::vector<std::string_view> action_names(const Profile& profile) {
    std::vector<std::string_view> names;
    for (std::size_t k = 0; k < profile.actions.size(); ++k) {
        if (profile.actions[k]) names.push_back(action_name(static_cast<Action>(k)));
    }
    return names;
}

std::string card_text(const std::optional<CardRecipe>& card) {
    if (!card) return "null";
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object();
    json.member("success_distance_m", card->success_distance_m);
    json.member("success_inclusive", card->success_inclusive);
    json.member("use_goal_radius", card->use_goal_radius);
    json.member("path_in_nodes", card->path_in_nodes);
    json.member("soft_spl_may_be_negative", card->soft_spl_may_be_negative);
    json.member("spl_is_product_of_means", card->spl_is_product_of_means);
    return json.end_object().take();
}

/// Every key with its value as JSON text, in output order.
std::vector<std::pair<const char*, std::string>> key_values(const Profile& p) {
    return {
        {"schema_version", json_text(kSchemaVersion)},
        {"name", json_text(p.name)},
        {"task", json_text(p.task)},
        {"actions", json_list(action_names(p))},
        {"forward_step_m", json_text(p.forward_step_m)},
        {"turn_angle_deg", json_text(p.turn_angle_deg)},
        {"look_angle_deg", json_text(p.look_angle_deg)},
        {"max_steps", json_text(p.max_steps)},
        {"stop_required", json_text(p.stop_required)},
        {"distance", json_text(distance_kind_name(p.distance))},
        {"success_distance_m", json_text(p.success_distance_m)},
        {"success_inclusive", json_text(p.success_inclusive)},
        {"use_goal_radius", json_text(p.use_goal_radius)},
        {"spl_numerator", json_text(distance_kind_name(p.spl_numerator))},
        {"dtw", json_text(dtw_kind_name(p.dtw))},
        {"dtw_threshold_m", json_text(p.dtw_threshold_m)},
        {"people", json_text(p.people)},
        {"primary", json_text(p.primary)},
        {"reported", json_list(p.reported)},
        {"card", card_text(p.card)},
    };
}

std::optional<Profile> find_builtin(const std::string& name) {
    for (const EmbeddedFile& file : builtin_files()) {
        if (file.name == name + ".json") return parse_profile(file.bytes, std::string(file.name));
    }
    return std::nullopt;
}

}  // namespace

const char* distance_kind_name(DistanceKind kind) {
    return name_in(kDistanceKinds, kind);
}

const char* dtw_kind_name(DtwKind kind) {
    return name_in(kDtwKinds, kind);
}

std::vector<std::string> builtin_profile_names() {
    std::vector<std::string> names;
    for (const EmbeddedFile& file : builtin_files()) {
        names.emplace_back(file.name.substr(0, file.name.rfind(".json")));
    }
    return names;
}

Profile load_profile(const std::string& name_or_file) {
    if (const std::optional<Profile> builtin = find_builtin(name_or_file)) return *builtin;
    if (!stands(name_or_file)) {
        throw usage_error(name_or_file, fmt::format("is neither a built-in profile ({}) nor a file",
                                                    fmt::join(builtin_profile_names(), ", ")));
    }
    return parse_profile(read_whole_file(name_or_file, kMaxProfileBytes), name_or_file);
}

void write_profile(JsonWriter& json, const Profile& profile) {
    json.begin_object();
    for (const auto& [key, value] : key_values(profile)) json.key(key).raw(value);
    json.end_object();
}

std::string profile_json(const Profile& profile) {
    JsonWriter json;
    write_profile(json, profile);
    return json.take();
}

std::vector<ProfileDifference> profile_differences(const Profile& profile, const Profile& base) {
    const auto mine = key_values(profile), theirs = key_values(base);
    std::vector<ProfileDifference> differences;
    for (std::size_t k = 0; k < mine.size(); ++k) {
        const std::string_view key = mine[k].first;
        if (key == "name" || key == "task" || mine[k].second == theirs[k].second) continue;
        differences.push_back({std::string(key), mine[k].second});
    }
    return differences;
}

std::string profile_signature(const Profile& profile) {
    const std::optional<Profile> builtin = find_builtin(profile.name);
    if (!builtin) return profile.name + '@' + sha256_hex(profile_json(profile)).substr(0, 12);
    std::string text = profile.name;
    for (const ProfileDifference& d : profile_differences(profile, *builtin)) {
        std::string value = d.value;
        value.erase(std::remove(value.begin(), value.end(), '"'), value.end());
        text += '+' + d.key + '=' + value;
    }
    return text;
}

}  // namespace havln
