#include "report/shard_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>

#include "havln/error.h"
#include "io/file.h"
#include "io/json_tree.h"
#include "io/json_writer.h"
#include "io/sha256.h"

namespace havln {

namespace {

constexpr std::int64_t kSchemaVersion = 1;

// Each visit_fields names the fields of one type once, for the writer and the reader alike.

template <typename Row, typename Visitor>
void visit_fields(
    Row& row, Visitor& visit) requires std::is_same_v<std::remove_const_t<Row>, ReadingMetrics> {
    visit("collisions", row.collisions);
    visit("excess", row.excess);
    visit("CR", row.CR);
    visit("SR", row.SR);
}

template <typename Row, typename Visitor>
void visit_fields(Row& row,
                  Visitor& visit) requires std::is_same_v<std::remove_const_t<Row>, CauseCounts> {
    visit("human", row.human);
    visit("static", row.stationary);
    visit("both", row.both);
}

template <typename Row, typename Visitor>
void visit_fields(Row& row,
                  Visitor& visit) requires std::is_same_v<std::remove_const_t<Row>, PersonalSpace> {
    visit("intimate_steps", row.intimate_steps);
    visit("personal_steps", row.personal_steps);
    visit("social_steps", row.social_steps);
    visit("intimate_frames", row.intimate_frames);
    visit("personal_frames", row.personal_frames);
    visit("social_frames", row.social_frames);
    visit("least_distance_m", row.least_distance_m);
}

template <typename Row, typename Visitor>
void visit_fields(
    Row& row, Visitor& visit) requires std::is_same_v<std::remove_const_t<Row>, AgentLogTotals> {
    visit("skipped_steps", row.skipped_steps);
    visit("total_steps", row.total_steps);
    visit("gflops", row.gflops);
}

template <typename Row, typename Visitor>
void visit_fields(
    Row& row, Visitor& visit) requires std::is_same_v<std::remove_const_t<Row>, EpisodeMetrics> {
    visit("episode_index", row.episode_index);
    visit("distance_to_goal", row.distance_to_goal);
    visit("success", row.success);
    visit("steps_taken", row.steps_taken);
    visit("path_length", row.path_length);
    visit("blocked_steps", row.blocked_steps);
    visit("baseline", row.baseline);
    visit("released", row.released);
    visit("contact", row.contact);
    visit("start_distance", row.start_distance);
    visit("oracle_navigation_error", row.oracle_navigation_error);
    visit("oracle_success", row.oracle_success);
    visit("geodesic_distance", row.geodesic_distance);
    visit("spl", row.spl);
    visit("soft_spl", row.soft_spl);
    visit("oracle_spl", row.oracle_spl);
    visit("ndtw", row.ndtw);
    visit("sdtw", row.sdtw);
    visit("causes", row.causes);
    visit("personal_space", row.personal_space);
    visit("goal_unreachable", row.goal_unreachable);
    visit("agent_log", row.agent_log);
    visit("card", row.card);
}

/// Names of card metrics outlive the program's data: NamedMetric points to literals.
const char* card_name(const std::string& name) {
    for (const char* known :
         {"success_card", "spl_card", "soft_spl_card", "path_length_card", "path_ratio_card"}) {
        if (name == known) return known;
    }
    return nullptr;
}

class FieldWriter {
  public:
    explicit FieldWriter(JsonWriter& json) : json_(json) {}

    template <typename T>
    void operator()(const char* name, const T& value) {
        json_.key(name);
        write(value);
    }

  private:
    void write(double value) {
        if (std::isfinite(value)) {
            json_.value(value);
        } else {
            json_.null();  // distances to goals that cannot be reached are infinite
        }
    }
    void write(bool value) { json_.value(value); }
    template <std::integral T>
    void write(T value) requires(!std::is_same_v<T, bool>) {
        json_.value(value);
    }
    template <typename T>
    void write(const std::optional<T>& value) {
        if (!value) {
            json_.value("absent");
        } else {
            write(*value);
        }
    }
    void write(const std::vector<NamedMetric>& metrics) {
        json_.begin_object();
        for (const NamedMetric& metric : metrics) json_.member(metric.name, metric.value);
        json_.end_object();
    }
    template <typename T>
    void write(const T& fields) requires std::is_class_v<T> {
        json_.begin_object();
        visit_fields(fields, *this);
        json_.end_object();
    }

    JsonWriter& json_;
};

/// A value and where it stands, for messages.
struct Place {
    const JsonTree* value;
    const std::filesystem::path* file;
    std::string pointer;

