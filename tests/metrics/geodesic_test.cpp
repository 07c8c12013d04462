// Distances along a navmesh, on floor plans whose shortest paths are known.
#include <algorithm>
#include <cmath>
#include <vector>

#include "havln/metrics.h"
#include "havln/random.h"
#include "support/catch.h"
#include "support/toy_navmesh.h"

using namespace havln;
using namespace havln::test;

namespace {

/// Against lengths that Detour sums in float32.
constexpr double kFloat32 = 1e-6;

/// A U of one-metre cells: from the end of one arm to the end of the other the way leads around
/// the corners (1, 2) and (1, 1).
const ToyFloor kU = {.rows = {"...", ".##", "..."}};
const Vec3f kLowerArm = {2.5f, 0, 2.5f}, kUpperArm = {2.5f, 0, 0.5f};
const double kAroundTheU = 1 + 2 * std::sqrt(2.5);

/// Two islands, 3 m apart.
const ToyFloor kTwoIslands = {.rows = {"...   ..."}};

Goal goal_at(const Vec3f& p) {
    return {to_double(p), 0, {}, {}};
}

EpisodeMetrics measure(const ToyFloor& floor, const std::vector<Vec3f>& positions,
                       const std::vector<Goal>& goals, const Profile& profile) {
    const auto mesh = toy_mesh(floor);
    NavMeshQuery query;
    query.bind(*mesh);
    Episode episode;
    episode.goals = std::make_shared<const std::vector<Goal>>(goals);
    Trace trace;
    trace.positions = positions;
    trace.collided.resize(positions.size() - 1);
    trace.stopped = true;
    MetricInputs inputs;
    inputs.episode = &episode;
    inputs.trace = &trace;
    inputs.query = &query;
    inputs.recipe_card = true;
    return compute_episode_metrics(inputs, profile);
}

}  // namespace

TEST_CASE("geodesic: distance and SPL follow the way around a corner", "[metrics][geodesic]") {
    const Profile profile = load_profile("vln-ce");
    const EpisodeMetrics standing =
        measure(kU, {kLowerArm, kLowerArm}, {goal_at(kUpperArm)}, profile);
    CHECK(standing.start_distance == Approx(kAroundTheU).epsilon(kFloat32));
    CHECK(standing.distance_to_goal == standing.start_distance);
    CHECK_FALSE(standing.success);  // 2 m as the crow flies, but 4.16 m on foot
    CHECK_FALSE(standing.oracle_success);
    REQUIRE(standing.geodesic_distance.has_value());
    CHECK(*standing.geodesic_distance == standing.start_distance);

    // Along the cell centres: 2 + 2 + 2 m.
    const EpisodeMetrics walked =
        measure(kU, {kLowerArm, {0.5f, 0, 2.5f}, {0.5f, 0, 0.5f}, kUpperArm}, {goal_at(kUpperArm)},
                profile);
    CHECK(walked.success);
    CHECK(walked.path_length == 6);
    CHECK(walked.spl == Approx(kAroundTheU / 6).epsilon(kFloat32));
    CHECK(walked.soft_spl == Approx(kAroundTheU / 6).epsilon(kFloat32));
}

TEST_CASE("geodesic: SPL's numerator may differ from the success distance", "[metrics][geodesic]") {
    Profile profile = load_profile("vln-ce");
    profile.distance = DistanceKind::kEuclidean;
    const EpisodeMetrics m = measure(kU, {kLowerArm, kLowerArm}, {goal_at(kUpperArm)}, profile);
    CHECK(m.start_distance == 2);
    CHECK(m.success);
    CHECK(*m.geodesic_distance == Approx(kAroundTheU).epsilon(kFloat32));
}

TEST_CASE("geodesic: a goal on another island cannot be reached", "[metrics][degenerate]") {
    for (const char* name : {"vln-ce", "hm3d-objectnav", "bsc-nav"}) {
        Profile profile = load_profile(name);
        profile.success_distance_m = 100;
        const EpisodeMetrics m = measure(kTwoIslands, {{2.5f, 0, 0.5f}, {1.5f, 0, 0.5f}},
                                         {goal_at({6.5f, 0, 0.5f})}, profile);
        INFO(name);
        CHECK(m.goal_unreachable);
        CHECK(m.start_distance == kInfinity);
        CHECK_FALSE(m.success);
        CHECK_FALSE(m.oracle_success);
        CHECK(m.spl == 0);
        CHECK(m.soft_spl == 0);
        CHECK(m.oracle_spl == 0);
        CHECK_FALSE(m.geodesic_distance.has_value());
        CHECK(m.path_length == 1);
        for (const NamedMetric& variant : m.card) {
            INFO(variant.name);
            CHECK(std::isfinite(variant.value));
        }
    }
}

