#include "demo/random_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "havln/random.h"

namespace havln::demo {

namespace {

// Plans are drawn in whole decimetres, so that no coordinate depends on rounding.
constexpr int kCorridor_dm = 15;
constexpr int kDoor_dm = 9;
constexpr int kLeastRoom_dm = 26;
constexpr int kWalk_dm_per_frame = 1;  // 1 m/s at ten frames a second

double metres(int decimetres) {
    return decimetres / 10.0;
}

/// A rectangle in decimetres.
struct Cell {
    int x0 = 0, z0 = 0, x1 = 0, z1 = 0;
};

Rect rect(const Cell& c) {
    return {metres(c.x0), metres(c.z0), metres(c.x1), metres(c.z1)};
}

class Architect {
  public:
    Architect(const std::string& scan, std::uint64_t seed) : random_(mix_seed(seed, scan)) {
        plan_.scan = scan;
        plan_.title = "A floor drawn at random";
        plan_.floors.resize(1);
    }

    FloorPlan plan() {
        const int width = between(110, 150);
        const int corridors = between(1, 2);
        int z = 0;
        for (int band = 0; band <= corridors; ++band) {
            const int depth = between(32, 42);
            add_rooms(width, z, z + depth, band > 0, band < corridors);
            z += depth;
            if (band == corridors) break;
            const Cell corridor = {0, z, width, z + kCorridor_dm};
            add_room(fmt::format("corridor {}", band + 1), corridor);
            corridors_.push_back(corridor);
            z += kCorridor_dm;
        }
        for (int i = 0; i < 2; ++i) add_corridor_walker(i);
        for (int i = 0; i < 3; ++i) add_room_walker(i);
        return std::move(plan_);
    }

  private:
    int between(int least, int most) {
        return least +
               static_cast<int>(random_.below(static_cast<std::uint64_t>(most - least) + 1));
    }
    bool chance(int percent) { return between(1, 100) <= percent; }

    void add_room(std::string name, const Cell& cell) {
        plan_.floors[0].rooms.push_back({std::move(name), rect(cell)});
    }

    void add_door(int x, int z) {
        plan_.floors[0].doors.push_back({{metres(x), metres(z)}, metres(kDoor_dm)});
    }

    /// A band of rooms from west to east, each with a door to the corridors beside it.
    void add_rooms(int width, int z0, int z1, bool corridor_north, bool corridor_south) {
        for (int x = 0; x < width;) {
            int x1 = x + between(kLeastRoom_dm, 46);
            if (width - x1 < kLeastRoom_dm) x1 = width;
            const Cell room = {x, z0, x1, z1};
            add_room(fmt::format("room {}", ++rooms_), room);
            if (corridor_north) add_door(between(x + 8, x1 - 8), z0);
            if (corridor_south) add_door(between(x + 8, x1 - 8), z1);
            if (x1 < width && chance(35)) add_door_between(x1, (z0 + z1) / 2);
            Cell free = room;
            if (corridor_north != corridor_south) add_furniture(room, corridor_north, free);
            free_.push_back(free);
            x = x1;
        }
    }

    void add_door_between(int x, int z) { add_door(x, z); }

    /// A box in a corner at the wall that has no door; `free` is what stays clear of it.
    void add_furniture(const Cell& room, bool at_south, Cell& free) {
        if (!chance(70)) return;
        const int depth = between(5, 8);
        const int length = between(6, 16);
        Cell box = {room.x0 + 1, 0, room.x0 + 1 + length, 0};
        box.z0 = at_south ? room.z1 - 1 - depth : room.z0 + 1;
        box.z1 = box.z0 + depth;
        (at_south ? free.z1 : free.z0) = at_south ? box.z0 : box.z1;
        plan_.floors[0].furniture.push_back({"cupboard", rect(box), metres(between(5, 12))});
    }

    /// Goes straight from place to place, resting at each; sometimes leaves for a while.
    void add_walker(const std::string& name, const std::vector<std::pair<int, int>>& places) {
        Walker walker = {name, "walking about", 0, {}};
        int frame = 0;
        std::pair<int, int> last = places.front();
        for (std::size_t i = 0; frame < kFrameCount; ++i) {
            const std::pair<int, int> next = places[i % places.size()];
            const double distance = std::hypot(next.first - last.first, next.second - last.second);
            if (i > 0) frame += std::max(1, static_cast<int>(distance) / kWalk_dm_per_frame);
            const PlanPoint at = {metres(next.first), metres(next.second)};
            walker.walk.push_back({frame, at});
            frame += between(8, 30);
            walker.walk.push_back({frame, at});
            last = next;
        }
        plan_.people.push_back(std::move(walker));
    }

    void add_corridor_walker(int number) {
        const Cell& cell = corridors_[static_cast<std::size_t>(number) % corridors_.size()];
        std::vector<std::pair<int, int>> places;
        for (int i = 0; i < 4; ++i) {
            places.emplace_back(between(cell.x0 + 6, cell.x1 - 6),
                                between(cell.z0 + 6, cell.z1 - 6));
        }
        add_walker(fmt::format("{}_corridor_{}", plan_.scan, number), places);
    }

    void add_room_walker(int number) {
        const Cell& cell = free_[random_.below(free_.size())];
        std::vector<std::pair<int, int>> places;
        const int count = number == 0 ? 1 : 3;  // the first one stands
        for (int i = 0; i < count; ++i) {
            places.emplace_back(between(cell.x0 + 6, cell.x1 - 6),
                                between(cell.z0 + 6, cell.z1 - 6));
        }
        add_walker(fmt::format("{}_room_{}", plan_.scan, number), places);
        if (number == 2) leave(plan_.people.back());
    }

    /// The person is absent from a keyframe's rest on until the next keyframe.
    static void leave(Walker& walker) {
        for (std::size_t i = 1; i + 1 < walker.walk.size(); i += 4) walker.walk[i].at.reset();
    }

    Random random_;
    FloorPlan plan_;
    std::vector<Cell> corridors_, free_;
    int rooms_ = 0;
};

}  // namespace

FloorPlan random_plan(const std::string& scan, std::uint64_t seed) {
    return Architect(scan, seed).plan();
}

}  // namespace havln::demo
