#include "havln/data_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "groundtruth/dataset.h"
#include "groundtruth/people.h"
#include "havln/contract.h"
#include "havln/error.h"
#include "havln/groundtruth.h"
#include "havln/navmesh.h"
#include "havln/scene.h"
#include "io/embedded.h"
#include "io/file.h"
#include "io/json_tree.h"
#include "io/sha256.h"
#include "nav/frame_pack.h"

namespace havln {

namespace fs = std::filesystem;

extern const EmbeddedFile released_files[];

namespace {

/// sha256 of a published file of the data root; empty where none was published.
std::string published_sha256(const fs::path& relative) {
    const JsonTree tree = JsonTree::parse(released_files[0].bytes, "released/files.json", 4);
    const JsonTree* digest = tree.find("files")->find(relative.generic_string());
    return digest == nullptr ? std::string() : digest->string();
}

class Checker {
  public:
    Checker(const fs::path& root, bool load_navmeshes)
        : root_(root), load_navmeshes_(load_navmeshes), ground_truth_(root) {}

    DataCheck check() {
        DataCheck result;
        result.root = root_;
        const fs::path people = people_file(root_);
        result.people = look_at(people);
        if (result.people.state == FileState::kSound) {
            guard(result.people,
                  [&] { people_ = read_people(read_ground_truth_text(people).text, people); });
        }
        for (const std::string& name : ground_truth_.split_names()) {
            result.splits.push_back(check_split(name, result.people));
        }
        return result;
    }

  private:
    /// Presence and digest; what is in the file is for the caller to check.
    CheckedFile look_at(const fs::path& path) const {
        CheckedFile file;
        file.path = path.lexically_relative(root_);
        if (!stands(path)) return file;
        file.state = FileState::kSound;
        guard(file, [&] { file.sha256 = sha256_hex(read_ground_truth_file(path)); });
        const std::string published = published_sha256(file.path);
        if (!published.empty() && !file.sha256.empty()) {
            file.release = published == file.sha256 ? ReleaseMatch::kEqual : ReleaseMatch::kDiffers;
        }
        return file;
    }

    /// Runs a check of the file's content and keeps what it finds wrong.
    template <typename Check>
    static void guard(CheckedFile& file, Check&& check) {
        try {
            check();
        } catch (const Error& error) {
            if (error.code() != ExitCode::kGroundTruth) throw;
            file.state = FileState::kBroken;
            file.fault = error.detail();
        }
    }

    CheckedSplit check_split(const std::string& name, const CheckedFile& people) const {
        CheckedSplit result;
        result.name = name;
        SplitFiles files = official_split_files(root_, name);
        const fs::path baselines = std::exchange(files.baselines, {});
        const fs::path gt = std::exchange(files.gt, {});
        result.episodes = look_at(files.episodes);
        result.baselines = look_at(baselines_file(root_, name));
        result.gt = look_at(gt.empty() ? gt_file(root_, name) : gt);
        Split split;
        guard(result.episodes, [&] { split = load_split(files); });
        if (result.episodes.state == FileState::kSound) {
            check_parts(result, files, baselines, gt);
            describe(result, split);
            if (people.state == FileState::kSound) find_scans_without_people(result, split);
            check_navmeshes(result);
        }
        judge(result, people);
        return result;
    }

    /// Each part on its own, so that one fault does not hide the next.
    static void check_parts(CheckedSplit& result, const SplitFiles& files,
                            const fs::path& baselines, const fs::path& gt) {
        if (result.baselines.state == FileState::kSound) {
            SplitFiles part = files;
            part.baselines = baselines;
            guard(result.baselines, [&] { load_split(part); });
        }
        if (result.gt.state != FileState::kSound) return;
        SplitFiles part = files;
        part.gt = gt;
        guard(result.gt, [&] {
            const Split split = load_split(part);
            result.ndtw = std::none_of(split.gt_locations.begin(), split.gt_locations.end(),
                                       [](const auto& points) { return points.empty(); });
        });
    }

    void describe(CheckedSplit& result, const Split& split) const {
        result.episode_count = split.episodes.size();
        result.has_goals = split.has_goals();
        std::set<std::string> scans;
        for (const Episode& episode : split.episodes) scans.insert(episode.scan);
        result.scans.assign(scans.begin(), scans.end());
        for (const std::string& scan : result.scans) {
            if (people_.contains(scan)) ++result.scenes_with_people;
        }
        const SplitManifest* official = manifest_.find(result.name);
        if (official == nullptr) return;
        std::set<std::string> ids;
        for (const Episode& episode : split.episodes) ids.insert(episode.episode_id);
        result.official_ids = ids == std::set<std::string>(official->episode_ids.begin(),
                                                           official->episode_ids.end());
    }

