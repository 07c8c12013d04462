#include "report/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/escape.h"
#include "report/html_text.h"
#include "report/svg_path.h"

namespace havln {

namespace {

/// At most four significant digits, no exponent for what charts show.
std::string short_number(double value) {
    return fmt::format("{:.4g}", value);
}

/// 1, 2 or 5 times a power of ten, the least that is not below `least`. @pre least > 0.
double round_up(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * (1 - 1e-12)) return factor * power;
    }
    return 10 * power;
}

/// The plot area and its two linear scales, x from 0 up.
struct Frame {
    double x_max = 1, y_max = 1;
    double y_min = 0;
    static constexpr double kWidth = 360, kHeight = 210;
    static constexpr double kLeft = 42, kRight = 14, kTop = 16, kBottom = 36;

    double px_x(double x) const { return kLeft + x / x_max * (kWidth - kLeft - kRight); }
    double px_y(double y) const {
        return kHeight - kBottom - (y - y_min) / (y_max - y_min) * (kHeight - kTop - kBottom);
    }
};

void open_chart(std::string& out, const std::string& label) {
    put(out, "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
        Frame::kWidth, Frame::kHeight, escape_markup(label));
}

void put_bar(std::string& out, const char* classes, double x0, double x1, double y0, double y1,
             const std::string& tip) {
    put(out,
        "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" "
        "height=\"{}\"><title>{}</title></rect>\n",
        classes, px(x0), px(y1), px(std::max(0.5, x1 - x0)), px(std::max(0.0, y0 - y1)),
        escape_markup(tip));
}

/// Grid lines and numbers of the y axis; `percent` writes 0.25 as 25 %.
void put_y_axis(std::string& out, const Frame& frame, double step, bool percent) {
    const int lines = static_cast<int>(std::lround((frame.y_max - frame.y_min) / step));
    for (int k = 0; k <= lines; ++k) {
        const double value = frame.y_min + k * step;
        const double y = frame.px_y(value);
        put(out, "<path class=\"chart-grid\" d=\"M{} {}H{}\"/>\n", px(Frame::kLeft), px(y),
            px(Frame::kWidth - Frame::kRight));
        put_svg_text(out, "chart-text chart-end", Frame::kLeft - 6, y + 3.5,
                     percent ? fmt::format("{:g} %", value * 100) : short_number(value));
    }
}

/// @param shift  where a number stands right of its value, in units of x.
void put_x_axis(std::string& out, const Frame& frame, double step, const std::string& label,
                double shift = 0) {
    for (int k = 0; k * step + shift <= frame.x_max * (1 + 1e-9); ++k) {
        put_svg_text(out, "chart-text chart-middle", frame.px_x(k * step + shift),
                     Frame::kHeight - Frame::kBottom + 14, short_number(k * step));
    }
    put(out, "<path class=\"chart-axis\" d=\"M{} {}H{}\"/>\n", px(Frame::kLeft),
        px(Frame::kHeight - Frame::kBottom), px(Frame::kWidth - Frame::kRight));
    put_svg_text(out, "chart-text chart-dim chart-middle", (Frame::kLeft + Frame::kWidth) / 2,
                 Frame::kHeight - 5, label);
}

/// A step of the y axis that gives about four grid lines.
double y_step(double y_max, bool whole_numbers) {
    return std::max(round_up(y_max / 4), whole_numbers ? 1.0 : 0.0);
}

std::string with_unit(const std::string& name, const std::string& unit) {
    return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

std::string range_text(double from, double to, bool whole_numbers, const std::string& unit) {
    const std::string tail = unit.empty() ? "" : " " + unit;
    if (!whole_numbers)
        return fmt::format("{} to {}{}", short_number(from), short_number(to), tail);
    if (to - from <= 1) return short_number(from) + tail;
    return fmt::format("{} to {}{}", short_number(from), short_number(to - 1), tail);
}

void put_line(std::string& out, const Frame& frame, const ChartLine& line) {
    const double x = frame.px_x(line.at);
    put(out, "<path class=\"chart-line\" d=\"M{} {}V{}\"/>\n", px(x), px(Frame::kTop - 6),
        px(Frame::kHeight - Frame::kBottom));
    const bool flip = x > Frame::kWidth * 0.75;
    put_svg_text(out, flip ? "chart-text chart-end" : "chart-text", x + (flip ? -4 : 4),
                 Frame::kTop + 2, line.label);
}

/// The least of 20, 40 and 100 % that holds every bin's interval.
double rate_axis(std::span<const RateBin> bins) {
    double highest = 0;
    for (const RateBin& bin : bins) {
        if (bin.episodes == 0) continue;
        highest = std::max(highest, wilson_interval(bin.successes, bin.episodes).high);
    }
    if (highest <= 0.2) return 0.2;
    return highest <= 0.4 ? 0.4 : 1;
}

struct Counts {
    std::uint64_t success = 0, failure = 0;
    std::uint64_t all() const { return success + failure; }
};

}  // namespace

