#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "havln/groundtruth.h"

namespace havln {

/// True for anything that stands there, a dangling link too: reading it then tells what is wrong.
bool stands(const std::filesystem::path& path);

/// The first of the names that stands in the folder; empty where none does.
std::filesystem::path first_standing(const std::filesystem::path& folder,
                                     const std::vector<std::string>& names);

/// A ground-truth file's text, inflated where its name ends in ".gz", and the sha256 (hex) of its
/// bytes on disk.
struct GroundTruthText {
    std::string text;
    std::string sha256;
};
GroundTruthText read_ground_truth_text(const std::filesystem::path& path);

/// Where the files of one split stand.
struct SplitFiles {
    std::string name;
    std::filesystem::path episodes;
    std::vector<std::filesystem::path> content;  ///< ObjectNav: one file per scene.
    std::filesystem::path baselines, gt;         ///< Empty where absent.
};

/// Reads the files of a split.
Split load_split(const SplitFiles& files);

/// What a data set's path and wanted split name mean.
/// @throws Error (kGroundTruth) where there is no episodes file.
SplitFiles find_dataset_files(const std::filesystem::path& path, const std::string& name);

}  // namespace havln
