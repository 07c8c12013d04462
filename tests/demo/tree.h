#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "support/support.h"

namespace havln::test {

/// Every file's bytes by its path below the root.
inline std::map<std::string, std::string> files_below(const std::filesystem::path& root) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        if (!entry.is_regular_file()) continue;
        files[entry.path().lexically_relative(root).generic_string()] = read_file(entry.path());
    }
    return files;
}

}  // namespace havln::test
