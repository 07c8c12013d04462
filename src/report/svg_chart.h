#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace havln {

/// Charts as SVG elements for an HTML page: coloured by the page's style sheet (classes chart-*),
/// 360 units wide so that their text reads on a phone, each bar with a tooltip.

/// One episode in a histogram or a rate chart.
struct ChartValue {
    double value = 0;
    bool success = false;
};

/// A vertical line that the reader should know of, e.g. the success distance.
struct ChartLine {
    double at = 0;
    std::string label;
};

struct HistogramInput {
    std::string name;  ///< What is counted, e.g. "Navigation error".
    std::string unit;  ///< E.g. "m"; empty for counts.
    bool whole_numbers = false;
    std::vector<ChartValue> values;  ///< Those that are not finite are left out.
    std::optional<ChartLine> line;
};

/// Bins of equal, round width from 0; success and failure stacked.
std::string histogram_svg(const HistogramInput& input);

/// Where bins begin and how wide they are.
struct Bins {
    double width = 1;
    std::size_t count = 1;
    std::size_t of(double value) const;
};
/// At most `most` bins of width 1, 2 or 5 times a power of ten over [0, largest].
/// @pre largest is finite and >= 0. @param whole_numbers  widths of at least 1.
Bins round_bins(double largest, bool whole_numbers, std::size_t most = 20);

/// One bin of a rate chart.
struct RateBin {
    double from = 0, to = 0;
    std::uint64_t episodes = 0, successes = 0;
};

/// Episodes by distance and how many of them succeeded; bins of round width, empty ones kept.
std::vector<RateBin> rate_bins(std::span<const ChartValue> values);

/// Wilson's score interval of a proportion at 95 %. @pre episodes > 0.
struct Proportion {
    double low = 0, high = 0;
};
Proportion wilson_interval(std::uint64_t successes, std::uint64_t episodes);

/// Bars of the success rate by distance with Wilson's intervals and the number of episodes.
std::string rate_svg(const std::string& name, const std::string& unit,
                     std::span<const RateBin> bins);

/// One part of a whole, drawn in the class "part-NAME".
struct SharePart {
    std::string name;   ///< Of the class.
    std::string label;  ///< For people.
    std::uint64_t count = 0;
};
/// A bar that parts share by their counts; empty where all are 0.
std::string share_bar_svg(std::span<const SharePart> parts);
/// A part in the bar's key, as a list's item; nothing where its count is 0.
void put_share_key(std::string& out, const SharePart& part, std::uint64_t whole);

/// A line through points, x rising from 0, e.g. the Score by clock. The y axis covers their range.
/// @param marked_x  the point to point out. @pre points is not empty.
struct CurvePoint {
    double x = 0, y = 0;
};
std::string curve_svg(const std::string& name, const std::string& x_label,
                      std::span<const CurvePoint> points, std::optional<double> marked_x);

}  // namespace havln
