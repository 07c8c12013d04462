#include "report/scene_map.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "havln/error.h"

namespace havln {

namespace {

/// What floors are decided by: one walkable polygon's ground and its height.
struct Ground {
    double height_m = 0, low_m = 0, high_m = 0;
    double area_m2 = 0;  ///< Seen from above.
    const NavMesh::Polygon* polygon = nullptr;
};

bool is_finite(const Vec3f& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Twice the signed area; positive when x turns towards y.
double twice_area(const std::vector<Vec3f>& vertices) {
    double sum = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const Vec3d a = to_double(vertices[i]);
        const Vec3d b = to_double(vertices[(i + 1) % vertices.size()]);
        sum += a.x * b.z - b.x * a.z;
    }
    return sum;
}

std::vector<Ground> walkable_ground(std::span<const NavMesh::Polygon> polygons) {
    std::vector<Ground> ground;
    for (const NavMesh::Polygon& polygon : polygons) {
        const auto& vertices = polygon.vertices;
        if (!polygon.walkable || vertices.size() < 3 ||
            !std::all_of(vertices.begin(), vertices.end(), is_finite)) {
            continue;
        }
        Ground piece{0, kInfinity, -kInfinity, std::abs(twice_area(vertices)) / 2, &polygon};
        for (const Vec3f& v : vertices) {
            piece.height_m += v.y;
            piece.low_m = std::min<double>(piece.low_m, v.y);
            piece.high_m = std::max<double>(piece.high_m, v.y);
        }
        piece.height_m /= static_cast<double>(vertices.size());
        ground.push_back(piece);
    }
    return ground;
}

struct Level {
    double height_m = 0, area_m2 = 0;
};

/// The 0.6 m of height that hold most ground. @pre `ground` rises in height and is not empty.
Level fullest_level(const std::vector<Ground>& ground) {
    constexpr double kWindow_m = 0.6;
    Level best{0, -1};
    double area = 0, moment = 0;
    std::size_t end = 0;
    for (std::size_t begin = 0; begin < ground.size(); ++begin) {
        for (; end < ground.size() && ground[end].height_m <= ground[begin].height_m + kWindow_m;
             ++end) {
            area += ground[end].area_m2;
            moment += ground[end].area_m2 * ground[end].height_m;
        }
        if (area > best.area_m2) best = {area > 0 ? moment / area : ground[begin].height_m, area};
        area -= ground[begin].area_m2;
        moment -= ground[begin].area_m2 * ground[begin].height_m;
    }
    return best;
}

std::vector<double> levels_of(std::vector<Ground> ground) {
    constexpr double kApart_m = 1.8;
    constexpr double kLeastShare = 0.05;
    std::sort(ground.begin(), ground.end(),
              [](const Ground& a, const Ground& b) { return a.height_m < b.height_m; });
    double total = 0;
    for (const Ground& piece : ground) total += piece.area_m2;
    std::vector<double> levels;
    while (!ground.empty()) {
        const Level level = fullest_level(ground);
        if (!levels.empty() && level.area_m2 < kLeastShare * total) break;
        levels.push_back(level.height_m);
        const auto near = [&](const Ground& piece) {
            return std::abs(piece.height_m - level.height_m) < kApart_m;
        };
        std::erase_if(ground, near);
    }
    if (levels.empty()) levels.push_back(0);
    std::sort(levels.begin(), levels.end());
    return levels;
}

std::vector<MapFloor> empty_floors(const std::vector<double>& levels) {
    std::vector<MapFloor> floors(levels.size());
    for (std::size_t k = 0; k < levels.size(); ++k) {
        floors[k].level_m = levels[k];
        floors[k].low_m = k == 0 ? -kInfinity : floors[k - 1].high_m;
        floors[k].high_m = k + 1 == levels.size() ? kInfinity : (levels[k] + levels[k + 1]) / 2;
    }
    return floors;
}

/// Tint by island: the largest takes 0, the others 1, 2, 3 in turn by falling area.
std::map<int, int> island_tints(const std::vector<Ground>& ground) {
    std::map<int, double> areas;
    for (const Ground& piece : ground) areas[piece.polygon->island] += piece.area_m2;
    std::vector<std::pair<double, int>> order;
    for (const auto& [island, area] : areas) order.emplace_back(-area, island);
    std::sort(order.begin(), order.end());
    std::map<int, int> tints;
    for (std::size_t k = 0; k < order.size(); ++k) {
        tints[order[k].second] = k == 0 ? 0 : static_cast<int>((k - 1) % 3) + 1;
    }
    return tints;
}

std::vector<MapPoint> map_polygon(const NavMesh::Polygon& polygon) {
    std::vector<MapPoint> points;
    for (const Vec3f& v : polygon.vertices) points.push_back(to_map(to_double(v)));
    return points;
}

/// Fills a floor's regions: one per island, drawn from the lowest up.
void add_ground(MapFloor& floor, const std::vector<Ground>& ground,
                const std::map<int, int>& tints) {
    struct Pieces {
        std::vector<std::vector<MapPoint>> polygons;
        double lowest_m = kInfinity;
    };
    std::map<int, Pieces> islands;
    for (const Ground& piece : ground) {
        if (piece.high_m < floor.low_m || piece.low_m >= floor.high_m) continue;
        Pieces& pieces = islands[piece.polygon->island];
        pieces.polygons.push_back(map_polygon(*piece.polygon));
        pieces.lowest_m = std::min(pieces.lowest_m, piece.low_m);
    }
    std::vector<std::pair<double, int>> order;
    for (const auto& [island, pieces] : islands) order.emplace_back(pieces.lowest_m, island);
    std::sort(order.begin(), order.end());
    for (const auto& [lowest_m, island] : order) {
        MapRegion region{island, tints.at(island), outlines_of(islands[island].polygons)};
        for (const auto& outline : region.outlines) {
            for (const MapPoint point : outline) floor.bounds.add(point);
        }
        if (!region.outlines.empty()) floor.regions.push_back(std::move(region));
    }
}

bool counter_clockwise(const std::vector<MapPoint>& polygon) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const MapPoint a = polygon[i], b = polygon[(i + 1) % polygon.size()];
        sum += std::int64_t{a.x} * b.y - std::int64_t{b.x} * a.y;
    }
    return sum < 0;
}

