#include "report/score_json.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "havln/error.h"
#include "io/json_writer.h"
#include "metrics/profile_json.h"

namespace havln {

namespace {

constexpr int kSchemaVersion = 1;

void write_settings(JsonWriter& json, const RunSettings& settings) {
    json.key("settings").begin_object();
    json.key("profile");
    write_profile(json, settings.profile);
    if (settings.profile.people) {
        json.member("collisions", collision_reading_name(settings.reading));
    }
    if (!settings.clock.empty()) json.member("clock", settings.clock);
    json.member("sliding", settings.sliding);
    json.member("navmesh", settings.navmesh);
    json.member("path_finder", settings.path_finder);
    if (!settings.people_digest.empty()) json.member("people_sha256", settings.people_digest);
    if (!settings.submission_digest.empty()) {
        json.member("submission_sha256", settings.submission_digest);
    }
    if (!settings.selection.empty()) json.member("selection", settings.selection);
    json.end_object();
}

void write_components(JsonWriter& json, const SplitScore& split) {
    const ScoreComponents& c = split.headline;
    json.member("SR", c.SR);
    if (split.means.contains("distance_to_goal")) json.member("NE", c.NE);
    if (!split.has_people) return;
    json.member("CR", c.CR).member("TCR", c.TCR);
    json.member("navigation", c.navigation).member("social", c.social).member("score", c.score);
    if (!split.partial) {
        json.key("tie_break_key").begin_inline_array();
        for (const double part : tie_break_key(c)) json.value(part);
        json.end_array();
    }
    json.member("collision_reading", collision_reading_name(split.reading));
    if (!split.other) return;
    const CollisionReading other = split.reading == CollisionReading::kContact
                                       ? CollisionReading::kReleased
                                       : CollisionReading::kContact;
    json.key("other_reading").begin_object();
    json.member("name", collision_reading_name(other));
    json.member("SR", split.other->SR).member("CR", split.other->CR);
    json.member("TCR", split.other->TCR).member("score", split.other->score);
    json.end_object();
}

void write_causes(JsonWriter& json, const CauseCounts& causes) {
    json.member("human_caused", causes.human);
    json.member("static_caused", causes.stationary);
    json.member("both", causes.both);
}

void write_means(JsonWriter& json, std::string_view key,
                 const std::map<std::string, double>& means) {
    json.key(key).begin_object();
    for (const auto& [name, mean] : means) json.member(name, mean);
    json.end_object();
}

void write_pooling(JsonWriter& json, const std::vector<Pooling>& poolings) {
    json.key("pooling").begin_object();
    for (const Pooling& pooling : poolings) {
        json.key(pooling.by).begin_object();
        write_means(json, "micro", pooling.micro);
        write_means(json, "macro", pooling.macro);
        json.key("groups").begin_object();
        for (const GroupMeans& group : pooling.groups) {
            json.key(group.name).begin_object();
            json.member("episodes", group.episodes);
            write_means(json, "means", group.means);
            json.end_object();
        }
        json.end_object();
        json.end_object();
    }
    json.end_object();
}

void write_bootstrap(JsonWriter& json, const BootstrapSummary& bootstrap) {
    json.key("bootstrap").begin_object();
    json.member("samples", bootstrap.options.samples).member("seed", bootstrap.options.seed);
    json.member("level", bootstrap.options.level);
    json.key("intervals").begin_object();
    for (const auto& [name, interval] : bootstrap.intervals) {
        json.key(name).begin_inline_array();
        json.value(interval.low).value(interval.high).end_array();
    }
    json.end_object();
    json.end_object();
}

void write_clock_samples(JsonWriter& json, const ClockSummary& clock) {
    json.key("samples").begin_array();
    for (const ClockSummary::Sample& sample : clock.samples) {
        json.begin_object().member("clock", sample.clock);
        for (std::size_t k = 0; k < component_names().size(); ++k) {
            json.member(component_names()[k].name, sample.values[k]);
        }
        json.end_object();
    }
    json.end_array();
}

void write_clock(JsonWriter& json, const ClockSummary& clock) {
    json.key("clock").begin_object();
    json.key("spread").begin_object();
    for (const ComponentName& part : component_names()) {
        const Spread& spread = clock.spread.at(part.name);
        json.key(part.name).begin_object();
        json.member("least", spread.least).member("p5", spread.p5);
        json.member("median", spread.median).member("p95", spread.p95);
        json.member("greatest", spread.greatest).end_object();
    }
    json.end_object();
    json.key("flips").begin_array();
    for (const ClockSummary::Flip& flip : clock.flips) {
        json.begin_object().member("episode_id", flip.episode_id);
        json.member("successes", flip.successes).end_object();
    }
    json.end_array();
    write_clock_samples(json, clock);
    json.end_object();
}

void write_split(JsonWriter& json, const SplitScore& split) {
    json.key(split.split).begin_object();
    json.member("episodes", split.episodes);
    if (split.has_people) json.member("human_influenced", split.human_influenced);
    write_components(json, split);
    if (split.partial) json.member("partial", true);
    if (split.causes) {
        json.key("collisions").begin_object();
        write_causes(json, *split.causes);
        json.end_object();
    }
    if (split.unreachable_goals > 0) json.member("unreachable_goals", split.unreachable_goals);
    if (!split.ground_truth_digest.empty()) {
        json.member("ground_truth_sha256", split.ground_truth_digest);
    }
    write_means(json, "means", split.means);
    if (!split.left_out.empty()) {
        json.key("left_out").begin_object();
        for (const auto& [name, count] : split.left_out) json.member(name, count);
        json.end_object();
    }
    if (split.bootstrap) write_bootstrap(json, *split.bootstrap);
    if (split.clock) write_clock(json, *split.clock);
    if (!split.pooling.empty()) write_pooling(json, split.pooling);
    json.end_object();
}

void write_llm_match(JsonWriter& json, const LlmMatchScore& match) {
    json.key("llm_match").begin_object();
    json.member("score", match.score).member("questions", match.questions);
    json.end_object();
}

void write_file_id(JsonWriter& json, const FileId& id) {
    json.key("trajectory_id");
    if (id.is_number) {
        json.raw(id.text);
    } else {
        json.value(id.text);
    }
}

void write_collisions(JsonWriter& json, const EpisodeMetrics& row) {
    json.key("collisions").begin_object();
    json.member("count", row.blocked_steps);
    if (row.contact) json.member("human", row.contact->collisions);
    if (row.causes) write_causes(json, *row.causes);
    json.end_object();
}

/// Whole numbers as integers, so that counts read as counts.
void write_number(JsonWriter& json, std::string_view name, double value) {
    if (value == std::floor(value) && std::abs(value) < 9e15) {
        json.member(name, static_cast<std::int64_t>(value));
    } else {
        json.member(name, value);
    }
}

void write_episode(JsonWriter& json, const Split& split, const EpisodeMetrics& row,
                   const CollisionReading* reading) {
    HAVLN_CHECK(row.episode_index < split.episodes.size());
    const Episode& episode = split.episodes[row.episode_index];
    json.begin_object();
    json.member("split", split.name).member("episode_id", episode.episode_id);
    if (episode.trajectory_id) write_file_id(json, *episode.trajectory_id);
    json.member("scene_id", episode.scene_id);
    for (const NamedMetric& metric : named_metrics(row, reading)) {
        const std::string_view name = metric.name;
        if (name == "collisions") {
            write_collisions(json, row);
        } else if (name != "collisions_human") {
            write_number(json, name, metric.value);
        }
    }
    if (row.goal_unreachable) json.member("goal_unreachable", true);
    json.end_object();
}

bool has_placed_person(const Trace& trace) {
    return std::any_of(trace.nearest_person.begin(), trace.nearest_person.end(),
                       [](std::int32_t person) { return person >= 0; });
}

void write_people(JsonWriter& json, const Trace& trace, const ScenePeople& people) {
    json.key("human").begin_inline_array();
    for (const std::int32_t person : trace.nearest_person) {
        if (person < 0) {
            json.null();
            continue;
        }
        HAVLN_CHECK(static_cast<std::size_t>(person) < people.people.size());
        json.value(people.people[static_cast<std::size_t>(person)].viewpoint);
    }
    json.end_array();
    json.key("human_distance_m").begin_inline_array();
    for (std::size_t k = 0; k < trace.steps(); ++k) {
        if (trace.nearest_person[k] < 0) {
            json.null();
        } else {
            json.value(trace.nearest_person_distance_m[k]);
        }
    }
    json.end_array();
}

}  // namespace

std::string score_summary_json(const Scorecard& card) {
    JsonWriter json;
    json.begin_object();
    json.member("schema_version", kSchemaVersion);
    json.member("signature", make_signature(card).text());
    write_settings(json, card.settings);
    json.member("partial", card.partial);
    if (card.llm_match) write_llm_match(json, *card.llm_match);
    json.key("splits").begin_object();
    for (const SplitScore& split : card.splits) write_split(json, split);
    json.end_object();
    json.end_object();
    return json.take();
}

std::string llm_match_json(const LlmMatchScore& match) {
    JsonWriter json;
    json.begin_object();
    json.member("schema_version", kSchemaVersion);
    write_llm_match(json, match);
    json.end_object();
    return json.take();
}

std::string episode_metrics_json(std::span<const SplitRows> splits, const RunSettings& settings) {
    const CollisionReading* reading = settings.profile.people ? &settings.reading : nullptr;
    JsonWriter json;
    json.begin_array();
    for (const SplitRows& part : splits) {
        for (const EpisodeMetrics& row : part.rows) {
            write_episode(json, *part.split, row, reading);
        }
    }
    json.end_array();
    return json.take();
}

std::string trace_line_json(const std::string& split, const std::string& episode_id,
                            const Trace& trace, const ScenePeople* people) {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object();
    json.member("split", split).member("episode_id", episode_id);
    json.key("positions").begin_inline_array();
    for (const Vec3f& p : trace.positions) {
        json.begin_inline_array().value(p.x).value(p.y).value(p.z).end_array();
    }
    json.end_array();
    json.key("collided").begin_inline_array();
    for (const std::uint8_t flag : trace.collided) json.value(flag != 0 ? 1 : 0);
    json.end_array();
    json.key("frames").begin_inline_array();
    for (const std::uint16_t frame : trace.frames) json.value(frame);
    json.end_array();
    if (people != nullptr && has_placed_person(trace)) write_people(json, trace, *people);
    if (!trace.causes.empty()) {
        json.key("cause").begin_inline_array();
        for (const BlockCause cause : trace.causes) json.value(block_cause_name(cause));
        json.end_array();
    }
    json.end_object();
    return json.take() + '\n';
}

}  // namespace havln
