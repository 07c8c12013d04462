#pragma once

#include <filesystem>
#include <string_view>

#include "havln/groundtruth.h"

namespace havln {

/// Reads {"episodes": [record, ...], ...} into split.episodes and split.by_id. Other members
/// (vocabularies) are skipped. @throws Error (kGroundTruth) with the place in the file.
void read_episodes(std::string_view json, const std::filesystem::path& origin, Split& split);

/// Reads {"episode_id": b_i, ...} into split.baselines. Ids of other splits are tolerated; an
/// episode without a baseline is an error.
void read_baselines(std::string_view json, const std::filesystem::path& origin, Split& split);

/// Reads the locations of {"episode_id": {"locations": [...], ...}, ...} into split.gt_locations.
void read_gt_locations(std::string_view json, const std::filesystem::path& origin, Split& split);

}  // namespace havln
