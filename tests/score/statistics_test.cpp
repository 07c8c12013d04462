#include "havln/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "havln/random.h"
#include "havln/scorecard.h"
#include "support/catch.h"

using namespace havln;

namespace {

/// Cumulative binomial distribution, by its recurrence.
std::vector<double> binomial_cdf(int n, double p) {
    std::vector<double> cdf;
    double mass = std::pow(1 - p, n), sum = 0;
    for (int k = 0; k <= n; ++k) {
        sum += mass;
        cdf.push_back(sum);
        mass *= p / (1 - p) * (n - k) / (k + 1);
    }
    return cdf;
}

/// Least k with P(X <= k) >= share.
int binomial_quantile(int n, double p, double share) {
    const auto cdf = binomial_cdf(n, p);
    return static_cast<int>(std::lower_bound(cdf.begin(), cdf.end(), share) - cdf.begin());
}

std::vector<ScoreRow> random_rows(Random& random, std::size_t count) {
    std::vector<ScoreRow> rows(count);
    for (ScoreRow& row : rows) {
        row.excess = static_cast<std::int64_t>(random.below(4));
        row.CR = row.excess > 0;
        row.SR = row.excess == 0 && random.below(2) == 0;
        row.distance_to_goal = 10 * random.uniform();
    }
    return rows;
}

/// Score of rows, worked out here from the published formula.
double score_of(const std::vector<ScoreRow>& rows, double human_influenced) {
    double SR = 0, NE = 0, CR = 0, TCR = 0;
    for (const ScoreRow& row : rows) {
        SR += row.SR;
        NE += row.distance_to_goal;
        CR += row.CR;
        TCR += static_cast<double>(row.excess);
    }
    const double n = static_cast<double>(rows.size());
    const double navigation = 0.8 * SR / n + 0.2 * 3 / (3 + NE / n);
    const double social = 0.75 * (1 - CR / human_influenced) + 0.25 / (1 + TCR / n);
    return 100 * navigation * (0.7 + 0.3 * social);
}

}  // namespace

TEST_CASE("quantile: linear between order statistics", "[score][statistics]") {
    const std::vector<double> four = {1, 2, 4, 8};
    CHECK(quantile(four, 0) == 1);
    CHECK(quantile(four, 1) == 8);
    CHECK(quantile(four, 0.5) == 3);
    CHECK(quantile(four, 1.0 / 3) == Approx(2).epsilon(1e-12));
    CHECK(quantile(four, 0.9) == Approx(4 + 0.7 * 4).epsilon(1e-12));
    CHECK(quantile(std::vector<double>{5}, 0.3) == 5);
}

