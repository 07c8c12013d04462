#include <cmath>
#include <vector>

#include "havln/error.h"
#include "havln/pooling.h"
#include "havln/scorecard.h"
#include "support/catch.h"

using namespace havln;

namespace {

ReadingMetrics reading(std::int64_t collisions, std::int64_t excess, bool success) {
    ReadingMetrics m;
    m.collisions = collisions;
    m.excess = excess;
    m.CR = excess > 0;
    m.SR = success && excess == 0;
    return m;
}

/// Four episodes: success clean; success with 1 excess contact (5 blocked); failure clean;
/// failure with 2 excess contacts (2 blocked).
std::vector<EpisodeMetrics> four_rows() {
    std::vector<EpisodeMetrics> rows(4);
    const double distances[] = {1, 2, 4, 5};
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k].episode_index = 10 * k;
        rows[k].distance_to_goal = distances[k];
        rows[k].success = k < 2;
        rows[k].steps_taken = 10;
    }
    rows[0].contact = reading(0, 0, true);
    rows[0].released = reading(0, 0, true);
    rows[1].contact = reading(1, 1, true);
    rows[1].released = reading(5, 5, true);
    rows[2].contact = reading(0, 0, false);
    rows[2].released = reading(1, 1, false);
    rows[3].contact = reading(2, 2, false);
    rows[3].released = reading(2, 2, false);
    return rows;
}

}  // namespace

TEST_CASE("aggregate: counts first, ratios last, both readings", "[score]") {
    const SplitScore score = aggregate("s", four_rows(), 3, CollisionReading::kContact, false);
    CHECK(score.episodes == 4);
    CHECK(score.human_influenced == 3);
    CHECK(score.headline.SR == 1.0 / 4);
    CHECK(score.headline.NE == 12.0 / 4);
    CHECK(score.headline.CR == 2.0 / 3);   // over the human-influenced episodes
    CHECK(score.headline.TCR == 3.0 / 4);  // over all
    // Navigation 0.8/4 + 0.2 * 3/6 = 3/10; Social 0.75/3 + 0.25 * 4/7 = 11/28.
    CHECK(score.headline.score == Approx(30 * (0.7 + 0.3 * 11 / 28)).epsilon(1e-12));
    REQUIRE(score.other.has_value());
    CHECK(score.other->SR == 1.0 / 4);
    CHECK(score.other->CR == 1.0);
    CHECK(score.other->TCR == 8.0 / 4);
    CHECK(score.other->NE == score.headline.NE);
    CHECK(score.means.at("CR") == 2.0 / 4);  // the mean over episodes is not the split's CR
    CHECK(score.means.at("success") == 2.0 / 4);
    CHECK(score.means.at("collisions_human") == 3.0 / 4);
    CHECK(score.left_out.empty());
    CHECK_FALSE(score.causes.has_value());
}

TEST_CASE("aggregate: nothing clamps CR", "[score]") {
    const SplitScore score = aggregate("s", four_rows(), 1, CollisionReading::kReleased, false);
    CHECK(score.headline.CR == 3.0);
    REQUIRE(score.other.has_value());
    CHECK(score.other->CR == 2.0);
}

TEST_CASE("aggregate: without people's positions there is no other reading", "[score]") {
    auto rows = four_rows();
    rows[2].contact.reset();
    const SplitScore score = aggregate("s", rows, 4, CollisionReading::kReleased, false);
    CHECK_FALSE(score.other.has_value());
    CHECK_THROWS_AS(aggregate("s", rows, 4, CollisionReading::kContact, false), Error);
}

TEST_CASE("aggregate: unreachable goals are left out of distance means and counted", "[score]") {
    auto rows = four_rows();
    rows[1].goal_unreachable = true;
    rows[1].success = false;
    rows[1].distance_to_goal = rows[1].start_distance = rows[1].oracle_navigation_error = kInfinity;
    const SplitScore score = aggregate_without_people("s", rows, false);
    CHECK(score.unreachable_goals == 1);
    CHECK(score.headline.NE == Approx(10.0 / 3).epsilon(1e-12));
    CHECK(score.headline.SR == 1.0 / 4);
    CHECK(score.means.at("distance_to_goal") == score.headline.NE);
    CHECK(score.left_out.at("distance_to_goal") == 1);
    CHECK(score.means.at("spl") == 0);
    CHECK_FALSE(score.means.contains("SR"));
    CHECK_FALSE(score.means.contains("TCR"));

    for (EpisodeMetrics& row : rows) {
        row.distance_to_goal = row.start_distance = row.oracle_navigation_error = kInfinity;
    }
    const SplitScore none = aggregate_without_people("s", rows, false);
    CHECK(none.headline.NE == 0);
    CHECK_FALSE(none.means.contains("distance_to_goal"));
    CHECK(none.left_out.at("distance_to_goal") == 4);
}

