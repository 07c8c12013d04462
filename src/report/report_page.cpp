#include "report/report_page.h"

#include <string_view>

#include "havln/version.h"
#include "io/escape.h"
#include "io/sha256.h"
#include "report/assets.h"
#include "report/html_text.h"

namespace havln {

namespace {

std::string csp_source(std::string_view code) {
    return "'sha256-" + sha256_base64(code) + "'";
}

/// Nothing is fetched, and no script but the page's own runs, whatever the data holds.
std::string content_policy(std::string_view css, std::string_view script) {
    return fmt::format(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        csp_source(css), csp_source(script));
}

void put_head(std::string& out, const std::string& title, std::string_view css,
              std::string_view script) {
    put(out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta name=\"generator\" content=\"havln {}\">\n<title>{}</title>\n"
        "<style>{}</style>\n</head>\n",
        content_policy(css, script), version(), escape_markup(title), css);
}

void put_episodes(std::string& out, std::size_t rows) {
    put(out,
        "<section class=\"episodes\" aria-labelledby=\"episodes\">\n"
        "<h2 id=\"episodes\">Episodes</h2>\n"
        "<noscript><p class=\"banner\">The table of {} episodes and their maps need JavaScript. "
        "episode_metrics.json holds the same numbers.</p></noscript>\n"
        "<div id=\"table\"></div>\n</section>\n",
        rows);
}

/// The script shows those entries of the legend that a map needs.
void put_dialog(std::string& out, const std::vector<LegendEntry>& legend) {
    out +=
        "<dialog id=\"map\" aria-labelledby=\"map-title\">\n<div id=\"map-body\"></div>\n"
        "<ul class=\"legend\" id=\"legend\">\n";
    for (const LegendEntry& entry : legend) {
        put(out,
            "<li data-key=\"{}\" hidden><svg class=\"map\" width=\"36\" height=\"26\" "
            "viewBox=\"-1 -13 36 26\" aria-hidden=\"true\">{}</svg>{}</li>\n",
            entry.key, entry.drawing, escape_markup(entry.words));
    }
    out += "</ul>\n</dialog>\n";
}

void put_data(std::string& out, const std::string& id, const std::string& json) {
    if (json.empty()) return;
    put(out, "<script type=\"application/json\" id=\"{}\">{}</script>\n", id, json);
}

}  // namespace

std::string report_page(const ReportPage& page) {
    const std::string css = std::string(asset("map.css")) + std::string(asset("report.css"));
    const std::string_view script = asset("report.js");
    std::string out;
    put_head(out, page.title, css, script);
    put(out,
        "<body>\n<svg class=\"marks\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n{}"
        "</defs></svg>\n<a class=\"skip\" href=\"#episodes\">Skip to the episodes</a>\n",
        asset("map_marks.svg"));
    put(out, "<header>\n{}</header>\n<main>\n{}", page.header, page.sections);
    put_episodes(out, page.rows);
    put(out, "</main>\n<footer>\n{}</footer>\n", page.footer);
    put_dialog(out, page.legend);
    put_data(out, "table-data", page.table);
    for (std::size_t k = 0; k < page.maps.size(); ++k) {
        put_data(out, fmt::format("maps-{}", k), page.maps[k]);
    }
    for (std::size_t k = 0; k < page.scenes.size(); ++k) {
        put_data(out, fmt::format("scene-{}", k), page.scenes[k]);
    }
    put(out, "<script>{}</script>\n</body>\n</html>\n", script);
    return out;
}

void put_setting(std::string& out, const char* name, const std::string& value) {
    if (!value.empty()) put(out, "<dt>{}</dt><dd>{}</dd>\n", name, escape_markup(value));
}

}  // namespace havln
