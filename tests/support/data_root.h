#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "havln/groundtruth.h"
#include "support/support.h"

namespace havln::test {

/// A data root in the official layout, in a temporary folder of its own. For whole scenes see
/// write_toy_scene (support/toy_navmesh.h).
class DataRoot {
  public:
    DataRoot();

    const std::filesystem::path& path() const { return folder_.path(); }
    std::filesystem::path operator/(std::string_view relative) const { return path() / relative; }

    /// Writes a file as given, below the root.
    void write(std::string_view relative, std::string_view bytes);
    /// The same, compressed.
    void write_gzip(std::string_view relative, std::string_view bytes);

    /// HA-R2R/SPLIT/SPLIT.json.gz.
    void write_episodes(const std::string& split, const std::vector<Episode>& episodes);
    /// HA-R2R-tools/collision_num_SPLIT.json.
    void write_baselines(const std::string& split, const std::map<std::string, int>& baselines);
    /// HA-R2R/SPLIT/SPLIT_gt.json.gz.
    void write_gt_locations(const std::string& split,
                            const std::map<std::string, std::vector<Vec3d>>& locations);
    /// Multi-Human-Annotations/human_motion.json.
    void write_people(const std::vector<ScenePeople>& scenes);
    /// recompute_navmesh/SCAN/SCAN_FRAME.navmesh.
    void write_frame(const std::string& scan, int frame, std::string_view navmesh);
    /// scene_datasets/mp3d/SCAN/SCAN.navmesh.
    void write_static(const std::string& scan, std::string_view navmesh);

  private:
    TempDir folder_;
};

/// An episode in scene `scan` that starts at the origin, facing -z, with one goal `goal` metres
/// ahead; everything else may be changed by the caller.
Episode make_episode(const std::string& id, const std::string& scan = "scan", double goal = 5);

/// The text of an episodes file.
std::string episodes_json(const std::vector<Episode>& episodes);
/// The text of human_motion.json.
std::string people_json(const std::vector<ScenePeople>& scenes);

}  // namespace havln::test
