#pragma once

#include <map>
#include <string>
#include <vector>

#include "havln/groundtruth.h"
#include "havln/score_run.h"
#include "havln/scorecard.h"
#include "havln/submission.h"
#include "report/scene_map.h"

namespace havln::cli {

/// A scan's floors and people, for maps: ground from the navmesh without people where the data
/// root has it, else from that of frame 0. @throws Error (kGroundTruth).
SceneMap load_scene_map(GroundTruth& ground_truth, const std::string& scan, bool with_people);

/// The HTML report on scored splits. @pre every run kept its traces.
std::string make_report(GroundTruth& ground_truth, const std::string& title, const Scorecard& card,
                        const std::vector<SplitRun>& runs,
                        const std::vector<SplitSubmission>& submission);

}  // namespace havln::cli
