#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "havln/actions.h"
#include "havln/groundtruth.h"
#include "havln/metrics.h"
#include "havln/replay.h"
#include "havln/scorecard.h"
#include "report/scene_map.h"

namespace havln {

/// One split as the report shows it. Spans are parallel to `rows`.
struct ReportSplit {
    const Split* split = nullptr;
    const SplitScore* score = nullptr;
    std::span<const EpisodeMetrics> rows;
    std::span<const Trace> traces;
    std::vector<std::span<const Action>> actions;  ///< Or empty: steps have no names then.
    bool human_influenced_assumed = false;
};

struct ReportInput {
    std::string title;  ///< The submission, as people call it. Untrusted text is escaped here.
    const Scorecard* card = nullptr;
    std::vector<ReportSplit> splits;
    /// By scan. Episodes of other scans have no map.
    std::map<std::string, SceneMap> scenes;
};

/// One HTML page that needs nothing else: no network, no other file. Its numbers and charts are
/// there without scripts; the table of episodes and the maps are drawn by the page's own script.
/// Equal input gives equal bytes. @pre every split has as many traces as rows, at least one.
std::string report_html(const ReportInput& input);

}  // namespace havln
