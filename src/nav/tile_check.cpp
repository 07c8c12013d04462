#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "havln/error.h"
#include "nav/navmesh_file.h"

namespace havln::nav {

namespace {

// A polygon's vertices are 16-bit indices, and an edge's neighbour shares its 16 bits with a flag.
constexpr int kMaxTileVerts = 0x10000;
constexpr int kMaxTilePolys = 0x7fff;
// Keeps Detour's x + 1 and its hash within int.
constexpr int kMaxTileGrid = 1 << 20;
constexpr int kMaxBvCell = 0xffff;

/// Where addTile will find a tile's arrays: one after the other, each padded to 4 bytes.
struct TileArrays {
    const float* verts = nullptr;
    const dtPoly* polys = nullptr;
    const dtPolyDetail* detail_meshes = nullptr;
    const float* detail_verts = nullptr;
    const unsigned char* detail_tris = nullptr;
    const dtBVNode* bv_nodes = nullptr;
    const dtOffMeshConnection* off_mesh = nullptr;
};

class TileCheck {
  public:
    TileCheck(const TileData& tile, const dtNavMeshParams& params, int index,
              const std::filesystem::path& origin)
        : tile_(tile), header_(tile.header()), params_(params), index_(index), origin_(origin) {}

    void run() {
        check_reference();
        check_format();
        check_counts();
        check_header_numbers();
        lay_out();
        check_verts(arrays_.verts, header_.vertCount, "vertex");
        check_verts(arrays_.detail_verts, header_.detailVertCount, "detail vertex");
        for (int i = 0; i < header_.polyCount; ++i) check_poly(i);
        for (int i = 0; i < header_.bvNodeCount; ++i) check_bv_node(i);
        for (int i = 0; i < header_.offMeshConCount; ++i) check_off_mesh_connection(i);
    }

  private:
    template <typename... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
        throw ground_truth_error(
            origin_, fmt::format("not a sound navmesh: tile {}: {}; fetch or rebuild the file",
                                 index_, fmt::format(format, std::forward<Args>(args)...)));
    }

    void check_reference() const {
        const unsigned int tile_and_poly = tile_bits(params_) + poly_bits(params_);
        const unsigned int tile_index =
            (tile_.ref >> poly_bits(params_)) & ((1u << tile_bits(params_)) - 1);
        // Detour never gives out salt 0; with it polygon 0 of tile 0 could not be told from "none".
        // The salt has 31 bits at most, even where 32 are free.
        const unsigned int salt = (tile_.ref >> tile_and_poly) & 0x7fffffffu;
        if (salt == 0) fail("its reference {:#x} has salt 0", tile_.ref);
        if (tile_index >= static_cast<unsigned int>(params_.maxTiles)) {
            fail("its reference {:#x} names place {} of {}", tile_.ref, tile_index,
                 params_.maxTiles);
        }
    }

    void check_format() const {
        if (header_.magic != DT_NAVMESH_MAGIC) {
            fail("it begins with {:#010x}, expected {:#010x} (\"VAND\")",
                 static_cast<unsigned>(header_.magic), static_cast<unsigned>(DT_NAVMESH_MAGIC));
        }
        if (header_.version != DT_NAVMESH_VERSION) {
            fail("tile version {}, expected {}", header_.version, DT_NAVMESH_VERSION);
        }
    }

    void check_count(const char* name, int count, int least, std::int64_t most) const {
        if (count < least || count > most) {
            fail("{} is {}, expected {} to {}", name, count, least, most);
        }
    }

    void check_counts() const {
        const int most_polys = std::min(1 << poly_bits(params_), kMaxTilePolys);
        check_count("x", header_.x, -kMaxTileGrid, kMaxTileGrid);
        check_count("y", header_.y, -kMaxTileGrid, kMaxTileGrid);
        check_count("polyCount", header_.polyCount, 1, most_polys);
        check_count("vertCount", header_.vertCount, 1, kMaxTileVerts);
        // Detour writes the last link without looking whether there is one.
        check_count("maxLinkCount", header_.maxLinkCount, 1, tile_.size);
        check_count("detailMeshCount", header_.detailMeshCount, 0, header_.polyCount);
        check_count("detailVertCount", header_.detailVertCount, 0, tile_.size);
        check_count("detailTriCount", header_.detailTriCount, 0, tile_.size);
        check_count("bvNodeCount", header_.bvNodeCount, 0, 2ll * header_.polyCount);
        check_count("offMeshConCount", header_.offMeshConCount, 0, header_.polyCount);
        check_count("offMeshBase", header_.offMeshBase, 0, header_.polyCount);
    }

