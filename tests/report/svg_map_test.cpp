#include "report/svg_map.h"

#include "report/assets.h"
#include "report/markup.h"
#include "report/sample_report.h"
#include "report/svg_path.h"
#include "support/catch.h"

using namespace havln;
using namespace havln::test;

namespace {

EpisodeMap map_of(std::vector<MapPlace> path) {
    EpisodeMap map;
    map.path = std::move(path);
    return map;
}

/// Of the sample: the episode with that number.
EpisodeMap sample_map(const SampleReport& report, std::size_t i) {
    return make_episode_map(report.input.scenes.at("two_storeys"), report.splits[0]->episodes[i],
                            &report.traces[0][i], 3);
}

std::string draw(const SampleReport& report, const EpisodeMap& map, const std::string& title) {
    SvgMapInput input;
    input.scene = &report.input.scenes.at("two_storeys");
    input.map = &map;
    input.title = title;
    return svg_map(input);
}

}  // namespace

TEST_CASE("svg path: numbers are relative and separated only where they must be", "[report][svg]") {
    SvgPath path;
    path.move_to(10, 20);
    path.line_to(13, 20);
    path.line_to(13, 15);
    path.close();
    path.move_to(11, 21);  // a closed outline's pen is back at its start
    path.line_to(0, 0);
    CHECK(path.text() == "m10 20 3 0 0-5zm1 1-11-21");
}

TEST_CASE("svg path: tenths have a decimal only where it is not 0", "[report][svg]") {
    SvgPath path(true);
    path.move_to(-5, 120);
    path.line_to(6, 119);
    CHECK(path.text() == "m-0.5 12 1.1-0.1");
    CHECK(tenths_text(0) == "0");
    CHECK(tenths_text(-1234) == "-123.4");
}

TEST_CASE("css variables: replaced by the first rule's values, which is dropped", "[report][svg]") {
    CHECK(resolve_css_variables(":root { --a: #fff; --b: 2px; }\np { x: var(--a); y: var(--b) }") ==
          "\np { x: #fff; y: 2px }");
    CHECK(resolve_css_variables("p { x: var(--a) }") == "p { x: var(--a) }");
    CHECK(resolve_css_variables("p { x: var(--a") == "p { x: var(--a");
    CHECK(plain_map_css().find("var(") == std::string::npos);
}

TEST_CASE("time pieces: equal shares of the steps, joined where they meet", "[report][svg]") {
    std::vector<MapPlace> path;
    for (int k = 0; k <= 24; ++k) path.push_back({0, {k, 0}});
    const auto pieces = time_pieces(map_of(path), 0);
    REQUIRE(pieces.size() == kTimeBins);
    for (int bin = 0; bin < kTimeBins; ++bin) {
        const TimePiece& piece = pieces[static_cast<std::size_t>(bin)];
        CHECK(piece.bin == bin);
        CHECK(piece.points ==
              std::vector<MapPoint>{{2 * bin, 0}, {2 * bin + 1, 0}, {2 * bin + 2, 0}});
    }
}

TEST_CASE("time pieces: a step between floors shows on both", "[report][svg]") {
    const EpisodeMap map =
        map_of({{0, {0, 0}}, {0, {1, 0}}, {1, {2, 0}}, {1, {3, 0}}, {0, {4, 0}}});
    const auto below = time_pieces(map, 0), above = time_pieces(map, 1);
    const auto points = [](const std::vector<TimePiece>& pieces) {
        std::vector<MapPoint> all;
        for (const TimePiece& piece : pieces) {
            all.insert(all.end(), piece.points.begin(), piece.points.end());
        }
        return all;
    };
    CHECK(points(below) == std::vector<MapPoint>{{0, 0}, {1, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}});
    CHECK(points(above) == std::vector<MapPoint>{{1, 0}, {2, 0}, {2, 0}, {3, 0}, {3, 0}, {4, 0}});
}

TEST_CASE("time pieces: turns on the spot draw nothing", "[report][svg]") {
    CHECK(time_pieces(map_of({{0, {5, 5}}, {0, {5, 5}}, {0, {5, 5}}}), 0).empty());
    CHECK(time_pieces(EpisodeMap(), 0).empty());
}

TEST_CASE("step numbers: at most six, at round intervals", "[report][svg]") {
    CHECK(step_label_interval(0) == 5);
    CHECK(step_label_interval(30) == 5);
    CHECK(step_label_interval(31) == 10);
    CHECK(step_label_interval(120) == 20);
    CHECK(step_label_interval(500) == 100);
    CHECK(step_label_interval(6000) == 1001);
}

TEST_CASE("svg map: well-formed, self-contained and the same every time", "[report][svg]") {
    const auto report = make_sample_report({{"demo", 12}}, 200, "sample");
    for (std::size_t i = 0; i < 12; ++i) {
        const EpisodeMap map = sample_map(*report, i);
        const std::string svg = draw(*report, map, "Episode <" + std::to_string(i) + "> & \"co\"");
        CHECK(xml_fault(svg) == "");
        CHECK(svg.find("Episode &lt;" + std::to_string(i) + "&gt; &amp; &quot;co&quot;") !=
              std::string::npos);
        CHECK(svg.find("var(") == std::string::npos);
        CHECK(count_of(svg, "http") == 1);  // the namespace
        CHECK(count_of(svg, "<clipPath") == map.views.size());
        CHECK(draw(*report, map, "x") == draw(*report, map, "x"));
    }
}

