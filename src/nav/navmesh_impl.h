#pragma once

#include <DetourNavMesh.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "havln/navmesh.h"
#include "nav/navmesh_file.h"
#include "nav/projection.h"

namespace havln::nav {

// Polygon flags as Habitat sets them. Its query filter includes kWalkable and excludes nothing.
inline constexpr unsigned short kWalkable = 1;
inline constexpr unsigned short kDisabled = 4;

/// A polygon below this area [m2] is disabled; the comparison is in double.
inline constexpr double kLeastPolyArea_m2 = 1e-5;

/// A corner of a detail triangle: one of the polygon's own vertices or a detail vertex.
inline const float* detail_corner(const dtMeshTile& tile, const dtPoly& poly,
                                  const dtPolyDetail& detail, unsigned char corner) {
    if (corner < poly.vertCount) return tile.verts + 3 * poly.verts[corner];
    return tile.detailVerts + 3 * (detail.vertBase + corner - poly.vertCount);
}

/// Area of a ground polygon's detail triangles, each half the norm of a cross product, summed as
/// Habitat does: the half in double, the sum in float32.
/// @param index  of the polygon in its tile.
float poly_area_m2(const dtMeshTile& tile, int index);

/// dtQueryFilter::passFilter for Habitat's filter; Debian's Detour does not export that function.
inline bool passes_filter(const dtPoly& poly) {
    return (poly.flags & kWalkable) != 0;
}

inline bool is_off_mesh(const dtPoly& poly) {
    return poly.getType() == DT_POLYTYPE_OFFMESH_CONNECTION;
}

/// sqrt(x^2 + (y^2 + z^2)): the order in which Habitat's vectors sum.
float norm(const float* v);

inline Vec3f to_vec(const float* v) {
    return {v[0], v[1], v[2]};
}

}  // namespace havln::nav

namespace havln {

struct NavMesh::Impl {
    int format_version = 1;
    std::optional<NavMeshSettings> settings;
    std::vector<nav::TileData> tile_data;  ///< What `mesh` points into; outlives it.
    dtNavMesh mesh;

    std::optional<nav::ProjectionIndex> projection_index;  ///< Where the mesh's kind allows.

    float navigable_area_m2 = 0;
    Bounds bounds;
    /// By tile place: index of the tile's first polygon in poly_island.
    std::vector<std::size_t> first_poly;
    std::vector<int> poly_island;
    std::vector<float> island_radii_m;

    /// Island of a polygon. @pre `ref` is a polygon of this mesh.
    int island(dtPolyRef ref) const {
        unsigned int salt = 0, tile = 0, poly = 0;
        mesh.decodePolyId(ref, salt, tile, poly);
        return poly_island[first_poly[tile] + poly];
    }

    /// Calls `visit(tile, index of the polygon in it)` for all polygons, in index order.
    template <typename Visit>
    void for_each_poly(Visit visit) const {
        for (int i = 0; i < mesh.getMaxTiles(); ++i) {
            const dtMeshTile* tile = mesh.getTile(i);
            if (tile->header == nullptr) continue;
            for (int j = 0; j < tile->header->polyCount; ++j) visit(*tile, j);
        }
    }

    void add_tiles(nav::NavMeshFile file, const std::filesystem::path& origin);
    void disable_small_polys();
    void label_islands();
    /// Gives every polygon reached from `seed` the next island's number.
    void expand_island(dtPolyRef seed, std::vector<Vec3f>& verts);
};

}  // namespace havln
