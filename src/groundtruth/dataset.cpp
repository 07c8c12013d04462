#include "groundtruth/dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "groundtruth/episodes.h"
#include "groundtruth/fields.h"
#include "havln/error.h"
#include "io/escape.h"
#include "io/file.h"
#include "io/sha256.h"

namespace havln {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kContentFolder = "content";

bool strip_suffix(std::string& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.resize(text.size() - suffix.size());
    return true;
}

bool is_json_name(std::string_view name) {
    return name.ends_with(".json") || name.ends_with(".json.gz");
}

/// A file's name without ".json.gz" or ".json".
std::string stem_of(const fs::path& file) {
    std::string name = file.filename().string();
    strip_suffix(name, ".gz");
    strip_suffix(name, ".json");
    return name;
}

/// "val_unseen" for "val_unseen_guide" and "val_unseen_bertidx".
std::string split_name_of(std::string stem) {
    strip_suffix(stem, "_bertidx");
    if (!strip_suffix(stem, "_guide")) strip_suffix(stem, "_follower");
    return stem;
}

std::vector<fs::path> content_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with('.') && is_json_name(name)) files.push_back(entry->path());
    }
    if (error) throw ground_truth_error(folder, "cannot be listed: " + error.message());
    std::sort(files.begin(), files.end());
    return files;
}

fs::path episodes_in_folder(const fs::path& folder, const std::string& name) {
    std::vector<std::string> names;
    for (const char* ending : {".json.gz", ".json"}) {
        for (const char* kind : {"", "_bertidx", "_guide"}) {
            names.push_back(name + kind + ending);
        }
    }
    const fs::path found = first_standing(folder, names);
    if (found.empty()) {
        throw ground_truth_error(
            folder, fmt::format("holds no episodes; expected one of {}", fmt::join(names, ", ")));
    }
    return found;
}

/// Reads the split's files one after the other.
class SplitLoader {
  public:
    SplitLoader(const SplitFiles& files, const ReadText& read_gt)
        : files_(files), read_gt_(read_gt) {}

    Split load() {
        split_.name = files_.name;
        split_.episodes_file = files_.episodes;
        split_.baselines_file = files_.baselines;
        split_.gt_file = files_.gt;
        read_all_episodes();
        if (split_.episodes.empty()) {
            throw ground_truth_error(files_.episodes,
                                     "holds no episode; a split needs at least one");
        }
        if (!files_.baselines.empty()) {
            read_baselines(read(files_.baselines, "baselines"), files_.baselines, split_);
        }
        if (!files_.gt.empty()) {
            read_gt_locations(text_of(read_gt_(files_.gt), "gt"), files_.gt, split_);
        }
        split_.digest = digest_.hex();
        return std::move(split_);
    }

  private:
    std::string read(const fs::path& file, std::string_view role) {
        return text_of(read_ground_truth_text(file), role);
    }

    std::string text_of(GroundTruthText content, std::string_view role) {
        digest_.update(fmt::format("{}  {}\n", content.sha256, role));
        return std::move(content.text);
    }

    void read_all_episodes() {
        GoalsByCategory goals;
        std::vector<std::string> scenes;  // by episode: name of its content file
        const auto add = [&](const fs::path& file, std::string_view role) {
            for (Episode& episode : read_episodes(read(file, role), file, goals)) {
                split_.episodes.push_back(std::move(episode));
                scenes.push_back(stem_of(file));
            }
        };
        add(files_.episodes, "episodes");
        for (const fs::path& file : files_.content) {
            add(file, fmt::format("content/{}", file.filename().string()));
        }
        if (!index_ids()) {
            for (std::size_t i = 0; i < scenes.size(); ++i) {
                std::string& id = split_.episodes[i].episode_id;
                id = fmt::format("{}/{}", scenes[i], id);
            }
            HAVLN_CHECK(index_ids());  // distinct within each file, and a name has no '/'
        }
    }

    /// False where files repeat each other's ids.
    bool index_ids() {
        split_.by_id.clear();
        for (std::size_t i = 0; i < split_.episodes.size(); ++i) {
            if (!split_.by_id.emplace(split_.episodes[i].episode_id, i).second) return false;
        }
        return true;
    }

    const SplitFiles& files_;
    const ReadText& read_gt_;
    Split split_;
    Sha256 digest_;
};

}  // namespace

GroundTruthText read_ground_truth_text(const fs::path& path) {
    std::string bytes = read_ground_truth_file(path);
    std::string digest = sha256_hex(bytes);
    if (path.extension() == ".gz") bytes = gunzip(bytes, path);
    return {std::move(bytes), std::move(digest)};
}

Split load_split(const SplitFiles& files, const ReadText& read_gt) {
    return SplitLoader(files, read_gt).load();
}

SplitFiles find_dataset_files(const fs::path& path, const std::string& name) {
    SplitFiles files;
    std::error_code error;
    fs::path given = path.has_filename() ? path : path.parent_path();
    const fs::file_status status = fs::status(given, error);
    if (status.type() == fs::file_type::not_found) {
        throw ground_truth_error(path,
                                 "does not exist; expected an episodes file (.json.gz or "
                                 ".json) or the folder of a split");
    }
    if (status.type() == fs::file_type::directory) {
        if (given.filename() == kContentFolder) given = given.parent_path();
        const fs::path full = fs::absolute(given).lexically_normal();
        files.episodes = episodes_in_folder(
            given, (full.has_filename() ? full : full.parent_path()).filename().string());
    } else {
        files.episodes = given;
    }
    std::string stem = stem_of(files.episodes);
    files.name = name.empty() ? split_name_of(stem) : name;
    if (!is_plain_name(files.name)) {
        throw usage_error({}, fmt::format("{} cannot be the name of a split", quote(files.name)));
    }
    const fs::path folder = files.episodes.parent_path();
    if (fs::is_directory(folder / kContentFolder, error)) {
        files.content = content_files(folder / kContentFolder);
    }
    strip_suffix(stem, "_bertidx");
    files.gt = first_standing(folder, {stem + "_gt.json.gz", stem + "_gt.json"});
    return files;
}

Split load_split_file(const fs::path& path, const std::string& name) {
    return load_split(find_dataset_files(path, name));
}

}  // namespace havln
