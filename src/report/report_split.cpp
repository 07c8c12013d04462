#include "report/report_split.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "io/escape.h"
#include "io/json_writer.h"
#include "report/html_text.h"
#include "report/report_data.h"
#include "report/svg_chart.h"

namespace havln {

namespace {

/// Decimals that tell results apart: the Score to 2, ratios to 4, distances and counts to 3.
int decimals_of(std::string_view component) {
    if (component == "score") return 2;
    return component == "SR" || component == "CR" ? 4 : 3;
}

/// Points of the Score; none where they round to nothing.
std::string signed_points(double points) {
    const std::string text = signed_fixed(points, 2);
    return text == "0.00" ? "0" : text;
}

/// How far a result may lie from the headline, by one cause of doubt.
struct Doubt {
    std::string source;
    std::map<std::string, Interval> intervals;  ///< By component.

    const Interval* find(const std::string& component) const {
        const auto at = intervals.find(component);
        return at == intervals.end() ? nullptr : &at->second;
    }
};

std::vector<Doubt> doubts_of(const SplitScore& score) {
    std::vector<Doubt> doubts;
    if (score.bootstrap) {
        const ResamplingOptions& options = score.bootstrap->options;
        doubts.push_back({fmt::format("{:g} % over episodes (bootstrap, {} samples)",
                                      100 * options.level, options.samples),
                          score.bootstrap->intervals});
    }
    if (score.clock) {
        Doubt& doubt = doubts.emplace_back();
        doubt.source =
            fmt::format("5th to 95th percentile of {} clocks", score.clock->samples.size());
        for (const auto& [component, spread] : score.clock->spread) {
            doubt.intervals[component] = {spread.p5, spread.p95};
        }
    }
    return doubts;
}

/// A component's bootstrap interval; empty where there is none.
std::string interval_line(const SplitScore& score, const char* component) {
    if (!score.bootstrap) return {};
    const auto at = score.bootstrap->intervals.find(component);
    if (at == score.bootstrap->intervals.end()) return {};
    return fmt::format("<span class=\"interval\">{} to {}</span>",
                       fixed(at->second.low, decimals_of(component)),
                       fixed(at->second.high, decimals_of(component)));
}

void put_score(std::string& out, const ReportInput& input, const ReportSplit& split) {
    const SplitScore& score = *split.score;
    const Profile& profile = input.card->settings.profile;
    if (score.has_people) {
        put(out,
            "<div class=\"score\"><p class=\"score-label\">Score, of 100</p>\n"
            "<p class=\"score-value\">{}</p>\n<p class=\"score-full\">{}</p>\n",
            fixed(score.headline.score, 2), number_text(score.headline.score));
    } else {
        const auto primary = score.means.find(profile.primary);
        const double value = primary == score.means.end() ? score.headline.SR : primary->second;
        put(out,
            "<div class=\"score\"><p class=\"score-label\">{}</p>\n"
            "<p class=\"score-value\">{}</p>\n<p class=\"score-full\">{}</p>\n",
            escape_markup(primary == score.means.end() ? "SR" : profile.primary), fixed(value, 4),
            number_text(value));
    }
    const std::string component = score.has_people ? "score" : profile.primary;
    for (const Doubt& doubt : doubts_of(score)) {
        if (const Interval* interval = doubt.find(component)) {
            const int decimals = score.has_people ? 2 : 4;
            put(out, "<p class=\"score-interval\">{} to {} <span>{}</span></p>\n",
                fixed(interval->low, decimals), fixed(interval->high, decimals),
                escape_markup(doubt.source));
        }
    }
    out += "</div>\n";
}

void put_outcomes(std::string& out, const ReportInput& input, const ReportSplit& split) {
    const RunSettings& settings = input.card->settings;
    std::array<SharePart, kOutcomeCount> parts;
    for (int k = 0; k < kOutcomeCount; ++k) {
        parts[static_cast<std::size_t>(k)] = {fmt::format("outcome-{}", k),
                                              outcome_words(static_cast<Outcome>(k)), 0};
    }
    for (std::size_t i = 0; i < split.rows.size(); ++i) {
        const Outcome outcome = outcome_of(split.rows[i], split.traces[i].stopped,
                                           settings.profile.people ? &settings.reading : nullptr,
                                           settings.profile.success_distance_m);
        ++parts[static_cast<std::size_t>(outcome)].count;
    }
    put(out, "<div class=\"outcomes\"><h3>How {} episodes ended</h3>\n{}<ul class=\"key\">\n",
        grouped(split.rows.size()), share_bar_svg(parts));
    for (const SharePart& part : parts) put_share_key(out, part, split.rows.size());
    out += "</ul></div>\n";
}

/// A bar on a scale of 0 to 100 points.
std::string points_bar(const char* part, double from, double to) {
    constexpr double kLeastShown = 0.4;
    const double low = std::clamp(std::min(from, to), 0.0, 100.0);
    const double high = std::clamp(std::max(from, to), 0.0, 100.0);
    std::string out =
        "<svg class=\"points\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
        "aria-hidden=\"true\"><rect class=\"points-room\" width=\"100\" height=\"10\"/>";
    if (low < high) {
        put(out, "<rect class=\"part-{}\" x=\"{}\" width=\"{}\" height=\"10\"/>", part,
            fixed(low, 2), fixed(std::max(kLeastShown, high - low), 2));
    }
    return out + "</svg>";
}

void put_component_row(std::string& out, const SplitScore& score, const ComponentShare& share,
                       const char* meaning, const char* part, double from) {
    put(out,
        "<tr><th scope=\"row\"><abbr title=\"{}\">{}</abbr></th><td class=\"number\">{}{}{}</td>"
        "<td class=\"bar\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td></tr>\n",
        meaning, share.name, fixed(share.value, decimals_of(share.name)),
        std::string_view(share.name) == "NE" ? " m" : "", interval_line(score, share.name),
        points_bar(part, from, from + share.points), signed_points(share.points),
        signed_points(share.perfect), fixed(share.score_if_perfect, 2));
}

void put_sum_row(std::string& out, const char* name, double value, const std::string& text) {
    put(out,
        "<tr class=\"sum\"><th scope=\"row\">{}</th><td class=\"number\">{}</td>"
        "<td class=\"bar\">{}</td><td class=\"number\">{}</td><td class=\"number\">100</td>"
        "<td></td></tr>\n",
        name, text, points_bar("sum", 0, value), fixed(value, 2));
}

void put_components(std::string& out, const ReportSplit& split) {
    const ScoreComponents& c = split.score->headline;
    const auto shares = component_shares(c);
    out +=
        "<h3>How the Score adds up</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"How the Score adds up\"><table class=\"components\">\n<thead><tr>"
        "<th scope=\"col\">Component</th><th scope=\"col\" class=\"number\">Value</th>"
        "<th scope=\"col\">Of 100 points</th><th scope=\"col\" class=\"number\">Points</th>"
        "<th scope=\"col\" class=\"number\">If perfect</th>"
        "<th scope=\"col\" class=\"number\">Score then</th></tr></thead>\n<tbody>\n";
    const double navigation = 100 * c.navigation;
    put_component_row(out, *split.score, shares[0],
                      "Success rate: STOP within the success distance of a goal and no more "
                      "collisions than the baseline",
                      "gain", 0);
    put_component_row(out, *split.score, shares[1],
                      "Navigation error: mean distance to the nearest goal at the end", "gain",
                      shares[0].points);
    put_sum_row(out, "Navigation", navigation, fixed(c.navigation, 4));
    put_component_row(out, *split.score, shares[2],
                      "Collision rate: share of human-influenced episodes with more collisions "
                      "than the baseline",
                      "loss", navigation);
    put_component_row(out, *split.score, shares[3],
                      "Total collisions: mean number of collisions above the baseline", "loss",
                      navigation + shares[2].points);
    put_sum_row(out, "Score", c.score, "");
    put(out,
        "</tbody></table></div>\n<p class=\"note\">Score = 100 × Navigation × (0.70 + 0.30 × "
        "Social) with Navigation = 0.80 SR + 0.20 × 3/(3 + NE) and Social = 0.75 (1 − CR) + "
        "0.25/(1 + TCR) = {}. “If perfect” and “Score then” change one component alone.</p>\n",
        fixed(c.social, 4));
}

/// @param headline  the split where this is its headline's reading, else null.
void put_reading_row(std::string& out, const SplitScore* headline, const char* name,
                     const char* meaning, const ScoreComponents& c) {
    put(out, "<tr><th scope=\"row\">{}{}<span class=\"meaning\">{}</span></th>", name,
        headline != nullptr ? " <b class=\"tag\">headline</b>" : "", meaning);
    // NE is the same under both.
    const std::array<std::pair<const char*, double>, 4> cells = {
        {{"SR", c.SR}, {"CR", c.CR}, {"TCR", c.TCR}, {"score", c.score}}};
    for (const auto& [component, value] : cells) {
        put(out, "<td class=\"number\">{}{}</td>", fixed(value, decimals_of(component)),
            headline != nullptr ? interval_line(*headline, component) : "");
    }
    out += "</tr>\n";
}

void put_readings(std::string& out, const ReportSplit& split) {
    const SplitScore& score = *split.score;
    const bool contact = score.reading == CollisionReading::kContact;
    constexpr const char* kContactMeaning = "blocked within 1 m of a person";
    constexpr const char* kReleasedMeaning = "every blocked step";
    out +=
        "<h3>What counts as a collision</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"Both collision readings\"><table class=\"readings\">\n<thead><tr>"
        "<th scope=\"col\">Reading</th>";
    for (const char* name : {"SR", "CR", "TCR", "Score"}) {
        put(out, "<th scope=\"col\" class=\"number\">{}</th>", name);
    }
    out += "</tr></thead>\n<tbody>\n";
    put_reading_row(out, &score, contact ? "contact" : "released",
                    contact ? kContactMeaning : kReleasedMeaning, score.headline);
    if (score.other) {
        put_reading_row(out, nullptr, contact ? "released" : "contact",
                        contact ? kReleasedMeaning : kContactMeaning, *score.other);
    }
    out += "</tbody></table></div>\n";
    if (!score.other && !contact) {
        out +=
            "<p class=\"note\">The contact reading needs people’s positions, which the data root "
            "does not hold.</p>\n";
    }
    if (!score.causes) return;
    const std::array<SharePart, 3> parts = {
        {{"human", "a person", static_cast<std::uint64_t>(score.causes->human)},
         {"static", "the scene", static_cast<std::uint64_t>(score.causes->stationary)},
         {"both", "both", static_cast<std::uint64_t>(score.causes->both)}}};
    put(out, "<h4>What blocked {} steps</h4>\n{}<ul class=\"key\">\n",
        grouped(parts[0].count + parts[1].count + parts[2].count), share_bar_svg(parts));
    for (const SharePart& part : parts) {
        put(out,
            "<li><svg class=\"swatch map\" viewBox=\"-8 -8 16 16\" aria-hidden=\"true\"><use "
            "href=\"#mark-{}\"/></svg>{} <b>{}</b></li>\n",
            part.name, part.label, grouped(part.count));
    }
    out += "</ul>\n";
}

class Charts {
  public:
    Charts(std::string& out, const ReportInput& input, const ReportSplit& split)
        : out_(out), input_(input), split_(split) {}