    [[nodiscard]] Error fault(const std::string& expected) const {
        return usage_error(*file,
                           fmt::format("at {}: expected {}, found {}: not a shard that "
                                       "havln-score --shard wrote whole",
                                       pointer.empty() ? "/" : pointer, expected, value->kind()));
    }
    Place at(std::string_view key) const {
        if (!value->is_object()) throw fault("an object");
        const JsonTree* member = value->find(key);
        if (member == nullptr) throw fault(fmt::format("the key \"{}\"", key));
        return {member, file, fmt::format("{}/{}", pointer, key)};
    }
    std::vector<Place> items() const {
        if (!value->is_array()) throw fault("an array");
        std::vector<Place> places;
        for (const JsonTree& item : value->array()) {
            places.push_back({&item, file, fmt::format("{}/{}", pointer, places.size())});
        }
        return places;
    }
};

class FieldReader {
  public:
    explicit FieldReader(Place object) : object_(std::move(object)) {}

    template <typename T>
    void operator()(const char* name, T& into) {
        read(object_.at(name), into);
    }

    static void read(const Place& place, double& into) {
        if (place.value->is_null()) {
            into = kInfinity;
        } else if (place.value->is_number()) {
            into = place.value->number();
        } else {
            throw place.fault("a number");
        }
    }
    static void read(const Place& place, bool& into) {
        if (!place.value->is_bool()) throw place.fault("a boolean");
        into = place.value->boolean();
    }
    static void read(const Place& place, std::string& into) {
        if (!place.value->is_string()) throw place.fault("a string");
        into = place.value->string();
    }
    template <std::integral T>
    static void read(const Place& place, T& into) requires(!std::is_same_v<T, bool>) {
        const JsonTree& value = *place.value;
        const bool fits = value.is_integer() && value.number() >= 0 && value.number() < 9e15 &&
                          std::in_range<T>(value.integer());
        if (!fits) throw place.fault("a whole number");
        into = static_cast<T>(value.integer());
    }
    template <typename T>
    static void read(const Place& place, std::optional<T>& into) {
        into.reset();
        if (!place.value->is_string()) read(place, into.emplace());
    }
    static void read(const Place& place, std::vector<NamedMetric>& into) {
        if (!place.value->is_object()) throw place.fault("an object");
        for (const auto& [name, value] : place.value->object()) {
            const char* known = card_name(name);
            if (known == nullptr || !value.is_number()) throw place.fault("card metrics");
            into.push_back({known, value.number()});
        }
    }
    template <typename T>
    static void read(const Place& place, T& into) requires std::is_class_v<T> {
        FieldReader fields(place);
        visit_fields(into, fields);
    }

