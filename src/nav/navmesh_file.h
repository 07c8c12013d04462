#pragma once

#include <DetourNavMesh.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "havln/navmesh.h"

namespace havln::nav {

static_assert(sizeof(dtPolyRef) == 4, "navmesh files hold 32-bit polygon references");

/// One Detour tile: a checked copy of its bytes, aligned for Detour, which keeps pointers into it.
struct TileData {
    dtTileRef ref = 0;
    std::unique_ptr<unsigned char[]> bytes;
    int size = 0;

    const dtMeshHeader& header() const {
        return *reinterpret_cast<const dtMeshHeader*>(bytes.get());
    }
};

/// A .navmesh file taken apart.
struct NavMeshFile {
    int version = 1;
    std::optional<NavMeshSettings> settings;  ///< Version 2 only.
    dtNavMeshParams params = {};
    std::vector<TileData> tiles;  ///< In file order, none empty.
};

/// Takes a file apart and checks everything that Detour would trust: afterwards
/// dtNavMesh::addTile and every query stay inside the tiles' bytes and end in bounded time.
/// @throws Error (kGroundTruth) naming the place in the file.
NavMeshFile parse_navmesh_file(std::string_view bytes, const std::filesystem::path& origin);

/// Checks one tile's bytes (see parse_navmesh_file).
/// @param params  the mesh's parameters, already checked.
/// @param index   the tile's place in the file, for messages.
void check_tile(const TileData& tile, const dtNavMeshParams& params, int index,
                const std::filesystem::path& origin);

/// Bits of a polygon reference that hold the polygon's index (Detour derives them from maxPolys).
unsigned int poly_bits(const dtNavMeshParams& params);
/// Bits of a polygon reference that hold the tile's index.
unsigned int tile_bits(const dtNavMeshParams& params);

/// Positions beyond this in x or z are off every mesh: keeps Detour's float to int casts in range.
inline constexpr float kMaxCoordinate_m = 1e6f;

}  // namespace havln::nav