TEST_CASE("svg map: marks and legend show what happened and nothing else", "[report][svg]") {
    const auto report = make_sample_report({{"demo", 1}}, 200, "sample");
    EpisodeMap map = sample_map(*report, 0);
    map.blocks = {{{0, {500, 300}}, BlockMark::kHuman, true, 7, 3}};
    map.contacts = {{0, 7, 6, {0, {500, 200}}, {0, {500, 300}}}};
    map.stopped = true;
    const std::string svg = draw(*report, map, "x");
    // Once on the map and once in the legend.
    CHECK(count_of(svg, "href=\"#mark-human\"") == 2);
    CHECK(count_of(svg, "href=\"#mark-contact\"") == 2);
    CHECK(count_of(svg, "class=\"map-envelope\"") == 2);
    CHECK(count_of(svg, "href=\"#mark-stop\"") == 2);
    CHECK(count_of(svg, "href=\"#mark-static\"") == 0);
    CHECK(count_of(svg, "href=\"#mark-end\"") == 0);
    CHECK(svg.find("Step blocked by a person") != std::string::npos);
    CHECK(svg.find("Step blocked by the scene") == std::string::npos);
    CHECK(svg.find("×3") != std::string::npos);
}

TEST_CASE("svg map: of counts that would lie on each other the greatest is drawn",
          "[report][svg]") {
    const auto report = make_sample_report({{"demo", 1}}, 200, "sample");
    EpisodeMap map = sample_map(*report, 0);
    map.blocks = {{{0, {500, 300}}, BlockMark::kStatic, false, 7, 4},
                  {{0, {500, 305}}, BlockMark::kStatic, false, 9, 9},
                  {{0, {500, 500}}, BlockMark::kStatic, false, 30, 3},
                  {{0, {500, 600}}, BlockMark::kStatic, false, 40, 2}};
    const std::string svg = draw(*report, map, "x");
    CHECK(svg.find("×4") == std::string::npos);
    CHECK(svg.find("×9") != std::string::npos);
    CHECK(svg.find("×3") != std::string::npos);  // 2 m away
    CHECK(svg.find("×2") == std::string::npos);  // one or two speak for themselves
    CHECK(count_of(svg, "href=\"#mark-static\"") == 5);
}

TEST_CASE("svg map: two floors are named and drawn at one scale", "[report][svg]") {
    const auto report = make_sample_report({{"demo", 1}}, 200, "sample");
    EpisodeMap map = sample_map(*report, 0);
    map.views = {{0, {{0, 0}, {1000, 800}}}, {1, {{1000, 0}, {2400, 800}}}};
    const std::string svg = draw(*report, map, "x");
    CHECK(svg.find("Floor 1 of 2 (y = 0.0 m)") != std::string::npos);
    CHECK(svg.find("Floor 2 of 2 (y = 3.0 m)") != std::string::npos);
    // 960 wide, less margins of 16 and a gap of 16: 912 for 2400 cm, 0.38 px per cm.
    CHECK(svg.find("<rect class=\"map-frame\" x=\"16\" y=\"82\" width=\"380\" height=\"304\"/>") !=
          std::string::npos);
    CHECK(svg.find("<rect class=\"map-frame\" x=\"412\" y=\"82\" width=\"532\" height=\"304\"/>") !=
          std::string::npos);
}

TEST_CASE("svg map: the legend stands beside a high map and below a wide one", "[report][svg]") {
    const auto report = make_sample_report({{"demo", 1}}, 200, "sample");
    EpisodeMap map = sample_map(*report, 0);
    // 720 px high at most: 0.72 px per cm, so 432 px wide; then a gap of 16.
    map.views = {{0, {{0, 0}, {600, 1000}}}};
    CHECK(draw(*report, map, "x").find("<g transform=\"translate(464 75)\">") != std::string::npos);
    // 928 px wide: 0.464 px per cm, so 232 px high from y = 62; 56 below that.
    map.views = {{0, {{0, 0}, {2000, 500}}}};
    CHECK(draw(*report, map, "x").find("<g transform=\"translate(16 350)\">") != std::string::npos);
}

TEST_CASE("legend: every mark that a map can hold is explained and exists", "[report][svg]") {
    const std::string_view marks = asset("map_marks.svg");
    std::string all;
    for (const LegendEntry& entry : legend_catalogue()) {
        CHECK(xml_fault(entry.drawing) == "");
        CHECK_FALSE(entry.words.empty());
        all += entry.drawing;
    }
    for (const char* name : {"start", "goal", "stop", "end", "waypoint", "stairs", "human",
                             "static", "both", "unknown", "contact", "person"}) {
        INFO(name);
        CHECK(all.find("#mark-" + std::string(name) + "\"") != std::string::npos);
        CHECK(marks.find("id=\"mark-" + std::string(name) + "\"") != std::string_view::npos);
    }
}
