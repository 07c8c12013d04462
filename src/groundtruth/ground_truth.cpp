#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <mutex>
#include <system_error>
#include <utility>

#include "groundtruth/dataset.h"
#include "groundtruth/fields.h"
#include "groundtruth/people.h"
#include "havln/error.h"
#include "havln/groundtruth.h"
#include "io/escape.h"
#include "io/file.h"

namespace havln {

namespace {

namespace fs = std::filesystem;

/// A file that is loaded at most once, whoever asks first; a failed load is tried again.
template <typename T>
class Once {
  public:
    template <typename Load>
    std::shared_ptr<const T> get(Load&& load) {
        const std::lock_guard lock(mutex_);
        if (!value_) value_ = std::make_shared<const T>(load());
        return value_;
    }

  private:
    std::mutex mutex_;
    std::shared_ptr<const T> value_;
};

/// A file's text that may be read before it is asked for, which it is once.
class EarlyText {
  public:
    /// Does nothing where it was asked for already.
    void read_early(const fs::path& file) {
        const std::lock_guard lock(mutex_);
        if (!taken_ && !text_) text_ = read_ground_truth_text(file);
    }

    GroundTruthText take(const fs::path& file) {
        const std::lock_guard lock(mutex_);
        taken_ = true;
        if (!text_) return read_ground_truth_text(file);
        GroundTruthText text = std::move(*text_);
        text_.reset();
        return text;
    }

  private:
    std::mutex mutex_;
    bool taken_ = false;
    std::optional<GroundTruthText> text_;
};

std::uintmax_t size_or_none(const fs::path& file) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    return error ? 0 : size;
}

SplitFiles files_of(const std::optional<Dataset>& dataset, const fs::path& root,
                    const std::string& split) {
    return dataset ? find_dataset_files(dataset->episodes, split)
                   : official_split_files(root, split);
}

void check_root(const fs::path& root) {
    std::error_code error;
    const fs::file_status status = fs::status(root, error);
    constexpr std::string_view kExpected =
        "expected the data root, a folder that holds HA-R2R/, HA-R2R-tools/ and recompute_navmesh/";
    if (status.type() == fs::file_type::not_found) {
        throw ground_truth_error(root, fmt::format("does not exist; {}", kExpected));
    }
    if (status.type() == fs::file_type::none) {
        throw ground_truth_error(root, "cannot be opened: " + error.message());
    }
    if (status.type() != fs::file_type::directory) {
        throw ground_truth_error(root, fmt::format("is a file; {}", kExpected));
    }
    if (fs::is_directory(splits_folder(root), error)) return;
    const fs::path name = root.has_filename() ? root.filename() : root.parent_path().filename();
    throw ground_truth_error(
        root, fmt::format("has no folder HA-R2R; {}{}", kExpected,
                          name == splits_folder({}) ? ". Name the folder above this one" : ""));
}

}  // namespace

struct GroundTruth::Cache {
    struct People {
        PeopleByScan by_scan;
        std::string digest;
    };

    struct SplitSlot {
        Once<Split> split;
        EarlyText gt;
    };

    std::mutex mutex;  ///< Guards the map, not what it holds.
    std::map<std::string, std::unique_ptr<SplitSlot>, std::less<>> splits;
    Once<People> people;

    SplitSlot& slot_of(const std::string& split) {
        const std::lock_guard lock(mutex);
        std::unique_ptr<SplitSlot>& slot = splits[split];
        if (!slot) slot = std::make_unique<SplitSlot>();
        return *slot;
    }

    std::shared_ptr<const People> load_people(const fs::path& file) {
        return people.get([&] {
            GroundTruthText read = read_ground_truth_text(file);
            return People{read_people(read.text, file), std::move(read.sha256)};
        });
    }
};

AgentPose Episode::start_pose() const {
    const auto [x, y, z, w] = start_rotation_xyzw;
    return {to_float(start_position),
            {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z),
             static_cast<float>(w)}};
}

std::optional<std::size_t> Split::index_of(std::string_view episode_id) const {
    const auto found = by_id.find(episode_id);
    if (found == by_id.end()) return std::nullopt;
    return found->second;
}

bool Split::has_goals() const {
    return std::all_of(episodes.begin(), episodes.end(),
                       [](const Episode& episode) { return !episode.goals->empty(); });
}

GroundTruth::GroundTruth(std::filesystem::path root)
    : root_(std::move(root)), cache_(std::make_unique<Cache>()) {
    check_root(root_);
}

GroundTruth::GroundTruth(Dataset dataset)
    : root_(dataset.episodes), dataset_(std::move(dataset)), cache_(std::make_unique<Cache>()) {
    dataset_->split_name = find_dataset_files(dataset_->episodes, dataset_->split_name).name;
}

GroundTruth::~GroundTruth() = default;

std::vector<std::string> GroundTruth::split_names() const {
    if (dataset_) return {dataset_->split_name};
    std::vector<std::string> names;
    const fs::path folder = splits_folder(root_);
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (is_plain_name(name) &&
            !first_standing(entry->path(), episodes_file_names(name)).empty()) {
            names.push_back(name);
        }
    }
    if (error) throw ground_truth_error(folder, "cannot be listed: " + error.message());
    std::sort(names.begin(), names.end());
    return names;
}

