#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "havln/geometry.h"
#include "havln/scene.h"

namespace havln::test {

/// An off-mesh connection, both ways.
struct ToyLink {
    Vec3f from, to;  ///< [m]
    float radius_m = 0.5f;
};

/// A floor plan made of square cells, each of which becomes one square polygon. Detour itself
/// builds the tiles, so the bytes are as sound as a real file's.
struct ToyFloor {
    /// Row r, character c is the cell from (origin.x + c * cell_m, origin.z + r * cell_m) on:
    /// '.' or '0' to '9' is floor, raised by half a metre a digit; anything else is none. Cells
    /// side by side at the same height are connected.
    std::vector<std::string> rows;
    float cell_m = 1.0f;  ///< A power of two keeps all vertices exact.
    Vec3f origin = {};    ///< Least corner of the plan [m].
    int version = 1;      ///< Of the file format; 2 carries settings too.
    int tile_cells = 0;   ///< Cells along a tile's side; 0 for one tile.
    bool bv_tree = true;
    std::vector<ToyLink> links = {};
};

/// The plan as a .navmesh file's bytes.
std::string toy_navmesh(const ToyFloor& floor);

/// One sound file of every kind that the reader knows: a tile alone, with settings (version 2),
/// several tiles, off-mesh connections, no BV tree, connections between tiles.
std::vector<std::string> toy_navmesh_kinds();

/// The plan as a loaded navmesh.
std::shared_ptr<const NavMesh> toy_mesh(const ToyFloor& floor);

/// A scene in memory: the plans by frame, the last one held up to frame 119.
/// Equal plans share one NavMesh, as in scenes from files.
std::shared_ptr<const SceneNavMeshes> toy_scene(const std::vector<ToyFloor>& frames,
                                                const ToyFloor* without_people = nullptr);

/// Writes a scene's 120 frames, the last plan held, and its navmesh without people where one is
/// given, below a data root in the official layout.
void write_toy_scene(const std::filesystem::path& data_root, const std::string& scan,
                     const std::vector<ToyFloor>& frames, const ToyFloor* without_people = nullptr);

}  // namespace havln::test