TEST_CASE("aggregate: a metric that some episodes lack is averaged over the others", "[score]") {
    auto rows = four_rows();
    rows[0].ndtw = 0.5;
    rows[3].ndtw = 0.25;
    const SplitScore score = aggregate("s", rows, 4, CollisionReading::kContact, false);
    CHECK(score.means.at("ndtw") == 3.0 / 8);
    CHECK(score.left_out.at("ndtw") == 2);
}

TEST_CASE("aggregate: the order of the ground truth is demanded", "[score]") {
    auto rows = four_rows();
    std::swap(rows[0], rows[1]);
    CHECK_THROWS_AS(aggregate("s", rows, 4, CollisionReading::kContact, false), Error);
    CHECK_THROWS_AS(aggregate_without_people("s", {}, false), Error);
}

TEST_CASE("aggregate: bsc-nav's card multiplies mean success by the mean path ratio",
          "[score][card]") {
    auto rows = four_rows();
    const double success[] = {1, 0, 1, 1}, ratio[] = {1, 4, 2, 1};
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k].card = {{"success_card", success[k]}, {"path_ratio_card", ratio[k]}};
    }
    const SplitScore score = aggregate_without_people("s", rows, false);
    CHECK(score.means.at("spl_card") == 3.0 / 4 * 2);  // above 1: it is no SPL
}

TEST_CASE("pooling: micro averages episodes, macro averages groups", "[score]") {
    auto rows = four_rows();  // distances 1, 2, 4, 5
    rows[0].ndtw = 0.5;
    const std::vector<std::string> scenes = {"b", "a", "b", "b"};
    const CollisionReading contact = CollisionReading::kContact;
    const Pooling pooling = pool("scene", rows, scenes, &contact);
    CHECK(pooling.by == "scene");
    REQUIRE(pooling.groups.size() == 2);
    CHECK(pooling.groups[0].name == "b");
    CHECK(pooling.groups[0].episodes == 3);
    CHECK(pooling.groups[0].means.at("distance_to_goal") == Approx(10.0 / 3).epsilon(1e-12));
    CHECK(pooling.groups[1].means.at("distance_to_goal") == 2);
    CHECK(pooling.micro.at("distance_to_goal") == 3);
    CHECK(pooling.macro.at("distance_to_goal") == Approx(8.0 / 3).epsilon(1e-12));
    CHECK(pooling.macro.at("SR") == Approx(1.0 / 6).epsilon(1e-12));  // 1/3 and 0
    CHECK(pooling.macro.at("ndtw") == 0.5);                           // group "a" has none
    CHECK_FALSE(pooling.groups[1].means.contains("ndtw"));
}

TEST_CASE("agent log: SkipRatio and GFLOPs per step, pooled per episode, then averaged",
          "[score][agent-log]") {
    CHECK(*skip_ratio({3, 4, 0}) == 3.0 / 4);
    CHECK(*skip_ratio({0, 4, 0}) == 0);
    CHECK_FALSE(skip_ratio({0, 0, 0}).has_value());
    CHECK(*gflops_per_step({0, 8, 2}) == 1.0 / 4);
    CHECK_FALSE(gflops_per_step({0, 0, 2}).has_value());
    CHECK_THROWS_AS(skip_ratio({5, 4, 0}), Error);

    auto rows = four_rows();
    rows[0].agent_log = {1, 2, 10};   // ratio 1/2, 5 GFLOP a step
    rows[1].agent_log = {9, 10, 10};  // ratio 9/10, 1 GFLOP a step
    rows[2].agent_log = {0, 0, 0};
    const SplitScore score = aggregate_without_people("s", rows, false);
    CHECK(score.means.at("skip_ratio") == Approx(7.0 / 10).epsilon(1e-12));  // not 10/12
    CHECK(score.means.at("gflops_per_step") == 3);
    CHECK(score.left_out.at("skip_ratio") == 2);
}

TEST_CASE("llm_match: 100 * mean((r - 1) / 4)", "[score][agent-log]") {
    CHECK(llm_match(std::vector<int>{1}) == 0);
    CHECK(llm_match(std::vector<int>{5, 5}) == 100);
    CHECK(llm_match(std::vector<int>{3}) == 50);
    CHECK(llm_match(std::vector<int>{1, 2, 5}) == Approx(100 * 5.0 / 12).epsilon(1e-12));
    CHECK_THROWS_AS(llm_match({}), Error);
    CHECK_THROWS_AS(llm_match(std::vector<int>{0}), Error);
    CHECK_THROWS_AS(llm_match(std::vector<int>{6}), Error);
}