std::shared_ptr<const Split> GroundTruth::split(const std::string& name) {
    if (!is_plain_name(name)) {
        throw usage_error({}, fmt::format("{} cannot be the name of a split", quote(name)));
    }
    if (dataset_ ? name != dataset_->split_name : !stands(splits_folder(root_) / name)) {
        const std::vector<std::string> known = split_names();
        throw ground_truth_error(
            dataset_ ? root_ : splits_folder(root_),
            fmt::format("has no split {}; it has {}", quote(name),
                        known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
    Cache::SplitSlot& slot = cache_->slot_of(name);
    return slot.split.get([&] {
        return load_split(files_of(dataset_, root_, name),
                          [&](const fs::path& gt) { return slot.gt.take(gt); });
    });
}

std::vector<std::function<void()>> GroundTruth::loading_pieces(
    std::span<const std::string> splits) {
    struct Sized {
        std::uintmax_t bytes;
        std::string name;
        fs::path gt;
    };
    std::vector<Sized> by_size;
    for (const std::string& name : splits) {
        if (!is_plain_name(name)) continue;
        try {
            SplitFiles files = files_of(dataset_, root_, name);
            const std::uintmax_t bytes = size_or_none(files.episodes) + size_or_none(files.gt);
            by_size.push_back({bytes, name, std::move(files.gt)});
        } catch (const Error&) {
            // Loading the split tells.
        }
    }
    std::stable_sort(by_size.begin(), by_size.end(),
                     [](const Sized& a, const Sized& b) { return a.bytes > b.bytes; });
    std::vector<std::function<void()>> pieces;
    for (const Sized& split : by_size) {
        pieces.emplace_back([this, name = split.name] { this->split(name); });
        if (split.gt.empty()) continue;
        pieces.emplace_back(
            [slot = &cache_->slot_of(split.name), gt = split.gt] { slot->gt.read_early(gt); });
    }
    return pieces;
}

SplitManifest GroundTruth::manifest_of(const std::string& name) {
    const std::shared_ptr<const Split> loaded = split(name);
    SplitManifest manifest;
    manifest.name = name;
    manifest.episode_ids.reserve(loaded->episodes.size());
    for (const Episode& episode : loaded->episodes) {
        manifest.episode_ids.push_back(episode.episode_id);
    }
    return manifest;
}

bool GroundTruth::has_people_file() const {
    return !dataset_ && stands(people_file(root_));
}

std::shared_ptr<const ScenePeople> GroundTruth::people(const std::string& scan) {
    if (!has_people_file()) return nullptr;
    const auto all = cache_->load_people(people_file(root_));
    const auto found = all->by_scan.find(scan);
    if (found != all->by_scan.end()) return found->second;
    auto nobody = std::make_shared<ScenePeople>();
    nobody->scan = scan;
    return nobody;
}

bool GroundTruth::names_people_of(const std::string& scan) {
    return has_people_file() && cache_->load_people(people_file(root_))->by_scan.contains(scan);
}

std::string GroundTruth::people_digest() {
    if (!has_people_file()) return {};
    return cache_->load_people(people_file(root_))->digest;
}

std::shared_ptr<const SceneNavMeshes> GroundTruth::load_navmeshes(const std::string& scan,
                                                                  const std::vector<bool>& frames,
                                                                  bool with_static) {
    if (!dataset_) return load_scene_navmeshes(root_, scan, frames, with_static);
    if (!frames.empty()) {
        throw ground_truth_error(root_, "has no people, so no navmeshes of their frames");
    }
    return load_dataset_navmesh(scan);
}

std::shared_ptr<const SceneNavMeshes> GroundTruth::load_dataset_navmesh(const std::string& scan) {
    const std::shared_ptr<const Split> split = this->split(dataset_->split_name);
    std::string scene_id;
    for (const Episode& episode : split->episodes) {
        if (episode.scan != scan || episode.scene_id == scene_id) continue;
        if (!scene_id.empty()) {
            throw ground_truth_error(split->episodes_file,
                                     fmt::format("two scenes have the same name: {} and {}",
                                                 quote(scene_id), quote(episode.scene_id)));
        }
        scene_id = episode.scene_id;
    }
    HAVLN_CHECK(!scene_id.empty());
    if (dataset_->scenes.empty()) {
        throw usage_error({}, fmt::format("the navmesh of scene {} is needed; name the folder of "
                                          "the scenes",
                                          quote(scene_id)));
    }
    // Some files repeat Habitat's default folder, which `scenes` stands for.
    constexpr std::string_view kDefaultFolder = "data/scene_datasets/";
    if (scene_id.starts_with(kDefaultFolder)) scene_id.erase(0, kDefaultFolder.size());
    const fs::path file = (dataset_->scenes / scene_id).replace_extension(".navmesh");
    auto scene = std::make_shared<SceneNavMeshes>();
    scene->scan = scan;
    scene->folder = file.parent_path();
    scene->without_people = NavMesh::load(file);
    scene->frames = {scene->without_people};
    return scene;
}

}  // namespace havln
