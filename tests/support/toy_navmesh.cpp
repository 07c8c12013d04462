#include "support/toy_navmesh.h"

#include <DetourAlloc.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <utility>

#include "support/support.h"

namespace havln::test {

namespace {

constexpr int kUnits = 16;  // Detour's vertices count in this part of a cell
constexpr float kHeightUnit_m = 0.125f;
constexpr int kLevelUnits = 4;  // half a metre
constexpr unsigned short kNone = 0xffff;
constexpr int kCorners = 4;
constexpr int kMagic = 'M' << 24 | 'S' << 16 | 'E' << 8 | 'T';

/// Level of a cell, -1 where there is no floor.
int level_at(const ToyFloor& floor, int column, int row) {
    if (row < 0 || row >= static_cast<int>(floor.rows.size())) return -1;
    const std::string& cells = floor.rows[static_cast<std::size_t>(row)];
    if (column < 0 || column >= static_cast<int>(cells.size())) return -1;
    const char cell = cells[static_cast<std::size_t>(column)];
    if (cell == '.') return 0;
    return cell >= '0' && cell <= '9' ? cell - '0' : -1;
}

/// The cells [column, column + columns) x [row, row + rows) of the plan as Recast's polygons.
struct TileBuilder {
    const ToyFloor& floor;
    int column, row, columns, rows;

    std::vector<unsigned short> verts, polys, flags;
    std::vector<unsigned char> areas;
    std::map<std::array<int, 3>, unsigned short> vert_index;
    std::map<std::pair<int, int>, unsigned short> poly_index;

    void run() {
        for (int r = row; r < row + rows; ++r) {
            for (int c = column; c < column + columns; ++c) {
                if (level_at(floor, c, r) < 0) continue;
                const auto index = static_cast<unsigned short>(poly_index.size());
                poly_index[{c, r}] = index;
            }
        }
        for (int r = row; r < row + rows; ++r) {
            for (int c = column; c < column + columns; ++c) {
                if (level_at(floor, c, r) >= 0) add_cell(c, r);
            }
        }
    }

    unsigned short vert(int c, int r, int level) {
        const std::array<int, 3> key = {(c - column) * kUnits, level * kLevelUnits,
                                        (r - row) * kUnits};
        const auto [found, is_new] =
            vert_index.try_emplace(key, static_cast<unsigned short>(vert_index.size()));
        if (is_new) {
            for (int value : key) verts.push_back(static_cast<unsigned short>(value));
        }
        return found->second;
    }

    void add_cell(int c, int r) {
        const int level = level_at(floor, c, r);
        polys.push_back(vert(c, r, level));
        polys.push_back(vert(c, r + 1, level));
        polys.push_back(vert(c + 1, r + 1, level));
        polys.push_back(vert(c + 1, r, level));
        // Beyond the edges in the order of the corners: -x, +z, +x, -z, which is Recast's
        // numbering of sides too.
        constexpr int kSides[kCorners][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
        for (int side = 0; side < kCorners; ++side) {
            const int other_c = c + kSides[side][0], other_r = r + kSides[side][1];
            if (level_at(floor, other_c, other_r) != level) {
                polys.push_back(kNone);
                continue;
            }
            const auto inside = poly_index.find({other_c, other_r});
            polys.push_back(inside != poly_index.end()
                                ? inside->second
                                : static_cast<unsigned short>(0x8000 | side));
        }
        flags.push_back(1);
        areas.push_back(0);
    }
};

dtNavMeshCreateParams create_params(const TileBuilder& tile, int tile_x, int tile_y) {
    const ToyFloor& floor = tile.floor;
    dtNavMeshCreateParams params = {};
    params.verts = tile.verts.data();
    params.vertCount = static_cast<int>(tile.verts.size() / 3);
    params.polys = tile.polys.data();
    params.polyFlags = tile.flags.data();
    params.polyAreas = tile.areas.data();
    params.polyCount = static_cast<int>(tile.poly_index.size());
    params.nvp = kCorners;
    params.tileX = tile_x;
    params.tileY = tile_y;
    params.walkableHeight = 1.5f;
    params.walkableRadius = 0.1f;
    params.walkableClimb = 0.2f;
    params.cs = floor.cell_m / kUnits;
    params.ch = kHeightUnit_m;
    params.buildBvTree = floor.bv_tree;
    params.bmin[0] = floor.origin.x + static_cast<float>(tile.column) * floor.cell_m;
    params.bmin[1] = floor.origin.y;
    params.bmin[2] = floor.origin.z + static_cast<float>(tile.row) * floor.cell_m;
    params.bmax[0] = params.bmin[0] + static_cast<float>(tile.columns) * floor.cell_m;
    params.bmax[1] = params.bmin[1] + 10 * kLevelUnits * kHeightUnit_m;
    params.bmax[2] = params.bmin[2] + static_cast<float>(tile.rows) * floor.cell_m;
    return params;
}

/// The arrays that dtNavMeshCreateParams wants for off-mesh connections.
struct LinkArrays {
    std::vector<float> verts, radii;
    std::vector<unsigned char> directions, areas;
    std::vector<unsigned short> flags;

