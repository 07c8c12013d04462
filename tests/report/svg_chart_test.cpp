#include "report/svg_chart.h"

#include <limits>

#include "report/markup.h"
#include "support/catch.h"

using namespace havln;
using namespace havln::test;

TEST_CASE("bins: widths are 1, 2 or 5 times a power of ten", "[report][chart]") {
    const auto width_and_count = [](double largest, bool whole) {
        const Bins bins = round_bins(largest, whole);
        return std::pair(bins.width, bins.count);
    };
    CHECK(width_and_count(20, false) == std::pair(1.0, std::size_t{21}));
    CHECK(width_and_count(19.9, false) == std::pair(1.0, std::size_t{20}));
    CHECK(width_and_count(500, true) == std::pair(50.0, std::size_t{11}));
    CHECK(width_and_count(3, true) == std::pair(1.0, std::size_t{4}));
    CHECK(width_and_count(0, false) == std::pair(1.0, std::size_t{1}));
    CHECK(width_and_count(0.3, false).first == Approx(0.02));
}

TEST_CASE("bins: a value on a border opens the next bin, the last takes the rest",
          "[report][chart]") {
    const Bins bins{2, 3};
    CHECK(bins.of(0) == 0);
    CHECK(bins.of(1.99) == 0);
    CHECK(bins.of(2) == 1);
    CHECK(bins.of(5.9) == 2);
    CHECK(bins.of(100) == 2);
    CHECK(bins.of(-1) == 0);
    CHECK(bins.of(std::numeric_limits<double>::quiet_NaN()) == 0);
}

TEST_CASE("Wilson's interval: known values", "[report][chart]") {
    // R 4.2: prop.test(x, n, correct = FALSE)$conf.int
    CHECK(wilson_interval(1, 10).low == Approx(0.01787621).epsilon(1e-6));
    CHECK(wilson_interval(1, 10).high == Approx(0.4041500).epsilon(1e-6));
    CHECK(wilson_interval(5, 10).low == Approx(0.2365931).epsilon(1e-6));
    CHECK(wilson_interval(5, 10).high == Approx(0.7634069).epsilon(1e-6));
    CHECK(wilson_interval(0, 10).low == 0);
    CHECK(wilson_interval(0, 10).high == Approx(0.2775328).epsilon(1e-6));
    CHECK(wilson_interval(10, 10).high == Approx(1));
}

TEST_CASE("rate bins: every finite value is in one bin", "[report][chart]") {
    const std::vector<ChartValue> values = {{0.5, true},
                                            {1.5, false},
                                            {1.9, true},
                                            {9.9, false},
                                            {std::numeric_limits<double>::infinity(), true}};
    const auto bins = rate_bins(values);  // 9.9 in at most 10 bins: 1 m wide
    REQUIRE(bins.size() == 10);
    CHECK(bins[0].episodes == 1);
    CHECK(bins[0].successes == 1);
    CHECK(bins[1].episodes == 2);
    CHECK(bins[1].successes == 1);
    CHECK(bins[9].episodes == 1);
    CHECK(bins[9].successes == 0);
    CHECK(bins[5].episodes == 0);
}

TEST_CASE("histogram: bars hold every episode and say so", "[report][chart]") {
    HistogramInput input{"Navigation error", "m", false, {}, {}};
    input.values = {
        {0.5, true}, {0.7, false}, {2.5, false}, {std::numeric_limits<double>::infinity(), false}};
    input.line = ChartLine{3, "3 <m>"};
    const std::string svg = histogram_svg(input);
    CHECK(xml_fault(svg) == "");
    // 2.5 in at most 20 bins: 0.2 wide.
    CHECK(svg.find("0.4 to 0.6 m: 1 episodes, 1 of them successes") != std::string::npos);
    CHECK(svg.find("2.4 to 2.6 m: 1 episodes, 0 of them successes") != std::string::npos);
    CHECK(svg.find("Navigation error: 3 episodes from 0.5 to 2.5 m, median 0.7") !=
          std::string::npos);
    CHECK(count_of(svg, "class=\"chart-success\"") == 1);
    CHECK(count_of(svg, "class=\"chart-failure\"") == 2);
    CHECK(svg.find("chart-line") == std::string::npos);  // 3 m lies beyond the axis
}

TEST_CASE("histogram: no episodes, one episode, equal values", "[report][chart]") {
    HistogramInput input{"Steps", "", true, {}, {}};
    CHECK(xml_fault(histogram_svg(input)) == "");
    input.values = {{7, true}};
    CHECK(histogram_svg(input).find("7: 1 episodes, 1 of them successes") != std::string::npos);
    input.values.assign(2617, {0, false});
    const std::string svg = histogram_svg(input);
    CHECK(xml_fault(svg) == "");
    CHECK(svg.find("0: 2617 episodes, 0 of them successes") != std::string::npos);
}

TEST_CASE("rate chart: says how many of how many", "[report][chart]") {
    const std::vector<RateBin> bins = {{0, 5, 10, 1}, {5, 10, 0, 0}};
    const std::string svg = rate_svg("Distance", "m", bins);
    CHECK(xml_fault(svg) == "");
    CHECK(svg.find("0 to 5 m: 1 of 10 episodes, 10 % (95 % interval 2 to 40 %)") !=
          std::string::npos);
    CHECK(count_of(svg, "chart-success") == 1);
}

TEST_CASE("share bar: parts take the whole bar, empty ones nothing", "[report][chart]") {
    const std::vector<SharePart> parts = {{"a", "A", 1}, {"b", "B", 0}, {"c", "C & D", 3}};
    const std::string svg = share_bar_svg(parts);
    CHECK(xml_fault(svg) == "");
    CHECK(svg.find("<rect class=\"part-a\" x=\"0\" width=\"250\"") != std::string::npos);
    CHECK(svg.find("<rect class=\"part-c\" x=\"250\" width=\"750\"") != std::string::npos);
    CHECK(svg.find("part-b") == std::string::npos);
    CHECK(svg.find("C &amp; D: 3 (75.0 %)") != std::string::npos);
    CHECK(share_bar_svg(std::vector<SharePart>{{"a", "A", 0}}).empty());
}

TEST_CASE("curve: one dot a point, the chosen one marked", "[report][chart]") {
    const std::vector<CurvePoint> points = {{0, 10}, {1, 12}, {2, 11}};
    const std::string svg = curve_svg("Score", "Frames per action", points, 1);
    CHECK(xml_fault(svg) == "");
    CHECK(count_of(svg, "<circle") == 3);
    CHECK(count_of(svg, "chart-dot-marked") == 1);
    CHECK(xml_fault(curve_svg("Score", "x", std::vector<CurvePoint>{{0, 0}}, {})) == "");
}
