#include "nav/navmesh_file.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "havln/error.h"

namespace havln::nav {

static_assert(std::endian::native == std::endian::little, ".navmesh files are little-endian");

namespace {

// Habitat writes 'MSET' as one integer, so the bytes stand in reverse in the file.
constexpr int kMagic = 'M' << 24 | 'S' << 16 | 'E' << 8 | 'T';
// Detour searches every tile that a query box touches; a finer grid than this only costs time.
constexpr float kMinTileSize_m = 0.1f;
constexpr int kMaxTiles = 1 << 16;
// Detour leaves at least 10 of 32 bits to the tile's salt.
constexpr unsigned int kMaxTileAndPolyBits = 22;
// Edge and polygon pairs that loading may compare to link tiles: seconds of work.
constexpr double kMaxLinkingWork = 2e9;

constexpr const char* kMend = "fetch or rebuild the file";

[[noreturn]] void refuse(const std::filesystem::path& origin, const std::string& detail) {
    throw ground_truth_error(origin, fmt::format("not a sound navmesh: {}; {}", detail, kMend));
}

/// Reads plain values one after the other.
class ByteReader {
  public:
    ByteReader(std::string_view bytes, const std::filesystem::path& origin)
        : bytes_(bytes), origin_(origin) {}

    template <typename T>
    T read(const char* what) {
        T value;
        std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
        return value;
    }

    std::string_view take(std::size_t size, const std::string& what) {
        if (size > bytes_.size() - offset_) {
            refuse(origin_, fmt::format("it ends inside {} (byte {}): {} bytes expected, {} left",
                                        what, offset_, size, bytes_.size() - offset_));
        }
        const std::string_view taken = bytes_.substr(offset_, size);
        offset_ += size;
        return taken;
    }

    std::size_t left() const { return bytes_.size() - offset_; }

