#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "havln/contract.h"
#include "havln/geometry.h"
#include "havln/replay.h"
#include "havln/scene.h"

namespace havln {

/// A place to reach. ObjectNav goals carry the view points from which the object counts as found.
struct Goal {
    Vec3d position;                  ///< [m], world frame.
    double radius_m = 0;             ///< As the file gives it; 0 where it gives none.
    std::vector<Vec3d> view_points;  ///< Agent positions [m]; empty but for ObjectNav.
    std::string category;            ///< Object category; empty but for ObjectNav and BSC-Nav.
};

/// An id that files give as a number or a string; written back as it came.
struct FileId {
    std::string text;
    bool is_number = false;
    bool operator==(const FileId&) const = default;
};

/// One episode of a split.
struct Episode {
    std::string episode_id;  ///< Decimal text where the file gives a number.
    std::optional<FileId> trajectory_id;
    std::string scene_id;  ///< As the file gives it, "mp3d/<scan>/<scan>.glb".
    std::string scan;      ///< File name of scene_id without folder and ending.
    Vec3d start_position;  ///< [m].
    std::array<double, 4> start_rotation_xyzw = {0, 0, 0, 1};
    /// Never null; empty where the episode has no goals. May be shared between episodes.
    std::shared_ptr<const std::vector<Goal>> goals;
    std::vector<Vec3d> reference_path;          ///< [m]; may be empty.
    std::optional<double> geodesic_distance_m;  ///< info.geodesic_distance; absent where null.
    std::string instruction;                    ///< instruction.instruction_text; may be empty.
    std::string instruction_id;                 ///< RxR-CE; empty elsewhere.
    std::string language;                       ///< RxR-CE, e.g. "en-US"; empty elsewhere.
    std::string role;                           ///< RxR-CE, "guide" or "follower"; empty elsewhere.
    std::string object_category;                ///< ObjectNav; empty where goals are places.

    /// The start as the simulator holds it: each component rounded to float32.
    AgentPose start_pose() const;
};

/// A split's ground truth, immutable once loaded.
struct Split {
    std::string name;
    std::vector<Episode> episodes;  ///< In file order, which is the order of all sums.
    /// By episode: unavoidable-collision baseline b_i, >= 0. Empty where the file is absent.
    std::vector<std::int64_t> baselines;
    /// By episode: recorded reference locations [m]; empty where there is no _gt file, an empty
    /// inner list where the file lacks the episode.
    std::vector<std::vector<Vec3d>> gt_locations;
    std::filesystem::path episodes_file, baselines_file, gt_file;  ///< Empty where absent.
    /// Names the ground truth in signatures: sha256 (hex) over one line "SHA256  ROLE\n" for each
    /// file present, ROLE being episodes, baselines, gt in this order, SHA256 that of the file's
    /// bytes on disk as sha256sum prints it.
    std::string digest;

    std::optional<std::size_t> index_of(std::string_view episode_id) const;
    bool has_goals() const;  ///< Every episode has at least one goal.

