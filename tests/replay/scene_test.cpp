// Scenes made by hand, whose answers follow from the plan.
#include <cmath>
#include <initializer_list>
#include <optional>

#include "havln/error.h"
#include "havln/replay.h"
#include "support/catch.h"
#include "support/reference.h"
#include "support/toy_navmesh.h"

namespace havln::test {

namespace {

constexpr Action kForward = Action::kMoveForward;
constexpr Action kLeft = Action::kTurnLeft;
constexpr Action kStop = Action::kStop;

/// Faces -z, as the identity does in Habitat's frame.
AgentPose standing_at(float x, float z) {
    return {{x, 0, z}, {0, 0, 0, 1}};
}

Trace replay(const AgentPose& start, std::initializer_list<Action> actions,
             const SceneNavMeshes& scene, bool attribute = false) {
    ReplaySettings settings;
    settings.attribute_blocks = attribute;
    const std::vector<Action> list = actions;
    return ReplayEngine(settings).replay(start, list, constant_clock(list.size(), 1), scene);
}

/// A room 8 cells wide whose first `empty_rows` rows are no floor: its wall is at z = empty_rows.
ToyFloor room(int empty_rows, float cell_m = 1) {
    ToyFloor floor;
    floor.cell_m = cell_m;
    for (int row = 0; row < 16; ++row) {
        floor.rows.push_back(std::string(8, row < empty_rows ? '#' : '.'));
    }
    return floor;
}

ToyFloor with_person(ToyFloor floor, int column, int row) {
    floor.rows.at(static_cast<std::size_t>(row)).at(static_cast<std::size_t>(column)) = '#';
    return floor;
}

ScenePeople one_person_at(const Vec3d& position) {
    ScenePeople people;
    people.people.emplace_back();
    people.people[0].position.fill(position);
    return people;
}

}  // namespace

TEST_CASE("replay: steps, turns, looks and STOP in the open", "[replay]") {
    const auto scene = toy_scene({room(0)});
    const Trace trace =
        replay(standing_at(4.5f, 8.5f),
               {kForward, Action::kLookUp, kForward, kLeft, Action::kLookDown, kStop}, *scene);
    CHECK(trace.steps() == 6);
    CHECK(trace.stopped);
    CHECK(trace.positions == std::vector<Vec3f>{{4.5f, 0, 8.5f},
                                                {4.5f, 0, 8.25f},
                                                {4.5f, 0, 8.25f},
                                                {4.5f, 0, 8.0f},
                                                {4.5f, 0, 8.0f},
                                                {4.5f, 0, 8.0f},
                                                {4.5f, 0, 8.0f}});
    CHECK(trace.collided == std::vector<std::uint8_t>(6, 0));
    CHECK(trace.frames == std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5});
    CHECK(trace.causes.empty());
    CHECK(trace.rotations_xyzw[3] == Quatf{0, 0, 0, 1});
    CHECK(trace.rotations_xyzw[4] != Quatf{0, 0, 0, 1});
}

TEST_CASE("replay: nothing happens after STOP, and no STOP is none", "[replay]") {
    const auto scene = toy_scene({room(0)});
    const Trace stopped = replay(standing_at(4.5f, 8.5f), {kStop, kForward}, *scene);
    CHECK(stopped.steps() == 1);
    CHECK(stopped.positions.size() == 2);
    const Trace walking = replay(standing_at(4.5f, 8.5f), {kForward}, *scene);
    CHECK_FALSE(walking.stopped);
}

TEST_CASE("replay: a turn to the left and one to the right have Habitat's quaternions",
          "[replay]") {
    const auto scene = toy_scene({room(0)});
    const Trace trace = replay(standing_at(4.5f, 8.5f), {kLeft, Action::kTurnRight}, *scene);
    // sin and cos of 7.5 degrees as float32: 0x3e05a8a9 and 0x3f7dcf55; their norm is one.
    CHECK(trace.rotations_xyzw[1] == Quatf{0, 0x1.0b5152p-3f, 0, 0x1.fb9eaap-1f});
    CHECK(std::abs(trace.rotations_xyzw[2].y) < 1e-7f);
}

TEST_CASE("replay: after a quarter turn to the left the agent walks towards -x", "[replay]") {
    const auto scene = toy_scene({room(0)});
    const Trace trace = replay(standing_at(4.5f, 8.5f),
                               {kLeft, kLeft, kLeft, kLeft, kLeft, kLeft, kForward}, *scene);
    CHECK(trace.positions.back().x == Approx(4.25).margin(1e-6));
    CHECK(trace.positions.back().z == Approx(8.5).margin(1e-6));
}

TEST_CASE("replay: the first action puts the agent onto the mesh", "[replay]") {
    const auto scene = toy_scene({room(0)});
    const Trace trace = replay({{4.5f, 0.25f, 8.5f}, {0, 0, 0, 1}}, {kStop}, *scene);
    CHECK(trace.positions[1].y == 0.25f);
    const Trace turned = replay({{4.5f, 0.25f, 8.5f}, {0, 0, 0, 1}}, {kLeft}, *scene);
    CHECK(turned.positions[1].y == 0);
}

TEST_CASE("replay: a person who steps into a standing agent moves it at its next turn",
          "[replay]") {
    const auto scene = toy_scene({room(0), with_person(room(0), 4, 8)});
    const Trace trace = replay(standing_at(4.25f, 8.5f), {kLeft, kLeft, kLeft}, *scene);
    CHECK(trace.positions[1] == Vec3f{4.25f, 0, 8.5f});
    CHECK(trace.positions[2] == Vec3f{4, 0, 8.5f});
    CHECK(trace.positions[3] == Vec3f{4, 0, 8.5f});
    CHECK(trace.collided == std::vector<std::uint8_t>{0, 0, 0});
}