    void check_header_numbers() const {
        for (float value :
             {header_.walkableHeight, header_.walkableRadius, header_.walkableClimb}) {
            if (!coordinate(value)) fail("its header has the length {} m", value);
        }
        if (!std::isfinite(header_.bvQuantFactor) || header_.bvQuantFactor < 0) {
            fail("bvQuantFactor is {}", header_.bvQuantFactor);
        }
        for (int axis = 0; axis < 3; ++axis) {
            const float low = header_.bmin[axis], high = header_.bmax[axis];
            if (!coordinate(low) || !coordinate(high) || low > high) {
                fail("its bounds on axis {} are {} to {}", axis, low, high);
            }
            // Detour casts this number of cells to 16 bits.
            const float cells = header_.bvQuantFactor * (high - low) + 1;
            if (!(cells <= static_cast<float>(kMaxBvCell))) {
                fail("its bounds span {} cells on axis {}, more than {}", cells, axis, kMaxBvCell);
            }
        }
    }

    /// Fills arrays_ after checking that they fit. Every array's element size is a multiple of 4,
    /// so that Detour's padding never adds a byte.
    void lay_out() {
        std::uint64_t offset = sizeof(dtMeshHeader);
        const auto place = [&](auto*& array, int count, std::size_t size_each) {
            array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(
                tile_.bytes.get() +
                std::min<std::uint64_t>(offset, static_cast<std::uint64_t>(tile_.size)));
            offset += static_cast<std::uint64_t>(count) * size_each;
        };
        const unsigned char* links = nullptr;
        place(arrays_.verts, header_.vertCount, sizeof(float) * 3);
        place(arrays_.polys, header_.polyCount, sizeof(dtPoly));
        place(links, header_.maxLinkCount, sizeof(dtLink));
        place(arrays_.detail_meshes, header_.detailMeshCount, sizeof(dtPolyDetail));
        place(arrays_.detail_verts, header_.detailVertCount, sizeof(float) * 3);
        place(arrays_.detail_tris, header_.detailTriCount, 4);
        place(arrays_.bv_nodes, header_.bvNodeCount, sizeof(dtBVNode));
        place(arrays_.off_mesh, header_.offMeshConCount, sizeof(dtOffMeshConnection));
        if (offset > static_cast<std::uint64_t>(tile_.size)) {
            fail("its counts call for {} bytes, but it has {}", offset, tile_.size);
        }
    }

    void check_verts(const float* verts, int count, const char* what) const {
        for (int i = 0; i < 3 * count; ++i) {
            if (!coordinate(verts[i])) fail("{} {} has the coordinate {}", what, i / 3, verts[i]);
        }
    }

    void check_poly(int i) const {
        const dtPoly& poly = arrays_.polys[i];
        const bool off_mesh = is_off_mesh(i);
        if (!off_mesh && poly.getType() != DT_POLYTYPE_GROUND) {
            fail("polygon {} is of type {}, expected 0 or 1", i, poly.getType());
        }
        const int least = off_mesh ? 2 : 3;
        const int most = off_mesh ? 2 : DT_VERTS_PER_POLYGON;
        if (poly.vertCount < least || poly.vertCount > most) {
            fail("polygon {} has {} vertices, expected {} to {}", i, poly.vertCount, least, most);
        }
        for (int j = 0; j < poly.vertCount; ++j) {
            if (poly.verts[j] >= header_.vertCount) {
                fail("polygon {} uses vertex {} of {}", i, poly.verts[j], header_.vertCount);
            }
            check_neighbour(i, j);
        }
        if (!off_mesh) check_detail(i);
    }