    /// Index of every episode in `episodes`.
    std::map<std::string, std::size_t, std::less<>> by_id;
};

/// Loads a split of another benchmark from its episodes file, or from the folder that holds it:
/// R2R-CE (SPLIT.json.gz), RxR-CE (SPLIT_guide.json.gz; the follower's file must be named itself),
/// ObjectNav (SPLIT.json.gz with content/SCENE.json.gz beside it, or one of those alone), and any
/// file of such records whose goals are places. What it is shows in the records, not in a setting.
///
/// An episode without places for goals looks for its object_category: its goals are those of
/// goals_by_category["SCENE.glb_CATEGORY"], one list shared by all its episodes. Episodes with a
/// category that lack an id, or share one within a file, are numbered by their place in the file,
/// as Habitat does; where files repeat each other's ids, ids become "SCENE/ID", SCENE being the
/// content file's name. Content files follow the main file, sorted by name.
///
/// gt locations are read from the file beside it named like it with "_gt".
/// @param name  of the split; empty: the file's name without endings, "_bertidx" and role.
/// @throws Error (kGroundTruth) as GroundTruth::split does.
Split load_split_file(const std::filesystem::path& path, const std::string& name = {});

/// A data set of another benchmark, which has no people.
struct Dataset {
    std::filesystem::path episodes;  ///< As load_split_file takes it.
    /// Folder that scene ids are relative to ("data/scene_datasets" in Habitat): the navmesh of
    /// scene "a/b.glb" is a/b.navmesh in it. May be empty where no navmesh is needed.
    std::filesystem::path scenes;
    std::string split_name;  ///< As load_split_file takes it.
};

/// The official data root. Files are read when first asked for, once, and kept; what is handed out
/// is immutable. Every member function may be called from several threads at once.
///
/// Where a file may stand under several names, the first of these is taken:
/// episodes  HA-R2R/SPLIT/: SPLIT.json.gz, SPLIT_bertidx.json.gz, SPLIT.json, SPLIT_bertidx.json;
/// gt        HA-R2R/SPLIT/: SPLIT_gt.json.gz, SPLIT_gt.json.
///
/// Missing and broken files throw Error (kGroundTruth): it names the file, the place in it (line,
/// column and JSON pointer), what was expected and what was found.
class GroundTruth {
  public:
    /// @throws Error (kGroundTruth) where `root` is not a folder with an HA-R2R folder in it.
    explicit GroundTruth(std::filesystem::path root);
    /// A data set of another benchmark in place of a data root: one split, no people.
    explicit GroundTruth(Dataset dataset);
    ~GroundTruth();

    /// The data root, or the data set's episodes.
    const std::filesystem::path& root() const { return root_; }

    /// Names of the splits with an episodes file under HA-R2R, sorted. They may prove broken.
    std::vector<std::string> split_names() const;

    /// The split with its baselines and gt locations where their files are present. A split
    /// without goals (`test`) loads; scoring it is for the caller to refuse.
    /// @throws Error (kUsage) where `name` has a path separator or the like; (kGroundTruth) where
    ///         the split is missing or one of its files is broken.
    std::shared_ptr<const Split> split(const std::string& name);

    /// Ids of the split as a manifest entry (for havln-validate --data). Its human_influenced is
    /// absent: the data root does not tell.
    SplitManifest manifest_of(const std::string& split);

    bool has_people_file() const;
    /// People of one scene: null where human_motion.json is absent; empty people where the file
    /// does not name the scan. @throws Error (kGroundTruth) where the file is broken.
    std::shared_ptr<const ScenePeople> people(const std::string& scan);
    /// human_motion.json names the scan, be it with an empty list. False where there is no file.
    /// @throws Error (kGroundTruth) where the file is broken.
    bool names_people_of(const std::string& scan);
    /// sha256 (hex) of human_motion.json's bytes; empty where it is absent.
    /// @throws Error (kGroundTruth) where the file is broken.
    std::string people_digest();

    /// The loading of these splits in pieces that may run side by side or be left out: whoever
    /// asks for a split then need not wait. The longest come first. Each throws as asking does;
    /// what is missing has none. @pre the ground truth outlives the pieces.
    std::vector<std::function<void()>> loading_pieces(std::span<const std::string> splits);

    /// Navmeshes of one scene for the frames asked for (true = needed), freshly loaded: the
    /// caller's shared_ptr keeps them alive. See load_scene_navmeshes. A data set of another
    /// benchmark has only the one without people: it is loaded for empty `frames`.
    /// @throws Error (kGroundTruth).
    std::shared_ptr<const SceneNavMeshes> load_navmeshes(const std::string& scan,
                                                         const std::vector<bool>& frames,
                                                         bool with_static);

  private:
    struct Cache;
    std::shared_ptr<const SceneNavMeshes> load_dataset_navmesh(const std::string& scan);

    std::filesystem::path root_;
    std::optional<Dataset> dataset_;
    std::unique_ptr<Cache> cache_;
};

}  // namespace havln
