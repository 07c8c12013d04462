#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace havln::cli {

/// A file that a command writes, and the option that names it.
using OutputFile = std::pair<std::string, std::filesystem::path>;

/// Refuses outputs that would overwrite an input or one another, whatever links lead there.
/// Devices and pipes may be named twice; an empty path stands for an output not asked for.
/// @throws Error (kUsage) before anything is written.
void require_distinct(const std::vector<OutputFile>& outputs,
                      const std::vector<std::filesystem::path>& inputs);

/// Refuses outputs among the data root's own files. @param data_root  may be empty.
/// @throws Error (kUsage) before anything is written.
void require_outside(const std::vector<OutputFile>& outputs,
                     const std::filesystem::path& data_root);

}  // namespace havln::cli