TEST_CASE("replay: standing through frames that come back is remembered per mesh", "[replay]") {
    // The person is there in frames 1 and 3; in frame 2 the mesh is that of frame 0 again.
    const auto scene = toy_scene(
        {room(0), with_person(room(0), 4, 8), room(0), with_person(room(0), 4, 8), room(0)});
    CHECK(&scene->frame(0) == &scene->frame(2));
    const Trace trace =
        replay(standing_at(4.25f, 8.5f), {kLeft, Action::kLookUp, kLeft, kLeft, kLeft}, *scene);
    CHECK(trace.positions[3] == Vec3f{4.25f, 0, 8.5f});
    CHECK(trace.positions[4] == Vec3f{4, 0, 8.5f});
    CHECK(trace.positions[5] == Vec3f{4, 0, 8.5f});
}

TEST_CASE("replay: a missing navmesh is the organiser's fault", "[replay]") {
    SceneNavMeshes scene = *toy_scene({room(0)});
    scene.frames[1] = nullptr;
    CHECK_NOTHROW(replay(standing_at(4.5f, 8.5f), {kForward, Action::kLookUp}, scene));
    CHECK_THROWS_AS(replay(standing_at(4.5f, 8.5f), {kForward, kForward}, scene), Error);
}

TEST_CASE("cause: a step that is free without people was blocked by a human", "[replay]") {
    const ToyFloor open = room(0);
    const auto scene = toy_scene({with_person(open, 4, 7)}, &open);
    const Trace trace = replay(standing_at(4.5f, 8.125f), {kForward, kLeft}, *scene, true);
    CHECK(trace.positions[1] == Vec3f{4.5f, 0, 8});
    CHECK(trace.collided == std::vector<std::uint8_t>{1, 0});
    CHECK(trace.causes == std::vector<BlockCause>{BlockCause::kHuman, BlockCause::kNone});
}

TEST_CASE("cause: a wall blocks as it would without people", "[replay]") {
    const ToyFloor walled = room(8);
    const auto scene = toy_scene({with_person(walled, 1, 12)}, &walled);
    const Trace trace = replay(standing_at(4.5f, 8.125f), {kForward}, *scene, true);
    CHECK(trace.positions[1] == Vec3f{4.5f, 0, 8});
    CHECK(trace.causes == std::vector<BlockCause>{BlockCause::kStatic});
}

TEST_CASE("cause: with a wall close behind a person both have a part", "[replay]") {
    // Walls at z = 1; a row of people moves the edge to z = 1.125.
    const ToyFloor walled = room(8, 0.125f), crowded = room(9, 0.125f);
    const auto scene = toy_scene({crowded}, &walled);
    const Trace trace = replay(standing_at(0.5f, 1.1875f), {kForward}, *scene, true);
    CHECK(trace.positions[1] == Vec3f{0.5f, 0, 1.125f});
    CHECK(trace.causes == std::vector<BlockCause>{BlockCause::kBoth});
}

TEST_CASE("cause: left out where the navmesh without people is unknown", "[replay]") {
    const auto scene = toy_scene({room(8)});
    const Trace trace = replay(standing_at(4.5f, 8.125f), {kForward}, *scene, true);
    CHECK(trace.collided == std::vector<std::uint8_t>{1});
    CHECK(trace.causes.empty());
    CHECK(std::string(block_cause_name(BlockCause::kBoth)) == "both");
}

TEST_CASE("contact: a wall hit with the person two rooms away counts as released only",
          "[replay]") {
    // Rooms of two rows; the agent in the first, the person in the third.
    ToyFloor rooms;
    rooms.rows = {"......", "......", "######", "......", "......", "######", "......", "......"};
    const auto scene = toy_scene({with_person(rooms, 3, 7)}, &rooms);
    Trace trace = replay(standing_at(2.5f, 0.125f), {kForward}, *scene, true);
    locate_people(trace, one_person_at({3.5, 0, 7.5}));
    CHECK(trace.collided == std::vector<std::uint8_t>{1});
    CHECK(contact_steps(trace) == std::vector<std::uint8_t>{0});
    CHECK(trace.causes == std::vector<BlockCause>{BlockCause::kStatic});
}

TEST_CASE("contact: a person exactly 1 m from where the agent ends counts", "[replay]") {
    const auto scene = toy_scene({room(8)});
    Trace trace = replay(standing_at(4.5f, 8.125f), {kForward}, *scene);
    REQUIRE(trace.positions[1] == Vec3f{4.5f, 0, 8});
    locate_people(trace, one_person_at({4.5, 0, 7}));
    CHECK(trace.nearest_person_distance_m == std::vector<double>{1.0});
    CHECK(contact_steps(trace) == std::vector<std::uint8_t>{1});
    locate_people(trace, one_person_at({4.5, 0, std::nextafter(7.0, 6.0)}));
    CHECK(contact_steps(trace) == std::vector<std::uint8_t>{0});
}

TEST_CASE("contact: a person who is absent in the step's frame does not count", "[replay]") {
    const auto scene = toy_scene({room(8)});
    Trace trace = replay(standing_at(4.5f, 8.125f), {kForward, kForward}, *scene);
    CHECK(trace.collided == std::vector<std::uint8_t>{1, 1});
    ScenePeople people = one_person_at({4.5, 0, 7.5});
    people.people[0].position[0] = std::nullopt;
    locate_people(trace, people);
    CHECK(trace.nearest_person == std::vector<std::int32_t>{-1, 0});
    CHECK(contact_steps(trace) == std::vector<std::uint8_t>{0, 1});
}

}  // namespace havln::test