using Edges = std::map<MapPoint, std::map<MapPoint, int>>;  ///< From, to: how many.

/// Adds an edge, or takes away one that runs the other way.
void add_edge(Edges& edges, MapPoint from, MapPoint to) {
    if (from == to) return;
    const auto opposite = edges.find(to);
    if (opposite != edges.end()) {
        const auto same = opposite->second.find(from);
        if (same != opposite->second.end()) {
            if (--same->second == 0) opposite->second.erase(same);
            if (opposite->second.empty()) edges.erase(opposite);
            return;
        }
    }
    ++edges[from][to];
}

MapPoint take_edge(Edges& edges, MapPoint from) {
    const auto at = edges.find(from);
    HAVLN_CHECK(at != edges.end());  // edges make closed loops
    const auto next = at->second.begin();
    const MapPoint to = next->first;
    if (--next->second == 0) at->second.erase(next);
    if (at->second.empty()) edges.erase(at);
    return to;
}

bool on_a_line(MapPoint a, MapPoint b, MapPoint c) {
    const std::int64_t cross = (std::int64_t{b.x} - a.x) * (std::int64_t{c.y} - b.y) -
                               (std::int64_t{b.y} - a.y) * (std::int64_t{c.x} - b.x);
    return cross == 0;
}

/// Leaves out points that a straight side runs through.
std::vector<MapPoint> without_flat_corners(const std::vector<MapPoint>& outline) {
    std::vector<MapPoint> kept;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const MapPoint before = outline[(i + outline.size() - 1) % outline.size()];
        const MapPoint after = outline[(i + 1) % outline.size()];
        if (!on_a_line(before, outline[i], after)) kept.push_back(outline[i]);
    }
    return kept;
}

}  // namespace

std::int32_t to_cm(double metres) {
    constexpr double kFarthest_cm = 1e7;
    if (std::isnan(metres)) return 0;
    return static_cast<std::int32_t>(
        std::lround(std::clamp(metres * 100, -kFarthest_cm, kFarthest_cm)));
}

MapPoint to_map(const Vec3d& position) {
    return {to_cm(position.x), to_cm(position.z)};
}

void MapBox::add(MapPoint point) {
    add(point, 0);
}

void MapBox::add(MapPoint point, std::int32_t margin) {
    const MapPoint low{point.x - margin, point.y - margin},
        high{point.x + margin, point.y + margin};
    if (empty()) {
        min = low;
        max = high;
        return;
    }
    min = {std::min(min.x, low.x), std::min(min.y, low.y)};
    max = {std::max(max.x, high.x), std::max(max.y, high.y)};
}

int SceneMap::floor_at(double y_m) const {
    int k = 0;
    while (k + 1 < static_cast<int>(floors.size()) &&
           y_m >= floors[static_cast<std::size_t>(k)].high_m) {
        ++k;
    }
    return k;
}

MapPlace SceneMap::place(const Vec3d& position) const {
    return {floor_at(position.y), to_map(position)};
}

std::vector<double> floor_levels(std::span<const NavMesh::Polygon> polygons) {
    return levels_of(walkable_ground(polygons));
}

std::vector<std::vector<MapPoint>> outlines_of(std::span<const std::vector<MapPoint>> polygons) {
    Edges edges;
    for (std::vector<MapPoint> polygon : polygons) {
        if (counter_clockwise(polygon)) std::reverse(polygon.begin(), polygon.end());
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            add_edge(edges, polygon[i], polygon[(i + 1) % polygon.size()]);
        }
    }
    std::vector<std::vector<MapPoint>> outlines;
    while (!edges.empty()) {
        const MapPoint start = edges.begin()->first;
        std::vector<MapPoint> outline;
        MapPoint at = start;
        do {
            outline.push_back(at);
            at = take_edge(edges, at);
        } while (at != start);
        outline = without_flat_corners(outline);
        if (outline.size() >= 3) outlines.push_back(std::move(outline));
    }
    return outlines;
}

SceneMap make_scene_map(const std::string& scan, std::span<const NavMesh::Polygon> polygons,
                        const ScenePeople* people, bool people_cut_out) {
    const std::vector<Ground> ground = walkable_ground(polygons);
    SceneMap map;
    map.scan = scan;
    map.people_cut_out = people_cut_out;
    map.floors = empty_floors(levels_of(ground));
    const std::map<int, int> tints = island_tints(ground);
    for (MapFloor& floor : map.floors) add_ground(floor, ground, tints);
    if (people == nullptr) return map;
    for (const Person& person : people->people) {
        MapPerson& drawn = map.people.emplace_back();
        drawn.viewpoint = person.viewpoint;
        drawn.category = person.category;
        for (std::size_t frame = 0; frame < kFrameCount; ++frame) {
            if (person.position[frame]) drawn.by_frame[frame] = map.place(*person.position[frame]);
        }
    }
    return map;
}

SceneMap make_scene_map(const SceneNavMeshes& scene, const ScenePeople* people) {
    const bool with_people = scene.without_people == nullptr;
    const NavMesh& mesh = with_people ? scene.frame(0) : *scene.without_people;
    return make_scene_map(scene.scan, mesh.polygons(), people, with_people);
}

}  // namespace havln
