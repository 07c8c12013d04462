#include "report/report_html.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>

#include "io/json_tree.h"
#include "io/sha256.h"
#include "report/map_data.h"
#include "report/markup.h"
#include "report/page_text.h"
#include "report/report_data.h"
#include "report/report_split.h"
#include "report/sample_report.h"
#include "support/catch.h"

using namespace havln;
using namespace havln::test;

namespace {

ScoreComponents components(double SR, double NE, double CR, double TCR) {
    ScoreComponents c;
    c.SR = SR;
    c.NE = NE;
    c.CR = CR;
    c.TCR = TCR;
    return complete(c);
}

}  // namespace

TEST_CASE("component shares: add up to the Score, worked by hand", "[report][html]") {
    // Navigation = 0.4 + 0.2 * 0.5 = 0.5; Social = 0.75 * 0.8 + 0.25 * 0.5 = 0.725;
    // Score = 100 * 0.5 * (0.7 + 0.3 * 0.725) = 45.875.
    const auto shares = component_shares(components(0.5, 3, 0.2, 1));
    CHECK(shares[0].points == Approx(40));
    CHECK(shares[1].points == Approx(10));
    CHECK(shares[2].points == Approx(-2.25));   // 50 * 0.225 * 0.2
    CHECK(shares[3].points == Approx(-1.875));  // 50 * 0.075 * 0.5
    CHECK(shares[0].perfect == 80);
    CHECK(shares[1].perfect == 20);
    CHECK(shares[0].score_if_perfect == Approx(82.575));  // 100 * 0.9 * 0.9175
    CHECK(shares[1].score_if_perfect == Approx(55.05));   // 100 * 0.6 * 0.9175
    CHECK(shares[2].score_if_perfect == Approx(48.125));  // 100 * 0.5 * (0.7 + 0.3 * 0.875)
    CHECK(shares[3].score_if_perfect == Approx(47.75));   // 100 * 0.5 * (0.7 + 0.3 * 0.85)
}

TEST_CASE("component shares: add up for any components, CR above 1 too", "[report][html]") {
    for (const ScoreComponents& c : {components(0, 20, 1.3, 50), components(1, 0, 0, 0),
                                     components(0.114, 6.502, 0.689, 22.352)}) {
        double sum = 0;
        for (const ComponentShare& share : component_shares(c)) sum += share.points;
        CHECK(sum == Approx(c.score).epsilon(1e-12));
    }
}

TEST_CASE("outcomes: each episode ends in one way", "[report][html]") {
    const CollisionReading contact = CollisionReading::kContact;
    EpisodeMetrics row;
    row.success = true;
    row.distance_to_goal = 1;
    row.contact = ReadingMetrics{0, 0, 0, 1};
    row.released = ReadingMetrics{4, 4, 1, 0};
    CHECK(outcome_of(row, true, &contact, 3) == Outcome::kReached);
    const CollisionReading released = CollisionReading::kReleased;
    CHECK(outcome_of(row, true, &released, 3) == Outcome::kReachedCollided);
    CHECK(outcome_of(row, true, nullptr, 3) == Outcome::kReached);
    row.success = false;
    row.distance_to_goal = 5.99;
    CHECK(outcome_of(row, true, &contact, 3) == Outcome::kStoppedNear);
    row.distance_to_goal = 6;
    CHECK(outcome_of(row, true, &contact, 3) == Outcome::kStoppedFar);
    row.distance_to_goal = std::numeric_limits<double>::infinity();
    CHECK(outcome_of(row, true, &contact, 3) == Outcome::kStoppedFar);
    CHECK(outcome_of(row, false, &contact, 3) == Outcome::kOutOfSteps);
}

TEST_CASE("packing: one character for small numbers, seven for others, all read back",
          "[report][html]") {
    const std::vector<std::int32_t> values = {0,
                                              1,
                                              -1,
                                              42,
                                              -43,
                                              43,
                                              -44,
                                              1000,
                                              10'000'000,
                                              -10'000'000,
                                              std::numeric_limits<std::int32_t>::max(),
                                              std::numeric_limits<std::int32_t>::min()};
    const std::string text = pack(values);
    CHECK(text.size() == 5 + 7 * 7);
    CHECK(unpack(text) == std::vector<std::int64_t>(values.begin(), values.end()));
    CHECK(packing_alphabet().size() == 87);
    CHECK(packing_alphabet().find_first_of("<>&\"'\\ ") == std::string_view::npos);
    for (const char c : packing_alphabet()) CHECK((c > 0x20 && c < 0x7f));
}