std::size_t Bins::of(double value) const {
    if (!(value > 0)) return 0;
    return std::min(count - 1, static_cast<std::size_t>(value / width));
}

Bins round_bins(double largest, bool whole_numbers, std::size_t most) {
    Bins bins;
    if (largest <= 0) return bins;
    bins.width = round_up(largest / static_cast<double>(most));
    if (whole_numbers) bins.width = std::max(1.0, bins.width);
    // The largest value opens a bin of its own where it lies on a border.
    bins.count = static_cast<std::size_t>(largest / bins.width) + 1;
    return bins;
}

std::string histogram_svg(const HistogramInput& input) {
    double largest = 0;
    std::vector<double> sorted;
    for (const ChartValue& v : input.values) {
        if (std::isfinite(v.value)) sorted.push_back(v.value);
    }
    std::sort(sorted.begin(), sorted.end());
    if (!sorted.empty()) largest = std::max(0.0, sorted.back());
    const Bins bins = round_bins(largest, input.whole_numbers);
    std::vector<Counts> counts(bins.count);
    for (const ChartValue& v : input.values) {
        if (!std::isfinite(v.value)) continue;
        Counts& bin = counts[bins.of(v.value)];
        ++(v.success ? bin.success : bin.failure);
    }
    std::uint64_t most = 1;
    for (const Counts& bin : counts) most = std::max(most, bin.all());
    Frame frame;
    frame.x_max = bins.width * static_cast<double>(bins.count);
    const double step = y_step(static_cast<double>(most), true);
    frame.y_max = std::ceil(static_cast<double>(most) / step) * step;

    std::string label = input.name + ": no episodes";
    if (!sorted.empty()) {
        label = fmt::format("{}: {} episodes from {} to {}{}{}, median {}", input.name,
                            sorted.size(), short_number(sorted.front()), short_number(largest),
                            input.unit.empty() ? "" : " ", input.unit,
                            short_number(sorted[sorted.size() / 2]));
    }
    std::string out;
    open_chart(out, label);
    put_y_axis(out, frame, step, false);
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const Counts& bin = counts[k];
        if (bin.all() == 0) continue;
        const double from = bins.width * static_cast<double>(k), to = from + bins.width;
        const std::string tip = fmt::format("{}: {} episodes, {} of them successes",
                                            range_text(from, to, input.whole_numbers, input.unit),
                                            bin.all(), bin.success);
        const double x0 = frame.px_x(from) + 0.5, x1 = frame.px_x(to) - 0.5;
        const double middle = frame.px_y(static_cast<double>(bin.success));
        if (bin.success > 0) put_bar(out, "chart-success", x0, x1, frame.px_y(0), middle, tip);
        if (bin.failure > 0) {
            put_bar(out, "chart-failure", x0, x1, middle,
                    frame.px_y(static_cast<double>(bin.all())), tip);
        }
    }
    // A bar of one whole number has its number below its middle.
    const bool single = input.whole_numbers && bins.width == 1;
    put_x_axis(out, frame, std::max(round_up(frame.x_max / 6), input.whole_numbers ? 1.0 : 0.0),
               with_unit(input.name, input.unit), single ? 0.5 : 0);
    if (input.line && input.line->at <= frame.x_max) put_line(out, frame, *input.line);
    return out + "</svg>\n";
}

std::vector<RateBin> rate_bins(std::span<const ChartValue> values) {
    double largest = 0;
    for (const ChartValue& v : values) {
        if (std::isfinite(v.value)) largest = std::max(largest, v.value);
    }
    const Bins bins = round_bins(largest, false, 10);
    std::vector<RateBin> out(bins.count);
    for (std::size_t k = 0; k < bins.count; ++k) {
        out[k].from = bins.width * static_cast<double>(k);
        out[k].to = out[k].from + bins.width;
    }
    for (const ChartValue& v : values) {
        if (!std::isfinite(v.value)) continue;
        RateBin& bin = out[bins.of(v.value)];
        ++bin.episodes;
        if (v.success) ++bin.successes;
    }
    return out;
}

Proportion wilson_interval(std::uint64_t successes, std::uint64_t episodes) {
    constexpr double kZ = 1.959963984540054;  // 97.5 % quantile of the normal distribution
    const auto n = static_cast<double>(episodes);
    const double p = static_cast<double>(successes) / n;
    const double middle = p + kZ * kZ / (2 * n);
    const double half = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n));
    const double scale = 1 + kZ * kZ / n;
    return {std::max(0.0, (middle - half) / scale), std::min(1.0, (middle + half) / scale)};
}

