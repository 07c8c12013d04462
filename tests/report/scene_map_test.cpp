#include "report/scene_map.h"

#include <limits>

#include "havln/random.h"
#include "report/sample_report.h"
#include "support/catch.h"

using namespace havln;
using namespace havln::test;

namespace {

NavMesh::Polygon square(float x, float z, float side, float y, int island = 0) {
    return {{{x, y, z}, {x + side, y, z}, {x + side, y, z + side}, {x, y, z + side}}, island, true};
}

std::vector<MapPoint> box(int x0, int y0, int x1, int y1) {
    return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

/// Twice the area that outlines enclose, holes taken away.
std::int64_t twice_area(const std::vector<std::vector<MapPoint>>& outlines) {
    std::int64_t sum = 0;
    for (const auto& outline : outlines) {
        for (std::size_t i = 0; i < outline.size(); ++i) {
            const MapPoint a = outline[i], b = outline[(i + 1) % outline.size()];
            sum += std::int64_t{a.x} * b.y - std::int64_t{b.x} * a.y;
        }
    }
    return sum;
}

}  // namespace

TEST_CASE("to_cm: rounds to whole centimetres and keeps within 100 km", "[report][map]") {
    CHECK(to_cm(1.234) == 123);
    CHECK(to_cm(-1.236) == -124);
    CHECK(to_cm(1e300) == 10'000'000);
    CHECK(to_cm(-std::numeric_limits<double>::infinity()) == -10'000'000);
    CHECK(to_cm(std::numeric_limits<double>::quiet_NaN()) == 0);
    CHECK(to_map({1, 99, -2}) == MapPoint{100, -200});
}

TEST_CASE("outlines_of: polygons that share an edge become one outline", "[report][map]") {
    const auto outlines = outlines_of(std::vector{box(0, 0, 100, 100), box(100, 0, 200, 100)});
    REQUIRE(outlines.size() == 1);
    CHECK(outlines[0].size() == 4);  // the corners in the middle of straight sides are left out
    CHECK(twice_area(outlines) == 2 * 200 * 100);
}

TEST_CASE("outlines_of: the turning sense of a polygon does not matter", "[report][map]") {
    std::vector<MapPoint> other_way = box(100, 0, 200, 100);
    std::reverse(other_way.begin(), other_way.end());
    const auto outlines = outlines_of(std::vector{box(0, 0, 100, 100), other_way});
    REQUIRE(outlines.size() == 1);
    CHECK(twice_area(outlines) == 2 * 200 * 100);
}

TEST_CASE("outlines_of: a ring has a hole that runs the other way", "[report][map]") {
    const auto outlines = outlines_of(std::vector{box(0, 0, 300, 100), box(0, 200, 300, 300),
                                                  box(0, 100, 100, 200), box(200, 100, 300, 200)});
    REQUIRE(outlines.size() >= 2);
    CHECK(twice_area(outlines) == 2 * (300 * 300 - 100 * 100));
}

TEST_CASE("outlines_of: borders that meet in a T keep their area", "[report][map]") {
    const auto outlines = outlines_of(
        std::vector{box(0, 0, 100, 200), box(100, 0, 200, 100), box(100, 100, 200, 200)});
    CHECK(twice_area(outlines) == 2 * 200 * 200);
}

TEST_CASE("outlines_of: points and lines enclose nothing", "[report][map]") {
    CHECK(outlines_of(std::vector<std::vector<MapPoint>>{}).empty());
    CHECK(outlines_of(std::vector{box(5, 5, 5, 5), box(0, 0, 100, 0)}).empty());
}

TEST_CASE("outlines_of: any set of cells of a grid keeps its area", "[report][map]") {
    Random random(3);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::vector<MapPoint>> cells;
        for (int x = 0; x < 8; ++x) {
            for (int y = 0; y < 8; ++y) {
                if (random.below(2) == 0)
                    cells.push_back(box(x * 10, y * 10, x * 10 + 10, y * 10 + 10));
            }
        }
        CHECK(twice_area(outlines_of(cells)) == 200 * static_cast<std::int64_t>(cells.size()));
    }
}