    explicit LinkArrays(const std::vector<ToyLink>& links) {
        for (const ToyLink& link : links) {
            for (float v : {link.from.x, link.from.y, link.from.z}) verts.push_back(v);
            for (float v : {link.to.x, link.to.y, link.to.z}) verts.push_back(v);
            radii.push_back(link.radius_m);
            directions.push_back(DT_OFFMESH_CON_BIDIR);
            areas.push_back(0);
            flags.push_back(1);
        }
    }

    void give_to(dtNavMeshCreateParams& params) const {
        params.offMeshConVerts = verts.data();
        params.offMeshConRad = radii.data();
        params.offMeshConDir = directions.data();
        params.offMeshConAreas = areas.data();
        params.offMeshConFlags = flags.data();
        params.offMeshConCount = static_cast<int>(radii.size());
    }
};

template <typename T>
void append(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

struct Plan {
    int columns = 0, rows = 0, tile_columns = 0, tile_rows = 0;

    explicit Plan(const ToyFloor& floor) : rows(static_cast<int>(floor.rows.size())) {
        for (const std::string& row : floor.rows) {
            columns = std::max(columns, static_cast<int>(row.size()));
        }
        tile_columns = floor.tile_cells > 0 ? floor.tile_cells : columns;
        tile_rows = floor.tile_cells > 0 ? floor.tile_cells : rows;
    }
};

/// Tiles that hold a cell, as Detour makes them, by place in the grid.
std::map<std::pair<int, int>, std::string> build_tiles(const ToyFloor& floor, const Plan& plan) {
    const LinkArrays links(floor.links);
    std::map<std::pair<int, int>, std::string> tiles;
    for (int row = 0; row < plan.rows; row += plan.tile_rows) {
        for (int column = 0; column < plan.columns; column += plan.tile_columns) {
            TileBuilder tile{floor, column, row, plan.tile_columns, plan.tile_rows, {}, {}, {},
                             {},    {},     {}};
            tile.run();
            if (tile.poly_index.empty()) continue;
            const std::pair place = {column / plan.tile_columns, row / plan.tile_rows};
            dtNavMeshCreateParams params = create_params(tile, place.first, place.second);
            links.give_to(params);
            unsigned char* data = nullptr;
            int size = 0;
            if (!dtCreateNavMeshData(&params, &data, &size)) {
                throw std::runtime_error("Detour makes no tile of the plan");
            }
            tiles[place].assign(reinterpret_cast<const char*>(data),
                                static_cast<std::size_t>(size));
            dtFree(data);
        }
    }
    return tiles;
}

void append_settings(std::string& bytes) {
    for (int i = 1; i <= 13; ++i) append(bytes, static_cast<float>(i));
    for (bool flag : {true, false, true, false}) append(bytes, flag);
}

}  // namespace

std::string toy_navmesh(const ToyFloor& floor) {
    const Plan plan(floor);
    const auto tiles = build_tiles(floor, plan);
    dtNavMeshParams params = {};
    params.orig[0] = floor.origin.x;
    params.orig[1] = floor.origin.y;
    params.orig[2] = floor.origin.z;
    params.tileWidth = static_cast<float>(plan.tile_columns) * floor.cell_m;
    params.tileHeight = static_cast<float>(plan.tile_rows) * floor.cell_m;
    params.maxTiles = static_cast<int>(tiles.size());
    params.maxPolys = plan.tile_columns * plan.tile_rows + static_cast<int>(floor.links.size());

    dtNavMesh numbering;
    if (dtStatusFailed(numbering.init(&params))) throw std::runtime_error("too many polygons");
    std::string bytes;
    append(bytes, kMagic);
    append(bytes, floor.version);
    append(bytes, static_cast<int>(tiles.size()));
    append(bytes, params);
    if (floor.version == 2) append_settings(bytes);
    unsigned int index = 0;
    for (const auto& [place, tile] : tiles) {
        append(bytes, static_cast<dtTileRef>(numbering.encodePolyId(1, index++, 0)));
        append(bytes, static_cast<int>(tile.size()));
        bytes += tile;
    }
    return bytes;
}

std::vector<std::string> toy_navmesh_kinds() {
    ToyFloor plain;
    plain.rows = {"..........", "..##...#..", ".....111..", "..#..111..", ".........."};
    ToyFloor settings = plain, tiled = plain, linked = plain, bare = plain;
    settings.version = 2;
    tiled.tile_cells = 2;
    linked.links = {{{0.5f, 0, 0.5f}, {5.5f, 0.5f, 2.5f}}, {{4.5f, 0, 4.5f}, {6.5f, 0.5f, 3.5f}}};
    bare.bv_tree = false;
    ToyFloor linked_tiles = linked;
    linked_tiles.tile_cells = 5;
    std::vector<std::string> files;
    for (const ToyFloor* floor : {&plain, &settings, &tiled, &linked, &bare, &linked_tiles}) {
        files.push_back(toy_navmesh(*floor));
    }
    return files;
}

std::shared_ptr<const NavMesh> toy_mesh(const ToyFloor& floor) {
    return NavMesh::from_bytes(toy_navmesh(floor), "toy.navmesh");
}

std::shared_ptr<const SceneNavMeshes> toy_scene(const std::vector<ToyFloor>& frames,
                                                const ToyFloor* without_people) {
    std::map<std::string, std::shared_ptr<const NavMesh>> meshes;
    const auto mesh_of = [&](const ToyFloor& floor) {
        auto& mesh = meshes[toy_navmesh(floor)];
        if (mesh == nullptr) mesh = toy_mesh(floor);
        return mesh;
    };
    auto scene = std::make_shared<SceneNavMeshes>();
    scene->scan = "toy";
    scene->folder = "toy";
    for (std::size_t i = 0; i < kFrameCount; ++i) {
        scene->frames.push_back(mesh_of(frames.at(std::min(i, frames.size() - 1))));
    }
    if (without_people != nullptr) scene->without_people = mesh_of(*without_people);
    return scene;
}

void write_toy_scene(const std::filesystem::path& data_root, const std::string& scan,
                     const std::vector<ToyFloor>& frames, const ToyFloor* without_people) {
    const std::filesystem::path folder = data_root / "recompute_navmesh" / scan;
    for (std::size_t i = 0; i < kFrameCount; ++i) {
        write_file(folder / fmt::format("{}_{:03}.navmesh", scan, i),
                   toy_navmesh(frames.at(std::min(i, frames.size() - 1))));
    }
    if (without_people != nullptr) {
        write_file(data_root / "scene_datasets" / "mp3d" / scan / (scan + ".navmesh"),
                   toy_navmesh(*without_people));
    }
}

}  // namespace havln::test
