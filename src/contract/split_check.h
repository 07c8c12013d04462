#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "contract/file_report.h"
#include "havln/contract.h"
#include "io/json_stream.h"

namespace havln {

/// Finds ids of every known split; the tables are built when first asked for.
/// @pre the manifest outlives the index.
class ManifestIndex {
  public:
    explicit ManifestIndex(const Manifest& manifest);

    const Manifest& manifest() const { return manifest_; }
    /// Position in the manifest of the split of that name.
    std::optional<std::size_t> split(std::string_view name) const;
    const SplitManifest& facts(std::size_t split) const { return manifest_.splits[split]; }
    /// Position of the id in the split's list.
    std::optional<std::size_t> id(std::size_t split, std::string_view episode_id);

  private:
    using Table = std::unordered_map<std::string_view, std::size_t>;
    const Manifest& manifest_;
    std::vector<std::optional<Table>> tables_;
};

/// Checks the ids of one prediction against its split: each exactly once, none besides.
class SplitCheck {
  public:
    /// @pre `index` and `report` outlive the check.
    SplitCheck(ManifestIndex& index, std::size_t split, FileReport& report);

    /// Takes the id of the report's current episode and reports it where it is unknown or stands
    /// twice.
    /// @return whether it is official and new.
    bool take(std::string_view episode_id, TextPlace place);
    /// The same for files of another shape. @param pointer  gives the id's JSON pointer.
    bool take(std::string_view episode_id, TextPlace place,
              const std::function<std::string()>& pointer);

    /// Reports the ids that did not come. @param place  of the list of episodes.
    void finish(TextPlace place, std::string_view pointer = "/episodes");

  private:
    struct Seen {
        bool yes = false;
        TextPlace place;
    };
    std::string unknown_hint(std::string_view episode_id);
    std::string other_split_hint();
    void note_unknown(std::string_view episode_id);

    ManifestIndex& index_;
    std::size_t split_;
    FileReport& report_;
    std::vector<Seen> seen_;                       ///< By official id.
    std::vector<std::vector<bool>> seen_unknown_;  ///< By split, by its ids: came as unknown here.
};

/// Ids as ranges where they are consecutive numbers: "1-10, 15 and 3 more".
std::string id_ranges(const std::vector<std::string_view>& ids);

}  // namespace havln
