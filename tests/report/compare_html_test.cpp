#include "report/compare_html.h"

#include <cmath>
#include <string>

#include "io/json_tree.h"
#include "report/episode_map.h"
#include "report/markup.h"
#include "report/page_text.h"
#include "report/sample_report.h"
#include "support/catch.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

/// A result of two episodes "1" and "2": SR and navigation error of each, nothing collided.
std::vector<EpisodeResult> two_episodes(double SR_1, double NE_1, double SR_2, double NE_2) {
    const auto episode = [](const char* id, double SR, double NE) {
        EpisodeResult result;
        result.episode_id = id;
        result.metrics = {{"SR", SR}, {"CR", 0}, {"TCR", 0}, {"distance_to_goal", NE}};
        return result;
    };
    return {episode("1", SR_1, NE_1), episode("2", SR_2, NE_2)};
}

/// A page on two results of two episodes.
struct TwoEpisodes {
    std::vector<EpisodeResult> a, b;
    SplitResult result;
    SplitComparison comparison;
    ComparePageInput input;

    TwoEpisodes(std::vector<EpisodeResult> of_a, std::vector<EpisodeResult> of_b)
        : a(std::move(of_a)), b(std::move(of_b)) {
        const auto rows = [](const std::vector<EpisodeResult>& episodes) {
            std::vector<ScoreRow> all;
            for (const EpisodeResult& one : episodes) all.push_back(score_row(one, "test"));
            return all;
        };
        result.has_people = true;
        result.whole_signature.set("profile", "havln");
        comparison.split = "demo";
        comparison.names = {"score", "SR", "NE", "CR", "TCR", "navigation", "social"};
        comparison.primary = "score";
        comparison.episode_ids = {"1", "2"};
        comparison.result = compare_rows(rows(a), rows(b), 2, {});
        ComparedSplit& split = input.splits.emplace_back();
        split.a = "first";
        split.b = "second";
        split.comparison = &comparison;
        split.result_a = split.result_b = &result;
        split.rows_a = {&a[0], &a[1]};
        split.rows_b = {&b[0], &b[1]};
    }
};

}  // namespace

TEST_CASE("compare page: differences worked by hand", "[report][html][compare]") {
    // A: SR 1/2, NE 5/2: Navigation = 0.4 + 0.2 * 3/5.5 = 0.50909, Social 1, Score 50.909.
    // B: SR 1, NE 1/2: Navigation = 0.8 + 0.2 * 3/3.5 = 0.97143, Score 97.143.
    const TwoEpisodes page(two_episodes(0, 5, 1, 0), two_episodes(1, 1, 1, 0));
    const std::string html = compare_page(page.input);
    const std::string markup = markup_of(html);
    CHECK(holds(markup, "<p class=\"score-value\">+46.23</p>"));
    CHECK(holds(markup, "<p class=\"score-full\">A 50.91, B 97.14</p>"));
    // One episode differs: both of the two assignments are as far from 0.
    CHECK(holds(markup, "p = 1.0000"));
    CHECK(holds(markup,
                ">NE [m]</th><td class=\"number\">2.500</td><td class=\"number\">0.500</td>"
                "<td class=\"number\">−2.000<"));
    CHECK(holds(markup, "B is better in 1 episodes, worse in 0, equal in 1"));
    CHECK(holds(markup, "Success gained <b>1</b> <span>50.0 %</span>"));
    CHECK(holds(markup, "Equal <b>1</b>"));
    CHECK_FALSE(holds(markup, "Success lost <b>"));
    CHECK(holds(markup, "This page has no maps."));
    const JsonTree split = data_of(html, "table-data").find("splits")->array()[0];
    CHECK(split.find("id")->array()[0].string() == "1");
    CHECK(split.find("outcome")->array()[0].integer() == 0);
    CHECK(split.find("outcome")->array()[1].integer() == 2);
    CHECK(split.find("effect")->array()[0].number() == Approx(97.142857 - 50.909091));
    CHECK(split.find("effect")->array()[1].number() == 0);
    CHECK(split.find("neA")->array()[0].number() == 5);
    CHECK(split.find("neB")->array()[0].number() == 1);
    CHECK(split.find("stepsA")->array()[0].is_null());
    CHECK(split.find("scene") == nullptr);
}

TEST_CASE("compare page: a result against itself differs in nothing", "[report][html][compare]") {
    const auto rows = two_episodes(0, 5, 1, 0);
    const TwoEpisodes page(rows, rows);
    const std::string markup = markup_of(compare_page(page.input));
    CHECK(holds(markup, "<p class=\"score-value\">0.00</p>"));
    CHECK(holds(markup, "Equal <b>2</b> <span>100.0 %</span>"));
    // Bars of no width stand on 0, and none is called better or worse.
    CHECK_FALSE(holds(markup, "part-gain"));
    CHECK_FALSE(holds(markup, "part-loss"));
    CHECK_FALSE(holds(markup, "nan"));
}

TEST_CASE("compare page: a lower error is better, a higher one worse", "[report][html][compare]") {
    // Ten episodes would need no luck; with two that both move, every resample moves.
    const TwoEpisodes better(two_episodes(1, 2, 1, 2), two_episodes(1, 1, 1, 1));
    const std::string good = markup_of(compare_page(better.input));
    const std::string row = between(good, ">NE [m]</th>", "</tr>");
    CHECK(holds(row, "part-gain"));
    const TwoEpisodes worse(two_episodes(1, 1, 1, 1), two_episodes(1, 2, 1, 2));
    const std::string bad = markup_of(compare_page(worse.input));
    CHECK(holds(between(bad, ">NE [m]</th>", "</tr>"), "part-loss"));
    CHECK(holds(bad, "Worse <b>2</b>"));
}

