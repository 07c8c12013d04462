#include "havln/navmesh.h"

#include <cmath>
#include <limits>

#include "havln/error.h"
#include "support/catch.h"
#include "support/data_root.h"
#include "support/reference.h"
#include "support/toy_navmesh.h"

namespace havln::test {

namespace {

const ToyFloor kSquare = {{"..", ".."}};

/// A wall of one cell between two rooms, with a door at the bottom.
const ToyFloor kTwoRooms = {{"...#...",  //
                             "...#...",  //
                             "......."}};

NavMeshQuery query_on(const NavMesh& mesh) {
    NavMeshQuery query;
    query.bind(mesh);
    return query;
}

}  // namespace

TEST_CASE("navmesh: the statistics of a plan are those of its squares", "[nav]") {
    const NavMeshStats stats = toy_mesh(kSquare)->stats();
    CHECK(stats.format_version == 1);
    CHECK(stats.tiles == 1);
    CHECK(stats.polys == 4);
    CHECK(stats.disabled_polys == 0);
    CHECK(stats.verts == 9);
    CHECK(stats.off_mesh_links == 0);
    CHECK(stats.islands == 1);
    CHECK(stats.islands_with_walkable_poly == 1);
    CHECK(stats.navigable_area_m2 == 4);
    CHECK(stats.bounds == Bounds{{0, 0, 0}, {2, 5, 2}});
    // Mean of all corners (1, 1), the farthest at a corner of the plan.
    CHECK(stats.island_radii_m == std::vector<float>{std::sqrt(2.0f)});
}

TEST_CASE("navmesh: rooms without a door are islands of their own", "[nav]") {
    const auto mesh = toy_mesh({{"..#.", "..#."}});
    CHECK(mesh->stats().islands == 2);
    NavMeshQuery query = query_on(*mesh);
    CHECK(query.island({0.5f, 0, 0.5f}) == 0);
    CHECK(query.island({3.5f, 0, 0.5f}) == 1);
    CHECK(query.island({50, 0, 50}) == std::nullopt);
    CHECK(query.find_path({0.5f, 0, 0.5f}, {3.5f, 0, 0.5f}).status ==
          PathStatus::kDifferentIslands);
    // A step never crosses to another island, even where the end lies on it.
    CHECK(query.try_step({1.5f, 0, 0.5f}, {3.5f, 0, 0.5f}, true) == Vec3f{1.5f, 0, 0.5f});
}

TEST_CASE("navmesh: cells at different heights are not connected", "[nav]") {
    const auto mesh = toy_mesh({{"0011"}});
    CHECK(mesh->stats().islands == 2);
    const auto snapped = query_on(*mesh).snap({2.5f, 0.4f, 0.5f});
    REQUIRE(snapped.has_value());
    CHECK(*snapped == Vec3f{2.5f, 0.5f, 0.5f});
}

TEST_CASE("navmesh: a path in the open is straight", "[nav]") {
    const auto mesh = toy_mesh(kTwoRooms);
    const PathResult path = query_on(*mesh).find_path({0.5f, 0, 0.5f}, {2.5f, 0, 2.5f});
    REQUIRE(path.found());
    CHECK(path.points == std::vector<Vec3f>{{0.5f, 0, 0.5f}, {2.5f, 0, 2.5f}});
    CHECK(path.distance_m == std::sqrt(8.0f));
}

TEST_CASE("navmesh: a path through a door turns at its corners", "[nav]") {
    const auto mesh = toy_mesh(kTwoRooms);
    const PathResult path = query_on(*mesh).find_path({2.5f, 0, 1}, {4.5f, 0, 1});
    REQUIRE(path.found());
    CHECK(path.points == std::vector<Vec3f>{{2.5f, 0, 1}, {3, 0, 2}, {4, 0, 2}, {4.5f, 0, 1}});
    // sqrt(0.5^2 + 1^2) + 1 + sqrt(0.5^2 + 1^2)
    CHECK(path.distance_m == std::sqrt(1.25f) + 1 + std::sqrt(1.25f));
}

TEST_CASE("navmesh: a path between points off the mesh says which one", "[nav]") {
    const auto mesh = toy_mesh(kSquare);
    NavMeshQuery query = query_on(*mesh);
    const Vec3f on = {1, 0, 1}, off = {9, 0, 9};
    CHECK(query.find_path(off, on).status == PathStatus::kStartOffMesh);
    CHECK(query.find_path(on, off).status == PathStatus::kEndOffMesh);
    const PathResult still = query.find_path(on, on);
    CHECK(still.found());
    CHECK(still.distance_m == 0);
    CHECK(still.points.size() == 2);
}

TEST_CASE("navmesh: a corridor of more than 256 polygons is no path", "[nav]") {
    const auto mesh = toy_mesh({{std::string(258, '.')}});
    NavMeshQuery query = query_on(*mesh);
    CHECK(query.find_path({0.5f, 0, 0.5f}, {255.5f, 0, 0.5f}).distance_m == 255);
    CHECK(query.find_path({0.5f, 0, 0.5f}, {256.5f, 0, 0.5f}).status ==
          PathStatus::kCorridorIncomplete);
}

TEST_CASE("navmesh: snapping reaches 2 m aside and 4 m up or down", "[nav]") {
    const auto mesh = toy_mesh(kSquare);
    NavMeshQuery query = query_on(*mesh);
    CHECK(query.snap({3.5f, 0, 1}) == Vec3f{2, 0, 1});
    CHECK(query.snap({4.5f, 0, 1}) == std::nullopt);
    CHECK(query.snap({1.5f, 3.5f, 1.5f}) == Vec3f{1.5f, 0, 1.5f});
    CHECK(query.is_navigable({1.5f, 0.5f, 1.5f}));
    CHECK_FALSE(query.is_navigable({1.5f, 0.625f, 1.5f}));
    CHECK(query.is_navigable({2.0078125f, 0, 1}));
    CHECK_FALSE(query.is_navigable({2.015625f, 0, 1}));
}

TEST_CASE("navmesh: points that are no numbers or beyond the world are off the mesh", "[nav]") {
    const auto mesh = toy_mesh(kSquare);
    NavMeshQuery query = query_on(*mesh);
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kMost = std::numeric_limits<float>::max();
    for (float bad : {kNan, kInfinity, -kInfinity, kMost, -kMost, 1e9f}) {
        const Vec3f points[] = {{bad, 0, 1}, {1, bad, 1}, {1, 0, bad}};
        for (int axis = 0; axis < 3; ++axis) {
            CHECK(query.snap(points[axis]) == std::nullopt);
            CHECK(query.try_step({1, 0, 1}, points[axis], true) == Vec3f{1, 0, 1});
            CHECK(query.try_step({1, 0, 1}, points[axis], false) == Vec3f{1, 0, 1});
        }
    }
}

TEST_CASE("navmesh: the obstacle distance is that to the nearest wall", "[nav]") {
    const auto mesh = toy_mesh({{"....", "....", "....", "...."}});
    NavMeshQuery query = query_on(*mesh);
    CHECK(query.distance_to_closest_obstacle_m({2.5f, 0, 0.75f}) == 0.75f);
    CHECK(query.distance_to_closest_obstacle_m({2.5f, 0, 0.75f}, 0.5f) == 0.5f);
    CHECK(std::isinf(query.distance_to_closest_obstacle_m({9, 0, 9})));
    CHECK(query.island_radius_m({9, 0, 9}) == 0);
    CHECK(query.island_radius_m({2, 0, 2}) == std::sqrt(8.0f));
}

TEST_CASE("filter: a step in the open reaches its end", "[nav]") {
    const auto mesh = toy_mesh(kSquare);
    for (bool sliding : {true, false}) {
        const FilterResult result =
            query_on(*mesh).filter_step({1.5f, 0, 1.5f}, {1.5f, 0, 1.25f}, sliding);
        CHECK(result.position == Vec3f{1.5f, 0, 1.25f});
        CHECK_FALSE(result.collided);
    }
}

TEST_CASE("filter: a slanting step slides along a wall, or stops where it meets the wall",
          "[nav]") {
    const auto mesh = toy_mesh(kSquare);
    NavMeshQuery query = query_on(*mesh);
    const Vec3f start = {1.25f, 0, 0.125f}, end = {1.5f, 0, -0.125f};
    const FilterResult slid = query.filter_step(start, end, true);
    CHECK(slid.position == Vec3f{1.5f, 0, 0});
    CHECK(slid.collided);
    const FilterResult stopped = query.filter_step(start, end, false);
    CHECK(stopped.position == Vec3f{1.375f, 0, 0});
    CHECK(stopped.collided);
}

TEST_CASE("filter: tiles join without a seam", "[nav]") {
    ToyFloor floor = {std::vector<std::string>(6, "......")};
    floor.tile_cells = 2;
    const auto tiled = toy_mesh(floor);
    CHECK(tiled->stats().tiles == 9);
    CHECK(tiled->stats().islands == 1);
    CHECK(tiled->stats().navigable_area_m2 == 36);
    for (bool sliding : {true, false}) {
        CHECK(
            query_on(*tiled).filter_step({2.5f, 0, 2.125f}, {2.5f, 0, 1.875f}, sliding).position ==
            Vec3f{2.5f, 0, 1.875f});
    }
    const PathResult path = query_on(*tiled).find_path({0.5f, 0, 0.5f}, {5.5f, 0, 0.5f});
    REQUIRE(path.found());
    CHECK(path.distance_m == 5);
}

TEST_CASE("navmesh: an off-mesh connection joins two islands", "[nav]") {
    ToyFloor floor = {{"..#.."}};
    floor.links = {{{1.5f, 0, 0.5f}, {3.5f, 0, 0.5f}}};
    const auto mesh = toy_mesh(floor);
    const NavMeshStats stats = mesh->stats();
    CHECK(stats.off_mesh_links == 1);
    CHECK(stats.polys == 5);
    CHECK(stats.islands == 1);
    CHECK(stats.navigable_area_m2 == 4);
    const PathResult path = query_on(*mesh).find_path({0.5f, 0, 0.5f}, {4.5f, 0, 0.5f});
    REQUIRE(path.found());
    CHECK(path.distance_m == 4);
}

TEST_CASE("navmesh: version 2 files carry the settings they were built with", "[nav]") {
    CHECK(toy_mesh(kSquare)->settings() == std::nullopt);
    ToyFloor floor = kSquare;
    floor.version = 2;
    const auto mesh = toy_mesh(floor);
    CHECK(mesh->stats().format_version == 2);
    CHECK(mesh->stats().navigable_area_m2 == 4);
    NavMeshSettings expected;
    expected.cell_size_m = 1;
    expected.cell_height_m = 2;
    expected.agent_height_m = 3;
    expected.agent_radius_m = 4;
    expected.agent_max_climb_m = 5;
    expected.agent_max_slope_deg = 6;
    expected.region_min_size = 7;
    expected.region_merge_size = 8;
    expected.edge_max_len_m = 9;
    expected.edge_max_error = 10;
    expected.verts_per_poly = 11;
    expected.detail_sample_dist = 12;
    expected.detail_sample_max_error = 13;
    expected.filter_flags[0] = expected.filter_flags[2] = true;
    CHECK(mesh->settings() == expected);
}

TEST_CASE("navmesh: signatures name the path finder and its version", "[nav]") {
    CHECK(path_finder_version().starts_with("detour-"));
    CHECK(path_finder_version() != "detour-");
}

TEST_CASE("navmesh: polygons are listed with their outline", "[nav]") {
    const auto polygons = toy_mesh({{"#.", ".#"}})->polygons();
    REQUIRE(polygons.size() == 2);
    CHECK(polygons[0].vertices == std::vector<Vec3f>{{1, 0, 0}, {1, 0, 1}, {2, 0, 1}, {2, 0, 0}});
    CHECK(polygons[0].island == 0);
    CHECK(polygons[1].island == 1);
    CHECK(polygons[1].walkable);
}

TEST_CASE("scene: frames of equal bytes are one mesh and only those asked for are read", "[nav]") {
    DataRoot root;
    ToyFloor person = kSquare;
    person.rows[0] = "#.";
    root.write_frame("room", 0, toy_navmesh(kSquare));
    root.write_frame("room", 1, toy_navmesh(person));
    root.write_frame("room", 2, toy_navmesh(kSquare));
    root.write_static("room", toy_navmesh(kSquare));
    std::vector<bool> frames(kFrameCount, false);
    frames[0] = frames[1] = frames[2] = true;
    const auto scene = load_scene_navmeshes(root.path(), "room", frames, true);
    CHECK(&scene->frame(0) == &scene->frame(2));
    CHECK(&scene->frame(0) != &scene->frame(1));
    CHECK(scene->without_people.get() == &scene->frame(0));
    CHECK_THROWS_AS(scene->frame(3), Error);
    CHECK_THROWS_AS(scene->frame(-1), Error);
    CHECK(load_scene_navmeshes(root.path(), "room", frames, false)->without_people == nullptr);
}

TEST_CASE("scene: without people one mesh serves every frame and must exist", "[nav]") {
    DataRoot root;
    root.write_static("room", toy_navmesh(kSquare));
    const auto scene = load_scene_navmeshes(root.path(), "room", {}, true);
    CHECK(&scene->frame(0) == &scene->frame(119));
    root.write_frame("bare", 0, toy_navmesh(kSquare));
    CHECK_THROWS_AS(load_scene_navmeshes(root.path(), "bare", {}, true), Error);
    CHECK(load_scene_navmeshes(root.path(), "bare", {true}, true)->without_people == nullptr);
}

TEST_CASE("scene: a missing frame is the organiser's fault and named", "[nav]") {
    const DataRoot root;
    try {
        load_scene_navmeshes(root.path(), "room", {true}, false);
        FAIL("the missing frame went unnoticed");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kGroundTruth);
        CHECK(error.path().filename() == "room_000.navmesh");
    }
    for (const char* name : {"", ".", "..", "../room", "a/b", "a\\b"}) {
        CHECK_THROWS_AS(load_scene_navmeshes(root.path(), name, {true}, false), Error);
    }
}

}  // namespace havln::test