    void check_neighbour(int i, int j) const {
        const unsigned short neighbour = arrays_.polys[i].neis[j];
        if (neighbour == 0) return;
        if (is_off_mesh(i)) fail("off-mesh polygon {} has a neighbour", i);
        if ((neighbour & DT_EXT_LINK) != 0) {
            // Detour knows the four sides only.
            const int side = neighbour & ~DT_EXT_LINK;
            if (side > 6 || side % 2 != 0) {
                fail("polygon {} edge {} borders on side {}, expected 0, 2, 4 or 6", i, j, side);
            }
        } else if (neighbour > header_.polyCount || is_off_mesh(neighbour - 1)) {
            fail("polygon {} edge {} names neighbour {} of {} polygons", i, j, neighbour - 1,
                 header_.polyCount);
        }
    }

    /// Detour takes the closest of the polygon's boundary edges without looking whether there is
    /// one, so each polygon on the ground needs a triangle with such an edge.
    void check_detail(int i) const {
        if (i >= header_.detailMeshCount) {
            fail("polygon {} has no detail mesh (there are {})", i, header_.detailMeshCount);
        }
        const dtPolyDetail& detail = arrays_.detail_meshes[i];
        const int corners = arrays_.polys[i].vertCount;
        if (std::uint64_t{detail.triBase} + detail.triCount >
            static_cast<std::uint64_t>(header_.detailTriCount)) {
            fail("polygon {} uses detail triangles {} to {} of {}", i, detail.triBase,
                 std::uint64_t{detail.triBase} + detail.triCount, header_.detailTriCount);
        }
        bool has_boundary = false;
        for (int j = 0; j < detail.triCount; ++j) {
            const unsigned char* tri =
                arrays_.detail_tris + 4ull * (detail.triBase + static_cast<unsigned>(j));
            for (int k = 0; k < 3; ++k) {
                if (tri[k] >= corners &&
                    std::uint64_t{detail.vertBase} + static_cast<unsigned>(tri[k] - corners) >=
                        static_cast<std::uint64_t>(header_.detailVertCount)) {
                    fail(
                        "polygon {} detail triangle {} uses vertex {} beyond the {} detail "
                        "vertices",
                        i, j, tri[k], header_.detailVertCount);
                }
                has_boundary = has_boundary ||
                               (dtGetDetailTriEdgeFlags(tri[3], k) & DT_DETAIL_EDGE_BOUNDARY) != 0;
            }
        }
        if (!has_boundary) fail("polygon {} has no detail triangle with a boundary edge", i);
    }

    /// A leaf names a polygon; any other node says how many nodes its subtree takes. Real files
    /// end with one spare node, all zero: a leaf of polygon 0.
    void check_bv_node(int i) const {
        const int value = arrays_.bv_nodes[i].i;
        if (value >= 0) {
            if (value >= header_.polyCount || is_off_mesh(value)) {
                fail("BV node {} names polygon {} of {}", i, value, header_.polyCount);
            }
        } else if (std::int64_t{i} - value > header_.bvNodeCount) {
            fail("BV node {} skips {} nodes of {}", i, -std::int64_t{value}, header_.bvNodeCount);
        }
    }

    void check_off_mesh_connection(int i) const {
        const dtOffMeshConnection& connection = arrays_.off_mesh[i];
        if (connection.poly >= header_.polyCount || !is_off_mesh(connection.poly)) {
            fail(
                "off-mesh connection {} names polygon {}, which is not one of its {} off-mesh "
                "polygons",
                i, connection.poly, header_.offMeshConCount);
        }
        for (float value : connection.pos) {
            if (!coordinate(value)) fail("off-mesh connection {} has the coordinate {}", i, value);
        }
        if (!coordinate(connection.rad)) {
            fail("off-mesh connection {} has the radius {}", i, connection.rad);
        }
    }

    bool is_off_mesh(int poly) const {
        return arrays_.polys[poly].getType() == DT_POLYTYPE_OFFMESH_CONNECTION;
    }

    static bool coordinate(float value) {
        return std::isfinite(value) && std::abs(value) <= kMaxCoordinate_m;
    }

    const TileData& tile_;
    const dtMeshHeader& header_;
    const dtNavMeshParams& params_;
    int index_;
    const std::filesystem::path& origin_;
    TileArrays arrays_;
};

}  // namespace

void check_tile(const TileData& tile, const dtNavMeshParams& params, int index,
                const std::filesystem::path& origin) {
    TileCheck(tile, params, index, origin).run();
}

}  // namespace havln::nav
