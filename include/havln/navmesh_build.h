#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "havln/geometry.h"
#include "havln/navmesh.h"

namespace havln {

/// Triangles of a scene, in any order, as a scan's mesh gives them.
struct TriangleSoup {
    std::vector<Vec3f> vertices;  ///< [m], Habitat's frame (y up).
    /// Indices into `vertices`, counter-clockwise seen from the walkable side.
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// What Habitat-Sim 0.1.7's NavMeshSettings::setDefaults gives, which is also what HA-VLN rebuilds
/// its navmeshes with: radius 0.1 m, height 1.5 m, cells of 0.05 x 0.2 m.
NavMeshSettings default_navmesh_settings();

/// A .navmesh file's bytes, format version 1: what Habitat-Sim 0.1.7's PathFinder::build and
/// saveNavMesh make of the same triangles, byte for byte (polygons below 1e-5 m2 disabled).
/// @param origin  names the triangles' source in messages.
/// @throws Error (kGroundTruth) where the triangles or settings are out of range, where they leave
///         nothing to walk on, or where Recast gives up, with Recast's own words.
/// @see habitat-sim v0.1.7, src/esp/nav/PathFinder.cpp, PathFinder::Impl::build.
std::string build_navmesh(const TriangleSoup& soup, const NavMeshSettings& settings,
                          const std::filesystem::path& origin);

}  // namespace havln