TEST_CASE("compare page: maps hold both agents' paths, of the greatest effects alone",
          "[report][html][compare]") {
    const auto sample = make_sample_comparison({{"val_seen", 9}, {"val_unseen", 12}}, 60, 5);
    const std::string html = compare_page(sample->input);
    CHECK(html == compare_page(
                      make_sample_comparison({{"val_seen", 9}, {"val_unseen", 12}}, 60, 5)->input));
    const std::vector<std::size_t> order = rows_by_effect(sample->comparisons[1]);
    const JsonTree maps = data_of(html, "maps-1");
    REQUIRE(maps.array().size() == 12);
    for (std::size_t i = 0; i < 12; ++i) {
        INFO(i);
        const auto traces = sample->input.splits[1].traces.find(order[i]);
        CHECK((traces != sample->input.splits[1].traces.end()) == (i < 5));
        if (i >= 5) {
            CHECK(maps.array()[i].is_null());
            continue;
        }
        const auto& agents = maps.array()[i].find("t")->array();
        REQUIRE(agents.size() == 2);
        const Trace* const both[] = {&traces->second.a, &traces->second.b};
        for (std::size_t k = 0; k < 2; ++k) {
            const auto path = unpack(agents[k].find("p")->string());
            REQUIRE(path.size() == 3 * both[k]->positions.size());
            CHECK(static_cast<double>(path[1]) ==
                  Approx(100 * both[k]->positions[0].x).margin(0.501));
            CHECK(agents[k].find("s")->integer() == (both[k]->stopped ? 1 : 0));
        }
    }
    CHECK(holds(html, "This page has maps of 5 of 12 episodes, those of greatest effect"));
    // |effect| falls down the table.
    const JsonTree table = data_of(html, "table-data");
    const auto& effects = table.find("splits")->array()[1].find("effect")->array();
    for (std::size_t i = 1; i < effects.size(); ++i) {
        CHECK(std::abs(effects[i - 1].number()) >= std::abs(effects[i].number()));
    }
}

TEST_CASE("compare page: the views show both paths", "[report][html][compare]") {
    std::vector<MapView> views = {{0, {{0, 0}, {10, 10}}}, {2, {{0, 0}, {5, 5}}}};
    join_views(views, {{0, {{-5, 2}, {3, 20}}}, {1, {{1, 1}, {2, 2}}}});
    REQUIRE(views.size() == 3);
    CHECK(views[0].box == MapBox{{-5, 0}, {10, 20}});
    CHECK(views[1].floor == 1);
    CHECK(views[1].box == MapBox{{1, 1}, {2, 2}});
    CHECK(views[2].box == MapBox{{0, 0}, {5, 5}});
    std::vector<MapPoint> crossings = {{0, 0}};
    join_crossings(crossings, {{60, 0}, {61, 0}, {100, 0}});
    CHECK(crossings == std::vector<MapPoint>{{0, 0}, {61, 0}});  // 60 cm is one place still
}

TEST_CASE("compare page: untrusted text stays text", "[report][html][compare]") {
    const auto sample = make_sample_comparison({{"<b>demo", 10}}, 40, 10, true);
    const std::string html = compare_page(sample->input);
    const std::string markup = markup_of(html);
    for (const char* word : {"onerror", "<img", "<b>demo", "<i>b", "alert"}) {
        INFO(word);
        CHECK(markup.find(word) == std::string::npos);
    }
    CHECK(holds(markup, "&lt;b&gt;demo"));
    CHECK(holds(markup, "<dd>&lt;i&gt;b&lt;/i&gt; &amp; co</dd>"));
    // Scripts: the table, one split's maps, one scene, and the page's own.
    CHECK(count_of(html, "<script") == 4);
    CHECK(count_of(html, "</script") == 4);
    CHECK_FALSE(holds(html, "<!--"));
    for (const char* word : {"http:", "https:", " src=", "<link", "@import", " style="}) {
        INFO(word);
        CHECK(markup.find(word) == std::string::npos);
    }
}

TEST_CASE("compare page: several results are told apart by name", "[report][html][compare]") {
    const auto sample = make_sample_comparison({{"demo", 4}}, 40, 4);
    sample->input.splits.push_back(sample->input.splits[0]);
    sample->input.splits[1].b = "results/c";
    sample->input.splits[1].remark = "Forced: clocks <differ>";
    const std::string html = compare_page(sample->input);
    const JsonTree table = data_of(html, "table-data");
    const auto& splits = table.find("splits")->array();
    REQUIRE(splits.size() == 2);
    CHECK(splits[0].find("name")->string() == "results/b, demo");
    CHECK(splits[1].find("name")->string() == "results/c, demo");
    CHECK(holds(html, "<p class=\"banner\">results/c: Forced: clocks &lt;differ&gt;</p>"));
    CHECK(count_of(markup_of(html), "<dt>B</dt>") == 2);
}

TEST_CASE("compare page: 200 maps of up to 500 steps stay below 4 MB", "[report][html][compare]") {
    const auto sample = make_sample_comparison({{"demo", 300}}, 500, 200);
    const std::string html = compare_page(sample->input);
    CHECK(html.size() < 4'000'000);
    CHECK(html.size() > 500'000);  // they are there
}
