#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace havln {

/// Where the files of one split stand.
struct SplitFiles {
    std::string name;
    std::filesystem::path episodes;
    std::vector<std::filesystem::path> content;  ///< ObjectNav: one file per scene.
    std::filesystem::path baselines, gt;         ///< Empty where absent.
};

/// The first of the names that stands in the folder; empty where none does.
std::filesystem::path first_standing(const std::filesystem::path& folder,
                                     const std::vector<std::string>& names);

// The official data root. Paths are where a file belongs, whether it is there or not.

/// Whether the path leads into one of the folders that the data root's own files stand in.
bool in_data_root(const std::filesystem::path& root, const std::filesystem::path& path);

/// HA-R2R, the folder of the splits.
std::filesystem::path splits_folder(const std::filesystem::path& root);
std::filesystem::path baselines_file(const std::filesystem::path& root, const std::string& split);
std::filesystem::path gt_file(const std::filesystem::path& root, const std::string& split);
std::filesystem::path people_file(const std::filesystem::path& root);

/// Names that the split's episodes file may have, in the order of precedence.
std::vector<std::string> episodes_file_names(const std::string& split);

/// The files of a split that are there. @throws Error (kGroundTruth) where there are no episodes.
SplitFiles official_split_files(const std::filesystem::path& root, const std::string& split);

}  // namespace havln
