#include "groundtruth/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

#include "havln/error.h"

namespace havln {

namespace fs = std::filesystem;

bool stands(const fs::path& path) {
    std::error_code error;
    return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

fs::path first_standing(const fs::path& folder, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (stands(folder / name)) return folder / name;
    }
    return {};
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
