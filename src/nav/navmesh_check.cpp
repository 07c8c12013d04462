#include "havln/navmesh_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "havln/error.h"
#include "havln/scene.h"
#include "io/file.h"
#include "nav/frame_pack.h"

namespace havln {

namespace {

std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> entries;
    std::error_code error;
    std::filesystem::directory_iterator it(folder, error), end;
    for (; !error && it != end; it.increment(error)) entries.push_back(it->path());
    if (error) throw usage_error(folder, "cannot be listed: " + error.message());
    std::sort(entries.begin(), entries.end());
    return entries;
}

/// What one sound frame contributes.
struct FrameFacts {
    std::filesystem::path path;
    float area_m2 = 0;
    Bounds bounds;
};

// More than any person in the annotations.
constexpr float kPersonHeight_m = 2.5f;

std::string show(const Vec3f& v) {
    return fmt::format("({}, {}, {})", v.x, v.y, v.z);
}

/// Checks one scene's folder; see check_navmesh_tree.
class SceneChecker {
  public:
    SceneChecker(std::filesystem::path folder, std::vector<NavMeshFault>& faults)
        : folder_(std::move(folder)), faults_(faults) {
        scene_.scan = folder_.filename().string();
    }

    SceneCheck run() {
        find_strays();
        if (!read_pack()) {
            for (int frame = 0; frame < kFrameCount; ++frame) {
                const std::filesystem::path path = folder_ / file_name(frame);
                look_at(path, [&] { return read_ground_truth_file(path); });
            }
        }
        scene_.frames = static_cast<int>(sound_.size());
        scene_.distinct_frames = static_cast<int>(contents_.size());
        if (!sound_.empty()) {
            compare_bounds();
            compare_areas();
        }
        return std::move(scene_);
    }

  private:
    std::string file_name(int frame) const {
        return fmt::format("{}_{:03}.navmesh", scene_.scan, frame);
    }

    void find_strays() {
        std::set<std::string> expected;
        for (int frame = 0; frame < kFrameCount; ++frame) expected.insert(file_name(frame));
        for (const std::filesystem::path& entry : sorted_entries(folder_)) {
            if (entry.extension() == ".navmesh" && !expected.contains(entry.filename().string())) {
                faults_.push_back({entry, fmt::format("is none of the frames {} to {}; remove or "
                                                      "rename it",
                                                      file_name(0), file_name(kLastFrame))});
            }
        }
    }

    /// Where there is a pack, its frames are those that count.
    /// @return false where there is none.
    bool read_pack() {
        try {
            const std::filesystem::path path = nav::frame_pack_of(folder_, scene_.scan);
            if (path.empty()) return false;
            const std::string bytes = read_ground_truth_file(path);
            const nav::FramePack pack = nav::read_frame_pack(bytes, path);
            for (int frame = 0; frame < kFrameCount; ++frame) {
                const auto mesh = pack.mesh_of_frame[static_cast<std::size_t>(frame)];
                look_at(path / file_name(frame), [&] { return std::string(pack.meshes[mesh]); });
            }
        } catch (const Error& error) {
            if (error.code() != ExitCode::kGroundTruth) throw;
            faults_.push_back({error.path(), error.detail()});
        }
        return true;
    }

    /// @param read  gives one frame's bytes.
    template <typename Read>
    void look_at(const std::filesystem::path& path, const Read& read) {
        try {
            std::string bytes = read();
            const NavMeshStats stats = NavMesh::from_bytes(bytes, path)->stats();
            sound_.push_back({path, stats.navigable_area_m2, stats.bounds});
            contents_.insert(std::move(bytes));
        } catch (const Error& error) {
            if (error.code() != ExitCode::kGroundTruth) throw;
            faults_.push_back({path, error.detail()});
        }
    }

    /// The frames' bounds must be the same but for their top, which people on the highest floor
    /// may raise.
    void compare_bounds() {
        const auto key = [](const Bounds& b) {
            return std::array{b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z};
        };
        std::map<std::array<float, 6>, int> votes;
        int most = 0;
        for (const FrameFacts& frame : sound_) {
            if (++votes[key(frame.bounds)] <= most) continue;
            most = votes[key(frame.bounds)];
            scene_.bounds = frame.bounds;
        }
        for (const FrameFacts& frame : sound_) {
            Bounds lowered = frame.bounds;
            if (std::abs(lowered.max.y - scene_.bounds.max.y) <= kPersonHeight_m) {
                lowered.max.y = scene_.bounds.max.y;
            }
            if (lowered == scene_.bounds) continue;
            faults_.push_back(
                {frame.path, fmt::format("its bounds are {} to {}, while {} of the scene's frames "
                                         "have {} to {}; rebuild it from the same scene",
                                         show(frame.bounds.min), show(frame.bounds.max), most,
                                         show(scene_.bounds.min), show(scene_.bounds.max))});
        }
    }

    void compare_areas() {
        std::vector<float> areas;
        for (const FrameFacts& frame : sound_) areas.push_back(frame.area_m2);
        std::sort(areas.begin(), areas.end());
        scene_.least_area_m2 = areas.front();
        scene_.median_area_m2 = areas[areas.size() / 2];
        scene_.greatest_area_m2 = areas.back();
        for (const FrameFacts& frame : sound_) {
            const bool plausible = frame.area_m2 > 0 &&
                                   frame.area_m2 * kPlausibleAreaFactor >= scene_.median_area_m2 &&
                                   frame.area_m2 <= scene_.median_area_m2 * kPlausibleAreaFactor;
            if (plausible) continue;
            faults_.push_back(
                {frame.path, fmt::format("its navigable area is {:.2f} m2, while the scene's "
                                         "median is {:.2f} m2; rebuild it from the same scene",
                                         frame.area_m2, scene_.median_area_m2)});
        }
    }

    std::filesystem::path folder_;
    std::vector<NavMeshFault>& faults_;
    SceneCheck scene_;
    std::vector<FrameFacts> sound_;
    std::unordered_set<std::string> contents_;
};

}  // namespace

NavMeshTreeCheck check_navmesh_tree(const std::filesystem::path& folder,
                                    const std::function<void(std::size_t, std::size_t)>& on_scene) {
    const std::filesystem::path inside = folder / "recompute_navmesh";
    const std::filesystem::path tree = is_folder(inside) ? inside : folder;
    std::vector<std::filesystem::path> scenes = sorted_entries(tree);
    std::erase_if(scenes, [](const auto& entry) { return !is_folder(entry); });
    if (scenes.empty()) {
        throw usage_error(tree,
                          "holds no scene; expected folders SCAN with SCAN_000.navmesh to "
                          "SCAN_119.navmesh");
    }
    NavMeshTreeCheck check;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        check.scenes.push_back(SceneChecker(scenes[i], check.faults).run());
        if (on_scene) on_scene(i + 1, scenes.size());
    }
    return check;
}

}  // namespace havln
