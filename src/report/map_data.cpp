#include "report/map_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "havln/error.h"
#include "report/svg_path.h"

namespace havln {

namespace {

constexpr std::int32_t kBias = 43;
/// '#' to '~' without those that HTML, JSON or JavaScript give a meaning.
constexpr std::string_view kAlphabet =
    "#$%()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";
constexpr std::int32_t kEscape = static_cast<std::int32_t>(kAlphabet.size()) - 1;
static_assert(kEscape == 2 * kBias);

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

void put_agent(JsonWriter& json, const AgentOnMap& agent) {
    const EpisodeMap& map = *agent.map;
    const Trace& trace = *agent.trace;
    json.begin_object();
    json.member("p", pack_places(map.path));
    json.member("h", pack_headings(trace));
    json.member("k", pack_blocks(map));
    json.member("f", pack_frames(trace));
    if (!agent.actions.empty()) json.member("a", action_letters(agent.actions, trace.steps()));
    json.member("b", pack_drawn_blocks(map));
    json.member("c", pack_contacts(map));
    json.member("s", map.stopped ? 1 : 0);
    json.end_object();
}

}  // namespace

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

std::string script_safe(std::string json) {
    // Only '<' could end the data.
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

void put_episode_map(JsonWriter& json, std::span<const AgentOnMap> agents) {
    HAVLN_CHECK(!agents.empty());
    const EpisodeMap& episode = *agents.front().map;
    std::vector<MapView> views = episode.views;
    std::vector<MapPoint> crossings = episode.crossings;
    for (const AgentOnMap& agent : agents.subspan(1)) {
        join_views(views, agent.map->views);
        join_crossings(crossings, agent.map->crossings);
    }
    json.begin_object();
    json.key("v").begin_array();
    for (const MapView& view : views) {
        json.value(view.floor).value(view.box.min.x).value(view.box.min.y);
        json.value(view.box.max.x).value(view.box.max.y);
    }
    json.end_array();
    json.key("t").begin_array();
    for (const AgentOnMap& agent : agents) put_agent(json, agent);
    json.end_array();
    json.member("r", pack_places(episode.reference));
    json.member("g", pack_places(episode.goals));
    json.member("x", pack_points(crossings));
    json.end_object();
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
    return script_safe(json.take());
}

std::vector<std::string> scenes_json(const std::vector<std::string>& scans,
                                     const std::map<std::string, SceneMap>& maps) {
    std::vector<std::string> scenes;
    for (const std::string& scan : scans) {
        const auto map = maps.find(scan);
        scenes.push_back(map == maps.end() ? "" : scene_json(map->second));
    }
    return scenes;
}

}  // namespace havln