    void find_scans_without_people(CheckedSplit& result, const Split& split) const {
        for (const Episode& episode : split.episodes) {
            if (!people_.contains(episode.scan)) ++result.scans_without_people[episode.scan];
        }
    }

    void check_navmeshes(CheckedSplit& result) const {
        for (const std::string& scan : result.scans) {
            const fs::path frames = root_ / "recompute_navmesh" / scan;
            if (!check_pack(result.with_people, scan, frames)) {
                std::vector<fs::path> files;
                for (int frame = 0; frame < kFrameCount; ++frame) {
                    files.push_back(frames / fmt::format("{}_{:03}.navmesh", scan, frame));
                }
                check_scene(result.with_people, scan, files);
            }
            check_scene(result.without_people, scan,
                        {root_ / "scene_datasets" / "mp3d" / scan / (scan + ".navmesh")});
        }
    }

    /// False where the scene has no pack of its frames.
    bool check_pack(CheckedNavMeshes& result, const std::string& scan,
                    const fs::path& frames) const {
        try {
            if (nav::frame_pack_of(frames, scan).empty()) return false;
            if (load_navmeshes_) {
                load_scene_navmeshes(root_, scan, std::vector<bool>(kFrameCount, true), false);
            }
            ++result.scenes_complete;
            ++result.scenes_packed;
        } catch (const Error& error) {
            result.faults.push_back(fmt::format(
                "{}: {}", error.path().lexically_relative(root_).string(), error.detail()));
        }
        return true;
    }

    void check_scene(CheckedNavMeshes& result, const std::string& scan,
                     const std::vector<fs::path>& files) const {
        if (!std::all_of(files.begin(), files.end(), stands)) {
            result.scenes_missing.push_back(scan);
            return;
        }
        bool sound = true;
        for (const fs::path& file : files) {
            if (!load_navmeshes_) break;
            try {
                NavMesh::load(file);
            } catch (const Error& error) {
                result.faults.push_back(
                    fmt::format("{}: {}", file.lexically_relative(root_).string(), error.detail()));
                sound = false;
            }
        }
        if (sound) ++result.scenes_complete;
    }

    static void judge(CheckedSplit& result, const CheckedFile& people) {
        const auto obstacle = [&](const std::string& text) { result.obstacles.push_back(text); };
        const auto need = [&](const CheckedFile& file) {
            if (file.state == FileState::kSound) return true;
            obstacle(fmt::format("{} is {}", file.path.string(),
                                 file.state == FileState::kBroken ? "broken" : "missing"));
            return false;
        };
        bool can = need(result.episodes);
        if (can && !result.has_goals) {
            obstacle("its episodes have no goals: it can be validated, not scored");
            can = false;
        }
        can = need(result.baselines) && can;
        const std::size_t lacking = result.scans.size() - result.with_people.scenes_complete;
        if (lacking > 0) {
            const char* rest =
                lacking < result.scans.size() ? "; the others can be scored with --scenes" : "";
            obstacle(fmt::format("recompute_navmesh lacks sound navmeshes of {} of {} scenes{}",
                                 lacking, result.scans.size(), rest));
            can = false;
        }
        result.released = can;
        result.contact = need(people) && can;
        result.attribution = can && result.without_people.scenes_complete == result.scans.size();
    }

    const fs::path root_;
    const bool load_navmeshes_;
    GroundTruth ground_truth_;
    const Manifest manifest_ = builtin_manifest();
    PeopleByScan people_;
};

}  // namespace

bool DataCheck::sound() const {
    const auto broken = [](const CheckedFile& file) { return file.state == FileState::kBroken; };
    return !broken(people) &&
           std::none_of(splits.begin(), splits.end(), [&](const CheckedSplit& split) {
               return broken(split.episodes) || broken(split.baselines) || broken(split.gt) ||
                      !split.with_people.faults.empty() || !split.without_people.faults.empty();
           });
}

DataCheck check_data_root(const std::filesystem::path& root, bool load_navmeshes) {
    return Checker(root, load_navmeshes).check();
}

}  // namespace havln
