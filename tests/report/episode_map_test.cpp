#include "report/episode_map.h"

#include <cmath>

#include "report/sample_report.h"
#include "support/catch.h"
#include "support/data_root.h"

using namespace havln;
using namespace havln::test;

namespace {

SceneMap sample_scene() {
    const ScenePeople people = sample_people();
    return make_scene_map("two_storeys", sample_ground(), &people, false);
}

/// A trace through these positions, one step each, none blocked.
Trace trace_through(const std::vector<Vec3f>& positions) {
    Trace trace;
    trace.positions = positions;
    trace.rotations_xyzw.resize(positions.size());
    const std::size_t steps = positions.size() - 1;
    trace.collided.resize(steps);
    trace.frames.resize(steps);
    trace.causes.assign(steps, BlockCause::kNone);
    return trace;
}

void block(Trace& trace, std::size_t step, BlockCause cause) {
    trace.collided[step] = 1;
    trace.causes[step] = cause;
}

}  // namespace

TEST_CASE("map heading: up is -z, and turning right goes clockwise", "[report][map]") {
    const auto yaw = [](double degrees) {
        const double half = degrees * 3.14159265358979323846 / 360;
        return Quatf{0, static_cast<float>(std::sin(half)), 0, static_cast<float>(std::cos(half))};
    };
    CHECK(map_heading_5deg({0, 0, 0, 1}) == 0);
    CHECK(map_heading_5deg(yaw(90)) == 54);   // a turn to the left by 90: faces -x, left on the map
    CHECK(map_heading_5deg(yaw(-90)) == 18);  // right
    CHECK(map_heading_5deg(yaw(-15)) == 3);
    CHECK(map_heading_5deg(yaw(180)) == 36);
}

TEST_CASE("episode map: without a trace it shows start, goal and reference path", "[report][map]") {
    Episode episode = make_episode("1", "two_storeys", 5);  // goal at (0, 0, -5)
    episode.reference_path = {{0, 0, 0}, {0, 0, -5}};
    const EpisodeMap map = make_episode_map(sample_scene(), episode, nullptr, 3);
    CHECK(map.steps() == 0);
    CHECK(map.start == MapPlace{0, {0, 0}});
    CHECK(map.goals == std::vector<MapPlace>{{0, {0, -500}}});
    CHECK(map.reference == std::vector<MapPlace>{{0, {0, 0}}, {0, {0, -500}}});
    CHECK(map.goal_radius_cm == 300);
    REQUIRE(map.views.size() == 1);
    // 3 m and a quarter around the goal, 1 m around the start.
    CHECK(map.views[0].box == MapBox{{-325, -825}, {325, 100}});
}

TEST_CASE("episode map: a view is at least 6 m wide and high", "[report][map]") {
    Episode episode = make_episode("1", "two_storeys", 0);
    const EpisodeMap map = make_episode_map(sample_scene(), episode, nullptr, 0.1);
    REQUIRE(map.views.size() == 1);
    CHECK(map.views[0].box == MapBox{{-300, -300}, {300, 300}});
}

TEST_CASE("episode map: floors that the path touches have a view each", "[report][map]") {
    const Episode episode = make_episode("1", "two_storeys", 1);
    const Trace trace = trace_through({{9, 0, 4}, {12, 1.4f, 4}, {12.25f, 1.7f, 4}, {15, 3, 4}});
    const EpisodeMap map = make_episode_map(sample_scene(), episode, &trace, 3);
    CHECK(map.path == std::vector<MapPlace>{
                          {0, {900, 400}}, {0, {1200, 400}}, {1, {1225, 400}}, {1, {1500, 400}}});
    REQUIRE(map.views.size() == 2);
    CHECK(map.views[0].floor == 0);
    CHECK(map.views[1].floor == 1);
    CHECK(map.views[1].box.min.x <= 1125);
    CHECK(map.views[1].box.max.x >= 1600);
    CHECK(map.crossings == std::vector<MapPoint>{{1212, 400}});
}

TEST_CASE("episode map: blocked steps of one cause at one place are one mark", "[report][map]") {
    const Episode episode = make_episode("1", "two_storeys", 1);
    Trace trace = trace_through({{1, 0, 1}, {1, 0, 1}, {1, 0, 1}, {1, 0, 1}, {2, 0, 1}});
    block(trace, 0, BlockCause::kStatic);
    block(trace, 1, BlockCause::kStatic);
    block(trace, 2, BlockCause::kHuman);
    block(trace, 3, BlockCause::kStatic);  // a metre away
    const EpisodeMap map = make_episode_map(sample_scene(), episode, &trace, 3);
    CHECK(map.blocks == std::vector<MapBlock>{{{0, {100, 100}}, BlockMark::kStatic, false, 1, 2},
                                              {{0, {100, 100}}, BlockMark::kHuman, false, 3, 1},
                                              {{0, {200, 100}}, BlockMark::kStatic, false, 4, 1}});
    REQUIRE(map.step_blocks.size() == 4);
    CHECK(map.step_blocks[2].mark == BlockMark::kHuman);
    trace.causes.clear();
    CHECK(make_episode_map(sample_scene(), episode, &trace, 3).blocks[0].mark ==
          BlockMark::kUnknown);
}

TEST_CASE("episode map: a contact shows the person where they were, once until they move",
          "[report][map]") {
    const Episode episode = make_episode("1", "two_storeys", 1);
    // Beside the standing person at (5, 0, 2), blocked twice; then on the walker's way at z = 6.
    Trace trace = trace_through({{4.5f, 0, 2}, {4.5f, 0, 2}, {4.5f, 0, 2}, {5, 0, 6}, {5, 0, 6}});
    block(trace, 0, BlockCause::kHuman);
    block(trace, 1, BlockCause::kHuman);
    block(trace, 2, BlockCause::kHuman);
    block(trace, 3, BlockCause::kHuman);
    // The walker is at x = 1 + 8 * frame / 119: 4.97 in frame 59 and 5.84 in frame 72.
    trace.frames = {0, 1, 59, 72};
    locate_people(trace, sample_people());
    const EpisodeMap map = make_episode_map(sample_scene(), episode, &trace, 3);
    CHECK(map.contacts == std::vector<MapContact>{{0, 1, 0, {0, {500, 200}}, {0, {450, 200}}},
                                                  {1, 3, 59, {0, {497, 600}}, {0, {500, 600}}},
                                                  {1, 4, 72, {0, {584, 600}}, {0, {500, 600}}}});
    for (const StepBlock& step : map.step_blocks) CHECK(step.contact);
}

TEST_CASE("episode map: a blocked step with nobody within 1 m is no contact", "[report][map]") {
    const Episode episode = make_episode("1", "two_storeys", 1);
    Trace trace = trace_through({{3.5f, 0, 2}, {3.5f, 0, 2}});
    block(trace, 0, BlockCause::kStatic);
    locate_people(trace, sample_people());
    const EpisodeMap map = make_episode_map(sample_scene(), episode, &trace, 3);
    CHECK(map.contacts.empty());
    REQUIRE(map.blocks.size() == 1);
    CHECK_FALSE(map.blocks[0].contact);
}