TEST_CASE("report: table data hold every episode's numbers", "[report][html]") {
    const auto report = make_sample_report({{"val_seen", 7}, {"val_unseen", 11}}, 60, "agent.zip");
    const JsonTree table = data_of(report_html(report->input), "table-data");
    const auto& splits = table.find("splits")->array();
    REQUIRE(splits.size() == 2);
    CHECK(splits[1].find("name")->string() == "val_unseen");
    for (const char* column :
         {"id", "scene", "text", "stopped", "ne", "pl", "start", "one", "steps", "blocked",
          "success", "oracle", "spl", "ndtw", "contact", "baseline", "excess", "outcome"}) {
        INFO(column);
        CHECK(splits[0].find(column)->array().size() == 7);
        CHECK(splits[1].find(column)->array().size() == 11);
    }
    for (std::size_t i = 0; i < 11; ++i) {
        const EpisodeMetrics& row = report->rows[1][i];
        CHECK(splits[1].find("id")->array()[i].string() ==
              report->splits[1]->episodes[i].episode_id);
        CHECK(splits[1].find("ne")->array()[i].number() ==
              Approx(row.distance_to_goal).margin(0.00005));
        CHECK(splits[1].find("steps")->array()[i].integer() == row.steps_taken);
        CHECK(splits[1].find("excess")->array()[i].integer() == row.contact->excess);
    }
}

TEST_CASE("report: map data hold the path to the centimetre and the blocked steps",
          "[report][html]") {
    const auto report = make_sample_report({{"demo", 5}}, 80, "agent.zip");
    const JsonTree maps = data_of(report_html(report->input), "maps-0");
    for (std::size_t i = 0; i < 5; ++i) {
        const Trace& trace = report->traces[0][i];
        REQUIRE(maps.array()[i].find("t")->array().size() == 1);
        const JsonTree& map = maps.array()[i].find("t")->array()[0];
        const auto path = unpack(map.find("p")->string());
        REQUIRE(path.size() == 3 * trace.positions.size());
        std::int64_t floor = 0, x = 0, y = 0;
        for (std::size_t k = 0; k < trace.positions.size(); ++k) {
            floor += path[3 * k];
            x += path[3 * k + 1];
            y += path[3 * k + 2];
            CHECK(static_cast<double>(x) == Approx(100 * trace.positions[k].x).margin(0.501));
            CHECK(static_cast<double>(y) == Approx(100 * trace.positions[k].z).margin(0.501));
            CHECK(floor == (trace.positions[k].y >= 1.5f ? 1 : 0));
        }
        const auto steps = unpack(map.find("k")->string());
        REQUIRE(steps.size() == trace.steps());
        for (std::size_t k = 0; k < trace.steps(); ++k) {
            CHECK((steps[k] != 0) == (trace.collided[k] != 0));
        }
        CHECK(map.find("a")->string().size() == trace.steps());
    }
}

TEST_CASE("report: untrusted text stays text", "[report][html]") {
    const auto report =
        make_sample_report({{"<b>demo", 10}}, 40, "</title><script>1</script>", true);
    const std::string html = report_html(report->input);
    const std::string markup = markup_of(html);
    CHECK(markup.find("onerror") == std::string::npos);
    CHECK(markup.find("<img") == std::string::npos);
    CHECK(markup.find("<b>demo") == std::string::npos);
    CHECK(markup.find("&lt;b&gt;demo") != std::string::npos);
    // Scripts: the table, one split's maps, one scene, and the page's own.
    CHECK(count_of(html, "<script") == 4);
    CHECK(count_of(html, "</script") == 4);
    CHECK(html.find("<!--") == std::string::npos);
    const JsonTree table = data_of(html, "table-data");
    CHECK(table.find("splits")->array()[0].find("id")->array()[4].string() ==
          "</script><img src=x onerror=\"document.title='owned'\">5");
}