TEST_CASE("bootstrap: SR follows the binomial distribution", "[score][statistics]") {
    const int n = 400, successes = 120;
    std::vector<ScoreRow> rows(n);
    for (int k = 0; k < successes; ++k) rows[static_cast<std::size_t>(k)].SR = 1;
    const ResamplingOptions options{.samples = 20'000};
    const Interval interval = bootstrap(rows, n, options).intervals.at("SR");
    // 20,000 draws place a 2.5 % quantile within one step of 1/n.
    CHECK(std::abs(interval.low * n - binomial_quantile(n, 0.3, 0.025)) <= 1);
    CHECK(std::abs(interval.high * n - binomial_quantile(n, 0.3, 0.975)) <= 1);
    // And near the textbook's 0.3 -/+ 1.96 * sqrt(0.3 * 0.7 / 400).
    CHECK(interval.low == Approx(0.3 - 0.0449).margin(0.004));
    CHECK(interval.high == Approx(0.3 + 0.0449).margin(0.004));
}

TEST_CASE("bootstrap: intervals agree with all 4^4 resamples of four episodes",
          "[score][statistics]") {
    const std::vector<ScoreRow> rows = {
        {1, 0, 0, 0.5}, {0, 1, 2, 1.25}, {0, 1, 7, 6}, {1, 0, 0, 2.75}};
    const std::uint64_t human_influenced = 3;
    std::vector<double> NE, score, CR;
    for (int code = 0; code < 256; ++code) {
        std::vector<ScoreRow> drawn;
        for (int k = 0; k < 4; ++k)
            drawn.push_back(rows[static_cast<std::size_t>(code >> (2 * k)) & 3]);
        double distance = 0, collided = 0;
        for (const ScoreRow& row : drawn) {
            distance += row.distance_to_goal;
            collided += row.CR;
        }
        NE.push_back(distance / 4);
        CR.push_back(collided / 3);  // the denominator keeps its share of the episodes
        score.push_back(score_of(drawn, 3));
    }
    const ResamplingOptions options{.samples = 100'000, .seed = 3, .level = 0.8};
    const auto intervals = bootstrap(rows, human_influenced, options).intervals;
    const auto check = [&](const char* name, std::vector<double> all) {
        std::sort(all.begin(), all.end());
        const Interval& interval = intervals.at(name);
        INFO(name);
        // The share of resamples below the limits is 10 % and 90 %, within sampling error
        // (0.1 % at 100,000 draws) and the weight of one atom of the distribution.
        const auto below = [&](double limit) {
            return static_cast<double>(std::lower_bound(all.begin(), all.end(), limit - 1e-9) -
                                       all.begin()) /
                   256;
        };
        const auto upto = [&](double limit) {
            return static_cast<double>(std::upper_bound(all.begin(), all.end(), limit + 1e-9) -
                                       all.begin()) /
                   256;
        };
        CHECK(below(interval.low) <= 0.105);
        CHECK(upto(interval.low) >= 0.095);
        CHECK(below(interval.high) <= 0.905);
        CHECK(upto(interval.high) >= 0.895);
    };
    check("NE", NE);
    check("CR", CR);
    check("score", score);
}

TEST_CASE("bootstrap: a seed gives the same intervals, another seed others",
          "[score][statistics]") {
    Random random(1);
    const auto rows = random_rows(random, 50);
    const auto first = bootstrap(rows, 40, {}).intervals;
    CHECK(first == bootstrap(rows, 40, {}).intervals);
    CHECK(first != bootstrap(rows, 40, {.seed = 2}).intervals);
    const double score = components_of(rows, 40).score;
    CHECK(first.at("score").low < score);
    CHECK(score < first.at("score").high);
    CHECK(score == Approx(score_of(rows, 40)).epsilon(1e-12));
}

TEST_CASE("bootstrap: equal episodes leave no doubt", "[score][statistics]") {
    const std::vector<ScoreRow> rows(20, {1, 0, 0, 0.5});
    for (const auto& [name, interval] : bootstrap(rows, 20, {}).intervals) {
        INFO(name);
        CHECK(interval.low == Approx(interval.high).epsilon(1e-12));
    }
}

TEST_CASE("bootstrap: means of metrics, for profiles without people", "[score][statistics]") {
    std::vector<EpisodeMetrics> rows(100);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k].success = k < 25;
        rows[k].spl = k < 25 ? 0.5 : 0;
        rows[k].distance_to_goal = k == 99 ? std::numeric_limits<double>::infinity() : 4;
    }
    const std::vector<std::string> names = {"spl", "ndtw"};
    const auto intervals = bootstrap_means(rows, names, {}).intervals;
    CHECK(intervals.size() == 3);
    CHECK(intervals.at("SR").low == Approx(0.25 - 1.96 * 0.0433).margin(0.02));
    CHECK(intervals.at("spl").low == Approx(intervals.at("SR").low / 2).epsilon(1e-12));
    CHECK(intervals.at("NE") == Interval{4, 4});
}

TEST_CASE("compare: a result against itself differs by 0 with p = 1", "[score][statistics]") {
    Random random(4);
    const auto rows = random_rows(random, 60);
    const PairedComparison c = compare_rows(rows, rows, 50, {});
    CHECK(c.components.size() == 7);
    for (const auto& [name, d] : c.components) {
        INFO(name);
        CHECK(d.difference == 0);
        CHECK(d.interval == Interval{0, 0});
        CHECK(d.p_value == 1);
    }
    CHECK(c.exact);
    CHECK(c.effects.empty());
    CHECK(c.tied == 60);
    CHECK(c.won + c.lost + c.gained + c.dropped == 0);
}

TEST_CASE("compare: p-values of small cases are exact", "[score][statistics]") {
    // Of 10 episodes b succeeds in 4 where a does not. Two of the 2^4 assignments are as extreme.
    std::vector<ScoreRow> a(10, {0, 0, 0, 1}), b = a;
    for (std::size_t k = 0; k < 4; ++k) b[k].SR = 1;
    const PairedComparison c = compare_rows(a, b, 10, {});
    CHECK(c.exact);
    CHECK(c.components.at("SR").difference == Approx(0.4).epsilon(1e-12));
    CHECK(c.components.at("SR").p_value == 2.0 / 16);
    CHECK(c.components.at("score").p_value == 2.0 / 16);
    CHECK(c.components.at("CR").p_value == 1);
    CHECK(c.gained == 4);
    CHECK(c.dropped == 0);
    CHECK(c.won == 4);
    CHECK(c.tied == 6);
    // Three won, one lost: net 2 of 4. |net| >= 2 in all but the 6 balanced of 16 assignments.
    b[3].SR = 0;
    a[3].SR = 1;
    CHECK(compare_rows(a, b, 10, {}).components.at("SR").p_value == 10.0 / 16);
    // Against the sides changed: the same p, the opposite difference.
    const PairedComparison reversed = compare_rows(b, a, 10, {});
    CHECK(reversed.components.at("SR").p_value == 10.0 / 16);
    CHECK(reversed.components.at("SR").difference == Approx(-0.2).epsilon(1e-12));
}

