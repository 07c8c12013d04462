#pragma once

#include <filesystem>
#include <vector>

namespace havln::cli {

using Paths = std::vector<std::filesystem::path>;

/// Each archive or folder is a submission of its own; loose .json files together make one.
std::vector<Paths> group_submissions(const Paths& inputs);

}  // namespace havln::cli
