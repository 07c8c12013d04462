#include "demo/floor_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "havln/error.h"
#include "io/json_tree.h"

namespace havln::demo {

namespace {

constexpr double kWallThickness_m = 0.1;
constexpr double kWallHeight_m = 2.4;
constexpr double kSlab_m = 0.1;
constexpr double kLargestRise_m = 0.18;
constexpr double kPersonHeight_m = 1.7;
// People are moved five times a second, every second frame, so that frames repeat as those of
// recorded scenes do (of one Matterport scene 73 of the 120 are distinct).
constexpr int kFramesPerPlacement = 2;
// A regular octagon of radius 0.25 m: 0.177 is 0.25 / sqrt(2) in whole millimetres.
constexpr std::array<PlanPoint, 8> kPersonOutline = {{{0.25, 0},
                                                      {0.177, -0.177},
                                                      {0, -0.25},
                                                      {-0.177, -0.177},
                                                      {-0.25, 0},
                                                      {-0.177, 0.177},
                                                      {0, 0.25},
                                                      {0.177, 0.177}}};

/// Reads the plan's JSON; a fault names the plan and the member.
class PlanReader {
  public:
    explicit PlanReader(const std::filesystem::path& origin) : origin_(origin) {}

    FloorPlan plan(const JsonTree& tree) const {
        FloorPlan plan;
        plan.scan = text(tree, "scan");
        plan.title = text(tree, "title");
        for (const JsonTree& item : list(tree, "floors")) plan.floors.push_back(floor(item));
        if (tree.find("stairs") != nullptr) {
            for (const JsonTree& item : list(tree, "stairs")) plan.stairs.push_back(stairs(item));
        }
        for (const JsonTree& item : list(tree, "people")) plan.people.push_back(walker(item));
        for (const Stairs& s : plan.stairs) check_floor(plan, std::max(s.from_floor, s.to_floor));
        for (const Walker& w : plan.people) check_floor(plan, w.floor);
        return plan;
    }

  private:
    [[noreturn]] void refuse(const std::string& detail) const {
        throw Error(ExitCode::kInternal, origin_, "floor plan: " + detail);
    }

    void check_floor(const FloorPlan& plan, std::size_t floor) const {
        if (floor >= plan.floors.size()) refuse(fmt::format("there is no floor {}", floor));
    }

    const JsonTree& member(const JsonTree& tree, std::string_view key) const {
        const JsonTree* const found = tree.find(key);
        if (found == nullptr) refuse(fmt::format("\"{}\" is missing", key));
        return *found;
    }

    std::string text(const JsonTree& tree, std::string_view key) const {
        const JsonTree& value = member(tree, key);
        if (!value.is_string()) refuse(fmt::format("\"{}\" is no string", key));
        return value.string();
    }

    double number(const JsonTree& value, std::string_view key) const {
        if (!value.is_number()) refuse(fmt::format("\"{}\" is no number", key));
        return value.number();
    }

    std::size_t index(const JsonTree& tree, std::string_view key) const {
        const JsonTree& value = member(tree, key);
        if (!value.is_integer() || value.integer() < 0) {
            refuse(fmt::format("\"{}\" is no index", key));
        }
        return static_cast<std::size_t>(value.integer());
    }

    const JsonTree::Array& list(const JsonTree& tree, std::string_view key) const {
        const JsonTree& value = member(tree, key);
        if (!value.is_array()) refuse(fmt::format("\"{}\" is no array", key));
        return value.array();
    }

    Rect box(const JsonTree& tree) const {
        const JsonTree::Array& corners = list(tree, "box_m");
        if (corners.size() != 4) refuse("\"box_m\" has not four numbers");
        const Rect box = {number(corners[0], "box_m"), number(corners[1], "box_m"),
                          number(corners[2], "box_m"), number(corners[3], "box_m")};
        if (!(box.x0 < box.x1 && box.z0 < box.z1)) refuse("\"box_m\" is empty");
        return box;
    }

    PlanPoint point(const JsonTree& tree) const {
        const JsonTree::Array& at = list(tree, "at_m");
        if (at.size() != 2) refuse("\"at_m\" has not two numbers");
        return {number(at[0], "at_m"), number(at[1], "at_m")};
    }

    Floor floor(const JsonTree& tree) const {
        Floor floor;
        floor.y_m = number(member(tree, "y_m"), "y_m");
        for (const JsonTree& item : list(tree, "rooms")) {
            floor.rooms.push_back({text(item, "name"), box(item)});
        }
        for (const JsonTree& item : list(tree, "doors")) {
            floor.doors.push_back({point(item), number(member(item, "width_m"), "width_m")});
        }
        for (const JsonTree& item : list(tree, "furniture")) {
            floor.furniture.push_back(
                {text(item, "name"), box(item), number(member(item, "height_m"), "height_m")});
        }
        return floor;
    }