TEST_CASE("compare: drawn assignments agree with trying all of them", "[score][statistics]") {
    Random random(8);
    const auto a = random_rows(random, 12), b = random_rows(random, 12);
    const PairedComparison all = compare_rows(a, b, 12, {.samples = 4096});
    const PairedComparison drawn = compare_rows(a, b, 12, {.samples = 4095});
    CHECK(all.exact);
    CHECK_FALSE(drawn.exact);
    for (const auto& [name, d] : all.components) {
        INFO(name << " exact p " << d.p_value);
        // Five standard errors of a share out of 4095 draws.
        const double error = 5 * std::sqrt(d.p_value * (1 - d.p_value) / 4095) + 1.0 / 4096;
        CHECK(std::abs(drawn.components.at(name).p_value - d.p_value) <= error);
    }
}

TEST_CASE("compare: the paired interval agrees with all resamples of three episodes",
          "[score][statistics]") {
    const std::vector<ScoreRow> a = {{0, 0, 0, 4}, {0, 1, 1, 2}, {1, 0, 0, 1}};
    const std::vector<ScoreRow> b = {{1, 0, 0, 0}, {0, 1, 3, 3}, {1, 0, 0, 1}};
    // Differences of distance -4, 1, 0: means over all 27 triples; the 27 are cut at 10 and 90 %.
    std::vector<double> all;
    const double d[] = {-4, 1, 0};
    for (int code = 0; code < 27; ++code)
        all.push_back((d[code % 3] + d[code / 3 % 3] + d[code / 9]) / 3);
    std::sort(all.begin(), all.end());
    const Interval interval =
        compare_rows(a, b, 3, {.samples = 50'000, .level = 0.8}).components.at("NE").interval;
    CHECK(interval.low ==
          Approx(all[2]).margin(1e-9));  // 1 of 27 gives -4, 3 give -8/3: 4/27 > 10 %
    CHECK(interval.high == Approx(all[24]).margin(1e-9));  // 1/27 gives 1, 3 give 2/3
}

TEST_CASE("compare: effects are what the Score of a would gain, greatest first",
          "[score][statistics]") {
    const std::vector<ScoreRow> a = {{0, 1, 3, 8}, {1, 0, 0, 1}, {0, 0, 0, 5}};
    const std::vector<ScoreRow> b = {{1, 0, 0, 0}, {1, 0, 0, 2}, {0, 0, 0, 5}};
    const PairedComparison c = compare_rows(a, b, 3, {});
    REQUIRE(c.effects.size() == 2);
    CHECK(c.effects[0].row == 0);
    CHECK(c.effects[0].effect ==
          Approx(score_of({b[0], a[1], a[2]}, 3) - score_of(a, 3)).epsilon(1e-9));
    CHECK(c.effects[0].SR_a == 0);
    CHECK(c.effects[0].SR_b == 1);
    CHECK(c.effects[1].row == 1);
    CHECK(c.effects[1].effect < 0);
    CHECK(c.won == 1);
    CHECK(c.lost == 1);
    CHECK(c.tied == 1);
    CHECK(c.gained == 1);
}

TEST_CASE("compare: means of metrics by name", "[score][statistics]") {
    const std::vector<std::string> names = {"success", "spl"};
    const std::vector<MetricRow> a = {{0, 0}, {1, 0.5}, {1, std::nullopt}};
    const std::vector<MetricRow> b = {{1, 1}, {1, 0.75}, {0, std::nullopt}};
    const PairedComparison c = compare_means(a, b, names, "spl", "success", {});
    CHECK(c.components.at("success").difference == 0);
    CHECK(c.components.at("spl").a == 0.25);
    CHECK(c.components.at("spl").b == 0.875);
    CHECK(c.components.at("spl").p_value == 0.5);  // both signs up or both down: 4 of 8
    CHECK(c.gained == 1);
    CHECK(c.dropped == 1);
    REQUIRE(c.effects.size() == 3);
    CHECK(c.effects[0].row == 0);
    CHECK(c.effects[0].effect == 0.5);
}

TEST_CASE("clocks: median, 5th and 95th percentile, and the episodes that flip",
          "[score][statistics]") {
    std::vector<ClockSample> samples(21);
    for (std::size_t k = 0; k < samples.size(); ++k) {
        samples[k].clock = "jitter=" + std::to_string(k);
        samples[k].rows.assign(3, {0, 0, 0, 0});
        samples[k].rows[0].SR = 1;
        samples[k].rows[1].SR = k % 2 == 0;                                // 11 of 21
        samples[k].rows[2].distance_to_goal = 3 * static_cast<double>(k);  // NE = k
    }
    const std::vector<std::string> ids = {"7", "8", "9"};
    const ClockSummary summary = summarise_clocks(samples, ids, 3);
    CHECK(summary.samples.size() == 21);
    CHECK(summary.samples[4].clock == "jitter=4");
    const Spread NE = summary.spread.at("NE");
    CHECK(NE.least == 0);
    CHECK(NE.p5 == Approx(1).epsilon(1e-12));
    CHECK(NE.median == 10);
    CHECK(NE.p95 == Approx(19).epsilon(1e-12));
    CHECK(NE.greatest == 20);
    REQUIRE(summary.flips.size() == 1);
    CHECK(summary.flips[0].episode_id == "8");
    CHECK(summary.flips[0].successes == 11);
    CHECK(summary.samples[4].values[1] == 4);
}
