// Files that nobody should trust: each loads or is refused with a reason, and what loads is safe to
// use. Run under the sanitizers; Detour's own reads show under valgrind.
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "havln/error.h"
#include "havln/navmesh.h"
#include "havln/random.h"
#include "support/catch.h"
#include "support/exercise_navmesh.h"
#include "support/support.h"
#include "support/toy_navmesh.h"

namespace havln::test {

namespace {

/// The reason why the bytes are refused; empty where they load.
std::string refusal(std::string_view bytes) {
    try {
        NavMesh::from_bytes(bytes, "some/file.navmesh");
        return {};
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kGroundTruth);
        CHECK(error.path() == "some/file.navmesh");
        return error.detail();
    }
}

template <typename T>
void put(std::string& bytes, std::size_t offset, T value) {
    REQUIRE(offset + sizeof value <= bytes.size());
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

template <typename T>
T get(const std::string& bytes, std::size_t offset) {
    T value;
    REQUIRE(offset + sizeof value <= bytes.size());
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

// Places in a version 1 file: its header of 40 bytes, a tile's reference and size, and the tile's
// header of 100 bytes, followed by vertices (12 bytes each) and polygons (32 each).
constexpr std::size_t kVersion = 4, kTileCount = 8, kTileWidth = 24, kMaxTiles = 32, kMaxPolys = 36;
constexpr std::size_t kTileRef = 40, kTileSize = 44, kTile = 48, kTileVersion = kTile + 4;
constexpr std::size_t kPolyCount = kTile + 24, kVertCount = kTile + 28, kLinkCount = kTile + 32,
                      kDetailMeshes = kTile + 36, kDetailTris = kTile + 44, kBvNodes = kTile + 48,
                      kOffMesh = kTile + 52;
constexpr std::size_t kBoundsMin = kTile + 72, kBoundsMax = kTile + 84, kBvFactor = kTile + 96;
constexpr std::size_t kVerts = kTile + 100;

std::size_t polys_at(const std::string& bytes) {
    return kVerts + 12 * static_cast<std::size_t>(get<int>(bytes, kVertCount));
}

std::size_t details_at(const std::string& bytes) {
    return polys_at(bytes) + 32 * static_cast<std::size_t>(get<int>(bytes, kPolyCount)) +
           12 * static_cast<std::size_t>(get<int>(bytes, kLinkCount));
}

/// First detail triangle; toy plans have no detail vertices.
std::size_t tris_at(const std::string& bytes) {
    return details_at(bytes) + 12 * static_cast<std::size_t>(get<int>(bytes, kDetailMeshes));
}

std::size_t bv_at(const std::string& bytes) {
    return tris_at(bytes) + 4 * static_cast<std::size_t>(get<int>(bytes, kDetailTris));
}

/// Damages a file in one of the ways that transfers, disks and adversaries do.
std::string damaged(std::string bytes, Random& random) {
    constexpr std::array<std::uint32_t, 8> kValues = {
        0, 1, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000};
    const auto place = [&](std::size_t size) {
        // Half of the damage goes where the counts are.
        const std::uint64_t end = random.below(2) == 0 ? 160 : bytes.size();
        return static_cast<std::size_t>(random.below(end - size));
    };
    switch (random.below(5)) {
        case 0:
            for (std::uint64_t i = random.below(8) + 1; i > 0; --i) {
                bytes[place(1)] = static_cast<char>(random.below(256));
            }
            break;
        case 1:
            bytes.resize(static_cast<std::size_t>(random.below(bytes.size())));
            break;
        case 2:
            put(bytes, place(4) / 4 * 4, kValues[random.below(kValues.size())]);
            break;
        case 3: {
            const std::size_t at = place(4) / 4 * 4;
            put(bytes, at,
                get<std::uint32_t>(bytes, at) + static_cast<std::uint32_t>(random.below(64)));
            break;
        }
        default: {
            const std::size_t at = place(2) / 2 * 2;
            put(bytes, at, static_cast<std::uint16_t>(random.below(0x10000)));
            break;
        }
    }
    return bytes;
}

}  // namespace

TEST_CASE("hostile: the sound files load and can be used", "[nav][hostile]") {
    Random random(3);
    for (const std::string& bytes : toy_navmesh_kinds()) {
        REQUIRE(refusal(bytes) == "");
        exercise_navmesh(NavMesh::from_bytes(bytes, "sound"), random);
    }
}

TEST_CASE("hostile: a file cut anywhere is refused", "[nav][hostile]") {
    ToyFloor large;
    large.rows.assign(20, std::string(20, '.'));
    large.tile_cells = 10;
    const std::string bytes = toy_navmesh(large);
    for (std::size_t size = 0; size < bytes.size(); size += 512) {
        INFO("cut to " << size << " of " << bytes.size() << " bytes");
        CHECK(refusal(bytes.substr(0, size)).find("ends inside") != std::string::npos);
    }
    CHECK(refusal(bytes.substr(0, bytes.size() - 1)) != "");
    CHECK(refusal(bytes + "x").find("1 bytes follow") != std::string::npos);
}

TEST_CASE("hostile: a real file cut at every 512th byte is refused", "[nav][hostile][reference]") {
    constexpr const char* kFile =
        "real/havln2/recompute_navmesh/x8F5xyUWy9e/x8F5xyUWy9e_000.navmesh";
    HAVLN_NEED_SHARED(kFile);
    const std::string bytes = read_file(shared(kFile));
    CHECK(refusal(bytes) == "");
    for (std::size_t size = 0; size < bytes.size(); size += 512) {
        CHECK(refusal(bytes.substr(0, size)) != "");
    }
}

TEST_CASE("hostile: each broken field is named", "[nav][hostile]") {
    const std::string sound = toy_navmesh_kinds().front();
    const auto refused_for = [&](auto value, std::size_t offset, const char* reason) {
        std::string bytes = sound;
        put(bytes, offset, value);
        INFO("offset " << offset << ": " << refusal(bytes));
        CHECK(refusal(bytes).find(reason) != std::string::npos);
    };
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    refused_for(0x12345678, 0, "begins with 0x12345678");
    refused_for(3, kVersion, "format version 3");
    refused_for(0, kTileCount, "0 tiles");
    refused_for(2, kTileCount, "2 tiles");
    refused_for(-1, kTileCount, "-1 tiles");
    refused_for(kNan, 12, "origin");
    refused_for(0.0f, kTileWidth, "tile size 0 m");
    refused_for(0, kMaxTiles, "maxTiles is 0");
    refused_for(0x7fffffff, kMaxTiles, "maxTiles");
    refused_for(-5, kMaxPolys, "maxPolys is -5");
    refused_for(0x7fffffff, kMaxPolys, "maxPolys");
    refused_for((1u << 22) + 1, kMaxPolys, "maxPolys is 4194305");
    refused_for(2, kMaxPolys, "polyCount");
    refused_for(0u, kTileRef, "salt 0");
    refused_for(8, kTileSize, "size 8");
    refused_for(-8, kTileSize, "size -8");
    refused_for(0x7ffffff0, kTileSize, "ends inside tile 0");
    refused_for(0, kTile, "begins with 0x00000000");
    refused_for(6, kTileVersion, "tile version 6");
    refused_for(0x7fffffff, kTile + 8, "x is 2147483647");
    refused_for(0, kPolyCount, "polyCount is 0");
    refused_for(-1, kPolyCount, "polyCount is -1");
    refused_for(0, kVertCount, "vertCount is 0");
    refused_for(0x10001, kVertCount, "vertCount");
    refused_for(0, kLinkCount, "maxLinkCount is 0");
    refused_for(100000, kLinkCount, "maxLinkCount");
    refused_for(200, kLinkCount, "call for");
    refused_for(0, kDetailMeshes, "no detail mesh");
    refused_for(0x7fffffff, kBvNodes, "bvNodeCount");
    refused_for(-1, kOffMesh, "offMeshConCount is -1");
    refused_for(kNan, kBoundsMin, "bounds on axis 0");
    refused_for(-1.0f, kBoundsMax + 4, "bounds on axis 1");
    refused_for(1e6f, kBvFactor, "cells on axis");
    refused_for(kNan, kBvFactor, "bvQuantFactor");
    refused_for(kNan, kVerts, "vertex 0");
    refused_for(2e6f, kVerts + 8, "vertex 0");

    const std::size_t poly = polys_at(sound);
    refused_for(std::uint16_t{0xffff}, poly + 4, "uses vertex 65535");
    refused_for(std::uint16_t{0x7fff}, poly + 18, "names neighbour");
    refused_for(std::uint16_t{0x8001}, poly + 18, "borders on side 1");
    refused_for(std::uint16_t{0x8100}, poly + 18, "borders on side");
    refused_for(std::uint8_t{2}, poly + 30, "has 2 vertices");
    refused_for(std::uint8_t{7}, poly + 30, "has 7 vertices");
    refused_for(std::uint8_t{0x40}, poly + 31, "has 4 vertices, expected 2");
    refused_for(std::uint8_t{0xc0}, poly + 31, "of type 3");

    const std::size_t detail = details_at(sound), tri = tris_at(sound), bv = bv_at(sound);
    refused_for(0xffffffffu, detail + 4, "uses detail triangles");
    refused_for(std::uint8_t{0}, detail + 9, "no detail triangle");
    refused_for(std::uint8_t{9}, tri, "uses vertex 9 beyond");
    refused_for(1000, bv + 12, "names polygon 1000");
    refused_for(-1000, bv + 12, "skips 1000 nodes");
    refused_for(std::numeric_limits<int>::min(), bv + 12, "skips 2147483648 nodes");
}

TEST_CASE("hostile: a tile in another's place is refused", "[nav][hostile]") {
    ToyFloor floor;
    floor.rows = {"..", ".."};
    floor.tile_cells = 1;
    const std::string sound = toy_navmesh(floor);
    const std::size_t second = kTileRef + 8 + static_cast<std::size_t>(get<int>(sound, kTileSize));
    std::string same_position = sound;
    put(same_position, second + 16, get<int>(sound, kTile + 8));
    put(same_position, second + 20, get<int>(sound, kTile + 12));
    CHECK(refusal(same_position).find("its place is taken") != std::string::npos);
    std::string same_reference = sound;
    put(same_reference, second, get<std::uint32_t>(sound, kTileRef));
    CHECK(refusal(same_reference).find("its place is taken") != std::string::npos);
}

TEST_CASE("hostile: BV nodes that do not nest load and use the stock search", "[nav][hostile]") {
    std::string bytes = toy_navmesh_kinds().front();
    const std::size_t bv = bv_at(bytes);
    // The second node is the first's child; it must not reach beyond its parent.
    put(bytes, bv + 12, -2);
    put(bytes, bv + 16 + 12, -5);
    REQUIRE(refusal(bytes) == "");
    Random random(5);
    exercise_navmesh(NavMesh::from_bytes(bytes, "not nested"), random);
}

TEST_CASE("hostile: of a thousand damaged files each loads or is refused with a reason",
          "[nav][hostile]") {
    const std::vector<std::string> files = toy_navmesh_kinds();
    Random random(20260);
    int loaded = 0, refused = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::string bytes =
            damaged(files[static_cast<std::size_t>(i) % files.size()], random);
        INFO("damaged file " << i);
        if (refusal(bytes).empty()) {
            ++loaded;
            exercise_navmesh(NavMesh::from_bytes(bytes, "damaged"), random);
        } else {
            ++refused;
        }
    }
    CHECK(loaded + refused == 1000);
    // Damage that only moves a vertex or a flag is no reason to refuse; most other damage is.
    CHECK(loaded > 100);
    CHECK(refused > 400);
}

}  // namespace havln::test
