#include "cli/output_files.h"

#include <fmt/format.h>

#include <cstddef>
#include <system_error>

#include "groundtruth/layout.h"
#include "havln/error.h"

namespace havln::cli {

namespace {

namespace fs = std::filesystem;

bool is_stream(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    return exists(status) && !is_regular_file(status) && !is_directory(status);
}

bool same_file(const fs::path& a, const fs::path& b) {
    if (is_stream(a)) return false;
    std::error_code error;
    if (fs::equivalent(a, b, error)) return true;
    error.clear();
    const fs::path whole_a = fs::weakly_canonical(fs::absolute(a, error), error);
    const fs::path whole_b = fs::weakly_canonical(fs::absolute(b, error), error);
    return !error && whole_a == whole_b;
}

}  // namespace

void require_distinct(const std::vector<OutputFile>& outputs, const std::vector<fs::path>& inputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto& [option, path] = outputs[i];
        if (path.empty()) continue;
        for (const fs::path& input : inputs) {
            if (input.empty() || !same_file(path, input)) continue;
            throw usage_error(path, fmt::format("{} would overwrite an input", option));
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (outputs[j].second.empty() || !same_file(path, outputs[j].second)) continue;
            throw usage_error(
                path, fmt::format("{} and {} name the same file", outputs[j].first, option));
        }
    }
}

void require_outside(const std::vector<OutputFile>& outputs, const fs::path& data_root) {
    if (data_root.empty()) return;
    for (const auto& [option, path] : outputs) {
        if (path.empty() || is_stream(path) || !in_data_root(data_root, path)) continue;
        throw usage_error(path, fmt::format("{} would write among the ground truth's files; name "
                                            "another place",
                                            option));
    }
}

}  // namespace havln::cli