  private:
    Place object_;
};

void write_settings(JsonWriter& json, const RunSettings& settings) {
    json.key("settings").begin_object();
    json.member("collisions", collision_reading_name(settings.reading));
    json.member("clock", settings.clock).member("sliding", settings.sliding);
    json.member("navmesh", settings.navmesh).member("people_sha256", settings.people_digest);
    json.member("path_finder", settings.path_finder);
    json.member("submission_sha256", settings.submission_digest);
    json.member("selection", settings.selection);
    json.end_object();
}

RunSettings read_settings(const Place& place, const std::string& profile_text) {
    RunSettings settings;
    settings.profile = parse_profile(profile_text, *place.file);
    std::string reading;
    FieldReader read(place);
    read("collisions", reading);
    settings.reading = reading == collision_reading_name(CollisionReading::kReleased)
                           ? CollisionReading::kReleased
                           : CollisionReading::kContact;
    read("clock", settings.clock);
    read("sliding", settings.sliding);
    read("navmesh", settings.navmesh);
    read("people_sha256", settings.people_digest);
    read("path_finder", settings.path_finder);
    read("submission_sha256", settings.submission_digest);
    read("selection", settings.selection);
    return settings;
}

void write_split(JsonWriter& json, const ShardSplit& split) {
    json.begin_object();
    json.member("name", split.name).member("split_episodes", split.split_episodes);
    json.member("selected_episodes", split.selected_episodes);
    json.member("human_influenced", split.human_influenced).member("partial", split.partial);
    json.member("ground_truth_sha256", split.ground_truth_digest);
    json.key("episodes").begin_array();
    for (std::size_t i = 0; i < split.rows.size(); ++i) {
        const Episode& episode = split.episodes[i];
        json.begin_object().member("episode_id", episode.episode_id);
        if (episode.trajectory_id) {
            json.member("trajectory_id", episode.trajectory_id->text);
            json.member("trajectory_is_number", episode.trajectory_id->is_number);
        }
        json.member("scene_id", episode.scene_id).member("scan", episode.scan);
        json.key("metrics").begin_object();
        FieldWriter fields(json);
        visit_fields(split.rows[i], fields);
        json.end_object().end_object();
    }
    json.end_array().end_object();
}

ShardSplit read_split(const Place& place) {
    ShardSplit split;
    FieldReader read(place);
    read("name", split.name);
    read("split_episodes", split.split_episodes);
    read("selected_episodes", split.selected_episodes);
    read("human_influenced", split.human_influenced);
    read("partial", split.partial);
    read("ground_truth_sha256", split.ground_truth_digest);
    constexpr std::uint64_t kMaxEpisodes = 10'000'000;
    if (split.split_episodes > kMaxEpisodes) throw place.fault("at most 10,000,000 episodes");
    for (const Place& item : place.at("episodes").items()) {
        Episode& episode = split.episodes.emplace_back();
        FieldReader of_episode(item);
        of_episode("episode_id", episode.episode_id);
        of_episode("scene_id", episode.scene_id);
        of_episode("scan", episode.scan);
        if (item.value->find("trajectory_id") != nullptr) {
            FileId id;
            of_episode("trajectory_id", id.text);
            of_episode("trajectory_is_number", id.is_number);
            episode.trajectory_id = id;
        }
        of_episode("metrics", split.rows.emplace_back());
        if (split.rows.back().episode_index >= split.split_episodes) {
            throw item.fault("an episode_index below split_episodes");
        }
    }
    return split;
}

// The last member is the digest of the document without it.
constexpr std::string_view kDigestBegin = ",\"sha256\":\"", kDigestEnd = "\"}\n";

void check_digest(std::string_view text, const std::filesystem::path& file) {
    constexpr std::size_t kHexDigits = 64;
    const std::size_t tail = kDigestBegin.size() + kHexDigits + kDigestEnd.size();
    const std::size_t body = text.size() - std::min(text.size(), tail);
    const std::string expected = sha256_hex(std::string(text.substr(0, body)) + "}");
    if (text.substr(body) == fmt::format("{}{}{}", kDigestBegin, expected, kDigestEnd)) return;
    throw usage_error(file,
                      "does not end with the sha256 of its content: it was damaged or edited; "
                      "score the shard again");
}

}  // namespace

std::string shard_json(const Shard& shard) {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object();
    json.member("schema_version", kSchemaVersion).member("kind", "havln-shard");
    json.member("shard", shard.key.index).member("shards", shard.key.count);
    json.member("version", shard.version);
    json.member("profile", profile_json(shard.settings.profile));
    write_settings(json, shard.settings);
    json.member("pool", shard.pool);
    if (shard.bootstrap) {
        json.key("bootstrap").begin_object();
        json.member("samples", shard.bootstrap->samples).member("seed", shard.bootstrap->seed);
        json.end_object();
    }
    json.key("splits").begin_array();
    for (const ShardSplit& split : shard.splits) write_split(json, split);
    json.end_array().end_object();
    std::string text = json.take();
    const std::string digest = sha256_hex(text);
    text.pop_back();
    return text + fmt::format("{}{}{}", kDigestBegin, digest, kDigestEnd);
}

Shard read_shard(const std::filesystem::path& file) {
    const std::string text = read_whole_file(file);
    const JsonTree tree = JsonTree::parse(text, file, static_cast<int>(ExitCode::kUsage));
    const Place root{&tree, &file, ""};
    std::int64_t schema = 0;
    std::string kind, profile_text;
    FieldReader read(root);
    read("kind", kind);
    read("schema_version", schema);
    if (kind != "havln-shard" || schema != kSchemaVersion) {
        throw usage_error(file, fmt::format("is not a shard of schema_version {}", kSchemaVersion));
    }
    check_digest(text, file);
    Shard shard;
    read("shard", shard.key.index);
    read("shards", shard.key.count);
    const std::string key = fmt::format("{}/{}", shard.key.index, shard.key.count);
    if (!parse_shard_key(key)) throw usage_error(file, "names itself shard " + key);
    read("version", shard.version);
    read("profile", profile_text);
    shard.settings = read_settings(root.at("settings"), profile_text);
    read("pool", shard.pool);
    if (tree.find("bootstrap") != nullptr) {
        FieldReader of_bootstrap(root.at("bootstrap"));
        of_bootstrap("samples", shard.bootstrap.emplace().samples);
        of_bootstrap("seed", shard.bootstrap->seed);
    }
    for (const Place& split : root.at("splits").items()) shard.splits.push_back(read_split(split));
    return shard;
}

}  // namespace havln
