#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "havln/groundtruth.h"

namespace havln {

/// Goals of ObjectNav by "SCENE.glb_CATEGORY".
using GoalsByCategory =
    std::map<std::string, std::shared_ptr<const std::vector<Goal>>, std::less<>>;

/// Reads {"episodes": [record, ...], "goals_by_category": {...}, ...}; other members are skipped.
/// @param goals  of the files read before; those of this file are added.
/// @return episodes in file order; ids are distinct.
/// @throws Error (kGroundTruth) with the place in the file.
std::vector<Episode> read_episodes(std::string_view json, const std::filesystem::path& origin,
                                   GoalsByCategory& goals);

/// Reads {"episode_id": b_i, ...} into split.baselines. Ids of other splits are tolerated; an
/// episode without a baseline is an error.
void read_baselines(std::string_view json, const std::filesystem::path& origin, Split& split);

/// Reads the locations of {"episode_id": {"locations": [...], ...}, ...} into split.gt_locations.
void read_gt_locations(std::string_view json, const std::filesystem::path& origin, Split& split);

}  // namespace havln
