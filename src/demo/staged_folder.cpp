#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>

#include "havln/demo.h"
#include "havln/error.h"

namespace havln {

namespace {

namespace fs = std::filesystem;

/// What a demo and the commands it suggests put into its folder.
constexpr std::array<std::string_view, 9> kDemoEntries = {
    "HA-R2R",         "HA-R2R-tools", "Multi-Human-Annotations", "recompute_navmesh",
    "scene_datasets", "submissions",  "manifest.json",           "README.md",
    "results"};

fs::path without_trailing_slash(const fs::path& path) {
    const fs::path full = fs::absolute(path).lexically_normal();
    return full.has_filename() ? full : full.parent_path();
}

fs::path beside(const fs::path& target, std::string_view purpose) {
    return target.parent_path() / fmt::format(".{}.{}.{}", target.filename().string(),
                                              static_cast<long>(::getpid()), purpose);
}

/// Refuses to replace anything but an empty folder, or an earlier demo where that is asked for.
void check_place(const fs::path& target, bool replace) {
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (!fs::exists(status)) return;
    if (!fs::is_directory(status)) throw usage_error(target, "is no folder");
    fs::directory_iterator entries(target, error);
    if (error) throw usage_error(target, "cannot be read: " + error.message());
    if (entries == fs::directory_iterator()) return;
    if (!replace) {
        throw usage_error(target,
                          "is not empty; name another folder, or replace an earlier demo there "
                          "with --force");
    }
    for (const fs::directory_entry& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (std::ranges::find(kDemoEntries, name) == kDemoEntries.end()) {
            throw usage_error(entry.path(),
                              "is no part of a demo, so the folder is left alone; name another "
                              "folder or move this away");
        }
    }
}

}  // namespace

StagedFolder::StagedFolder(const fs::path& target, bool replace)
    : target_(without_trailing_slash(target)), staging_(beside(target_, "part")) {
    check_place(target_, replace);
    std::error_code error;
    fs::create_directories(target_.parent_path(), error);
    if (!error && !fs::create_directory(staging_, error) && !error) {
        error = std::make_error_code(std::errc::file_exists);
    }
    if (error) {
        const fs::path stood_there = std::move(staging_);
        throw usage_error(stood_there, "cannot be made: " + error.message());
    }
}

StagedFolder::~StagedFolder() {
    std::error_code ignored;
    if (!staging_.empty()) fs::remove_all(staging_, ignored);
}

void StagedFolder::commit() {
    std::error_code error;
    const fs::path old = beside(target_, "old");
    const bool replaced = fs::exists(target_, error);
    if (replaced) fs::rename(target_, old, error);
    if (!error) fs::rename(staging_, target_, error);
    if (error) {
        std::error_code ignored;
        if (replaced && !fs::exists(target_, ignored)) fs::rename(old, target_, ignored);
        throw usage_error(target_, "cannot be put in place: " + error.message());
    }
    staging_.clear();
    if (replaced) fs::remove_all(old, error);
}

}  // namespace havln