std::string rate_svg(const std::string& name, const std::string& unit,
                     std::span<const RateBin> bins) {
    Frame frame;
    frame.x_max = bins.empty() ? 1 : bins.back().to;
    std::string out;
    open_chart(out, fmt::format("Success rate by {}", name));
    frame.y_max = rate_axis(bins);
    put_y_axis(out, frame, frame.y_max / 4, true);
    for (const RateBin& bin : bins) {
        if (bin.episodes == 0) continue;
        const double rate = static_cast<double>(bin.successes) / static_cast<double>(bin.episodes);
        const Proportion interval = wilson_interval(bin.successes, bin.episodes);
        const double x0 = frame.px_x(bin.from) + 1, x1 = frame.px_x(bin.to) - 1;
        const std::string tip =
            fmt::format("{}: {} of {} episodes, {:.0f} % (95 % interval {:.0f} to {:.0f} %)",
                        range_text(bin.from, bin.to, false, unit), bin.successes, bin.episodes,
                        rate * 100, interval.low * 100, interval.high * 100);
        put_bar(out, "chart-success", x0, x1, frame.px_y(0), frame.px_y(rate), tip);
        put(out, "<path class=\"chart-whisker\" d=\"M{0} {1}V{2}\"/>\n", px((x0 + x1) / 2),
            px(frame.px_y(interval.low)), px(frame.px_y(interval.high)));
        put_svg_text(out, "chart-text chart-dim chart-middle", (x0 + x1) / 2, Frame::kTop - 5,
                     std::to_string(bin.episodes));
    }
    put_x_axis(out, frame, round_up(frame.x_max / 6), with_unit(name, unit));
    return out + "</svg>\n";
}

std::string share_bar_svg(std::span<const SharePart> parts) {
    std::uint64_t all = 0;
    for (const SharePart& part : parts) all += part.count;
    if (all == 0) return {};
    std::string label;
    for (const SharePart& part : parts) {
        put(label, "{}{} {}", label.empty() ? "" : ", ", part.label, part.count);
    }
    std::string out;
    put(out,
        "<svg class=\"share\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" role=\"img\" "
        "aria-label=\"{}\">\n",
        escape_markup(label));
    std::uint64_t before = 0;
    const auto x_of = [&](std::uint64_t count) {
        return 1000 * static_cast<double>(count) / static_cast<double>(all);
    };
    for (const SharePart& part : parts) {
        if (part.count == 0) continue;
        put(out,
            "<rect class=\"part-{}\" x=\"{}\" width=\"{}\" height=\"10\"><title>{}: {} ({:.1f} "
            "%)</title></rect>\n",
            part.name, px(x_of(before)), px(x_of(part.count)), escape_markup(part.label),
            part.count, x_of(part.count) / 10);
        before += part.count;
    }
    return out + "</svg>\n";
}

void put_share_key(std::string& out, const SharePart& part, std::uint64_t whole) {
    if (part.count == 0) return;
    put(out,
        "<li><svg class=\"swatch\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect "
        "class=\"part-{}\" width=\"10\" height=\"10\"/></svg>{} <b>{}</b> <span>{:.1f} "
        "%</span></li>\n",
        part.name, escape_markup(part.label), grouped(part.count),
        100 * static_cast<double>(part.count) / static_cast<double>(whole));
}

std::string curve_svg(const std::string& name, const std::string& x_label,
                      std::span<const CurvePoint> points, std::optional<double> marked_x) {
    Frame frame;
    frame.x_max = 0;
    double least = points.front().y, most = least;
    for (const CurvePoint& p : points) {
        frame.x_max = std::max(frame.x_max, p.x);
        least = std::min(least, p.y);
        most = std::max(most, p.y);
    }
    if (frame.x_max <= 0) frame.x_max = 1;
    // Lines may start above 0: what matters is how much they move.
    const double step = round_up(std::max(most - least, 0.1) / 4);
    frame.y_min = std::floor(least / step) * step;
    frame.y_max = std::max(std::ceil(most / step) * step, frame.y_min + step);
    std::string out;
    open_chart(out, fmt::format("{} by {}", name, x_label));
    put_y_axis(out, frame, step, false);
    SvgPath path(true);
    for (const CurvePoint& p : points) {
        const auto x = std::lround(frame.px_x(p.x) * 10), y = std::lround(frame.px_y(p.y) * 10);
        if (path.empty()) {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
    put(out, "<path class=\"chart-curve\" d=\"{}\"/>\n", path.text());
    for (const CurvePoint& p : points) {
        const bool marked = marked_x && *marked_x == p.x;
        put(out,
            "<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"><title>{}: {}</title></circle>\n",
            marked ? "chart-dot chart-dot-marked" : "chart-dot", px(frame.px_x(p.x)),
            px(frame.px_y(p.y)), marked ? 5 : 3, short_number(p.x), short_number(p.y));
    }
    put_x_axis(out, frame, round_up(frame.x_max / 6), x_label);
    return out + "</svg>\n";
}

}  // namespace havln
