#include "groundtruth/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

#include "havln/error.h"
#include "io/file.h"

namespace havln {

namespace fs = std::filesystem;

fs::path first_standing(const fs::path& folder, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (stands(folder / name)) return folder / name;
    }
    return {};
}

bool in_data_root(const fs::path& root, const fs::path& path) {
    std::error_code error;
    const fs::path whole_root = fs::weakly_canonical(fs::absolute(root, error), error);
    const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
    if (error) return false;
    const fs::path inside = whole.lexically_relative(whole_root);
    for (const char* folder : {"HA-R2R", "HA-R2R-tools", "Multi-Human-Annotations",
                               "recompute_navmesh", "scene_datasets"}) {
        if (!inside.empty() && *inside.begin() == folder) return true;
    }
    return false;
}

fs::path splits_folder(const fs::path& root) {
    return root / "HA-R2R";
}

fs::path baselines_file(const fs::path& root, const std::string& split) {
    return root / "HA-R2R-tools" / fmt::format("collision_num_{}.json", split);
}

fs::path gt_file(const fs::path& root, const std::string& split) {
    return splits_folder(root) / split / fmt::format("{}_gt.json.gz", split);
}

fs::path people_file(const fs::path& root) {
    return root / "Multi-Human-Annotations" / "human_motion.json";
}

std::vector<std::string> episodes_file_names(const std::string& split) {
    return {split + ".json.gz", split + "_bertidx.json.gz", split + ".json",
            split + "_bertidx.json"};
}

SplitFiles official_split_files(const fs::path& root, const std::string& split) {
    const fs::path folder = splits_folder(root) / split;
    SplitFiles files;
    files.name = split;
    files.episodes = first_standing(folder, episodes_file_names(split));
    if (files.episodes.empty()) {
        throw ground_truth_error(folder, fmt::format("holds no episodes; expected one of {}",
                                                     fmt::join(episodes_file_names(split), ", ")));
    }
    if (stands(baselines_file(root, split))) files.baselines = baselines_file(root, split);
    files.gt = first_standing(folder, {split + "_gt.json.gz", split + "_gt.json"});
    return files;
}

}  // namespace havln
