#include "report/report_html.h"

#include <fmt/format.h>

#include "havln/error.h"
#include "havln/version.h"
#include "io/escape.h"
#include "report/html_text.h"
#include "report/map_data.h"
#include "report/report_data.h"
#include "report/report_page.h"
#include "report/report_split.h"

namespace havln {

namespace {

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
        "<p class=\"eyebrow\">havln {} report, profile {}</p>\n<h1>{}</h1>\n"
        "<nav class=\"tabs\" aria-label=\"Splits\" hidden></nav>\n",
        version(), escape_markup(settings.profile.name), escape_markup(input.title));
    put_banners(out, input);
}

void put_footer(std::string& out, const ReportInput& input) {
    const RunSettings& settings = input.card->settings;
    out += "<h2>How this was computed</h2>\n<dl class=\"settings\">\n";
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
    put(out, "</dl>\n<details><summary>Profile {}</summary><pre>{}</pre></details>\n",
        escape_markup(settings.profile.name), escape_markup(profile_json(settings.profile)));
}

void add_data(ReportPage& page, const ReportInput& input) {
    page.table = table_json(input);
    for (const ReportSplit& split : input.splits) page.maps.push_back(maps_json(input, split));
    page.scenes = scenes_json(report_scans(input), input.scenes);
}

}  // namespace

std::string report_html(const ReportInput& input) {
    HAVLN_CHECK(!input.splits.empty());
    for (const ReportSplit& split : input.splits) {
        HAVLN_CHECK(!split.rows.empty() && split.traces.size() == split.rows.size());
        HAVLN_CHECK(split.actions.empty() || split.actions.size() == split.rows.size());
    }
    ReportPage page;
    page.title = input.title + " - havln report";
    put_header(page.header, input);
    for (std::size_t k = 0; k < input.splits.size(); ++k) {
        page.sections += split_section_html(input, input.splits[k], k);
        page.rows += input.splits[k].rows.size();
    }
    put_footer(page.footer, input);
    page.legend = legend_catalogue();
    add_data(page, input);
    return report_page(page);
}

}  // namespace havln
