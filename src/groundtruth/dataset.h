#pragma once

#include <filesystem>
#include <functional>
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

using ReadText = std::function<GroundTruthText(const std::filesystem::path&)>;

/// Reads the files of a split.
/// @param read_gt  gives the text of files.gt when its turn comes: last.
Split load_split(const SplitFiles& files, const ReadText& read_gt = read_ground_truth_text);

/// What a data set's path and wanted split name mean.
/// @throws Error (kGroundTruth) where there is no episodes file.
SplitFiles find_dataset_files(const std::filesystem::path& path, const std::string& name);

}  // namespace havln