TEST_CASE("report: nothing is fetched and only the page's own script may run", "[report][html]") {
    const auto report = make_sample_report({{"demo", 3}}, 40, "agent.zip");
    const std::string html = report_html(report->input);
    const std::string script = html.substr(html.rfind("<script>") + 8,
                                           html.rfind("</script>") - html.rfind("<script>") - 8);
    const std::string policy = between(html, "Content-Security-Policy\" content=\"", "\"");
    CHECK(policy.find("default-src 'none'") == 0);
    CHECK(policy.find("script-src 'sha256-" + sha256_base64(script) + "'") != std::string::npos);
    CHECK(policy.find("style-src 'sha256-" + sha256_base64(between(html, "<style>", "</style>")) +
                      "'") != std::string::npos);
    const std::string markup = markup_of(html);
    for (const char* word :
         {"http:", "https:", " src=", "<link", "<iframe", "@import", " style=", " onclick="}) {
        INFO(word);
        CHECK(markup.find(word) == std::string::npos);
    }
    CHECK(sha256_base64("abc") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");  // FIPS 180-2
}

TEST_CASE("report: the same bytes every time", "[report][html]") {
    const auto one = make_sample_report({{"demo", 20}}, 60, "agent.zip");
    const auto other = make_sample_report({{"demo", 20}}, 60, "agent.zip");
    CHECK(report_html(one->input) == report_html(other->input));
}

TEST_CASE("report: partial results, assumed denominators and missing maps are said",
          "[report][html]") {
    const auto report = make_sample_report({{"demo", 3}}, 40, "agent.zip");
    CHECK(markup_of(report_html(report->input)).find("class=\"banner\">Partial") ==
          std::string::npos);
    report->card.partial = true;
    report->card.settings.selection = "episodes=1-3";
    report->input.splits[0].human_influenced_assumed = true;
    report->input.scenes.clear();
    const std::string html = report_html(report->input);
    CHECK(html.find("Partial result: episodes=1-3. It cannot be ranked.") != std::string::npos);
    CHECK(html.find("CR is divided by all 3 episodes.") != std::string::npos);
    CHECK(data_of(html, "maps-0").array()[0].is_null());
    CHECK(html.find("id=\"scene-0\"") == std::string::npos);
}

TEST_CASE("report: a profile without people has no collisions and no composite", "[report][html]") {
    const auto report = make_sample_report({{"demo", 6}}, 40, "agent.zip");
    report->card.settings.profile.people = false;
    report->card.settings.profile.primary = "spl";
    report->scores[0] = aggregate_without_people("demo", report->rows[0], false);
    const std::string html = report_html(report->input);
    const std::string markup = markup_of(html);
    CHECK(markup.find("How the Score adds up") == std::string::npos);
    CHECK(markup.find("What counts as a collision") == std::string::npos);
    CHECK(markup.find("<p class=\"score-label\">spl</p>") != std::string::npos);
    CHECK(data_of(html, "table-data").find("splits")->array()[0].find("excess") == nullptr);
}

TEST_CASE("report: an unreachable goal is said and its distance left out", "[report][html]") {
    const auto report = make_sample_report({{"demo", 6}}, 40, "agent.zip");
    report->rows[0][2].distance_to_goal = std::numeric_limits<double>::infinity();
    report->rows[0][2].goal_unreachable = true;
    report->scores[0].unreachable_goals = 1;
    const std::string html = report_html(report->input);
    CHECK(html.find("the goals of 1 episodes cannot be reached") != std::string::npos);
    CHECK(data_of(html, "table-data").find("splits")->array()[0].find("ne")->array()[2].is_null());
    CHECK(html.find("Infinity") == std::string::npos);
    CHECK(markup_of(html).find("inf ") == std::string::npos);
}

TEST_CASE("report: 200 episodes of up to 500 steps stay below 3 MB", "[report][html]") {
    const auto report = make_sample_report({{"demo", 200}}, 500, "agent.zip");
    CHECK(report_html(report->input).size() < 3'000'000);
}

TEST_CASE("report: intervals and the spread over clocks are shown where they were computed",
          "[report][html]") {
    const auto report = make_sample_report({{"demo", 8}}, 40, "agent.zip");
    const std::string html = report_html(report->input);
    CHECK(html.find("95 % over episodes (bootstrap, 50 samples)") != std::string::npos);
    CHECK(html.find("5th to 95th percentile of 3 clocks") != std::string::npos);
    CHECK(html.find("results under 3 clocks; success changes in 1 of 8 episodes") !=
          std::string::npos);
    CHECK(html.find("<figcaption>Score by clock") != std::string::npos);
    CHECK(count_of(html, "chart-dot-marked\"") == 1);  // 1 frame per action, the headline's clock
    report->scores[0].bootstrap.reset();
    report->scores[0].clock.reset();
    const std::string plain = markup_of(report_html(report->input));
    CHECK(plain.find("bootstrap") == std::string::npos);
    CHECK(plain.find("percentile") == std::string::npos);
    CHECK(plain.find("How the clock moves it") == std::string::npos);
}
