// Every metric on cases small enough to work out on paper; fractions are written as fractions.
#include <cmath>
#include <vector>

#include "havln/metrics.h"
#include "support/catch.h"

using namespace havln;

namespace {

constexpr double kExact = 1e-12;

/// One goal at the origin unless said otherwise; an agent that walks the points and stops.
struct Walk {
    std::vector<Vec3f> points;
    bool stopped = true;
    std::vector<Goal> goals = {{{0, 0, 0}, 0, {}, {}}};
    std::vector<Vec3d> reference = {};
    std::vector<std::uint8_t> collided = {};
    std::int64_t baseline = 0;
    std::vector<std::int32_t> nearest_person = {};
    std::vector<double> person_distance_m = {};
    std::vector<BlockCause> causes = {};
    std::vector<std::uint16_t> frames = {};
};

EpisodeMetrics measure(const Walk& walk, const Profile& profile = {}) {
    Episode episode;
    episode.goals = std::make_shared<const std::vector<Goal>>(walk.goals);
    Trace trace;
    trace.positions = walk.points;
    trace.collided = walk.collided;
    trace.collided.resize(walk.points.size() - 1);
    trace.stopped = walk.stopped;
    trace.nearest_person = walk.nearest_person;
    trace.nearest_person_distance_m = walk.person_distance_m;
    trace.causes = walk.causes;
    trace.frames = walk.frames;
    MetricInputs inputs;
    inputs.episode = &episode;
    inputs.trace = &trace;
    inputs.gt_locations = &walk.reference;
    inputs.baseline = walk.baseline;
    inputs.people_known = !walk.nearest_person.empty();
    inputs.recipe_card = profile.card.has_value();
    return compute_episode_metrics(inputs, profile);
}

double value_of(const std::vector<NamedMetric>& list, const std::string& name) {
    for (const NamedMetric& metric : list) {
        if (metric.name == name) return metric.value;
    }
    FAIL("no metric " << name);
    return 0;
}

bool holds(const std::vector<NamedMetric>& list, const std::string& name) {
    for (const NamedMetric& metric : list) {
        if (metric.name == name) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("spl: S * l / max(l, p)", "[metrics][spl]") {
    struct Row {
        bool success;
        double shortest, length, expected;
    };
    const Row rows[] = {
        {true, 4, 4, 1},  {true, 4, 8, 1.0 / 2},   {true, 3, 9, 1.0 / 3},
        {true, 4, 2, 1},                    // shorter than the shortest path: no more than 1
        {false, 4, 4, 0}, {true, 0, 0, 1},  // start = goal, no move
        {false, 0, 0, 0}, {true, 0, 5, 0},  // start = goal, walked away and back
        {true, 4, 0, 1},  {true, kInfinity, 4, 0}, {false, kInfinity, 0, 0},
    };
    for (const Row& row : rows) {
        INFO(row.success << ' ' << row.shortest << ' ' << row.length);
        CHECK(spl(row.success, row.shortest, row.length) == Approx(row.expected).epsilon(kExact));
    }
}

TEST_CASE("soft_spl: max(0, 1 - d/d0) * l / max(l, p)", "[metrics][spl]") {
    struct Row {
        double distance, start, shortest, length, expected;
    };
    const Row rows[] = {
        {0, 4, 4, 4, 1},         {1, 4, 4, 3, 3.0 / 4},
        {1, 4, 4, 8, 3.0 / 8},                     // 3/4 of the way on a path twice as long
        {5, 4, 4, 9, 0},                           // farther than at the start: clamped
        {4, 4, 4, 0, 0},         {0, 0, 0, 0, 1},  // start = goal, no move
        {1, 0, 0, 1, 0},                           // start = goal, left it
        {0, 0, 0, 2, 0},                           // start = goal, left it and came back
        {kInfinity, 4, 4, 1, 0}, {1, kInfinity, kInfinity, 1, 0},
    };
    for (const Row& row : rows) {
        INFO(row.distance << ' ' << row.start << ' ' << row.length);
        CHECK(soft_spl(row.distance, row.start, row.shortest, row.length) ==
              Approx(row.expected).epsilon(kExact));
    }
}

TEST_CASE("dtw: exact distances worked by hand", "[metrics][dtw]") {
    const auto line = [](std::initializer_list<double> xs) {
        std::vector<Vec3d> points;
        for (const double x : xs) points.push_back({x, 0, 0});
        return points;
    };
    CHECK(dtw_distance(line({0}), line({0})) == 0);
    CHECK(dtw_distance(line({0}), line({3})) == 3);
    // One point against three: every reference point is matched with it, 1 + 2 + 3.
    CHECK(dtw_distance(line({0}), line({1, 2, 3})) == 6);
    CHECK(dtw_distance(line({1, 2, 3}), line({0})) == 6);
    // 0-0, 1-(0 or 2): 1, 2-2; a shortest alignment pays 1 once.
    CHECK(dtw_distance(line({0, 1, 2}), line({0, 2})) == 1);
    // The path goes 0, 1, 2, 3 and the reference waits at 1: nothing is paid for waiting.
    CHECK(dtw_distance(line({0, 1, 2, 3}), line({0, 1, 1, 1, 2, 3})) == 0);
    // The package's own example: (1..5) against (2, 3, 4) costs 1 at either end.
    CHECK(dtw_distance(line({1, 2, 3, 4, 5}), line({2, 3, 4})) == 2);
    CHECK(fastdtw_distance(line({1, 2, 3, 4, 5}), line({2, 3, 4})) == 2);
    // Two dimensions: 3-4-5 triangle.
    CHECK(dtw_distance(std::vector<Vec3d>{{0, 0, 0}}, std::vector<Vec3d>{{3, 0, 4}}) == 5);
}

TEST_CASE("ndtw: exp(-DTW / (|R| * threshold))", "[metrics][dtw]") {
    const std::vector<Vec3d> reference = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    for (const DtwKind kind : {DtwKind::kExact, DtwKind::kFastDtw}) {
        CHECK(ndtw(reference, reference, 3, kind) == 1);
        // Waiting costs nothing: immediate repeats are dropped first.
        const std::vector<Vec3d> waits = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}};
        CHECK(ndtw(waits, reference, 3, kind) == 1);
        // Standing 1 m beside the first point: 1 + sqrt 2 + sqrt 5 over 3 * 3 m.
        const std::vector<Vec3d> beside = {{0, 0, 1}};
        CHECK(ndtw(beside, reference, 3, kind) ==
              Approx(std::exp(-(1 + std::sqrt(2.0) + std::sqrt(5.0)) / 9)).epsilon(kExact));
        // A reference of one point, 3 m away: exp(-3 / (1 * 3)).
        CHECK(ndtw(beside, std::vector<Vec3d>{{0, 3, 1}}, 3, kind) ==
              Approx(std::exp(-1.0)).epsilon(kExact));
    }
}

TEST_CASE("success: a distance of exactly 3.0 m fails", "[metrics][boundary]") {
    Profile inclusive;
    inclusive.success_inclusive = true;
    const Walk at_3_m = {.points = {{8, 0, 0}, {3, 0, 0}}};
    CHECK(measure(at_3_m).distance_to_goal == 3.0);
    CHECK_FALSE(measure(at_3_m).success);
    CHECK_FALSE(measure(at_3_m).oracle_success);
    CHECK(measure(at_3_m, inclusive).success);
    CHECK(measure(at_3_m, inclusive).oracle_success);

    const Walk nearer = {.points = {{8, 0, 0}, {std::nextafter(3.0f, 0.0f), 0, 0}}};
    CHECK(measure(nearer).success);
    const Walk farther = {.points = {{8, 0, 0}, {std::nextafter(3.0f, 4.0f), 0, 0}}};
    CHECK_FALSE(measure(farther, inclusive).success);
}

TEST_CASE("success: 500 steps without STOP on the goal are no success", "[metrics][boundary]") {
    Walk walk = {.points = std::vector<Vec3f>(501), .stopped = false};
    const EpisodeMetrics m = measure(walk);
    CHECK(m.steps_taken == 500);
    CHECK_FALSE(m.success);
    CHECK(m.oracle_success);
    CHECK(m.distance_to_goal == 0);
    CHECK(m.spl == 0);
    CHECK(m.released.SR == 0);
    walk.stopped = true;
    CHECK(measure(walk).success);
    Profile no_stop_needed;
    no_stop_needed.stop_required = false;
    walk.stopped = false;
    CHECK(measure(walk, no_stop_needed).success);
}

TEST_CASE("collisions: only those above the baseline count", "[metrics][boundary]") {
    Walk walk = {.points = {{4, 0, 0}, {3, 0, 0}, {2, 0, 0}, {1, 0, 0}}, .baseline = 2};
    walk.collided = {1, 1, 0};
    EpisodeMetrics m = measure(walk);
    CHECK(m.blocked_steps == 2);
    CHECK(m.released.excess == 0);
    CHECK(m.released.CR == 0);
    CHECK(m.released.SR == 1);

    walk.collided = {1, 1, 1};  // one more than the baseline
    m = measure(walk);
    CHECK(m.released.excess == 1);
    CHECK(m.released.CR == 1);
    CHECK(m.success);
    CHECK(m.released.SR == 0);

    walk.baseline = 0;
    m = measure(walk);
    CHECK(m.released.excess == 3);
    CHECK(m.released.CR == 1);  // an episode counts once
    CHECK_FALSE(m.contact.has_value());
}

TEST_CASE("collisions: contact counts blocked steps within 1.0 m of a person, causes are summed",
          "[metrics][people]") {
    Walk walk = {.points = {{5, 0, 0}, {4, 0, 0}, {3, 0, 0}, {2, 0, 0}, {1, 0, 0}, {0, 0, 0}}};
    walk.collided = {1, 1, 1, 0, 1};
    walk.nearest_person = {0, 1, 0, 0, -1};
    walk.person_distance_m = {1.0, std::nextafter(1.0, 2.0), 0.45, 0.2, 0};
    walk.causes = {BlockCause::kHuman, BlockCause::kStatic, BlockCause::kBoth, BlockCause::kNone,
                   BlockCause::kStatic};
    walk.frames = {0, 2, 2, 5, 5};
    walk.baseline = 1;
    const EpisodeMetrics m = measure(walk);
    REQUIRE(m.contact.has_value());
    CHECK(m.contact->collisions == 2);  // 1.0 m counts, the next double does not, free steps do not
    CHECK(m.contact->excess == 1);
    CHECK(m.released.collisions == 4);
    CHECK(m.released.excess == 3);
    REQUIRE(m.causes.has_value());
    CHECK(m.causes->human == 1);
    CHECK(m.causes->stationary == 2);
    CHECK(m.causes->both == 1);
    REQUIRE(m.personal_space.has_value());
    CHECK(m.personal_space->intimate_steps == 2);  // 0.45 m is within
    CHECK(m.personal_space->personal_steps == 4);
    CHECK(m.personal_space->social_steps == 4);
    // Frames 0, 2, 2, 5, 5: steps last 2, 0, 3 and 0 frames, the last one none.
    CHECK(m.personal_space->intimate_frames == 3);
    CHECK(m.personal_space->personal_frames == 5);
    CHECK(m.personal_space->least_distance_m == 0.2);
}

TEST_CASE("path metrics: a walk around a corner", "[metrics]") {
    // From (4, 0, 3), 5 m from the goal, 3 m along -z, then 3 m along -x: ends 1 m from the goal.
    const Walk walk = {.points = {{4, 0, 3}, {4, 0, 0}, {4, 0, 0}, {1, 0, 0}},
                       .reference = {{4, 0, 3}, {4, 0, 0}, {1, 0, 0}}};
    const EpisodeMetrics m = measure(walk);
    CHECK(m.start_distance == 5);
    CHECK(m.path_length == 6);
    CHECK(m.distance_to_goal == 1);
    CHECK(m.oracle_navigation_error == 1);
    CHECK(m.success);
    CHECK(m.spl == Approx(5.0 / 6).epsilon(kExact));
    CHECK(m.soft_spl == Approx(4.0 / 5 * 5 / 6).epsilon(kExact));
    CHECK(m.oracle_spl == Approx(5.0 / 6).epsilon(kExact));
    CHECK(m.ndtw == 1.0);
    CHECK(m.sdtw == 1.0);
    CHECK_FALSE(m.geodesic_distance.has_value());
}

TEST_CASE("oracle metrics: the best position on the way, the start included", "[metrics]") {
    // Starts 2 m from the goal and walks away without STOP.
    const EpisodeMetrics away = measure({.points = {{2, 0, 0}, {9, 0, 0}}, .stopped = false});
    CHECK(away.oracle_success);
    CHECK(away.oracle_navigation_error == 2);
    CHECK(away.oracle_spl == 1);
    CHECK_FALSE(away.success);
    // Passes the goal after 4 m, goes on 6 m and comes to a stop outside.
    const EpisodeMetrics past =
        measure({.points = {{4, 0, 0}, {0, 0, 0}, {-6, 0, 0}}, .reference = {{4, 0, 0}}});
    CHECK(past.oracle_success);
    CHECK(past.oracle_spl == 1);
    CHECK_FALSE(past.success);
    CHECK(past.spl == 0);
    CHECK(past.soft_spl == 0);
    CHECK(past.sdtw == 0.0);
    CHECK(*past.ndtw > 0);
}

TEST_CASE("goals: the nearest of several counts", "[metrics]") {
    const EpisodeMetrics m = measure({.points = {{5, 0, 0}, {5, 0, 0}},
                                      .goals = {{{0, 0, 0}, 0, {}, {}}, {{7, 0, 0}, 0, {}, {}}}});
    CHECK(m.distance_to_goal == 2);
    CHECK(m.success);
}

TEST_CASE("goals: a goal's own radius decides where the profile says so", "[metrics][boundary]") {
    Profile profile;
    profile.use_goal_radius = true;
    profile.success_distance_m = 1;
    // 2 m from a goal of radius 2 and 3 m from one of radius 4.
    Walk walk = {.points = {{2, 0, 0}, {2, 0, 0}},
                 .goals = {{{0, 0, 0}, 2, {}, {}}, {{5, 0, 0}, 4, {}, {}}}};
    CHECK(measure(walk, profile).success);
    walk.goals.pop_back();
    CHECK_FALSE(measure(walk, profile).success);  // exactly 2 m: strict
    profile.success_inclusive = true;
    CHECK(measure(walk, profile).success);
    walk.goals[0].radius_m = 0;  // no radius of its own: the profile's 1 m
    CHECK_FALSE(measure(walk, profile).success);
}

TEST_CASE("degenerate: no action at all", "[metrics][degenerate]") {
    const EpisodeMetrics m =
        measure({.points = {{1, 0, 0}}, .stopped = false, .reference = {{1, 0, 0}, {0, 0, 0}}});
    CHECK(m.steps_taken == 0);
    CHECK(m.path_length == 0);
    CHECK_FALSE(m.success);
    CHECK(m.oracle_success);
    CHECK(m.spl == 0);
    CHECK(m.soft_spl == 0);
    CHECK(*m.ndtw == Approx(std::exp(-1.0 / 6)).epsilon(kExact));
}

TEST_CASE("degenerate: start on the goal, no reference path", "[metrics][degenerate]") {
    const EpisodeMetrics m = measure({.points = {{0, 0, 0}, {0, 0, 0}}});
    CHECK(m.success);
    CHECK(m.spl == 1);
    CHECK(m.soft_spl == 1);
    CHECK(m.oracle_spl == 1);
    CHECK_FALSE(m.ndtw.has_value());
    CHECK_FALSE(m.sdtw.has_value());
}

TEST_CASE("card: vln-ce counts nodes and takes 1 m", "[metrics][card]") {
    Profile profile = load_profile("vln-ce");
    profile.distance = profile.spl_numerator = DistanceKind::kEuclidean;
    // Five nodes (one repeat dropped) against a recorded path of four; ends 1 m from the goal.
    const EpisodeMetrics m =
        measure({.points = {{5, 0, 0}, {4, 0, 0}, {4, 0, 0}, {3, 0, 0}, {2, 0, 0}, {1, 0, 0}},
                 .reference = {{5, 0, 0}, {4, 0, 0}, {3, 0, 0}, {2, 0, 0}}},
                profile);
    CHECK(value_of(m.card, "success_card") == 1);
    CHECK(value_of(m.card, "path_length_card") == 5);
    CHECK(value_of(m.card, "spl_card") == Approx(4.0 / 5).epsilon(kExact));
    CHECK(m.spl == 1);
    // Without recorded locations there is nothing to count against.
    const EpisodeMetrics unknown = measure({.points = {{2, 0, 0}, {2, 0, 0}}}, profile);
    CHECK_FALSE(holds(unknown.card, "spl_card"));
    CHECK(value_of(unknown.card, "success_card") ==
          0);  // 2 m: the benchmark's success, not the card's
    CHECK(unknown.success);
}

TEST_CASE("card: hm3d-objectnav lets SoftSPL go negative and takes the goal's radius",
          "[metrics][card]") {
    Profile profile = load_profile("hm3d-objectnav");
    profile.distance = profile.spl_numerator = DistanceKind::kEuclidean;
    // Walks from 2 m to 4 m: progress 1 - 4/2 = -1, path factor 2/2.
    const EpisodeMetrics m =
        measure({.points = {{2, 0, 0}, {4, 0, 0}}, .goals = {{{0, 0, 0}, 4.5, {}, {}}}}, profile);
    CHECK(m.soft_spl == 0);
    CHECK(value_of(m.card, "soft_spl_card") == Approx(-1).epsilon(kExact));
    CHECK(value_of(m.card, "success_card") == 1);
    CHECK_FALSE(m.success);
}

TEST_CASE("card: bsc-nav takes 1.0 m inclusive and gives the ratio that its SPL averages",
          "[metrics][card]") {
    Profile profile = load_profile("bsc-nav");
    profile.distance = profile.spl_numerator = DistanceKind::kEuclidean;
    const EpisodeMetrics m =
        measure({.points = {{3, 0, 0}, {3, 0, 4}, {3, 0, 0}, {1, 0, 0}}}, profile);
    CHECK_FALSE(m.success);  // exactly 1.0 m: the benchmark is strict
    CHECK(value_of(m.card, "success_card") == 1);
    CHECK(value_of(m.card, "path_ratio_card") == Approx(10.0 / 3).epsilon(kExact));
    CHECK_FALSE(holds(m.card, "spl_card"));
}

TEST_CASE("card: nothing is added unless asked for", "[metrics][card]") {
    CHECK(measure({.points = {{1, 0, 0}, {1, 0, 0}}}).card.empty());
}