    void put_all() {
        out_ +=
            "<h3>Distributions</h3>\n<ul class=\"key\"><li><svg class=\"swatch\" viewBox=\"0 0 10 "
            "10\" aria-hidden=\"true\"><rect class=\"chart-success\" width=\"10\" "
            "height=\"10\"/></svg>success, as SR counts it</li><li><svg class=\"swatch\" "
            "viewBox=\"0 0 10 10\" "
            "aria-hidden=\"true\"><rect class=\"chart-failure\" width=\"10\" "
            "height=\"10\"/></svg>failure</li></ul>\n<div class=\"charts\">\n";
        const Profile& profile = input_.card->settings.profile;
        histogram("Navigation error", "m", false, {{profile.success_distance_m, goal_label()}},
                  [](const EpisodeMetrics& row) { return row.distance_to_goal; });
        rate();
        histogram("Path length", "m", false, {},
                  [](const EpisodeMetrics& row) { return row.path_length; });
        histogram("Steps", "", true, {},
                  [](const EpisodeMetrics& row) { return static_cast<double>(row.steps_taken); });
        if (profile.people) collisions();
        out_ += "</div>\n";
    }

  private:
    std::string goal_label() const {
        return fmt::format("{:g} m", input_.card->settings.profile.success_distance_m);
    }
    const CollisionReading* reading() const {
        const RunSettings& settings = input_.card->settings;
        return settings.profile.people ? &settings.reading : nullptr;
    }
    bool is_success(const EpisodeMetrics& row) const {
        const ReadingMetrics* metrics = reading_of(row, reading());
        return metrics != nullptr ? metrics->SR != 0 : row.success;
    }
    template <typename Get>
    std::vector<ChartValue> values(Get&& get) const {
        std::vector<ChartValue> list;
        for (const EpisodeMetrics& row : split_.rows) list.push_back({get(row), is_success(row)});
        return list;
    }
    void figure(const std::string& title, const std::string& chart, const std::string& note = {}) {
        put(out_, "<figure><figcaption>{}{}{}{}</figcaption>\n{}</figure>\n", escape_markup(title),
            note.empty() ? "" : " <span>", escape_markup(note), note.empty() ? "" : "</span>",
            chart);
    }
    template <typename Get>
    void histogram(const std::string& name, const std::string& unit, bool whole_numbers,
                   std::optional<ChartLine> line, Get&& get) {
        HistogramInput histogram{name, unit, whole_numbers, values(get), std::move(line)};
        std::vector<double> sorted;
        for (const ChartValue& v : histogram.values) {
            if (std::isfinite(v.value)) sorted.push_back(v.value);
        }
        if (sorted.empty()) return;
        std::sort(sorted.begin(), sorted.end());
        figure(name, histogram_svg(histogram),
               fmt::format("median {:.4g}{}{}", sorted[sorted.size() / 2], unit.empty() ? "" : " ",
                           unit));
    }
    void collisions() {
        const bool contact = *reading() == CollisionReading::kContact;
        histogram(contact ? "Collisions (contact)" : "Collisions (released)", "", true, {},
                  [&](const EpisodeMetrics& row) {
                      return static_cast<double>(reading_of(row, reading())->collisions);
                  });
        if (contact) {
            histogram("Blocked steps", "", true, {}, [](const EpisodeMetrics& row) {
                return static_cast<double>(row.blocked_steps);
            });
        }
    }
    void rate() {
        const auto by_distance =
            values([](const EpisodeMetrics& row) { return row.start_distance; });
        figure("Success by distance",
               rate_svg("Distance from start to goal", "m", rate_bins(by_distance)),
               "with episodes above");
    }

