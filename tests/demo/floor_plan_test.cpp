#include "demo/floor_plan.h"

#include <string>

#include "demo/home.h"
#include "havln/error.h"
#include "havln/navmesh.h"
#include "support/catch.h"

namespace havln::demo {

namespace {

/// Two rooms of 3 x 3 m side by side with a door between them, and one person.
std::string two_rooms(const std::string& door, const std::string& walk) {
    return R"({"scan": "two", "title": "Two rooms", "floors": [{"y_m": 1.0, "rooms": [
        {"name": "west", "box_m": [0, 0, 3, 3]}, {"name": "east", "box_m": [3, 0, 6, 3]}],
        "doors": [)" +
           door + R"(], "furniture": []}], "people": [{"viewpoint": "p", "doing": "waiting",
        "floor": 0, "walk": [)" +
           walk + "]}]}";
}

constexpr const char* kDoor = R"({"at_m": [3, 1.5], "width_m": 1.0})";
constexpr const char* kStanding = R"({"frame": 0, "at_m": [1, 1]})";

FloorPlan plan_of(const std::string& json) {
    return parse_floor_plan(json, "two.json");
}

NavMeshQuery query_of(const NavMesh& mesh) {
    NavMeshQuery query;
    query.bind(mesh);
    return query;
}

}  // namespace

TEST_CASE("a door joins two rooms and a wall without one parts them", "[demo][plan]") {
    const Vec3f west = {1.5f, 1.1f, 1.5f};
    const Vec3f east = {4.5f, 1.1f, 1.5f};
    const auto homes =
        build_homes({plan_of(two_rooms(kDoor, kStanding)), plan_of(two_rooms("", kStanding))}, 1);

    NavMeshQuery with_door = query_of(homes[0].empty_scene.frame(0));
    const PathResult path = with_door.find_path(west, east);
    REQUIRE(path.found());
    CHECK(path.distance_m == Approx(3.0).margin(1e-4));  // straight through the door

    NavMeshQuery without = query_of(homes[1].empty_scene.frame(0));
    CHECK(without.find_path(west, east).status == PathStatus::kDifferentIslands);
}

TEST_CASE("a wall and the agent's radius keep the mesh from a room's sides", "[demo][plan]") {
    const auto homes = build_homes({plan_of(two_rooms(kDoor, kStanding))}, 1);
    NavMeshQuery query = query_of(homes[0].empty_scene.frame(0));
    // The wall's face is 0.05 m inside; the agent's radius is 0.1 m; cells are 0.05 m.
    CHECK_FALSE(query.is_navigable({0.12f, 1.1f, 0.5f}));
    CHECK(query.is_navigable({0.25f, 1.1f, 0.5f}));
}

TEST_CASE("people walk evenly between keyframes, every second frame", "[demo][plan]") {
    const ScenePeople people = scene_people(plan_of(two_rooms(
        kDoor,
        R"({"frame": 0, "at_m": [1, 1]}, {"frame": 10, "at_m": [2, 1]}, {"frame": 20, "absent": true},
           {"frame": 30, "at_m": [1, 2]})")));
    const Person& person = people.people.front();
    CHECK(person.position[0] == Vec3d{1, 1, 1});
    CHECK(person.position[4] == Vec3d{1.4, 1, 1});
    CHECK(person.position[5] == Vec3d{1.4, 1, 1});
    CHECK(person.position[10] == Vec3d{2, 1, 1});
    CHECK(person.position[19] == Vec3d{2, 1, 1});  // stands until it leaves
    CHECK(!person.position[20].has_value());
    CHECK(!person.position[29].has_value());
    CHECK(person.position[119] == Vec3d{1, 1, 2});
    CHECK(person.rotation_deg[0] == Vec3d{0, -90, 0});  // along +x, 0 being -z, left positive
}

TEST_CASE("stairs join two floors", "[demo][plan]") {
    const FloorPlan plan = plan_of(R"({"scan": "stairs", "title": "", "floors": [
        {"y_m": 0, "rooms": [{"name": "hall", "box_m": [0, 0, 2, 7]}], "doors": [], "furniture": []},
        {"y_m": 2.8, "rooms": [{"name": "loft", "box_m": [0, 7, 2, 10]}],
         "doors": [{"at_m": [1, 7], "width_m": 1.2}], "furniture": []}],
        "stairs": [{"box_m": [0.4, 2.8, 1.6, 7], "up": "+z", "from_floor": 0, "to_floor": 1}],
        "people": []})");
    // The hall's own wall closes the foot of the loft up to 2.4 m, below the loft's floor.
    const auto homes = build_homes({plan}, 1);
    NavMeshQuery query = query_of(homes[0].empty_scene.frame(0));
    const PathResult path = query.find_path({1, 0.1f, 1}, {1, 2.9f, 8.5f});
    REQUIRE(path.found());
    CHECK(path.distance_m > 8.0f);  // at least the straight line, sqrt(7.5^2 + 2.8^2)
    CHECK(path.distance_m < 8.8f);
    CHECK(room_at(plan, {1, 0.1, 1}) == "hall");
    CHECK(room_at(plan, {1, 2.9, 8.5}) == "loft");
    CHECK(room_at(plan, {9, 0.1, 1}).empty());
}

TEST_CASE("a broken floor plan is refused with its name and the member", "[demo][plan]") {
    const auto refusal = [](const std::string& json) -> std::string {
        try {
            plan_of(json);
        } catch (const Error& error) {
            return error.what();
        }
        return "read";
    };
    CHECK(refusal("{}") == "two.json: floor plan: \"scan\" is missing");
    CHECK(refusal(two_rooms(R"({"at_m": [3], "width_m": 1})", kStanding)) ==
          "two.json: floor plan: \"at_m\" has not two numbers");
    CHECK(refusal(two_rooms(kDoor, R"({"frame": 3, "at_m": [1, 1]})")) ==
          "two.json: floor plan: a \"walk\" does not begin at frame 0");
    CHECK(refusal(
              two_rooms(kDoor, R"({"frame": 0, "absent": true}, {"frame": 0, "absent": true})")) ==
          "two.json: floor plan: \"frame\" does not rise");
}

}  // namespace havln::demo
