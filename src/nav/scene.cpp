#include "havln/scene.h"

#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "havln/error.h"
#include "io/file.h"
#include "nav/frame_pack.h"

namespace havln {

namespace {

/// A scan names a folder below the data root; anything else would reach outside it.
void check_scan_name(const std::filesystem::path& data_root, const std::string& scan) {
    if (scan.empty() || scan == "." || scan == ".." ||
        scan.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos) {
        throw ground_truth_error(
            data_root, fmt::format("scene name \"{}\" is no plain folder name; mend scene_id in "
                                   "the episodes file",
                                   scan));
    }
}

/// Keeps one NavMesh per distinct content: people repeat their walks, so frames often repeat.
class MeshPool {
  public:
    std::shared_ptr<const NavMesh> load(const std::filesystem::path& path) {
        return decode(read_ground_truth_file(path), path);
    }

    std::shared_ptr<const NavMesh> decode(std::string bytes, const std::filesystem::path& path) {
        const auto known = meshes_.find(bytes);
        if (known != meshes_.end()) return known->second;
        auto mesh = NavMesh::from_bytes(bytes, path);
        meshes_.emplace(std::move(bytes), mesh);
        return mesh;
    }

  private:
    std::unordered_map<std::string, std::shared_ptr<const NavMesh>> meshes_;
};

std::filesystem::path frame_path(const std::filesystem::path& folder, const std::string& scan,
                                 std::size_t frame) {
    return folder / fmt::format("{}_{:03}.navmesh", scan, frame);
}

std::filesystem::path pack_path(const std::filesystem::path& folder, const std::string& scan) {
    return folder / (scan + ".navmeshpack");
}

void load_frames_of_pack(SceneNavMeshes& scene, const std::filesystem::path& path,
                         const std::vector<bool>& frames, MeshPool& pool) {
    const std::string bytes = read_ground_truth_file(path);
    const nav::FramePack pack = nav::read_frame_pack(bytes, path);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (!frames[i]) continue;
        scene.frames[i] = pool.decode(std::string(pack.meshes[pack.mesh_of_frame[i]]), path);
    }
}

}  // namespace

std::filesystem::path nav::frame_pack_of(const std::filesystem::path& folder,
                                         const std::string& scan) {
    const auto pack = pack_path(folder, scan);
    if (!stands(pack)) return {};
    std::error_code unknown;
    const auto made = std::filesystem::last_write_time(pack, unknown);
    if (unknown) return pack;
    for (std::size_t i = 0; i < kFrameCount; ++i) {
        std::error_code absent;
        const auto path = frame_path(folder, scan, i);
        const auto written = std::filesystem::last_write_time(path, absent);
        if (!absent && written > made) {
            throw ground_truth_error(pack, fmt::format("is older than {}: make it again with "
                                                       "havln-navmesh pack, or delete it",
                                                       path.filename().string()));
        }
    }
    return pack;
}

std::filesystem::path pack_scene_frames(const std::filesystem::path& folder) {
    const std::string scan = folder.filename().string();
    std::vector<std::string> frames;
    for (std::size_t i = 0; i < kFrameCount; ++i) {
        const auto path = frame_path(folder, scan, i);
        frames.push_back(read_ground_truth_file(path));
        NavMesh::from_bytes(frames.back(), path);  // a broken frame is not worth packing
    }
    const auto pack = pack_path(folder, scan);
    write_file_atomically(pack, nav::write_frame_pack(frames));
    return pack;
}

const NavMesh& SceneNavMeshes::frame(int index) const {
    const std::size_t slot = frames.size() == 1 ? 0 : static_cast<std::size_t>(index);
    if (index < 0 || slot >= frames.size() || frames[slot] == nullptr) {
        throw ground_truth_error(
            folder, fmt::format("the navmesh of scene {} for frame {} is needed but not loaded",
                                scan, index));
    }
    return *frames[slot];
}

std::shared_ptr<const SceneNavMeshes> load_scene_navmeshes(const std::filesystem::path& data_root,
                                                           const std::string& scan,
                                                           const std::vector<bool>& frames,
                                                           bool with_static) {
    check_scan_name(data_root, scan);
    HAVLN_CHECK(frames.size() <= kFrameCount);
    const auto static_path = data_root / "scene_datasets" / "mp3d" / scan / (scan + ".navmesh");
    auto scene = std::make_shared<SceneNavMeshes>();
    scene->scan = scan;
    scene->folder = data_root / "recompute_navmesh" / scan;
    MeshPool pool;
    if (frames.empty()) {
        scene->folder = static_path.parent_path();
        scene->without_people = pool.load(static_path);
        scene->frames = {scene->without_people};
        return scene;
    }
    scene->frames.resize(kFrameCount);
    if (const auto pack = nav::frame_pack_of(scene->folder, scan); !pack.empty()) {
        load_frames_of_pack(*scene, pack, frames, pool);
    } else {
        for (std::size_t i = 0; i < frames.size(); ++i) {
            if (frames[i]) scene->frames[i] = pool.load(frame_path(scene->folder, scan, i));
        }
    }
    if (with_static && stands(static_path)) {
        scene->without_people = pool.load(static_path);
    }
    return scene;
}

}  // namespace havln