  private:
    std::string_view bytes_;
    const std::filesystem::path& origin_;
    std::size_t offset_ = 0;
};

unsigned int bits_for(int count) {
    return static_cast<unsigned int>(std::bit_width(std::bit_ceil(static_cast<unsigned>(count)))) -
           1;
}

bool is_coordinate(float value) {
    return std::isfinite(value) && std::abs(value) <= kMaxCoordinate_m;
}

NavMeshSettings read_settings(ByteReader& reader) {
    NavMeshSettings settings;
    float* const numbers[] = {&settings.cell_size_m,
                              &settings.cell_height_m,
                              &settings.agent_height_m,
                              &settings.agent_radius_m,
                              &settings.agent_max_climb_m,
                              &settings.agent_max_slope_deg,
                              &settings.region_min_size,
                              &settings.region_merge_size,
                              &settings.edge_max_len_m,
                              &settings.edge_max_error,
                              &settings.verts_per_poly,
                              &settings.detail_sample_dist,
                              &settings.detail_sample_max_error};
    for (float* number : numbers) *number = reader.read<float>("the settings");
    for (bool& flag : settings.filter_flags) {
        flag = reader.read<unsigned char>("the settings") != 0;
    }
    return settings;
}

void check_params(const dtNavMeshParams& params, const std::filesystem::path& origin) {
    for (float value : params.orig) {
        if (!is_coordinate(value)) {
            refuse(origin, fmt::format("the origin has the coordinate {}", value));
        }
    }
    for (float size : {params.tileWidth, params.tileHeight}) {
        if (!is_coordinate(size) || size < kMinTileSize_m) {
            refuse(origin, fmt::format("tile size {} m, expected {} to {}", size, kMinTileSize_m,
                                       kMaxCoordinate_m));
        }
    }
    if (params.maxTiles < 1 || params.maxTiles > kMaxTiles) {
        refuse(origin, fmt::format("maxTiles is {}, expected 1 to {}", params.maxTiles, kMaxTiles));
    }
    constexpr int kMaxPolys = 1 << kMaxTileAndPolyBits;
    if (params.maxPolys < 1 || params.maxPolys > kMaxPolys) {
        refuse(origin, fmt::format("maxPolys is {}, expected 1 to {}", params.maxPolys, kMaxPolys));
    }
    if (tile_bits(params) + poly_bits(params) > kMaxTileAndPolyBits) {
        refuse(origin, fmt::format("maxTiles {} and maxPolys {} need more than the {} bits of a "
                                   "polygon reference",
                                   params.maxTiles, params.maxPolys, kMaxTileAndPolyBits));
    }
}

TileData read_tile(ByteReader& reader, int index, const std::filesystem::path& origin) {
    TileData tile;
    tile.ref = reader.read<dtTileRef>("a tile's reference");
    tile.size = reader.read<int>("a tile's size");
    if (tile.size < static_cast<int>(sizeof(dtMeshHeader))) {
        refuse(origin, fmt::format("tile {}: size {} is less than a tile header's {} bytes", index,
                                   tile.size, sizeof(dtMeshHeader)));
    }
    const auto size = static_cast<std::size_t>(tile.size);
    const std::string_view bytes = reader.take(size, fmt::format("tile {}", index));
    tile.bytes = std::make_unique<unsigned char[]>(size);
    std::memcpy(tile.bytes.get(), bytes.data(), size);
    return tile;
}

/// dtNavMesh::addTile compares every border edge of a tile with every polygon of the tiles around
/// it, and tries every off-mesh connection's ends on them.
void check_linking_work(const NavMeshFile& file, const std::filesystem::path& origin) {
    std::map<std::pair<int, int>, double> polys_at;
    for (const TileData& tile : file.tiles) {
        polys_at[{tile.header().x, tile.header().y}] += tile.header().polyCount;
    }
    double work = 0;
    for (const TileData& tile : file.tiles) {
        const dtMeshHeader& header = tile.header();
        double polys_around = 0;
        for (int dx = -1; dx <= 1; ++dx) {
            for (int dy = -1; dy <= 1; ++dy) {
                const auto found = polys_at.find({header.x + dx, header.y + dy});
                if (found != polys_at.end()) polys_around += found->second;
            }
        }
        double border_edges = 0;
        const auto* polys = reinterpret_cast<const dtPoly*>(
            tile.bytes.get() + sizeof(dtMeshHeader) +
            sizeof(float) * 3 * static_cast<std::size_t>(header.vertCount));
        for (int i = 0; i < header.polyCount; ++i) {
            for (int j = 0; j < polys[i].vertCount; ++j) {
                border_edges += (polys[i].neis[j] & DT_EXT_LINK) != 0 ? 1 : 0;
            }
        }
        // Two for the two ends; a tile's BV tree holds up to two nodes a polygon.
        work += polys_around * (border_edges + 4.0 * header.offMeshConCount);
    }
    if (work > kMaxLinkingWork) {
        refuse(origin, fmt::format("linking its tiles would take {:.0f} comparisons, more than {}",
                                   work, kMaxLinkingWork));
    }
}

}  // namespace

unsigned int poly_bits(const dtNavMeshParams& params) {
    return bits_for(params.maxPolys);
}
unsigned int tile_bits(const dtNavMeshParams& params) {
    return bits_for(params.maxTiles);
}

NavMeshFile parse_navmesh_file(std::string_view bytes, const std::filesystem::path& origin) {
    ByteReader reader(bytes, origin);
    NavMeshFile file;
    const int magic = reader.read<int>("the header");
    if (magic != kMagic) {
        refuse(origin, fmt::format("it begins with {:#010x}, expected {:#010x} (\"TESM\")",
                                   static_cast<unsigned>(magic), static_cast<unsigned>(kMagic)));
    }
    file.version = reader.read<int>("the header");
    if (file.version != 1 && file.version != 2) {
        refuse(origin, fmt::format("format version {}, expected 1 or 2", file.version));
    }
    const int tile_count = reader.read<int>("the header");
    file.params = reader.read<dtNavMeshParams>("the header");
    check_params(file.params, origin);
    if (tile_count < 1 || tile_count > file.params.maxTiles) {
        refuse(origin, fmt::format("{} tiles, expected 1 to maxTiles = {}", tile_count,
                                   file.params.maxTiles));
    }
    if (file.version == 2) file.settings = read_settings(reader);
    for (int i = 0; i < tile_count; ++i) {
        file.tiles.push_back(read_tile(reader, i, origin));
        check_tile(file.tiles.back(), file.params, i, origin);
    }
    if (reader.left() != 0) {
        refuse(origin,
               fmt::format("{} bytes follow the last of its {} tiles", reader.left(), tile_count));
    }
    check_linking_work(file, origin);
    return file;
}

}  // namespace havln::nav