TEST_CASE("floor_levels: storeys 1.8 m apart or more with 5 % of the ground", "[report][map]") {
    CHECK(floor_levels(std::vector{square(0, 0, 10, 0), square(0, 0, 9, 3)}) ==
          std::vector<double>{0, 3});
    // A landing at 1.4 m is no storey of its own.
    CHECK(floor_levels(std::vector{square(0, 0, 10, 0), square(20, 0, 9, 1.4f)}) ==
          std::vector<double>{0});
    // 4 m2 of 104 are below 5 %.
    CHECK(floor_levels(std::vector{square(0, 0, 10, 0), square(0, 0, 2, 3)}) ==
          std::vector<double>{0});
    CHECK(floor_levels({}) == std::vector<double>{0});
}

TEST_CASE("floor_levels: ground within 0.6 m of height is one level, at its mean by area",
          "[report][map]") {
    // 100 m2 at 0 and 25 m2 at 0.5: (0 * 100 + 0.5 * 25) / 125 = 0.1.
    const auto levels = floor_levels(std::vector{square(0, 0, 10, 0), square(20, 0, 5, 0.5f)});
    REQUIRE(levels.size() == 1);
    CHECK(levels[0] == Approx(0.1).epsilon(1e-12));
}

TEST_CASE("scene map: floors are parted half-way and stairs show on both", "[report][map]") {
    const SceneMap map = make_scene_map("two_storeys", sample_ground(), nullptr, false);
    REQUIRE(map.floors.size() == 2);
    // 80 m2 at 0, the table's 2 m2 at 0.8 and the first steps of the stairs lie around the level.
    CHECK(map.floors[0].level_m == Approx(0).margin(0.05));
    CHECK(map.floors[1].level_m == Approx(3).margin(0.05));
    const double middle = map.floors[0].high_m;
    CHECK(middle == Approx(1.5).margin(0.05));
    CHECK(map.floor_at(-100) == 0);
    CHECK(map.floor_at(middle - 0.01) == 0);
    CHECK(map.floor_at(middle) == 1);
    CHECK(map.floor_at(100) == 1);
    // Ground of floor 0: the hall to x = 10 m and the stairs to where they pass the middle.
    CHECK(map.floors[0].bounds.min == MapPoint{0, 0});
    CHECK(map.floors[0].bounds.max.x >= 1200);
    CHECK(map.floors[0].bounds.max.x <= 1250);
    CHECK(map.floors[1].bounds.min.x <= 1200);
    CHECK(map.floors[1].bounds.max == MapPoint{2400, 800});
}

TEST_CASE("scene map: the largest island has tint 0 and what is higher lies on top",
          "[report][map]") {
    const SceneMap map = make_scene_map("two_storeys", sample_ground(), nullptr, false);
    REQUIRE(map.floors[0].regions.size() == 2);
    CHECK(map.floors[0].regions[0].tint == 0);
    CHECK(map.floors[0].regions[1].island == 1);
    CHECK(map.floors[0].regions[1].tint == 1);
    REQUIRE(map.floors[1].regions.size() == 1);
    CHECK(map.floors[1].regions[0].tint == 0);
}

TEST_CASE("scene map: ground that cannot be walked on or has no place is left out",
          "[report][map]") {
    NavMesh::Polygon disabled = square(0, 0, 1, 0);
    disabled.walkable = false;
    NavMesh::Polygon nowhere = square(0, 0, 1, 0);
    nowhere.vertices[1].y = std::numeric_limits<float>::quiet_NaN();
    const SceneMap map = make_scene_map("scan", std::vector{disabled, nowhere}, nullptr, false);
    REQUIRE(map.floors.size() == 1);
    CHECK(map.floors[0].regions.empty());
    CHECK(map.floors[0].bounds.empty());
    CHECK(map.floor_at(2) == 0);
}

TEST_CASE("scene map: people stand on their floor and are nowhere when absent", "[report][map]") {
    const ScenePeople people = sample_people();
    const SceneMap map = make_scene_map("two_storeys", sample_ground(), &people, false);
    REQUIRE(map.people.size() == 3);
    CHECK(map.people[0].by_frame[119] == MapPlace{0, {500, 200}});
    CHECK(map.people[1].by_frame[119] == MapPlace{0, {900, 600}});
    CHECK(map.people[2].by_frame[60] == MapPlace{1, {1800, 400}});
    CHECK_FALSE(map.people[2].by_frame[61].has_value());
}