    std::string& out_;
    const ReportInput& input_;
    const ReportSplit& split_;
};

/// Frames per action of a clock that is named "frames-per-action=F".
std::optional<double> constant_rate(const std::string& clock) {
    constexpr std::string_view kPrefix = "frames-per-action=";
    if (clock.rfind(kPrefix, 0) != 0) return std::nullopt;
    double rate = 0;
    const char* const end = clock.data() + clock.size();
    const auto [at, error] = std::from_chars(clock.data() + kPrefix.size(), end, rate);
    if (error != std::errc() || at != end) return std::nullopt;
    return rate;
}

/// The Score over the rates of a sweep; empty where the clocks are no constant rates.
std::vector<CurvePoint> score_curve(const ClockSummary& clock) {
    std::size_t score = 0;
    while (std::string_view(component_names()[score].name) != "score") ++score;
    std::vector<CurvePoint> points;
    for (const ClockSummary::Sample& sample : clock.samples) {
        const auto rate = constant_rate(sample.clock);
        if (!rate) return {};
        points.push_back({*rate, sample.values[score]});
    }
    std::sort(points.begin(), points.end(),
              [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
    return points;
}

void put_spread_table(std::string& out, const ClockSummary& clock) {
    out +=
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Results over clocks\">"
        "<table class=\"spread\">\n<thead><tr><th scope=\"col\">Component</th>";
    for (const char* name : {"Least", "5 %", "Median", "95 %", "Greatest"}) {
        put(out, "<th scope=\"col\" class=\"number\">{}</th>", name);
    }
    out += "</tr></thead>\n<tbody>\n";
    for (const char* component : {"SR", "NE", "CR", "TCR", "score"}) {
        const auto spread = clock.spread.find(component);
        if (spread == clock.spread.end()) continue;
        const Spread& s = spread->second;
        put(out, "<tr><th scope=\"row\">{}</th>",
            std::string_view(component) == "score" ? "Score" : component);
        for (const double value : {s.least, s.p5, s.median, s.p95, s.greatest}) {
            put(out, "<td class=\"number\">{}</td>", fixed(value, decimals_of(component)));
        }
        out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
}

void put_clock(std::string& out, const ReportInput& input, const ReportSplit& split) {
    if (!split.score->clock) return;
    const ClockSummary& clock = *split.score->clock;
    put(out,
        "<h3>How the clock moves it</h3>\n<p class=\"note\">The official replay’s clock differs "
        "from run to run. These are results under {} clocks; success changes in {} of {} "
        "episodes.</p>\n<div class=\"clock\">",
        clock.samples.size(), grouped(clock.flips.size()), grouped(split.rows.size()));
    put_spread_table(out, clock);
    const std::vector<CurvePoint> curve = score_curve(clock);
    if (curve.size() > 1) {
        put(out, "<figure><figcaption>Score by clock</figcaption>\n{}</figure>\n",
            curve_svg("Score", "Frames per action", curve,
                      constant_rate(input.card->settings.clock)));
    }
    out += "</div>\n";
}

void put_means(std::string& out, const ReportSplit& split) {
    out +=
        "<details><summary>Means of every metric</summary>\n<table class=\"means\"><thead><tr>"
        "<th scope=\"col\">Metric</th><th scope=\"col\" class=\"number\">Mean</th>"
        "<th scope=\"col\" class=\"number\">Left out</th></tr></thead><tbody>\n";
    for (const auto& [name, mean] : split.score->means) {
        const auto left_out = split.score->left_out.find(name);
        put(out,
            "<tr><th scope=\"row\"><code>{}</code></th><td class=\"number\">{}</td>"
            "<td class=\"number\">{}</td></tr>\n",
            escape_markup(name), number_text(mean),
            left_out == split.score->left_out.end() ? 0 : left_out->second);
    }
    out += "</tbody></table></details>\n";
}

}  // namespace

std::array<ComponentShare, 4> component_shares(const ScoreComponents& c) {
    const auto score_with = [&](double ScoreComponents::*part, double best) {
        ScoreComponents changed = c;
        changed.*part = best;
        return complete(changed).score;
    };
    const double navigation = 100 * c.navigation;
    std::array<ComponentShare, 4> shares = {{
        {"SR", c.SR, 80 * c.SR, 80, score_with(&ScoreComponents::SR, 1)},
        {"NE", c.NE, 20 * (3 / (3 + c.NE)), 20, score_with(&ScoreComponents::NE, 0)},
        {"CR", c.CR, -navigation * 0.30 * 0.75 * c.CR, 0, score_with(&ScoreComponents::CR, 0)},
        {"TCR", c.TCR, -navigation * 0.30 * 0.25 * (1 - 1 / (1 + c.TCR)), 0,
         score_with(&ScoreComponents::TCR, 0)},
    }};
    return shares;
}

std::string split_section_html(const ReportInput& input, const ReportSplit& split,
                               std::size_t index) {
    std::string out;
    put(out,
        "<section class=\"split\" id=\"split-{0}\" aria-labelledby=\"split-title-{0}\">\n"
        "<h2 id=\"split-title-{0}\">{1} <small>{2} episodes{3}</small></h2>\n"
        "<div class=\"hero\">\n",
        index, escape_markup(split.split->name), grouped(split.score->episodes),
        split.score->partial ? ", partial" : "");
    put_score(out, input, split);
    put_outcomes(out, input, split);
    out += "</div>\n";
    if (split.score->has_people) {
        put_components(out, split);
        put_readings(out, split);
        put_clock(out, input, split);
    }
    Charts(out, input, split).put_all();
    put_means(out, split);
    return out + "</section>\n";
}

}  // namespace havln
