#pragma once

#include <span>
#include <string>

#include "havln/scorecard.h"
#include "report/score_json.h"

namespace havln {

/// One row an episode, with a header, as RFC 4180 has it: split, episode_id, trajectory_id and
/// scene_id, then every metric that some episode has, named as SplitScore::means names them; an
/// empty cell where an episode lacks one. Numbers read back to the same double.
std::string episode_rows_csv(std::span<const SplitRows> splits, const RunSettings& settings);

}  // namespace havln