TEST_CASE("geodesic: a goal off the mesh cannot be reached", "[metrics][degenerate]") {
    const EpisodeMetrics m =
        measure(kU, {kLowerArm, kLowerArm}, {goal_at({50, 0, 50})}, load_profile("vln-ce"));
    CHECK(m.goal_unreachable);
    CHECK(m.spl == 0);
    // One goal that can be reached is enough.
    const EpisodeMetrics either =
        measure(kU, {kLowerArm, kLowerArm}, {goal_at({50, 0, 50}), goal_at(kLowerArm)},
                load_profile("vln-ce"));
    CHECK_FALSE(either.goal_unreachable);
    CHECK(either.success);
    CHECK(either.spl == 1);
}

TEST_CASE("geodesic: an object is as far as its nearest view point", "[metrics][geodesic]") {
    Profile profile = load_profile("hm3d-objectnav");
    Goal object = goal_at(kUpperArm);
    object.view_points = {{0.5, 0, 0.5}, {0.5, 0, 2.5}};
    const EpisodeMetrics m = measure(kU, {kLowerArm, {1.0f, 0, 2.5f}}, {object}, profile);
    CHECK(m.start_distance == Approx(2.0).epsilon(kFloat32));
    CHECK(m.distance_to_goal == Approx(0.5).epsilon(kFloat32));
    CHECK_FALSE(m.success);
    CHECK(measure(kU, {kLowerArm, {0.55f, 0, 2.5f}}, {object}, profile).success);
    // Without view points the goal's own position counts.
    object.view_points.clear();
    CHECK(measure(kU, {kLowerArm, kLowerArm}, {object}, profile).start_distance ==
          Approx(kAroundTheU).epsilon(kFloat32));
}

TEST_CASE("geodesic: a goal's own radius is measured along the mesh", "[metrics][geodesic]") {
    Profile profile = load_profile("vln-ce");
    profile.use_goal_radius = true;
    Goal far = goal_at(kUpperArm), near = goal_at({2.0f, 0, 2.5f});
    far.radius_m = 5;     // 4.16 m away: within
    near.radius_m = 0.4;  // 0.5 m away: not within
    CHECK(measure(kU, {kLowerArm, kLowerArm}, {near, far}, profile).success);
    far.radius_m = 4;
    CHECK_FALSE(measure(kU, {kLowerArm, kLowerArm}, {near, far}, profile).success);
}

TEST_CASE("geodesic: leaving targets out early never changes the nearest", "[metrics][property]") {
    const auto mesh =
        toy_mesh({.rows = {"..........", ".########.", ".#......#.", ".#.####.#.", "...#  #...",
                           ".#.####.#.", ".#......#.", ".########.", ".........."}});
    NavMeshQuery query;
    query.bind(*mesh);
    Random random(5);
    const auto anywhere = [&random] {
        return Vec3d{12 * random.uniform() - 1, 2 * random.uniform() - 1,
                     11 * random.uniform() - 1};
    };
    int found = 0;
    for (int round = 0; round < 200; ++round) {
        std::vector<Goal> goals(1 + random.below(4));
        for (Goal& goal : goals) {
            goal.position = anywhere();
            goal.view_points.resize(random.below(12));
            for (Vec3d& p : goal.view_points) p = anywhere();
        }
        const Vec3d from = anywhere();
        double least = kInfinity;
        for (const Goal& goal : goals) {
            auto targets = goal.view_points;
            if (targets.empty()) targets.push_back(goal.position);
            for (const Vec3d& target : targets) {
                const PathResult path = query.find_path(to_float(from), to_float(target));
                if (path.found()) least = std::min(least, double{path.distance_m});
            }
        }
        const GoalDistance distance(DistanceKind::kGeodesicViewPoints, &query, goals);
        CHECK(distance.nearest(from) == least);
        found += std::isfinite(least);
    }
    CHECK(found > 100);
}
