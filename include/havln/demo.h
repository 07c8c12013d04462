#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace havln {

/// What was written into a demo's data root.
struct DemoSummary {
    struct SplitFacts {
        std::string name;
        std::size_t episodes = 0;
        std::uint64_t human_influenced = 0;  ///< CR's denominator, as manifest.json has it.
    };
    std::vector<SplitFacts> splits;
    std::size_t scenes = 0;
    std::size_t people = 0;
    std::vector<std::string> submissions;  ///< File names in submissions/.
};

/// Writes a small synthetic data root in the official layout into `root`: three homes with people,
/// split `demo`, and the submissions hasty.zip, careful.zip and faulty.zip. README.md in it
/// explains all of it. The same bytes every time, whatever `threads`.
/// @throws Error (kUsage) where a file cannot be written.
DemoSummary write_demo(const std::filesystem::path& root, unsigned threads);

/// Writes a data root of the size of the challenge's phase 1, for benchmarks: 60 scenes, splits
/// val_seen and val_unseen with the official ids, and the submissions recorded.zip (reference
/// walks), mixed.zip (20 to 500 actions) and long.zip (500 each). Deterministic as above.
/// @param scale  that many times as many scenes and episodes; at least 1. Ids go on counting.
DemoSummary write_full_set(const std::filesystem::path& root, unsigned threads,
                           std::size_t scale = 1);

/// A folder made beside its place and moved there as a whole, or not at all.
class StagedFolder {
  public:
    /// @param target   where the folder shall be. A folder that is not empty is refused, unless
    ///                 `replace` is set and it holds nothing but a demo's files.
    /// @throws Error (kUsage) that says why it cannot be.
    StagedFolder(const std::filesystem::path& target, bool replace);
    /// Removes what was not moved into place.
    ~StagedFolder();
    StagedFolder(const StagedFolder&) = delete;
    StagedFolder& operator=(const StagedFolder&) = delete;

    const std::filesystem::path& path() const { return staging_; }
    /// Moves the folder into its place. @throws Error (kUsage); the place is as it was then.
    void commit();

  private:
    std::filesystem::path target_, staging_;
};

}  // namespace havln
