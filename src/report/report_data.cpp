#include "report/report_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

#include "havln/error.h"
#include "io/json_writer.h"
#include "report/svg_path.h"

namespace havln {

namespace {

constexpr std::int32_t kBias = 43;
/// '#' to '~' without those that HTML, JSON or JavaScript give a meaning.
constexpr std::string_view kAlphabet =
    "#$%()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
constexpr std::int32_t kEscape = static_cast<std::int32_t>(kAlphabet.size()) - 1;
static_assert(kEscape == 2 * kBias);

const Episode& episode_of(const ReportSplit& split, const EpisodeMetrics& row) {
    HAVLN_CHECK(row.episode_index < split.split->episodes.size());
    return split.split->episodes[row.episode_index];
}

/// In a <script> element only '<' could end the data.
std::string for_script(std::string json) {
    std::string out;
    out.reserve(json.size());
    for (const char c : json) {
        if (c == '<') {
            out += "\\u003c";
        } else {
            out += c;
        }
    }
    return out;
}

/// A number with as many decimals as the table can use; null where it is absent or not finite.
void put_rounded(JsonWriter& json, std::optional<double> value) {
    if (!value || !std::isfinite(*value)) {
        json.null();
        return;
    }
    const double rounded = std::round(*value * 1e4) / 1e4;
    if (rounded == std::floor(rounded) && std::abs(rounded) < 1e15) {
        json.value(static_cast<std::int64_t>(rounded));
    } else {
        json.value(rounded);
    }
}

/// Packs numbers as differences from the one before.
class DeltaPacker {
  public:
    void add(std::int32_t value) {
        append_packed(text_, value - last_);
        last_ = value;
    }
    std::string take() { return std::move(text_); }

