#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "havln/geometry.h"
#include "havln/navmesh.h"

namespace havln {

/// Animation frames of people and of the navmeshes rebuilt around them.
inline constexpr int kFrameCount = 120;
inline constexpr int kLastFrame = kFrameCount - 1;

/// The navmeshes of one scene: immutable, shared between threads. Frames of equal bytes are one
/// NavMesh object, so that comparing addresses tells whether two frames are the same mesh.
struct SceneNavMeshes {
    std::string scan;
    /// By frame; null where a frame was not asked for. With one entry, it serves every frame
    /// (profiles without people).
    std::vector<std::shared_ptr<const NavMesh>> frames;
    std::shared_ptr<const NavMesh> without_people;  ///< Null where the file is absent.
    std::filesystem::path folder;                   ///< Where the frames come from, for messages.

    /// The mesh in force at frame `index`. @throws Error (kGroundTruth) where it was not loaded.
    const NavMesh& frame(int index) const;
};

/// Packs the 120 frames of recompute_navmesh/SCAN into one file beside them, SCAN.navmeshpack, with
/// each distinct navmesh once and a digest: fewer files to open, none decoded twice.
/// @return the pack. @throws Error (kGroundTruth) where a frame is missing or broken; (kUsage)
/// where
///         the pack cannot be written.
std::filesystem::path pack_scene_frames(const std::filesystem::path& folder);

/// Loads a scene's navmeshes from the official data root: recompute_navmesh/SCAN/SCAN_%03d.navmesh,
/// or SCAN.navmeshpack where there is one (refused where a frame is newer), for the frames asked
/// for and, where wanted, scene_datasets/mp3d/SCAN/SCAN.navmesh.
/// @param frames       by frame: is it needed? {at most kFrameCount}. Empty for a scene without
///                     people: the navmesh without people then serves every frame and must exist.
/// @param with_static  load `without_people`; a missing file leaves it null.
/// @throws Error (kGroundTruth) naming a file that is missing or broken.
std::shared_ptr<const SceneNavMeshes> load_scene_navmeshes(const std::filesystem::path& data_root,
                                                           const std::string& scan,
                                                           const std::vector<bool>& frames,
                                                           bool with_static);

/// One person's walk in a scene.
struct Person {
    std::string viewpoint;  ///< Key in human_motion.json.
    std::string category;
    /// Placed position by frame [m]; nothing where the person is absent.
    std::array<std::optional<Vec3d>, kFrameCount> position;
    /// Rotation by frame [deg], as the file gives it.
    std::array<Vec3d, kFrameCount> rotation_deg;
};

/// The people of one scene, in file order.
struct ScenePeople {
    std::string scan;
    std::vector<Person> people;
};

}  // namespace havln
