#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "havln/navmesh_build.h"
#include "havln/scene.h"

namespace havln::demo {

/// A rectangle on a floor [m]: x to the east, z to the south.
struct Rect {
    double x0 = 0, z0 = 0, x1 = 0, z1 = 0;

    bool contains(double x, double z) const { return x >= x0 && x <= x1 && z >= z0 && z <= z1; }
};

struct PlanPoint {
    double x = 0, z = 0;
};

/// Walls stand along its four sides, but for the doors.
struct Room {
    std::string name;
    Rect box;
};

/// An opening in every wall that its middle lies on.
struct Door {
    PlanPoint at;
    double width_m = 0;
};

struct Furniture {
    std::string name;
    Rect box;
    double height_m = 0;
};

struct Floor {
    double y_m = 0;  ///< Height of the floor's surface.
    std::vector<Room> rooms;
    std::vector<Door> doors;
    std::vector<Furniture> furniture;
};

/// Solid steps that fill `box` and rise towards `up`: "+x", "-x", "+z" or "-z".
struct Stairs {
    Rect box;
    std::string up;
    std::size_t from_floor = 0, to_floor = 0;
};

/// Where a person is from a frame on: at a point (on the way to the next one) or nowhere.
struct Keyframe {
    int frame = 0;
    std::optional<PlanPoint> at;
};

struct Walker {
    std::string viewpoint;
    std::string doing;  ///< What people say of it: "is watching television" without the "is".
    std::size_t floor = 0;
    std::vector<Keyframe> walk;  ///< Frames rise, the first is 0.
};

/// A home (or office) and its people: what becomes a scene of the demo.
struct FloorPlan {
    std::string scan;
    std::string title;
    std::vector<Floor> floors;
    std::vector<Stairs> stairs;
    std::vector<Walker> people;
};

/// Reads a plan as kept in data/demo. @throws Error (kInternal) naming `origin` and the place: the
/// plans are compiled in.
FloorPlan parse_floor_plan(std::string_view json, const std::filesystem::path& origin);

/// Floors, walls, steps and furniture as closed boxes.
TriangleSoup scene_triangles(const FloorPlan& plan);

/// Adds a standing person: a prism of eight sides, 0.25 m in radius and 1.7 m high.
void add_person(TriangleSoup& soup, const Vec3d& feet);

/// Where everybody is in each of the 120 frames, in whole millimetres and degrees.
ScenePeople scene_people(const FloorPlan& plan);

/// Name of the room around a point of the floor below it; empty outside of all rooms.
std::string_view room_at(const FloorPlan& plan, const Vec3d& point);
/// Index of the floor that carries a point [m].
std::size_t floor_at(const FloorPlan& plan, double y_m);

}  // namespace havln::demo
