#pragma once

#include <DetourNavMesh.h>

namespace havln::nav {

/// Where a straight step ends.
struct StraightMove {
    dtPolyRef last = 0;  ///< Polygon in which it ends; 0 where the step leads nowhere.
    float point[3] =
        {};  ///< The end itself, or a point on a wall; its height is not the surface's.
};

/// Follows the segment from `start` to `end` over the mesh to the first wall, as the mode that
/// Habitat's fork of Detour adds to moveAlongSurface; with its limits of 64 polygons looked at and
/// 48 queued, and its habit of taking the crossed wall that lies nearest to the end.
/// @param start_ref  polygon of `start`. @pre a polygon of `mesh`.
StraightMove move_without_sliding(const dtNavMesh& mesh, dtPolyRef start_ref, const float* start,
                                  const float* end);

}  // namespace havln::nav
