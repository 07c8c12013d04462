#include "report/episode_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "havln/error.h"

namespace havln {

namespace {

BlockMark mark_of(const Trace& trace, std::size_t k) {
    if (trace.causes.empty()) return BlockMark::kUnknown;
    switch (trace.causes[k]) {
        case BlockCause::kHuman:
            return BlockMark::kHuman;
        case BlockCause::kStatic:
            return BlockMark::kStatic;
        case BlockCause::kBoth:
            return BlockMark::kBoth;
        case BlockCause::kNone:
            break;
    }
    return BlockMark::kUnknown;
}

std::vector<StepBlock> step_blocks_of(const Trace& trace,
                                      const std::vector<std::uint8_t>& contact) {
    std::vector<StepBlock> blocks(trace.steps());
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        if (trace.collided[k] != 0) blocks[k] = {true, mark_of(trace, k), contact[k] != 0};
    }
    return blocks;
}

/// Blocked steps, those of one cause within the same 20 cm of floor taken together.
std::vector<MapBlock> drawn_blocks_of(const EpisodeMap& map) {
    constexpr double kCell_cm = 20;
    using Key = std::tuple<int, double, double, BlockMark, bool>;
    std::map<Key, std::size_t> seen;
    std::vector<MapBlock> blocks;
    for (std::size_t k = 0; k < map.step_blocks.size(); ++k) {
        const StepBlock& step = map.step_blocks[k];
        if (!step.blocked) continue;
        const MapPlace& place = map.path[k + 1];
        const Key key{place.floor, std::floor(place.at.x / kCell_cm),
                      std::floor(place.at.y / kCell_cm), step.mark, step.contact};
        const auto [at, is_new] = seen.emplace(key, blocks.size());
        if (is_new) {
            blocks.push_back({place, step.mark, step.contact, static_cast<std::uint32_t>(k + 1)});
        } else {
            ++blocks[at->second].count;
        }
    }
    return blocks;
}

/// Within 60 cm of each other on the map.
bool near_each_other(MapPoint a, MapPoint b) {
    constexpr double kNear_cm = 60;
    return std::hypot(a.x - b.x, a.y - b.y) <= kNear_cm;
}

bool has_moved(const MapPlace& a, const MapPlace& b) {
    return a.floor != b.floor || !near_each_other(a.at, b.at);
}

void add_crossings(std::vector<MapPoint>& crossings, const std::vector<MapPlace>& line) {
    for (std::size_t k = 1; k < line.size(); ++k) {
        if (line[k - 1].floor == line[k].floor) continue;
        const MapPoint a = line[k - 1].at, b = line[k].at;
        join_crossings(crossings, {{(a.x + b.x) / 2, (a.y + b.y) / 2}});
    }
}

std::vector<MapContact> contacts_of(const SceneMap& scene, const EpisodeMap& map,
                                    const Trace& trace, const std::vector<std::uint8_t>& contact) {
    std::vector<MapContact> contacts;
    std::map<std::uint32_t, MapPlace> last;  // by person: where the last contact was drawn
    for (std::size_t k = 0; k < trace.steps(); ++k) {
        if (contact[k] == 0) continue;
        const auto person = static_cast<std::uint32_t>(trace.nearest_person[k]);
        HAVLN_CHECK(person < scene.people.size() && trace.frames[k] < kFrameCount);
        const auto& place = scene.people[person].by_frame[trace.frames[k]];
        HAVLN_CHECK(place.has_value());
        const auto before = last.find(person);
        if (before != last.end() && !has_moved(before->second, *place)) continue;
        last[person] = *place;
        contacts.push_back(
            {person, static_cast<std::uint32_t>(k + 1), trace.frames[k], *place, map.path[k + 1]});
    }
    return contacts;
}

void add_trace(EpisodeMap& map, const SceneMap& scene, const Trace& trace) {
    for (const Vec3f& position : trace.positions) {
        map.path.push_back(scene.place(to_double(position)));
    }
    HAVLN_CHECK(map.path.size() == trace.steps() + 1);
    map.stopped = trace.stopped;
    const bool located = !trace.nearest_person.empty() && !scene.people.empty();
    const std::vector<std::uint8_t> contact =
        located ? contact_steps(trace, kEnvelope_m) : std::vector<std::uint8_t>(trace.steps());
    map.step_blocks = step_blocks_of(trace, contact);
    map.blocks = drawn_blocks_of(map);
    map.contacts = contacts_of(scene, map, trace, contact);
}

/// Widens a box about its middle to at least this side.
void widen(MapBox& box, std::int32_t side) {
    const std::int32_t add_x = std::max(0, side - box.width()) / 2;
    const std::int32_t add_y = std::max(0, side - box.height()) / 2;
    box = {{box.min.x - add_x, box.min.y - add_y}, {box.max.x + add_x, box.max.y + add_y}};
}

std::vector<MapView> views_of(const EpisodeMap& map) {
    constexpr std::int32_t kMargin_cm = 100;
    constexpr std::int32_t kLeastSide_cm = 600;
    std::map<int, MapBox> boxes;
    const auto add = [&](const MapPlace& place, std::int32_t margin) {
        boxes[place.floor].add(place.at, margin);
    };
    for (const MapPlace& place : map.path) add(place, kMargin_cm);
    for (const MapPlace& place : map.reference) add(place, kMargin_cm);
    for (const MapPlace& place : map.goals) {
        add(place, std::max(kMargin_cm, map.goal_radius_cm + kMargin_cm / 4));
    }
    for (const MapContact& contact : map.contacts) {
        add(contact.person_place, to_cm(kEnvelope_m) + kMargin_cm / 4);
    }
    add(map.start, kMargin_cm);
    std::vector<MapView> views;
    for (auto& [floor, box] : boxes) {
        widen(box, kLeastSide_cm);
        views.push_back({floor, box});
    }
    return views;
}

}  // namespace