    Stairs stairs(const JsonTree& tree) const {
        Stairs stairs = {box(tree), text(tree, "up"), index(tree, "from_floor"),
                         index(tree, "to_floor")};
        constexpr std::string_view kDirections[] = {"+x", "-x", "+z", "-z"};
        if (std::ranges::find(kDirections, stairs.up) == std::end(kDirections)) {
            refuse("\"up\" is not one of +x, -x, +z and -z");
        }
        return stairs;
    }

    Walker walker(const JsonTree& tree) const {
        Walker walker = {text(tree, "viewpoint"), text(tree, "doing"), index(tree, "floor"), {}};
        for (const JsonTree& item : list(tree, "walk")) {
            Keyframe key = {static_cast<int>(index(item, "frame")), std::nullopt};
            if (item.find("absent") == nullptr) key.at = point(item);
            const int least = walker.walk.empty() ? 0 : walker.walk.back().frame + 1;
            if (key.frame < least) refuse("\"frame\" does not rise");
            walker.walk.push_back(key);
        }
        if (walker.walk.empty() || walker.walk.front().frame != 0) {
            refuse("a \"walk\" does not begin at frame 0");
        }
        return walker;
    }

    const std::filesystem::path& origin_;
};

/// Adds boxes and prisms, each a closed surface with corners of its own.
class Mason {
  public:
    explicit Mason(TriangleSoup& soup) : soup_(soup) {}

    void box(const Rect& r, double y0, double y1) {
        const std::array<PlanPoint, 4> outline = {
            {{r.x0, r.z1}, {r.x1, r.z1}, {r.x1, r.z0}, {r.x0, r.z0}}};
        prism(outline, y0, y1);
    }

    /// @param outline  convex, counter-clockwise seen from above.
    template <std::size_t N>
    void prism(const std::array<PlanPoint, N>& outline, double y0, double y1) {
        const auto base = static_cast<std::uint32_t>(soup_.vertices.size());
        for (const double y : {y0, y1}) {
            for (const PlanPoint& p : outline) soup_.vertices.push_back(to_float({p.x, y, p.z}));
        }
        constexpr auto kCount = static_cast<std::uint32_t>(N);
        const std::uint32_t top = base + kCount;
        for (std::uint32_t i = 1; i + 1 < kCount; ++i) {
            soup_.triangles.push_back({base, base + i + 1, base + i});
            soup_.triangles.push_back({top, top + i, top + i + 1});
        }
        for (std::uint32_t i = 0; i < kCount; ++i) {
            const std::uint32_t j = (i + 1) % kCount;
            soup_.triangles.push_back({base + i, base + j, top + j});
            soup_.triangles.push_back({base + i, top + j, top + i});
        }
    }

