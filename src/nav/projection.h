#pragma once

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>

#include <optional>
#include <vector>

#include "havln/geometry.h"

namespace havln::nav {

/// Nearest point on the mesh.
struct Projection {
    dtPolyRef ref = 0;  ///< 0 where there is none within reach.
    Vec3f point;
    /// The projected point lies in the polygon, seen from above. False where that is not known.
    bool over = false;
};

/// dtNavMeshQuery::findNearestPoly within Habitat's half-extents of (2, 4, 2) m, by the stock call.
Projection project_by_detour(const dtNavMeshQuery& query, const dtQueryFilter& filter,
                             const Vec3f& point);

/// The same answer, to the bit, sooner: Detour measures every polygon near the point; here a
/// polygon is left out where its bounds prove that it cannot win. What is measured is measured by
/// Detour itself, and ties go to the first in the tile's BV order, as there.
///
/// Covers meshes of one tile with a properly nested BV tree, which is all that Habitat builds.
/// Immutable; holds pointers into the mesh.
class ProjectionIndex {
  public:
    /// Nothing where the mesh is of another kind.
    static std::optional<ProjectionIndex> build(const dtNavMesh& mesh);

    /// @param query  bound to the index's mesh.
    Projection project(const dtNavMeshQuery& query, const Vec3f& point) const;

  private:
    struct Node {
        unsigned short cell_min[3], cell_max[3];  ///< The BV node's own bounds, as in the file.
        int poly;                                 ///< Polygon of a leaf; -1 otherwise.
        int next;                                 ///< The node after this one and all below it.
        /// Bounds of the polygons below that pass the filter [m]; empty (min > max) where none
        /// does.
        float min[3], max[3];
    };
    /// A query box in the tile's BV cells.
    struct CellBox {
        unsigned short min[3], max[3];
    };
    struct Best;

    void cover_poly(Node& node, int poly);
    bool add_nodes();
    bool tile_in_reach(const Vec3f& point) const;
    CellBox cells_around(const Vec3f& point) const;
    float least_measure(const Node& node, const Vec3f& point) const;
    void measure(const dtNavMeshQuery& query, const Vec3f& point, int node, Best& best) const;
    void measure_all_around(const dtNavMeshQuery& query, const Vec3f& point, const CellBox& box,
                            Best& best) const;
    bool measure_those_below(const dtNavMeshQuery& query, const Vec3f& point, const CellBox& box,
                             Best& best) const;

    const dtNavMesh* mesh_ = nullptr;
    const dtMeshTile* tile_ = nullptr;
    dtPolyRef base_ = 0;
    float slack_m_ = 0;  ///< More than any rounding error in Detour's points on this mesh.
    std::vector<Node> nodes_;
};

}  // namespace havln::nav
