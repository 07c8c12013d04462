#include "report/report_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "havln/error.h"
#include "report/map_data.h"

namespace havln {

namespace {

const Episode& episode_of(const ReportSplit& split, const EpisodeMetrics& row) {
    HAVLN_CHECK(row.episode_index < split.split->episodes.size());
    return split.split->episodes[row.episode_index];
}

/// Columns that every profile has.
void put_common_columns(JsonWriter& json, const ReportSplit& split,
                        const std::vector<std::string>& scans) {
    const auto& rows = split.rows;
    const auto episode = [&](std::size_t i) -> const Episode& {
        return episode_of(split, rows[i]);
    };
    const auto column = [&](const char* name, auto&& get) {
        put_column(json, name, rows.size(),
                   [&](std::size_t i) { put_rounded(json, get(rows[i])); });
    };
    put_column(json, "id", rows.size(), [&](std::size_t i) { json.value(episode(i).episode_id); });
    put_column(json, "scene", rows.size(), [&](std::size_t i) {
        const auto at = std::lower_bound(scans.begin(), scans.end(), episode(i).scan);
        json.value(at - scans.begin());
    });
    put_column(json, "text", rows.size(),
               [&](std::size_t i) { json.value(episode(i).instruction); });
    put_column(json, "stopped", rows.size(),
               [&](std::size_t i) { json.value(split.traces[i].stopped ? 1 : 0); });
    column("ne", [](const auto& row) { return row.distance_to_goal; });
    column("pl", [](const auto& row) { return row.path_length; });
    column("start", [](const auto& row) { return row.start_distance; });
    column("one", [](const auto& row) { return row.oracle_navigation_error; });
    column("steps", [](const auto& row) { return static_cast<double>(row.steps_taken); });
    column("blocked", [](const auto& row) { return static_cast<double>(row.blocked_steps); });
    column("success", [](const auto& row) { return row.success ? 1.0 : 0.0; });
    column("oracle", [](const auto& row) { return row.oracle_success ? 1.0 : 0.0; });
    column("spl", [](const auto& row) { return row.spl; });
    column("ndtw", [](const auto& row) { return row.ndtw; });
}

/// What a split's tab shows beside its name.
std::string headline_text(const ReportSplit& split) {
    return split.score->has_people ? fmt::format("{:.2f}", split.score->headline.score)
                                   : fmt::format("SR {:.3f}", split.score->headline.SR);
}

void put_people_columns(JsonWriter& json, const ReportSplit& split,
                        const CollisionReading& reading) {
    const auto& rows = split.rows;
    put_column(json, "contact", rows.size(), [&](std::size_t i) {
        if (rows[i].contact) {
            json.value(rows[i].contact->collisions);
        } else {
            json.null();
        }
    });
    put_column(json, "baseline", rows.size(), [&](std::size_t i) { json.value(rows[i].baseline); });
    put_column(json, "excess", rows.size(), [&](std::size_t i) {
        const ReadingMetrics* metrics = reading_of(rows[i], &reading);
        HAVLN_CHECK(metrics != nullptr);
        json.value(metrics->excess);
    });
}

}  // namespace

void put_column(JsonWriter& json, const char* name, std::size_t rows,
                const std::function<void(std::size_t)>& put_value) {
    json.key(name).begin_array();
    for (std::size_t i = 0; i < rows; ++i) put_value(i);
    json.end_array();
}

const char* outcome_words(Outcome outcome) {
    constexpr std::array kWords = {"Reached", "Reached, but collided", "Stopped near",
                                   "Stopped far off", "Ran out of steps"};
    return kWords[static_cast<std::size_t>(outcome)];
}

const ReadingMetrics* reading_of(const EpisodeMetrics& row, const CollisionReading* reading) {
    if (reading == nullptr) return nullptr;
    if (*reading == CollisionReading::kReleased) return &row.released;
    return row.contact ? &*row.contact : nullptr;
}

Outcome outcome_of(const EpisodeMetrics& row, bool stopped, const CollisionReading* reading,
                   double success_distance_m) {
    if (row.success) {
        const ReadingMetrics* metrics = reading_of(row, reading);
        return metrics != nullptr && metrics->excess > 0 ? Outcome::kReachedCollided
                                                         : Outcome::kReached;
    }
    if (!stopped) return Outcome::kOutOfSteps;
    return row.distance_to_goal < 2 * success_distance_m ? Outcome::kStoppedNear
                                                         : Outcome::kStoppedFar;
}

std::vector<std::string> report_scans(const ReportInput& input) {
    std::set<std::string> scans;
    for (const ReportSplit& split : input.splits) {
        for (const EpisodeMetrics& row : split.rows) scans.insert(episode_of(split, row).scan);
    }
    return {scans.begin(), scans.end()};
}

std::string table_json(const ReportInput& input) {
    const RunSettings& settings = input.card->settings;
    const bool people = settings.profile.people;
    const std::vector<std::string> scans = report_scans(input);
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object();
    json.member("alphabet", packing_alphabet());
    json.member("people", people);
    json.member("first", input.splits.size() - 1);  // val_unseen, which ranks
    json.member("successDistance", settings.profile.success_distance_m);
    json.key("scenes").begin_array();
    for (const std::string& scan : scans) json.value(scan);
    json.end_array();
    json.key("outcomes").begin_array();
    for (int k = 0; k < kOutcomeCount; ++k) json.value(outcome_words(static_cast<Outcome>(k)));
    json.end_array();
    json.key("splits").begin_array();
    for (const ReportSplit& split : input.splits) {
        json.begin_object();
        json.member("name", split.split->name).member("rows", split.rows.size());
        json.member("headline", headline_text(split));
        put_common_columns(json, split, scans);
        if (people) put_people_columns(json, split, settings.reading);
        put_column(json, "outcome", split.rows.size(), [&](std::size_t i) {
            json.value(static_cast<int>(outcome_of(split.rows[i], split.traces[i].stopped,
                                                   people ? &settings.reading : nullptr,
                                                   settings.profile.success_distance_m)));
        });
        json.end_object();
    }
    json.end_array();
    json.end_object();
    return script_safe(json.take());
}

std::string maps_json(const ReportInput& input, const ReportSplit& split) {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_array();
    for (std::size_t i = 0; i < split.rows.size(); ++i) {
        const Episode& episode = episode_of(split, split.rows[i]);
        const auto scene = input.scenes.find(episode.scan);
        if (scene == input.scenes.end()) {
            json.null();
            continue;
        }
        const EpisodeMap map = make_episode_map(scene->second, episode, &split.traces[i],
                                                input.card->settings.profile.success_distance_m);
        AgentOnMap agent{&map, &split.traces[i], {}};
        if (!split.actions.empty()) agent.actions = split.actions[i];
        put_episode_map(json, {&agent, 1});
    }
    json.end_array();
    return script_safe(json.take());
}

}  // namespace havln
