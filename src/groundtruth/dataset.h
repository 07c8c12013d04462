#pragma once

#include <filesystem>
#include <string>

#include "groundtruth/layout.h"
#include "havln/groundtruth.h"

namespace havln {

/// A ground-truth file's text, inflated where its name ends in ".gz", and the sha256 (hex) of its
/// bytes on disk.
struct GroundTruthText {
    std::string text;
    std::string sha256;
};
GroundTruthText read_ground_truth_text(const std::filesystem::path& path);

/// Reads the files of a split.
Split load_split(const SplitFiles& files);

/// What a data set's path and wanted split name mean.
/// @throws Error (kGroundTruth) where there is no episodes file.
SplitFiles find_dataset_files(const std::filesystem::path& path, const std::string& name);

}  // namespace havln
