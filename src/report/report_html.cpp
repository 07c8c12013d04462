#include "report/report_html.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "havln/error.h"
#include "havln/version.h"
#include "io/escape.h"
#include "io/sha256.h"
#include "report/assets.h"
#include "report/report_data.h"
#include "report/report_split.h"
#include "report/svg_map.h"

namespace havln {

namespace {

template <typename... Args>
void put(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

std::string csp_source(std::string_view code) {
    return "'sha256-" + sha256_base64(code) + "'";
}

/// Nothing is fetched, and no script but the page's own runs, whatever the data holds.
std::string content_policy(std::string_view css, std::string_view script) {
    return fmt::format(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        csp_source(css), csp_source(script));
}

void put_head(std::string& out, const ReportInput& input, std::string_view css,
              std::string_view script) {
    put(out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta name=\"generator\" content=\"havln {}\">\n<title>{} - havln report</title>\n"
        "<style>{}</style>\n</head>\n",
        content_policy(css, script), version(), escape_markup(input.title), css);
}

void put_banners(std::string& out, const ReportInput& input) {
    const auto banner = [&](const std::string& text) {
        put(out, "<p class=\"banner\">{}</p>\n", escape_markup(text));
    };
    if (input.card->partial) {
        banner("Partial result: " +
               (input.card->settings.selection.empty() ? "a part of the episodes"
                                                       : input.card->settings.selection) +
               ". It cannot be ranked.");
    }
    for (const ReportSplit& split : input.splits) {
        if (split.human_influenced_assumed && split.score->has_people) {
            banner(
                fmt::format("{}: the number of human-influenced episodes is not known. CR is "
                            "divided by all {} episodes.",
                            split.split->name, split.score->episodes));
        }
        if (split.score->unreachable_goals > 0) {
            banner(
                fmt::format("{}: the goals of {} episodes cannot be reached on the navmesh. "
                            "Means of distances leave them out.",
                            split.split->name, split.score->unreachable_goals));
        }
    }
}

void put_header(std::string& out, const ReportInput& input) {
    const RunSettings& settings = input.card->settings;
    put(out,
        "<header>\n<p class=\"eyebrow\">havln {} report, profile {}</p>\n<h1>{}</h1>\n"
        "<nav class=\"tabs\" aria-label=\"Splits\" hidden></nav>\n",
        version(), escape_markup(settings.profile.name), escape_markup(input.title));
    put_banners(out, input);
    out += "</header>\n";
}

void put_setting(std::string& out, const char* name, const std::string& value) {
    if (!value.empty()) put(out, "<dt>{}</dt><dd>{}</dd>\n", name, escape_markup(value));
}

void put_footer(std::string& out, const ReportInput& input) {
    const RunSettings& settings = input.card->settings;
    out += "<footer>\n<h2>How this was computed</h2>\n<dl class=\"settings\">\n";
    put_setting(out, "Signature", make_signature(*input.card).text());
    if (settings.profile.people) {
        put_setting(out, "Collision reading",
                    settings.reading == CollisionReading::kContact
                        ? "contact: a blocked step with a person within 1 m counts"
                        : "released: every blocked step counts");
        put_setting(out, "Clock", settings.clock);
    }
    put_setting(out, "Sliding", settings.sliding ? "on" : "off");
    put_setting(out, "Navmeshes", settings.navmesh);
    put_setting(out, "Path finder", settings.path_finder);
    put_setting(out, "Submission sha256", settings.submission_digest);
    put_setting(out, "People sha256", settings.people_digest);
    for (const ReportSplit& split : input.splits) {
        put_setting(out, "Ground truth sha256",
                    split.score->ground_truth_digest.empty()
                        ? ""
                        : split.split->name + ": " + split.score->ground_truth_digest);
    }
    put(out,
        "</dl>\n<details><summary>Profile {}</summary><pre>{}</pre></details>\n</footer>\n",
        escape_markup(settings.profile.name), escape_markup(profile_json(settings.profile)));
}

void put_episodes(std::string& out, const ReportInput& input) {
    std::size_t rows = 0;
    for (const ReportSplit& split : input.splits) rows += split.rows.size();
    put(out,
        "<section class=\"episodes\" aria-labelledby=\"episodes\">\n"
        "<h2 id=\"episodes\">Episodes</h2>\n"
        "<noscript><p class=\"banner\">The table of {} episodes and their maps need JavaScript. "
        "episode_metrics.json holds the same numbers.</p></noscript>\n"
        "<div id=\"table\"></div>\n</section>\n",
        rows);
}

/// Every entry that a map's legend can have; the script shows those that a map needs.
void put_dialog(std::string& out) {
    out +=
        "<dialog id=\"map\" aria-labelledby=\"map-title\">\n<div id=\"map-body\"></div>\n"
        "<ul class=\"legend\" id=\"legend\">\n";
    for (const LegendEntry& entry : legend_catalogue()) {
        put(out,
            "<li data-key=\"{}\" hidden><svg class=\"map\" width=\"36\" height=\"26\" "
            "viewBox=\"-1 -13 36 26\" aria-hidden=\"true\">{}</svg>{}</li>\n",
            entry.key, entry.drawing, escape_markup(entry.words));
    }
    out += "</ul>\n</dialog>\n";
}

void put_data(std::string& out, const std::string& id, const std::string& json) {
    put(out, "<script type=\"application/json\" id=\"{}\">{}</script>\n", id, json);
}

void put_all_data(std::string& out, const ReportInput& input) {
    put_data(out, "table-data", table_json(input));
    for (std::size_t k = 0; k < input.splits.size(); ++k) {
        put_data(out, fmt::format("maps-{}", k), maps_json(input, input.splits[k]));
    }
    const std::vector<std::string> scans = report_scans(input);
    for (std::size_t k = 0; k < scans.size(); ++k) {
        const auto scene = input.scenes.find(scans[k]);
        if (scene != input.scenes.end()) {
            put_data(out, fmt::format("scene-{}", k), scene_json(scene->second));
        }
    }
}

}  // namespace

std::string report_html(const ReportInput& input) {
    HAVLN_CHECK(!input.splits.empty());
    for (const ReportSplit& split : input.splits) {
        HAVLN_CHECK(!split.rows.empty() && split.traces.size() == split.rows.size());
        HAVLN_CHECK(split.actions.empty() || split.actions.size() == split.rows.size());
    }
    const std::string css = std::string(asset("map.css")) + std::string(asset("report.css"));
    const std::string_view script = asset("report.js");
    std::string out;
    put_head(out, input, css, script);
    put(out,
        "<body>\n<svg class=\"marks\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n{}"
        "</defs></svg>\n<a class=\"skip\" href=\"#episodes\">Skip to the episodes</a>\n",
        asset("map_marks.svg"));
    put_header(out, input);
    out += "<main>\n";
    for (std::size_t k = 0; k < input.splits.size(); ++k) {
        out += split_section_html(input, input.splits[k], k);
    }
    put_episodes(out, input);
    out += "</main>\n";
    put_footer(out, input);
    put_dialog(out);
    put_all_data(out, input);
    put(out, "<script>{}</script>\n</body>\n</html>\n", script);
    return out;
}

}  // namespace havln
