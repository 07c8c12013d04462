#include "report/compare_html.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "havln/error.h"
#include "havln/version.h"
#include "io/escape.h"
#include "report/html_text.h"
#include "report/map_data.h"
#include "report/rank_report.h"
#include "report/report_data.h"
#include "report/report_page.h"
#include "report/svg_chart.h"

namespace havln {

namespace {

const char* change_words(Change change) {
    constexpr std::array kWords = {"Success gained", "Better", "Equal", "Worse", "Success lost"};
    return kWords[static_cast<std::size_t>(change)];
}

std::optional<double> metric(const EpisodeResult& episode, const std::string& name) {
    const auto at = episode.metrics.find(name);
    return at == episode.metrics.end() ? std::nullopt : std::optional(at->second);
}

/// What counts as success: SR where collisions do, else the plain one.
const char* success_name(const ComparedSplit& split) {
    return split.result_a->has_people ? "SR" : "success";
}

/// By row: what A's primary quantity would gain had A done there as B did.
std::vector<double> effects_of(const ComparedSplit& split) {
    std::vector<double> effects(split.rows_a.size());
    for (const EpisodeEffect& effect : split.comparison->result.effects) {
        effects[effect.row] = effect.effect;
    }
    return effects;
}

Change change_of(const ComparedSplit& split, std::size_t row, double effect) {
    const double a = metric(*split.rows_a[row], success_name(split)).value_or(0);
    const double b = metric(*split.rows_b[row], success_name(split)).value_or(0);
    if (a != b) return b > a ? Change::kGained : Change::kLost;
    if (effect == 0) return Change::kEqual;
    return effect > 0 ? Change::kBetter : Change::kWorse;
}

int digits_of(const std::string& name) {
    return name == "score" ? 2 : shown_digits(name);
}

/// +1: more is better, -1: less is; 0: neither is.
int direction_of(const std::string& name) {
    static const std::set<std::string> more = {
        "score", "SR",   "navigation", "social",   "success",
        "spl",   "ndtw", "sdtw",       "soft_spl", "oracle_success"};
    static const std::set<std::string> less = {"NE", "CR", "TCR", "distance_to_goal"};
    return more.contains(name) ? 1 : less.contains(name) ? -1 : 0;
}

std::string interval_text(const ComponentDifference& d, int digits) {
    return signed_fixed(d.interval.low, digits) + " to " + signed_fixed(d.interval.high, digits);
}

std::string p_text(double p) {
    return p < 0.0001 ? "&lt; 0.0001" : fixed(p, 4);
}

void put_header(std::string& out, const ComparePageInput& input) {
    std::set<std::string> others;
    for (const ComparedSplit& split : input.splits) others.insert(split.b);
    put(out,
        "<p class=\"eyebrow\">havln {} comparison, profile {}</p>\n<h1>B against A</h1>\n"
        "<dl class=\"settings names\">\n",
        version(), escape_markup(input.profile.name));
    put_setting(out, "A", input.splits.front().a);
    for (const std::string& name : others) put_setting(out, "B", name);
    out += "</dl>\n<nav class=\"tabs\" aria-label=\"Splits\" hidden></nav>\n";
    std::set<std::string> said;
    for (const ComparedSplit& split : input.splits) {
        if (split.remark.empty() || !said.insert(split.b + '\n' + split.remark).second) continue;
        put(out, "<p class=\"banner\">{}: {}</p>\n", escape_markup(split.b),
            escape_markup(split.remark));
    }
}

void put_difference(std::string& out, const ComparedSplit& split) {
    const std::string& name = split.comparison->primary;
    const ComponentDifference& d = split.comparison->result.components.at(name);
    const int digits = digits_of(name);
    put(out,
        "<div class=\"score\"><p class=\"score-label\">{}, B − A</p>\n"
        "<p class=\"score-value\">{}</p>\n<p class=\"score-full\">A {}, B {}</p>\n"
        "<p class=\"score-interval\">{} <span>{:g} % over episodes (paired bootstrap)</span></p>\n"
        "<p class=\"score-interval\">p = {} <span>two-sided paired randomisation test</span></p>\n"
        "</div>\n",
        escape_markup(shown_name(name)), signed_fixed(d.difference, digits), fixed(d.a, digits),
        fixed(d.b, digits), interval_text(d, digits), 100 * split.comparison->result.options.level,
        p_text(d.p_value));
}

void put_changes(std::string& out, const ComparedSplit& split, const std::vector<double>& effects) {
    std::array<SharePart, kChangeCount> parts;
    for (int k = 0; k < kChangeCount; ++k) {
        parts[static_cast<std::size_t>(k)] = {fmt::format("change-{}", k),
                                              change_words(static_cast<Change>(k)), 0};
    }
    for (std::size_t row = 0; row < effects.size(); ++row) {
        ++parts[static_cast<std::size_t>(change_of(split, row, effects[row]))].count;
    }
    put(out, "<div class=\"outcomes\"><h3>How B did in {} episodes</h3>\n{}<ul class=\"key\">\n",
        grouped(effects.size()), share_bar_svg(parts));
    for (const SharePart& part : parts) put_share_key(out, part, effects.size());
    put(out, "</ul>\n<p class=\"note\">{}</p></div>\n",
        escape_markup(comparison_counts_text(split.comparison->result)));
}

/// An interval on a scale of its own around 0, and the difference in it.
std::string interval_bar(const std::string& name, const ComponentDifference& d) {
    const double reach =
        std::max({std::abs(d.interval.low), std::abs(d.interval.high), std::abs(d.difference)});
    const auto x = [&](double value) { return reach > 0 ? 50 + 47 * value / reach : 50; };
    const bool sure = d.interval.low > 0 || d.interval.high < 0;
    const double good = d.difference * direction_of(name);
    const char* part = !sure || good == 0 ? "sum" : good > 0 ? "gain" : "loss";
    constexpr double kLeast = 0.6;
    const double low = x(d.interval.low), high = std::max(low + kLeast, x(d.interval.high));
    std::string out =
        "<svg class=\"points\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
        "aria-hidden=\"true\"><rect class=\"points-room\" width=\"100\" height=\"10\"/>";
    put(out,
        "<rect class=\"part-{}\" x=\"{}\" width=\"{}\" y=\"2\" height=\"6\"/>"
        "<rect class=\"points-zero\" x=\"49.75\" width=\"0.5\" height=\"10\"/>"
        "<rect class=\"points-at\" x=\"{}\" width=\"1\" height=\"10\"/></svg>",
        part, fixed(low, 2), fixed(high - low, 2), fixed(x(d.difference) - 0.5, 2));
    return out;
}

void put_components(std::string& out, const ComparedSplit& split) {
    put(out,
        "<h3>What differs</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"What differs\"><table class=\"compared\">\n<thead><tr>"
        "<th scope=\"col\">Component</th><th scope=\"col\" class=\"number\">A</th>"
        "<th scope=\"col\" class=\"number\">B</th><th scope=\"col\" class=\"number\">B − A</th>"
        "<th scope=\"col\" class=\"number range\">{:g} % interval</th>"
        "<th scope=\"col\">Around 0</th><th scope=\"col\" class=\"number\">p</th></tr></thead>\n"
        "<tbody>\n",
        100 * split.comparison->result.options.level);
    for (const std::string& name : split.comparison->names) {
        const ComponentDifference& d = split.comparison->result.components.at(name);
        const int digits = digits_of(name);
        put(out,
            "<tr{}><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}"
            "</td><td class=\"number\">{}<span class=\"interval\">{}</span></td>"
            "<td class=\"number range\">{}</td><td class=\"bar\">{}</td>"
            "<td class=\"number\">{}</td></tr>\n",
            name == split.comparison->primary ? " class=\"sum\"" : "",
            escape_markup(shown_name(name)), fixed(d.a, digits), fixed(d.b, digits),
            signed_fixed(d.difference, digits), interval_text(d, digits), interval_text(d, digits),
            interval_bar(name, d), p_text(d.p_value));
    }
    put(out,
        "</tbody></table></div>\n<p class=\"note\">{} <span class=\"range\">A bar is green where "
        "the "
        "whole interval is better for B, orange where it is worse, grey where it holds "
        "0.</span></p>\n",
        escape_markup(comparison_method_text(split.comparison->result)));
}

std::vector<ChartValue> success_by_distance(const ComparedSplit& split,
                                            const std::vector<const EpisodeResult*>& rows) {
    std::vector<ChartValue> values;
    for (const EpisodeResult* row : rows) {
        const auto distance = metric(*row, "start_distance");
        const auto success = metric(*row, success_name(split));
        if (distance && success) values.push_back({*distance, *success != 0});
    }
    return values;
}

void put_rates(std::string& out, const ComparedSplit& split) {
    const std::vector<ChartValue> a = success_by_distance(split, split.rows_a);
    const std::vector<ChartValue> b = success_by_distance(split, split.rows_b);
    if (a.empty() || b.empty()) return;
    out += "<h3>Success by distance</h3>\n<div class=\"charts\">\n";
    for (const auto& [agent, values] : {std::pair("A", &a), std::pair("B", &b)}) {
        put(out,
            "<figure><figcaption>{} <span>with episodes above</span></figcaption>\n{}</figure>\n",
            agent, rate_svg("Distance from start to goal", "m", rate_bins(*values)));
    }
    out += "</div>\n";
}

std::string maps_note(const ComparedSplit& split) {
    if (split.traces.empty()) {
        return "This page has no maps. They need the data root and what the results were scored "
               "from: --data DIR --submission A --submission B.";
    }
    return fmt::format("This page has maps of {} of {} episodes{}.", grouped(split.traces.size()),
                       grouped(split.rows_a.size()),
                       split.traces.size() < split.rows_a.size()
                           ? ", those of greatest effect; --maps N embeds more"
                           : "");
}

/// "val_unseen", and whose where several results stand against A.
std::string section_name(const ComparePageInput& input, const ComparedSplit& split) {
    const bool several =
        std::any_of(input.splits.begin(), input.splits.end(),
                    [&](const ComparedSplit& other) { return other.b != split.b; });
    return several ? split.b + ", " + split.comparison->split : split.comparison->split;
}

std::string section_html(const ComparePageInput& input, const ComparedSplit& split,
                         std::size_t index) {
    const std::vector<double> effects = effects_of(split);
    std::string out;
    put(out,
        "<section class=\"split\" id=\"split-{0}\" aria-labelledby=\"split-title-{0}\">\n"
        "<h2 id=\"split-title-{0}\">{1} <small>{2} episodes</small></h2>\n<div class=\"hero\">\n",
        index, escape_markup(section_name(input, split)), grouped(split.rows_a.size()));
    put_difference(out, split);
    put_changes(out, split, effects);
    out += "</div>\n";
    put_components(out, split);
    put_rates(out, split);
    put(out, "<p class=\"note\">{}</p>\n</section>\n", escape_markup(maps_note(split)));
    return out;
}

void put_footer(std::string& out, const ComparePageInput& input) {
    out += "<h2>How this was computed</h2>\n<dl class=\"settings\">\n";
    put_setting(out, "Signature of A", input.splits.front().result_a->whole_signature.text());
    std::set<std::string> said;
    for (const ComparedSplit& split : input.splits) {
        if (!said.insert(split.b).second) continue;
        put_setting(out, "Signature of B", split.result_b->whole_signature.text());
    }
    const PairedComparison& first = input.splits.front().comparison->result;
    put_setting(out, "Resampling",
                fmt::format("{} samples, seed {}", first.options.samples, first.options.seed));
    out += "</dl>\n";
}

const Episode* episode_of(const ComparedSplit& split, std::size_t row) {
    if (split.ground_truth == nullptr) return nullptr;
    const auto index = split.ground_truth->index_of(split.comparison->episode_ids[row]);
    HAVLN_CHECK(index.has_value());
    return &split.ground_truth->episodes[*index];
}

std::vector<std::string> scans_of(const ComparePageInput& input) {
    std::set<std::string> scans;
    for (const ComparedSplit& split : input.splits) {
        for (std::size_t row = 0; row < split.rows_a.size(); ++row) {
            if (const Episode* episode = episode_of(split, row)) scans.insert(episode->scan);
        }
    }
    return {scans.begin(), scans.end()};
}

/// Quantities of both agents under the names that the script knows.
void put_pair_columns(JsonWriter& json, const ComparedSplit& split,
                      const std::vector<std::size_t>& order) {
    struct Column {
        const char *key, *metric;
    };
    const Column columns[] = {{"ne", "distance_to_goal"},
                              {"success", success_name(split)},
                              {"excess", split.result_a->has_people ? "TCR" : ""},
                              {"steps", "steps_taken"},
                              {"pl", "path_length"}};
    for (const Column& column : columns) {
        for (const auto& [agent, rows] :
             {std::pair("A", &split.rows_a), std::pair("B", &split.rows_b)}) {
            put_column(json, (std::string(column.key) + agent).c_str(), order.size(),
                       [&, rows = rows](std::size_t i) {
                           put_rounded(json, metric(*(*rows)[order[i]], column.metric));
                       });
        }
    }
}

void put_truth_columns(JsonWriter& json, const ComparedSplit& split,
                       const std::vector<std::size_t>& order,
                       const std::vector<std::string>& scans) {
    if (split.ground_truth == nullptr) return;
    put_column(json, "scene", order.size(), [&](std::size_t i) {
        const std::string& scan = episode_of(split, order[i])->scan;
        json.value(std::lower_bound(scans.begin(), scans.end(), scan) - scans.begin());
    });
    put_column(json, "text", order.size(),
               [&](std::size_t i) { json.value(episode_of(split, order[i])->instruction); });
}

void put_split(JsonWriter& json, const ComparePageInput& input, const ComparedSplit& split,
               const std::vector<std::string>& scans) {
    const std::string& primary = split.comparison->primary;
    const std::vector<std::size_t> order = rows_by_effect(*split.comparison);
    const std::vector<double> effects = effects_of(split);
    json.begin_object();
    json.member("name", section_name(input, split)).member("rows", order.size());
    json.member("headline", signed_fixed(split.comparison->result.components.at(primary).difference,
                                         digits_of(primary)));
    json.member("noMap", maps_note(split));
    put_column(json, "id", order.size(),
               [&](std::size_t i) { json.value(split.comparison->episode_ids[order[i]]); });
    put_column(json, "effect", order.size(), [&](std::size_t i) { json.value(effects[order[i]]); });
    put_column(json, "outcome", order.size(), [&](std::size_t i) {
        json.value(static_cast<int>(change_of(split, order[i], effects[order[i]])));
    });
    put_pair_columns(json, split, order);
    put_truth_columns(json, split, order, scans);
    json.end_object();
}

/// The split that the page opens with: the last of the first B, val_unseen, which ranks.
std::size_t first_shown(const ComparePageInput& input) {
    std::size_t first = 0;
    while (first + 1 < input.splits.size() && input.splits[first + 1].b == input.splits[0].b) {
        ++first;
    }
    return first;
}

std::string table_json(const ComparePageInput& input, const std::vector<std::string>& scans) {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object();
    json.member("kind", "compare").member("alphabet", packing_alphabet());
    json.member("people", input.profile.people);
    json.member("first", first_shown(input));
    json.member("effectOn", shown_name(input.splits.front().comparison->primary));
    json.member("successDistance", input.profile.success_distance_m);
    json.key("scenes").begin_array();
    for (const std::string& scan : scans) json.value(scan);
    json.end_array();
    json.key("outcomes").begin_array();
    for (int k = 0; k < kChangeCount; ++k) json.value(change_words(static_cast<Change>(k)));
    json.end_array();
    json.key("splits").begin_array();
    for (const ComparedSplit& split : input.splits) put_split(json, input, split, scans);
    json.end_array();
    json.end_object();
    return script_safe(json.take());
}

void put_pair_map(JsonWriter& json, const ComparePageInput& input, const Episode& episode,
                  const PairedTraces& traces) {
    const SceneMap& scene = input.scenes.at(episode.scan);
    const double radius = input.profile.success_distance_m;
    const EpisodeMap a = make_episode_map(scene, episode, &traces.a, radius);
    const EpisodeMap b = make_episode_map(scene, episode, &traces.b, radius);
    const std::array<AgentOnMap, 2> agents = {
        {{&a, &traces.a, traces.actions_a}, {&b, &traces.b, traces.actions_b}}};
    put_episode_map(json, agents);
}

/// By row of the table: its map or null. Nothing where there is none at all.
std::string maps_json(const ComparePageInput& input, const ComparedSplit& split) {
    if (split.traces.empty()) return {};
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_array();
    for (const std::size_t row : rows_by_effect(*split.comparison)) {
        const auto traces = split.traces.find(row);
        if (traces == split.traces.end()) {
            json.null();
        } else {
            put_pair_map(json, input, *episode_of(split, row), traces->second);
        }
    }
    json.end_array();
    return script_safe(json.take());
}

/// A map's marks, and the agents' paths in place of the colours of time.
std::vector<LegendEntry> compare_legend() {
    std::vector<LegendEntry> legend = {
        {"path-a", "<path class=\"map-line map-way map-agent-0\" d=\"M1 0H33\"/>\n", "Path of A"},
        {"path-b", "<path class=\"map-line map-way map-agent-1\" d=\"M1 0H33\"/>\n", "Path of B"}};
    for (LegendEntry& entry : legend_catalogue()) legend.push_back(std::move(entry));
    return legend;
}

void check(const ComparePageInput& input) {
    HAVLN_CHECK(!input.splits.empty());
    for (const ComparedSplit& split : input.splits) {
        HAVLN_CHECK(!split.rows_a.empty() && split.rows_a.size() == split.rows_b.size());
        HAVLN_CHECK(split.rows_a.size() == split.comparison->episode_ids.size());
        HAVLN_CHECK(split.traces.empty() || split.ground_truth != nullptr);
    }
}

}  // namespace

std::vector<std::size_t> rows_by_effect(const SplitComparison& comparison) {
    std::vector<std::size_t> order;
    std::vector<bool> placed(comparison.episode_ids.size());
    for (const EpisodeEffect& effect : comparison.result.effects) {
        order.push_back(effect.row);
        placed[effect.row] = true;
    }
    for (std::size_t row = 0; row < placed.size(); ++row) {
        if (!placed[row]) order.push_back(row);
    }
    return order;
}

std::string compare_page(const ComparePageInput& input) {
    check(input);
    const std::vector<std::string> scans = scans_of(input);
    ReportPage page;
    page.title =
        input.splits.front().b + " against " + input.splits.front().a + " - havln comparison";
    put_header(page.header, input);
    for (std::size_t k = 0; k < input.splits.size(); ++k) {
        page.sections += section_html(input, input.splits[k], k);
        page.rows += input.splits[k].rows_a.size();
        page.maps.push_back(maps_json(input, input.splits[k]));
    }
    put_footer(page.footer, input);
    page.legend = compare_legend();
    page.table = table_json(input, scans);
    page.scenes = scenes_json(scans, input.scenes);
    return report_page(page);
}

}  // namespace havln