  private:
    std::int32_t last_ = 0;
    std::string text_;
};

/// Points as (floor, x, y), each number as its difference from the point before.
std::string pack_places(std::span<const MapPlace> places) {
    std::string out;
    MapPlace last;
    for (const MapPlace& place : places) {
        append_packed(out, place.floor - last.floor);
        append_packed(out, place.at.x - last.at.x);
        append_packed(out, place.at.y - last.at.y);
        last = place;
    }
    return out;
}

std::string pack_points(std::span<const MapPoint> points) {
    std::string out;
    for (const MapPoint point : points) {
        append_packed(out, point.x);
        append_packed(out, point.y);
    }
    return out;
}

/// A person's places by frame: 0 where absent, else floor + 1, dx, dy.
std::string pack_person(const MapPerson& person) {
    std::string out;
    MapPoint last;
    for (const auto& place : person.by_frame) {
        append_packed(out, place ? place->floor + 1 : 0);
        if (!place) continue;
        append_packed(out, place->at.x - last.x);
        append_packed(out, place->at.y - last.y);
        last = place->at;
    }
    return out;
}

std::string pack_headings(const Trace& trace) {
    std::string out;
    for (const Quatf& rotation : trace.rotations_xyzw) {
        append_packed(out, map_heading_5deg(rotation) - 36);
    }
    return out;
}

/// Per step 0 where free, else 1 + 2 * mark + contact.
std::string pack_blocks(const EpisodeMap& map) {
    std::string out;
    for (const StepBlock& block : map.step_blocks) {
        append_packed(out, block.blocked ? 1 + 2 * static_cast<std::int32_t>(block.mark) +
                                               (block.contact ? 1 : 0)
                                         : 0);
    }
    return out;
}

std::string pack_frames(const Trace& trace) {
    DeltaPacker packer;
    for (const std::uint16_t frame : trace.frames) packer.add(frame);
    return packer.take();
}

/// (step, count) of each drawn block; the rest follows from the step.
std::string pack_drawn_blocks(const EpisodeMap& map) {
    std::string out;
    std::int32_t last = 0;
    for (const MapBlock& block : map.blocks) {
        const auto step = static_cast<std::int32_t>(block.step);
        append_packed(out, step - last);
        append_packed(out, static_cast<std::int32_t>(block.count));
        last = step;
    }
    return out;
}

std::string pack_contacts(const EpisodeMap& map) {
    std::string out;
    for (const MapContact& contact : map.contacts) {
        append_packed(out, static_cast<std::int32_t>(contact.step));
        append_packed(out, static_cast<std::int32_t>(contact.person));
    }
    return out;
}

std::string action_letters(std::span<const Action> actions, std::size_t steps) {
    constexpr std::string_view kLetters = "SFLRUD";
    std::string out;
    for (std::size_t k = 0; k < std::min(steps, actions.size()); ++k) {
        out += kLetters[static_cast<std::size_t>(actions[k])];
    }
    return out;
}

void put_episode_map(JsonWriter& json, const EpisodeMap& map, const Trace& trace,
                     std::span<const Action> actions) {
    json.begin_object();
    json.key("v").begin_array();
    for (const MapView& view : map.views) {
        json.value(view.floor).value(view.box.min.x).value(view.box.min.y);
        json.value(view.box.max.x).value(view.box.max.y);
    }
    json.end_array();
    json.member("p", pack_places(map.path));
    json.member("h", pack_headings(trace));
    json.member("k", pack_blocks(map));
    json.member("f", pack_frames(trace));
    if (!actions.empty()) json.member("a", action_letters(actions, trace.steps()));
    json.member("b", pack_drawn_blocks(map));
    json.member("c", pack_contacts(map));
    json.member("r", pack_places(map.reference));
    json.member("g", pack_places(map.goals));
    json.member("x", pack_points(map.crossings));
    json.end_object();
}

/// Writes one column: a value per row.
void put_column(JsonWriter& json, const char* name, std::size_t rows,
                const std::function<void(std::size_t)>& put_value) {
    json.key(name).begin_array();
    for (std::size_t i = 0; i < rows; ++i) put_value(i);
    json.end_array();
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

std::string_view packing_alphabet() {
    return kAlphabet;
}

void append_packed(std::string& out, std::int32_t value) {
    if (value >= -kBias && value < kBias) {
        out += kAlphabet[static_cast<std::size_t>(value + kBias)];
        return;
    }
    constexpr std::uint32_t kDigit = 64;
    auto rest = static_cast<std::uint32_t>(value) ^ 0x80000000u;  // keeps the order, unsigned
    std::array<char, 6> digits{};
    for (std::size_t k = digits.size(); k-- > 0; rest /= kDigit) {
        digits[k] = kAlphabet[rest % kDigit];
    }
    out += kAlphabet[static_cast<std::size_t>(kEscape)];
    out.append(digits.data(), digits.size());
}

std::string pack(std::span<const std::int32_t> values) {
    std::string out;
    for (const std::int32_t value : values) append_packed(out, value);
    return out;
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
    return for_script(json.take());
}

std::string scene_json(const SceneMap& scene) {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object();
    json.member("scan", scene.scan).member("cutOut", scene.people_cut_out);
    json.key("floors").begin_array();
    for (const MapFloor& floor : scene.floors) {
        json.begin_object();
        json.key("level");
        put_rounded(json, std::round(floor.level_m * 10) / 10);
        json.key("box").begin_array();
        json.value(floor.bounds.min.x).value(floor.bounds.min.y);
        json.value(floor.bounds.max.x).value(floor.bounds.max.y).end_array();
        json.key("ground").begin_array();
        for (const MapRegion& region : floor.regions) {
            SvgPath path;
            for (const auto& outline : region.outlines) {
                for (std::size_t k = 0; k < outline.size(); ++k) {
                    if (k == 0) {
                        path.move_to(outline[k].x, outline[k].y);
                    } else {
                        path.line_to(outline[k].x, outline[k].y);
                    }
                }
                path.close();
            }
            json.value(region.tint).value(path.text());
        }
        json.end_array().end_object();
    }
    json.end_array();
    json.key("people").begin_array();
    for (const MapPerson& person : scene.people) {
        json.value(person.viewpoint).value(person.category).value(pack_person(person));
    }
    json.end_array().end_object();
    return for_script(json.take());
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
        put_episode_map(json, map, split.traces[i],
                        split.actions.empty() ? std::span<const Action>() : split.actions[i]);
    }
    json.end_array();
    return for_script(json.take());
}

}  // namespace havln
