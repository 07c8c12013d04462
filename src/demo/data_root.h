#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demo/episodes.h"
#include "demo/home.h"

namespace havln::demo {

/// One episode of a submission.
struct Prediction {
    std::string episode_id;
    std::vector<Action> actions;
};

/// A submission's file for one split, format version 1.
std::string prediction_json(std::string_view split, std::span<const Prediction> predictions);

/// Writes the pieces of a data root in the official layout below one folder.
class DataRoot {
  public:
    explicit DataRoot(std::filesystem::path root) : root_(std::move(root)) {}

    /// scene_datasets/mp3d and recompute_navmesh of all homes, and human_motion.json.
    void write_scenes(std::span<const Home> homes, unsigned threads) const;

    /// HA-R2R/<split> (episodes and reference) and HA-R2R-tools/collision_num_<split>.json.
    /// Episode ids are "1" to "N" in the order given.
    void write_split(std::string_view split, std::span<const Home> homes,
                     std::span<const DemoEpisode> episodes) const;

    void write(const std::filesystem::path& relative, std::string_view bytes) const;

  private:
    std::filesystem::path root_;
};

}  // namespace havln::demo
