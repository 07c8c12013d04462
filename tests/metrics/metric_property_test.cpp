// Properties that hold on every path, on random ones from the project's own generator.
#include <chrono>
#include <cmath>
#include <vector>

#include "havln/metrics.h"
#include "havln/random.h"
#include "support/catch.h"

using namespace havln;

namespace {

/// A walk of `count` points with steps of up to 0.4 m and frequent pauses.
std::vector<Vec3f> random_walk(Random& random, std::size_t count) {
    std::vector<Vec3f> points(count);
    for (std::size_t k = 1; k < count; ++k) {
        points[k] = points[k - 1];
        if (random.below(4) == 0) continue;
        points[k].x += static_cast<float>(random.uniform() - 0.4);
        points[k].z += static_cast<float>(random.uniform() - 0.6);
        points[k].y += static_cast<float>(0.1 * random.uniform());
    }
    return points;
}

std::vector<Vec3d> doubles(const std::vector<Vec3f>& points) {
    std::vector<Vec3d> out;
    for (const Vec3f& p : points) out.push_back(to_double(p));
    return out;
}

/// Alignment of least cost by trying every one: a third implementation, for short paths.
double dtw_by_enumeration(const std::vector<Vec3d>& x, const std::vector<Vec3d>& y,
                          std::size_t i = 0, std::size_t j = 0) {
    const double here = distance_m(x[i], y[j]);
    if (i + 1 == x.size() && j + 1 == y.size()) return here;
    double best = std::numeric_limits<double>::infinity();
    if (i + 1 < x.size()) best = std::min(best, dtw_by_enumeration(x, y, i + 1, j));
    if (j + 1 < y.size()) best = std::min(best, dtw_by_enumeration(x, y, i, j + 1));
    if (i + 1 < x.size() && j + 1 < y.size()) {
        best = std::min(best, dtw_by_enumeration(x, y, i + 1, j + 1));
    }
    return here + best;
}

}  // namespace

TEST_CASE("property: metrics of random walks stay in range and in order", "[metrics][property]") {
    Random random(20260601);
    for (int round = 0; round < 500; ++round) {
        Episode episode;
        episode.goals = std::make_shared<const std::vector<Goal>>(std::vector<Goal>{
            {{4 * random.uniform() - 2, 0, 4 * random.uniform() - 4}, 0, {}, {}}});
        Trace trace;
        trace.positions = random_walk(random, 2 + random.below(60));
        trace.collided.resize(trace.positions.size() - 1);
        trace.stopped = random.below(2) == 0;
        const std::vector<Vec3d> reference = doubles(random_walk(random, 1 + random.below(40)));
        MetricInputs inputs;
        inputs.episode = &episode;
        inputs.trace = &trace;
        inputs.gt_locations = &reference;
        const EpisodeMetrics m = compute_episode_metrics(inputs, Profile{});
        Profile fast;
        fast.dtw = DtwKind::kFastDtw;
        const EpisodeMetrics approximate = compute_episode_metrics(inputs, fast);

        INFO("round " << round);
        CHECK(m.spl >= 0);
        CHECK(m.spl <= (m.success ? 1 : 0));
        CHECK(m.oracle_success >= m.success);
        CHECK(m.oracle_spl >= m.spl);
        CHECK(m.oracle_spl <= (m.oracle_success ? 1 : 0));
        CHECK(m.oracle_navigation_error <= m.distance_to_goal);
        CHECK(m.oracle_navigation_error <= m.start_distance);
        CHECK(m.soft_spl >= 0);
        CHECK(m.soft_spl <= 1);
        // Nobody comes nearer to the goal by more than the length of the path.
        CHECK(m.start_distance - m.distance_to_goal <= m.path_length + 1e-12);
        CHECK(*m.ndtw > 0);
        CHECK(*m.ndtw <= 1);
        CHECK(*m.sdtw <= *m.ndtw);
        CHECK(*approximate.ndtw <= *m.ndtw);
    }
}

TEST_CASE("property: exact DTW is the least over all alignments, symmetric, and 0 on itself",
          "[metrics][property][dtw]") {
    Random random(7);
    for (int round = 0; round < 60; ++round) {
        const auto x = doubles(random_walk(random, 1 + random.below(6)));
        const auto y = doubles(random_walk(random, 1 + random.below(6)));
        const double exact = dtw_distance(x, y);
        CHECK(exact == Approx(dtw_by_enumeration(x, y)).epsilon(1e-12).margin(1e-12));
        CHECK(dtw_distance(y, x) == exact);
        CHECK(dtw_distance(x, x) == 0);
        CHECK(ndtw(x, x, 3, DtwKind::kExact) == 1);
    }
}

TEST_CASE("property: fastdtw is at or above exact DTW, and equal within its radius",
          "[metrics][property][dtw]") {
    Random random(11);
    int above = 0;
    for (int round = 0; round < 300; ++round) {
        const auto x = doubles(random_walk(random, 1 + random.below(90)));
        const auto y = doubles(random_walk(random, 1 + random.below(90)));
        const double exact = dtw_distance(x, y);
        const double fast = fastdtw_distance(x, y);
        CHECK(fast >= exact * (1 - 1e-12));
        above += fast > exact * (1 + 1e-9);
        CHECK(fastdtw_distance(x, y, 90) == Approx(exact).epsilon(1e-12).margin(1e-12));
    }
    CHECK(above > 0);  // else the test shows nothing about an approximation
}

TEST_CASE("paths of 10,000 points are measured", "[metrics][dtw]") {
    // Two parallel lines 1 m apart, same points: each pair costs 1.
    std::vector<Vec3d> x(10'000), y(10'000);
    for (std::size_t k = 0; k < x.size(); ++k) {
        x[k] = {0.25 * static_cast<double>(k), 0, 0};
        y[k] = {0.25 * static_cast<double>(k), 0, 1};
    }
    CHECK(dtw_distance(x, y) == 10'000);
    CHECK(fastdtw_distance(x, y) == 10'000);
    CHECK(ndtw(x, y, 3, DtwKind::kExact) == Approx(std::exp(-1.0 / 3)).epsilon(1e-12));
}

#if defined(__SANITIZE_ADDRESS__)
#define HAVLN_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVLN_SANITIZED 1
#endif
#endif
#if defined(NDEBUG) && !defined(HAVLN_SANITIZED)
TEST_CASE("exact DTW of 500 steps against 100 points takes under a millisecond",
          "[metrics][dtw][time]") {
    Random random(3);
    const auto path = doubles(random_walk(random, 500));
    const auto reference = doubles(random_walk(random, 100));
    double fastest_s = 1;
    double sum = 0;
    for (int round = 0; round < 50; ++round) {  // the least of many: other work disturbs
        const auto begin = std::chrono::steady_clock::now();
        sum += dtw_distance(path, reference);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        fastest_s = std::min(fastest_s, took.count());
    }
    CHECK(sum > 0);
    CHECK(fastest_s < 1e-3);
}
#endif
