#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace havln {

enum class FileState : std::uint8_t {
    kAbsent,
    kSound,
    kBroken,  ///< Present but unreadable, or with values that cannot be.
};

/// How a file compares with the one that was published.
enum class ReleaseMatch : std::uint8_t { kNotPublished, kEqual, kDiffers };

/// One file of the data root.
struct CheckedFile {
    std::filesystem::path path;  ///< Below the data root; the expected one where it is absent.
    FileState state = FileState::kAbsent;
    std::string sha256;  ///< Of the bytes on disk; empty where it is absent or unreadable.
    ReleaseMatch release = ReleaseMatch::kNotPublished;
    std::string fault;  ///< What is wrong with a broken file, and where.
};

/// Navmeshes of the scenes of one split.
struct CheckedNavMeshes {
    std::size_t scenes_complete = 0;
    std::size_t scenes_packed = 0;  ///< Of these, scenes whose frames stand in a .navmeshpack.
    std::vector<std::string> scenes_missing;  ///< Scans without a navmesh, or without all frames.
    std::vector<std::string> faults;          ///< Broken ones; found only where they are loaded.
};

/// What can be done with one split, and what stands in the way.
struct CheckedSplit {
    std::string name;
    CheckedFile episodes, baselines, gt;
    std::size_t episode_count = 0;
    std::vector<std::string> scans;  ///< Sorted.
    bool has_goals = false;
    /// Ids equal those of the challenge's manifest; absent for splits that it does not name.
    std::optional<bool> official_ids;
    CheckedNavMeshes with_people, without_people;
    std::size_t scenes_with_people = 0;  ///< Scenes that human_motion.json names.
    /// Those that it does not name, with their episodes. Empty where there is no sound such file.
    std::map<std::string, std::size_t> scans_without_people;
    bool released = false;     ///< Can be scored, every blocked step counted.
    bool contact = false;      ///< Can be scored by contact with people, too.
    bool attribution = false;  ///< Can tell what blocked each step, in every scene.
    bool ndtw = false;         ///< Has reference locations for every episode.
    /// Why `released` is false, or `contact`; in the order in which to mend it.
    std::vector<std::string> obstacles;
};

struct DataCheck {
    std::filesystem::path root;
    CheckedFile people;
    std::vector<CheckedSplit> splits;  ///< Sorted by name.
    /// Nothing that is present is broken.
    bool sound() const;
};

/// Looks at everything of the official layout below `root`.
/// @param load_navmeshes  load every navmesh instead of only looking whether it is there.
/// @throws Error (kGroundTruth) where `root` is no data root at all.
DataCheck check_data_root(const std::filesystem::path& root, bool load_navmeshes = false);

}  // namespace havln