  private:
    TriangleSoup& soup_;
};

/// One side of a room: from `begin` to `end` along one axis, at `across` on the other.
struct WallLine {
    bool along_x = true;
    double across = 0, begin = 0, end = 0;
};

void add_wall(Mason& mason, const Floor& floor, const WallLine& line) {
    const double half = kWallThickness_m / 2;
    std::vector<std::pair<double, double>> openings;
    for (const Door& door : floor.doors) {
        const double along = line.along_x ? door.at.x : door.at.z;
        const double across = line.along_x ? door.at.z : door.at.x;
        if (std::abs(across - line.across) > half) continue;
        if (along < line.begin || along > line.end) continue;
        openings.emplace_back(along - door.width_m / 2, along + door.width_m / 2);
    }
    std::ranges::sort(openings);
    openings.emplace_back(line.end + half, line.end + half);
    double from = line.begin - half;  // walls meet at the corners
    for (const auto& [left, right] : openings) {
        if (left > from) {
            const double a = line.across - half;
            const double b = line.across + half;
            mason.box(line.along_x ? Rect{from, a, left, b} : Rect{a, from, b, left}, floor.y_m,
                      floor.y_m + kWallHeight_m);
        }
        from = std::max(from, right);
    }
}

void add_floor(Mason& mason, const Floor& floor) {
    for (const Room& room : floor.rooms) {
        const Rect& box = room.box;
        mason.box(box, floor.y_m - kSlab_m, floor.y_m);
        add_wall(mason, floor, {true, box.z0, box.x0, box.x1});
        add_wall(mason, floor, {true, box.z1, box.x0, box.x1});
        add_wall(mason, floor, {false, box.x0, box.z0, box.z1});
        add_wall(mason, floor, {false, box.x1, box.z0, box.z1});
    }
    for (const Furniture& item : floor.furniture) {
        mason.box(item.box, floor.y_m, floor.y_m + item.height_m);
    }
}

void add_stairs(Mason& mason, const FloorPlan& plan, const Stairs& stairs) {
    const double bottom = plan.floors[stairs.from_floor].y_m;
    const double rise = plan.floors[stairs.to_floor].y_m - bottom;
    const int steps = static_cast<int>(std::ceil(rise / kLargestRise_m));
    const bool along_x = stairs.up[1] == 'x';
    const bool forward = stairs.up[0] == '+';
    const Rect& box = stairs.box;
    const double run = (along_x ? box.x1 - box.x0 : box.z1 - box.z0) / steps;
    for (int i = 0; i < steps; ++i) {
        const int place = forward ? i : steps - 1 - i;
        Rect step = box;
        if (along_x) {
            step.x0 = box.x0 + place * run;
            step.x1 = step.x0 + run;
        } else {
            step.z0 = box.z0 + place * run;
            step.z1 = step.z0 + run;
        }
        mason.box(step, bottom, bottom + rise * (i + 1) / steps);
    }
}

double whole_millimetres(double value_m) {
    return std::round(value_m * 1000) / 1000;
}

/// The position at `frame`, on the straight way from the last keyframe to the next.
std::optional<PlanPoint> place_at(const Walker& walker, int wanted_frame) {
    const int frame = wanted_frame - wanted_frame % kFramesPerPlacement;
    std::size_t last = 0;
    while (last + 1 < walker.walk.size() && walker.walk[last + 1].frame <= frame) ++last;
    const Keyframe& from = walker.walk[last];
    if (!from.at) return std::nullopt;
    if (last + 1 == walker.walk.size() || !walker.walk[last + 1].at) return from.at;
    const Keyframe& to = walker.walk[last + 1];
    const double t = static_cast<double>(frame - from.frame) / (to.frame - from.frame);
    return PlanPoint{whole_millimetres(from.at->x + (to.at->x - from.at->x) * t),
                     whole_millimetres(from.at->z + (to.at->z - from.at->z) * t)};
}

/// Heading about +y in whole degrees, 0 along -z: rounded, since atan2 differs between libraries
/// in its last bit.
double heading_deg(double dx, double dz) {
    return std::round(std::atan2(-dx, -dz) * 180 / std::numbers::pi);
}

}  // namespace

FloorPlan parse_floor_plan(std::string_view json, const std::filesystem::path& origin) {
    constexpr int kInternal = static_cast<int>(ExitCode::kInternal);
    return PlanReader(origin).plan(JsonTree::parse(json, origin, kInternal));
}

TriangleSoup scene_triangles(const FloorPlan& plan) {
    TriangleSoup soup;
    Mason mason(soup);
    for (const Floor& floor : plan.floors) add_floor(mason, floor);
    for (const Stairs& stairs : plan.stairs) add_stairs(mason, plan, stairs);
    return soup;
}

void add_person(TriangleSoup& soup, const Vec3d& feet) {
    std::array<PlanPoint, kPersonOutline.size()> outline = kPersonOutline;
    for (PlanPoint& p : outline) p = {feet.x + p.x, feet.z + p.z};
    Mason(soup).prism(outline, feet.y, feet.y + kPersonHeight_m);
}

ScenePeople scene_people(const FloorPlan& plan) {
    ScenePeople people;
    people.scan = plan.scan;
    for (const Walker& walker : plan.people) {
        Person person;
        person.viewpoint = walker.viewpoint;
        person.category = walker.doing;
        double heading = 0;
        for (int frame = 0; frame < kFrameCount; ++frame) {
            const auto slot = static_cast<std::size_t>(frame);
            const std::optional<PlanPoint> here = place_at(walker, frame);
            if (here) {
                person.position[slot] = Vec3d{here->x, plan.floors[walker.floor].y_m, here->z};
                const std::optional<PlanPoint> next = place_at(walker, frame + kFramesPerPlacement);
                if (next && (next->x != here->x || next->z != here->z)) {
                    heading = heading_deg(next->x - here->x, next->z - here->z);
                }
            }
            person.rotation_deg[slot] = {0, heading, 0};
        }
        people.people.push_back(std::move(person));
    }
    return people;
}

std::size_t floor_at(const FloorPlan& plan, double y_m) {
    std::size_t floor = 0;
    for (std::size_t i = 1; i < plan.floors.size(); ++i) {
        // The navmesh lies up to a cell's height, 0.2 m, above the floor.
        if (plan.floors[i].y_m <= y_m + 0.05) floor = i;
    }
    return floor;
}

std::string_view room_at(const FloorPlan& plan, const Vec3d& point) {
    for (const Room& room : plan.floors[floor_at(plan, point.y)].rooms) {
        if (room.box.contains(point.x, point.z)) return room.name;
    }
    return {};
}

}  // namespace havln::demo
