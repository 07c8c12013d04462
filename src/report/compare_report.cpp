#include "report/compare_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/escape.h"
#include "io/json_writer.h"
#include "report/rank_report.h"

namespace havln {

namespace {

Cell number_cell(double value, int digits) {
    return {fmt::format("{:.{}f}", value, digits), number_text(value)};
}

Cell signed_cell(double value, int digits) {
    return {fmt::format("{:+.{}f}", value, digits), number_text(value)};
}

Table components_table(const SplitComparison& split, TableFormat format) {
    Table table;
    table.head = {"", "A", "B", "B - A", "low", "high", "p"};
    table.numeric = {false, true, true, true, true, true, true};
    for (const std::string& name : split.names) {
        const ComponentDifference& d = split.result.components.at(name);
        const int digits = shown_digits(name);
        table.rows.push_back({{format == TableFormat::kCsv ? name : shown_name(name)},
                              number_cell(d.a, digits),
                              number_cell(d.b, digits),
                              signed_cell(d.difference, digits),
                              signed_cell(d.interval.low, digits),
                              signed_cell(d.interval.high, digits),
                              number_cell(d.p_value, 4)});
    }
    return table;
}

Table episodes_table(const SplitComparison& split, std::size_t top) {
    Table table;
    table.head = {"episode", "effect", "SR A", "SR B"};
    table.numeric = {false, true, true, true};
    const std::size_t shown = std::min(top, split.result.effects.size());
    for (std::size_t k = 0; k < shown; ++k) {
        const EpisodeEffect& effect = split.result.effects[k];
        table.rows.push_back({{split.episode_ids[effect.row]},
                              signed_cell(effect.effect, 6),
                              {std::to_string(effect.SR_a)},
                              {std::to_string(effect.SR_b)}});
    }
    return table;
}

/// A line of prose around the tables; CSV has none, LaTeX has it as a comment.
std::string prose(TableFormat format, const std::string& line) {
    switch (format) {
        case TableFormat::kCsv:
            return {};
        case TableFormat::kLatex:
            return "% " + line + '\n';
        case TableFormat::kMarkdown:
            return line + "\n\n";
        case TableFormat::kText:
            break;
    }
    return line + '\n';
}

std::string split_report(const SplitComparison& split, TableFormat format, std::size_t top) {
    std::string out = prose(format, fmt::format("{}: {} episodes", escape_control(split.split),
                                                split.episode_ids.size()));
    out += render_table(components_table(split, format), format);
    if (format != TableFormat::kCsv) out += '\n';
    out += prose(format, comparison_counts_text(split.result));
    out += prose(format, comparison_method_text(split.result));
    const std::size_t differing = split.result.effects.size();
    if (top > 0 && differing > 0) {
        if (format != TableFormat::kMarkdown) out += '\n';
        out +=
            prose(format,
                  fmt::format("Effect on {} of A had it done as B, {} of {} episodes that differ:",
                              shown_name(split.primary), std::min(top, differing), differing));
        out += render_table(episodes_table(split, top), format);
    }
    return out;
}

void write_component(JsonWriter& json, const std::string& name, const ComponentDifference& d) {
    json.key(name).begin_object();
    json.member("a", d.a).member("b", d.b).member("difference", d.difference);
    json.key("interval").begin_inline_array();
    json.value(d.interval.low).value(d.interval.high).end_array();
    json.member("p_value", d.p_value).end_object();
}

void write_split(JsonWriter& json, const SplitComparison& split) {
    const PairedComparison& r = split.result;
    json.key(split.split).begin_object();
    json.member("episodes", split.episode_ids.size());
    json.member("samples", r.options.samples).member("seed", r.options.seed);
    json.member("level", r.options.level).member("exact", r.exact);
    json.key("components").begin_object();
    for (const std::string& name : split.names) write_component(json, name, r.components.at(name));
    json.end_object();
    json.member("won", r.won).member("lost", r.lost).member("tied", r.tied);
    json.member("gained", r.gained).member("dropped", r.dropped);
    json.member("effect_on", split.primary);
    json.key("effects").begin_array();
    for (const EpisodeEffect& effect : r.effects) {
        json.begin_object().member("episode_id", split.episode_ids[effect.row]);
        json.member("effect", effect.effect);
        json.member("SR_a", effect.SR_a).member("SR_b", effect.SR_b).end_object();
    }
    json.end_array().end_object();
}

}  // namespace

std::string comparison_counts_text(const PairedComparison& r) {
    return fmt::format(
        "B is better in {} episodes, worse in {}, equal in {}; success gained in {}, "
        "lost in {}.",
        r.won, r.lost, r.tied, r.gained, r.dropped);
}

std::string comparison_method_text(const PairedComparison& r) {
    return fmt::format(
        "{:g}% intervals of B - A: paired bootstrap, {} samples, seed {}. p: two-sided paired "
        "randomisation test, {}.",
        100 * r.options.level, r.options.samples, r.options.seed,
        r.exact ? "every assignment tried" : "as many assignments drawn");
}

std::string comparison_report(const ResultComparison& comparison, TableFormat format,
                              std::size_t top) {
    std::string out = prose(format, fmt::format("A: {}  B: {}", escape_control(comparison.a),
                                                escape_control(comparison.b)));
    if (!comparison.remark.empty()) out += prose(format, escape_control(comparison.remark));
    for (const SplitComparison& split : comparison.splits) {
        if (format == TableFormat::kText || format == TableFormat::kLatex) out += '\n';
        out += split_report(split, format, top);
    }
    return out;
}

std::string comparison_json(const std::vector<ResultComparison>& comparisons) {
    JsonWriter json;
    json.begin_object().member("schema_version", 1);
    json.key("comparisons").begin_array();
    for (const ResultComparison& comparison : comparisons) {
        json.begin_object().member("a", comparison.a).member("b", comparison.b);
        if (!comparison.remark.empty()) json.member("remark", comparison.remark);
        json.key("splits").begin_object();
        for (const SplitComparison& split : comparison.splits) write_split(json, split);
        json.end_object().end_object();
    }
    json.end_array().end_object();
    return json.take();
}

}  // namespace havln
