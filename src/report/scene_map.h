#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "havln/geometry.h"
#include "havln/navmesh.h"
#include "havln/scene.h"

namespace havln {

/// A point of a map seen from above [cm]: x is the world's +x (right), y the world's +z (down).
struct MapPoint {
    std::int32_t x = 0, y = 0;
    auto operator<=>(const MapPoint&) const = default;
};

/// The nearest whole centimetre; far or non-finite coordinates are brought to within 100 km.
std::int32_t to_cm(double metres);
MapPoint to_map(const Vec3d& position);

/// Axis-aligned box [cm], corners included. Empty until a point is added.
struct MapBox {
    MapPoint min{1, 1}, max{0, 0};

    bool empty() const { return min.x > max.x; }
    void add(MapPoint point);
    /// A box of this half side around a point.
    void add(MapPoint point, std::int32_t margin);
    std::int32_t width() const { return max.x - min.x; }
    std::int32_t height() const { return max.y - min.y; }
    bool operator==(const MapBox&) const = default;
};

/// One island's ground on one floor: closed outlines to be filled by the non-zero rule.
struct MapRegion {
    int island = 0;  ///< As NavMesh numbers it.
    int tint = 0;    ///< 0: the scene's largest island; the others take 1, 2, 3 in turn.
    std::vector<std::vector<MapPoint>> outlines;
};

/// One storey. Its ground holds every polygon that reaches into [low_m, high_m), so that stairs
/// show on both floors that they join.
struct MapFloor {
    double level_m = 0;            ///< Height of most of its ground.
    double low_m = 0, high_m = 0;  ///< Positions between belong here; the outer ones are infinite.
    std::vector<MapRegion> regions;  ///< From the lowest up: later ones lie on top.
    MapBox bounds;
};

/// Where something stands on the map.
struct MapPlace {
    int floor = 0;  ///< Index into SceneMap::floors.
    MapPoint at;
    bool operator==(const MapPlace&) const = default;
};

struct MapPerson {
    std::string viewpoint, category;
    std::array<std::optional<MapPlace>, kFrameCount> by_frame;
};

/// A scene as maps draw it: floors with their ground, and people. Shared by its episodes.
struct SceneMap {
    std::string scan;
    std::vector<MapFloor> floors;  ///< From the lowest; at least one.
    std::vector<MapPerson> people;
    /// The ground is that of frame 0, people cut out, for want of a navmesh without them.
    bool people_cut_out = false;

    int floor_at(double y_m) const;
    MapPlace place(const Vec3d& position) const;
};

/// Heights [m] at which a scene has floors, rising: where most ground lies within 0.6 m of height,
/// at least 1.8 m from each other and each with 5 % of the ground. Never empty.
std::vector<double> floor_levels(std::span<const NavMesh::Polygon> polygons);

/// @param polygons  those that cannot be walked on are left out.
/// @param people    null where they are unknown.
SceneMap make_scene_map(const std::string& scan, std::span<const NavMesh::Polygon> polygons,
                        const ScenePeople* people, bool people_cut_out);

/// The floor-by-floor outlines of polygons that share edges: inner edges cancel.
std::vector<std::vector<MapPoint>> outlines_of(std::span<const std::vector<MapPoint>> polygons);

/// The map of a loaded scene: the navmesh without people where there is one, else frame 0's.
/// @pre one of them is loaded.
SceneMap make_scene_map(const SceneNavMeshes& scene, const ScenePeople* people);

}  // namespace havln
