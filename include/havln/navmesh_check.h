#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "havln/navmesh.h"

namespace havln {

/// Something wrong with a file of a navmesh tree.
struct NavMeshFault {
    std::filesystem::path path;  ///< The file or folder at fault.
    std::string message;         ///< What was found, what was expected and how to mend it.
};

/// What a scene's sound navmeshes have in common.
struct SceneCheck {
    std::string scan;
    int frames = 0;           ///< Sound ones, of 120.
    int distinct_frames = 0;  ///< By content.
    /// Navigable area over the sound frames [m2]; 0 where there is none.
    float least_area_m2 = 0, median_area_m2 = 0, greatest_area_m2 = 0;
    Bounds bounds;  ///< Those that most frames have.
};

struct NavMeshTreeCheck {
    std::vector<SceneCheck> scenes;    ///< By name.
    std::vector<NavMeshFault> faults;  ///< By scene, then by frame.
};

/// A frame's area beside its scene's median is plausible within this factor either way: people
/// take a few square metres of a building, never half of it.
inline constexpr float kPlausibleAreaFactor = 2.0f;

/// Checks a recompute_navmesh tree, SCAN/SCAN_000.navmesh to SCAN_119.navmesh for every scene:
/// each frame is there and sound (in the scene's pack where there is one), all have the same bounds
/// (but for a top that people raise, by 2.5 m at most), their areas are plausible, and no other
/// .navmesh file stands among them.
/// @param folder    the tree; a data root that holds one is taken for it.
/// @param on_scene  called as each scene is done, with its number and how many there are.
/// @throws Error (kUsage) where the folder cannot be listed or holds no scene.
NavMeshTreeCheck check_navmesh_tree(
    const std::filesystem::path& folder,
    const std::function<void(std::size_t, std::size_t)>& on_scene = {});

}  // namespace havln