void join_views(std::vector<MapView>& views, const std::vector<MapView>& more) {
    for (const MapView& view : more) {
        const auto at =
            std::lower_bound(views.begin(), views.end(), view.floor,
                             [](const MapView& one, int floor) { return one.floor < floor; });
        if (at == views.end() || at->floor != view.floor) {
            views.insert(at, view);
        } else {
            at->box.add(view.box.min);
            at->box.add(view.box.max);
        }
    }
}

void join_crossings(std::vector<MapPoint>& crossings, const std::vector<MapPoint>& more) {
    for (const MapPoint point : more) {
        const bool known = std::any_of(crossings.begin(), crossings.end(), [&](MapPoint other) {
            return near_each_other(point, other);
        });
        if (!known) crossings.push_back(point);
    }
}

int map_heading_5deg(const Quatf& q) {
    // The agent faces its own -z: minus the third column of the rotation matrix.
    const double x = q.x, y = q.y, z = q.z, w = q.w;
    const double ahead_x = -(2 * x * z + 2 * y * w);
    const double ahead_z = -(1 - 2 * x * x - 2 * y * y);
    const double degrees = std::atan2(ahead_x, -ahead_z) * 180 / std::numbers::pi;
    if (!std::isfinite(degrees)) return 0;
    return static_cast<int>((std::lround(degrees / 5) + 72) % 72);
}

EpisodeMap make_episode_map(const SceneMap& scene, const Episode& episode, const Trace* trace,
                            double success_distance_m) {
    EpisodeMap map;
    const AgentPose start = episode.start_pose();
    map.start = scene.place(to_double(start.position));
    map.start_heading_5deg = map_heading_5deg(start.rotation_xyzw);
    map.goal_radius_cm = to_cm(success_distance_m);
    for (const Vec3d& point : episode.reference_path) map.reference.push_back(scene.place(point));
    if (episode.goals) {
        for (const Goal& goal : *episode.goals) map.goals.push_back(scene.place(goal.position));
    }
    if (trace != nullptr) add_trace(map, scene, *trace);
    add_crossings(map.crossings, map.path);
    add_crossings(map.crossings, map.reference);
    map.views = views_of(map);
    return map;
}

}  // namespace havln
