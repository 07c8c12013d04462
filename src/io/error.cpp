#include "havln/error.h"

#include <utility>

namespace havln {

namespace {

std::string message(const std::filesystem::path& path, const std::string& detail) {
    return path.empty() ? detail : path.string() + ": " + detail;
}

}  // namespace

Error::Error(ExitCode code, std::filesystem::path path, std::string detail)
    : std::runtime_error(message(path, detail)),
      code_(code),
      path_(std::move(path)),
      detail_(std::move(detail)) {}

Error ground_truth_error(const std::filesystem::path& path, std::string detail) {
    return {ExitCode::kGroundTruth, path, std::move(detail)};
}

Error usage_error(const std::filesystem::path& path, std::string detail) {
    return {ExitCode::kUsage, path, std::move(detail)};
}

void fail_check(const char* expectation, const char* file, int line) {
    throw Error(ExitCode::kInternal, {},
                std::string("internal check failed: ") + expectation + " at " + file + ":" +
                    std::to_string(line));
}

}  // namespace havln
