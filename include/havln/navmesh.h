#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "havln/geometry.h"

namespace havln {

/// Settings that a version 2 .navmesh file carries (world units [m] and degrees unless said).
struct NavMeshSettings {
    float cell_size_m = 0, cell_height_m = 0, agent_height_m = 0, agent_radius_m = 0;
    float agent_max_climb_m = 0, agent_max_slope_deg = 0;
    float region_min_size = 0, region_merge_size = 0;  ///< [voxels]
    float edge_max_len_m = 0, edge_max_error = 0, verts_per_poly = 0;
    float detail_sample_dist = 0, detail_sample_max_error = 0;
    bool filter_flags[4] = {};
    bool operator==(const NavMeshSettings&) const = default;
};

struct Bounds {
    Vec3f min, max;
    bool operator==(const Bounds&) const = default;
};

/// What `havln-navmesh info` shows of a mesh.
struct NavMeshStats {
    int format_version = 1;
    int tiles = 0;
    int polys = 0;           ///< All polygons, off-mesh connections included.
    int disabled_polys = 0;  ///< Polygons without the walkable flag after loading.
    int verts = 0;
    int off_mesh_links = 0;
    int islands = 0;  ///< All connected components.
    int islands_with_walkable_poly = 0;
    float navigable_area_m2 = 0;  ///< float32 sum over walkable polygons in index order.
    Bounds bounds;
    std::vector<float> island_radii_m;  ///< By island, in the order of discovery.
};

/// A walkable-polygon mesh loaded from a Habitat .navmesh file: immutable, shared between threads.
/// Loading checks every size, count and index before Detour sees a byte, disables polygons below
/// 1e-5 m2 and labels the islands, as Habitat 0.1.7's PathFinder does.
class NavMesh {
  public:
    /// @param bytes  the file's content, format version 1 or 2.
    /// @param origin the file's path, for messages.
    /// @throws Error (kGroundTruth) that says what is wrong with the bytes.
    static std::shared_ptr<const NavMesh> from_bytes(std::string_view bytes,
                                                     const std::filesystem::path& origin);
    /// Reads the file and calls from_bytes. @throws Error (kGroundTruth), also where it is absent.
    static std::shared_ptr<const NavMesh> load(const std::filesystem::path& path);

    ~NavMesh();
    NavMesh(const NavMesh&) = delete;
    NavMesh& operator=(const NavMesh&) = delete;

    NavMeshStats stats() const;
    std::optional<NavMeshSettings> settings() const;  ///< Version 2 files only.

    /// Outline of every polygon, for drawing: vertices in order, island index, walkable or not.
    struct Polygon {
        std::vector<Vec3f> vertices;
        int island = 0;
        bool walkable = true;
    };
    std::vector<Polygon> polygons() const;

    struct Impl;  ///< Detour's side; complete in src/nav only.
    const Impl& impl() const { return *impl_; }

  private:
    NavMesh();
    std::unique_ptr<Impl> impl_;
};

/// Outcome of a shortest-path query.
enum class PathStatus : std::uint8_t {
    kFound,
    kStartOffMesh,
    kEndOffMesh,
    kDifferentIslands,
    kCorridorIncomplete,   ///< Detour's corridor is partial, over 256 polygons, or out of nodes.
    kStraightPathTooLong,  ///< 256 points or more.
};

struct PathResult {
    PathStatus status = PathStatus::kStartOffMesh;
    float distance_m = 0;       ///< Geodesic length; meaningful only when found.
    std::vector<Vec3f> points;  ///< Corners, start and end included; empty unless found.
    bool found() const { return status == PathStatus::kFound; }
};

/// What the move filter did with one wanted step.
struct FilterResult {
    Vec3f position;         ///< Where the agent ends, after Habitat's final float32 round trip.
    bool collided = false;  ///< The step was shortened (see docs of the rule in replay).
};

/// Queries on meshes, one object per thread: it owns Detour's node pool and is rebound to another
/// mesh at little cost. Not thread-safe; the mesh bound last must stay alive while it is used.
class NavMeshQuery {
  public:
    NavMeshQuery();
    ~NavMeshQuery();
    NavMeshQuery(NavMeshQuery&&) noexcept;
    NavMeshQuery& operator=(NavMeshQuery&&) noexcept;

    /// Makes `mesh` the subject of the queries that follow. Cheap when it is bound already.
    void bind(const NavMesh& mesh);

    /// Habitat's move filter: the position reached from `start` when `end` is wanted [m].
    /// `start == end` is a turn. Bit-equal to Habitat-Sim 0.1.7's PathFinder::tryStep /
    /// tryStepNoSliding followed by its agent's position update.
    FilterResult filter_step(const Vec3f& start, const Vec3f& end, bool sliding);

    /// The filter's raw answer, tryStep's own return value (before the agent's round trip).
    Vec3f try_step(const Vec3f& start, const Vec3f& end, bool sliding);

    /// Nearest point on the mesh within (2, 4, 2) m half-extents.
    std::optional<Vec3f> snap(const Vec3f& point);
    /// Projection within 0.5 m vertically and 1e-2 m horizontally.
    bool is_navigable(const Vec3f& point);
    /// Horizontal distance to the nearest wall from the projected point [m], `max_radius_m` at
    /// most; infinity off the mesh.
    float distance_to_closest_obstacle_m(const Vec3f& point, float max_radius_m = 2.0f);
    /// Radius of the island that `point` projects onto [m]; 0 off the mesh.
    float island_radius_m(const Vec3f& point);
    /// Index of the island that `point` projects onto.
    std::optional<int> island(const Vec3f& point);
    /// Shortest path on the mesh, as Habitat's findPath with its 256-polygon corridor.
    PathResult find_path(const Vec3f& start, const Vec3f& end);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Name and version of the path finder in use, for signatures.
std::string path_finder_version();

}  // namespace havln
