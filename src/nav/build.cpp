#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <Recast.h>
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "havln/error.h"
#include "havln/navmesh_build.h"
#include "nav/navmesh_impl.h"

namespace havln {

namespace {

// Habitat's polygon area (PolyAreas of PathFinder.cpp).
constexpr unsigned char kAreaGround = 0;

constexpr int kFileMagic = 'M' << 24 | 'S' << 16 | 'E' << 8 | 'T';
constexpr int kFileVersion = 1;

// Bounds on the work: a building of 100 x 100 m at Habitat's cell size is 4 million cells.
constexpr std::size_t kMaxTriangles = 8'000'000;
constexpr double kMaxCells = 16'000'000;
constexpr float kMaxCoordinate_m = 1e5f;
constexpr int kMaxSpans = (1 << 24) - 1;  // rcCompactCell::index has 24 bits

template <auto kFree>
struct Free {
    template <typename T>
    void operator()(T* object) const {
        kFree(object);
    }
};
template <typename T, auto kFree>
using Owned = std::unique_ptr<T, Free<kFree>>;

/// Keeps what Recast last complained of.
class Context : public rcContext {
  public:
    const std::string& complaint() const { return complaint_; }

  protected:
    void doLog(const rcLogCategory category, const char* text, const int length) override {
        if (category == RC_LOG_PROGRESS || length <= 0) return;
        complaint_.assign(text, static_cast<std::size_t>(length));
    }

  private:
    std::string complaint_;
};

/// One build: the context, the origin for messages, and the products in order.
class Builder {
  public:
    Builder(const TriangleSoup& soup, const NavMeshSettings& settings,
            const std::filesystem::path& origin)
        : soup_(soup), settings_(settings), origin_(origin) {}

    std::string run() {
        check_input();
        configure();
        rasterize();
        filter();
        compact();
        make_polygons();
        return make_file();
    }

  private:
    void require(bool condition, std::string_view what) const {
        if (condition) return;
        if (context_.complaint().find("Out of memory") != std::string::npos) throw std::bad_alloc();
        throw ground_truth_error(origin_,
                                 fmt::format("no navmesh can be built: {}{}{}", what,
                                             context_.complaint().empty() ? "" : "; Recast says: ",
                                             context_.complaint()));
    }

    void check_input() const;
    void configure();
    void rasterize();
    void filter();
    void compact();
    void make_polygons();
    std::string make_file();
    void disable_tiny_polygons(dtNavMesh& mesh) const;

    const TriangleSoup& soup_;
    const NavMeshSettings& settings_;
    const std::filesystem::path& origin_;
    mutable Context context_;
    rcConfig config_ = {};
    Owned<rcHeightfield, rcFreeHeightField> solid_;
    Owned<rcCompactHeightfield, rcFreeCompactHeightfield> compact_;
    Owned<rcPolyMesh, rcFreePolyMesh> polygons_;
    Owned<rcPolyMeshDetail, rcFreePolyMeshDetail> detail_;
};

bool within(float value, float least, float most) {
    return value >= least && value <= most;  // false for NaN
}

void Builder::check_input() const {
    const NavMeshSettings& s = settings_;
    require(within(s.cell_size_m, 1e-3f, 10) && within(s.cell_height_m, 1e-3f, 10),
            "a cell size or height outside 0.001 to 10 m");
    require(within(s.agent_height_m, 0, 100) && within(s.agent_radius_m, 0, 10) &&
                within(s.agent_max_climb_m, 0, 100) && within(s.agent_max_slope_deg, 0, 90),
            "an agent's size, climb or slope out of range");
    require(within(s.region_min_size, 0, 1e4f) && within(s.region_merge_size, 0, 1e4f) &&
                within(s.edge_max_len_m, 0, 1e4f) && within(s.edge_max_error, 0, 1e4f) &&
                within(s.detail_sample_dist, 0, 1e4f) && within(s.detail_sample_max_error, 0, 1e4f),
            "a region, edge or detail setting out of range");
    require(within(s.verts_per_poly, 3, DT_VERTS_PER_POLYGON),
            "vertices per polygon outside 3 to 6");
    require(!soup_.triangles.empty(), "there are no triangles");
    require(soup_.triangles.size() <= kMaxTriangles && soup_.vertices.size() <= 3 * kMaxTriangles,
            "more than 8,000,000 triangles");
    for (const Vec3f& v : soup_.vertices) {
        require(within(v.x, -kMaxCoordinate_m, kMaxCoordinate_m) &&
                    within(v.y, -kMaxCoordinate_m, kMaxCoordinate_m) &&
                    within(v.z, -kMaxCoordinate_m, kMaxCoordinate_m),
                "a vertex that is not finite or beyond 100 km");
    }
    for (const auto& triangle : soup_.triangles) {
        for (const std::uint32_t index : triangle) {
            require(index < soup_.vertices.size(), "a triangle names a vertex that is not there");
        }
    }
}

void Builder::configure() {
    const NavMeshSettings& s = settings_;
    config_.cs = s.cell_size_m;
    config_.ch = s.cell_height_m;
    config_.walkableSlopeAngle = s.agent_max_slope_deg;
    config_.walkableHeight = static_cast<int>(std::ceil(s.agent_height_m / config_.ch));
    config_.walkableClimb = static_cast<int>(std::floor(s.agent_max_climb_m / config_.ch));
    config_.walkableRadius = static_cast<int>(std::ceil(s.agent_radius_m / config_.cs));
    config_.maxEdgeLen = static_cast<int>(s.edge_max_len_m / s.cell_size_m);
    config_.maxSimplificationError = s.edge_max_error;
    config_.minRegionArea = static_cast<int>(rcSqr(s.region_min_size));
    config_.mergeRegionArea = static_cast<int>(rcSqr(s.region_merge_size));
    config_.maxVertsPerPoly = static_cast<int>(s.verts_per_poly);
    config_.detailSampleDist =
        s.detail_sample_dist < 0.9f ? 0 : s.cell_size_m * s.detail_sample_dist;
    config_.detailSampleMaxError = s.cell_height_m * s.detail_sample_max_error;

    const float most = std::numeric_limits<float>::max();
    Vec3f low = {most, most, most};
    Vec3f high = {-most, -most, -most};
    for (const Vec3f& v : soup_.vertices) {
        low = {rcMin(low.x, v.x), rcMin(low.y, v.y), rcMin(low.z, v.z)};
        high = {rcMax(high.x, v.x), rcMax(high.y, v.y), rcMax(high.z, v.z)};
    }
    rcVcopy(config_.bmin, &low.x);
    rcVcopy(config_.bmax, &high.x);
    const double cells = (static_cast<double>(high.x - low.x) / s.cell_size_m + 1) *
                         (static_cast<double>(high.z - low.z) / s.cell_size_m + 1);
    require(cells <= kMaxCells, "the triangles span more than 16,000,000 cells");
    require((high.y - low.y) / s.cell_height_m < static_cast<float>(RC_SPAN_MAX_HEIGHT),
            "the triangles span more than 8,191 cells in height");
    rcCalcGridSize(config_.bmin, config_.bmax, config_.cs, &config_.width, &config_.height);
    require(config_.width > 0 && config_.height > 0, "the triangles span no area");
}

void Builder::rasterize() {
    solid_.reset(rcAllocHeightfield());
    require(solid_ != nullptr &&
                rcCreateHeightfield(&context_, *solid_, config_.width, config_.height, config_.bmin,
                                    config_.bmax, config_.cs, config_.ch),
            "the heightfield could not be made");
    const int vertex_count = static_cast<int>(soup_.vertices.size());
    const int triangle_count = static_cast<int>(soup_.triangles.size());
    std::vector<int> indices;
    indices.reserve(soup_.triangles.size() * 3);
    for (const auto& triangle : soup_.triangles) {
        for (const std::uint32_t index : triangle) indices.push_back(static_cast<int>(index));
    }
    const float* const vertices = &soup_.vertices.front().x;
    std::vector<unsigned char> areas(soup_.triangles.size(), RC_NULL_AREA);
    rcMarkWalkableTriangles(&context_, config_.walkableSlopeAngle, vertices, vertex_count,
                            indices.data(), triangle_count, areas.data());
    require(rcRasterizeTriangles(&context_, vertices, vertex_count, indices.data(), areas.data(),
                                 triangle_count, *solid_, config_.walkableClimb),
            "the triangles could not be rasterised");
}

void Builder::filter() {
    if (settings_.filter_flags[0]) {
        rcFilterLowHangingWalkableObstacles(&context_, config_.walkableClimb, *solid_);
    }
    if (settings_.filter_flags[1]) {
        rcFilterLedgeSpans(&context_, config_.walkableHeight, config_.walkableClimb, *solid_);
    }
    if (settings_.filter_flags[2]) {
        rcFilterWalkableLowHeightSpans(&context_, config_.walkableHeight, *solid_);
    }
    require(rcGetHeightFieldSpanCount(&context_, *solid_) <= kMaxSpans,
            "more than 16,777,215 spans");
}

void Builder::compact() {
    compact_.reset(rcAllocCompactHeightfield());
    require(
        compact_ != nullptr && rcBuildCompactHeightfield(&context_, config_.walkableHeight,
                                                         config_.walkableClimb, *solid_, *compact_),
        "the compact heightfield could not be built");
    require(rcErodeWalkableArea(&context_, config_.walkableRadius, *compact_),
            "the walkable area could not be eroded");
    require(rcBuildDistanceField(&context_, *compact_), "the distance field could not be built");
    require(rcBuildRegions(&context_, *compact_, 0, config_.minRegionArea, config_.mergeRegionArea),
            "the regions could not be built");
}

void Builder::make_polygons() {
    const Owned<rcContourSet, rcFreeContourSet> contours(rcAllocContourSet());
    require(
        contours != nullptr && rcBuildContours(&context_, *compact_, config_.maxSimplificationError,
                                               config_.maxEdgeLen, *contours),
        "the contours could not be made");
    polygons_.reset(rcAllocPolyMesh());
    require(polygons_ != nullptr &&
                rcBuildPolyMesh(&context_, *contours, config_.maxVertsPerPoly, *polygons_),
            "the polygons could not be made");
    require(polygons_->npolys > 0, "nothing is left to walk on");
    detail_.reset(rcAllocPolyMeshDetail());
    require(detail_ != nullptr &&
                rcBuildPolyMeshDetail(&context_, *polygons_, *compact_, config_.detailSampleDist,
                                      config_.detailSampleMaxError, *detail_),
            "the detail mesh could not be built");
    for (int i = 0; i < polygons_->npolys; ++i) {
        if (polygons_->areas[i] == RC_WALKABLE_AREA) polygons_->areas[i] = kAreaGround;
        if (polygons_->areas[i] == kAreaGround) polygons_->flags[i] = nav::kWalkable;
    }
}

void Builder::disable_tiny_polygons(dtNavMesh& mesh) const {
    const dtMeshTile* const tile = static_cast<const dtNavMesh&>(mesh).getTile(0);
    for (int i = 0; i < tile->header->polyCount; ++i) {
        if (nav::poly_area_m2(*tile, i) >= nav::kLeastPolyArea_m2) continue;
        const dtPolyRef ref = mesh.getPolyRefBase(tile) | static_cast<dtPolyRef>(i);
        require(dtStatusSucceed(mesh.setPolyFlags(ref, nav::kDisabled)),
                "a polygon could not be disabled");
    }
}

template <typename T>
void append(std::string& bytes, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string Builder::make_file() {
    dtNavMeshCreateParams params = {};
    params.verts = polygons_->verts;
    params.vertCount = polygons_->nverts;
    params.polys = polygons_->polys;
    params.polyAreas = polygons_->areas;
    params.polyFlags = polygons_->flags;
    params.polyCount = polygons_->npolys;
    params.nvp = polygons_->nvp;
    params.detailMeshes = detail_->meshes;
    params.detailVerts = detail_->verts;
    params.detailVertsCount = detail_->nverts;
    params.detailTris = detail_->tris;
    params.detailTriCount = detail_->ntris;
    params.walkableHeight = settings_.agent_height_m;
    params.walkableRadius = settings_.agent_radius_m;
    params.walkableClimb = settings_.agent_max_climb_m;
    rcVcopy(params.bmin, polygons_->bmin);
    rcVcopy(params.bmax, polygons_->bmax);
    params.cs = config_.cs;
    params.ch = config_.ch;
    params.buildBvTree = true;

    unsigned char* data = nullptr;
    int size = 0;
    require(dtCreateNavMeshData(&params, &data, &size), "Detour refuses the polygons");
    Owned<unsigned char, dtFree> data_owner(data);
    const Owned<dtNavMesh, dtFreeNavMesh> mesh(dtAllocNavMesh());
    require(mesh != nullptr && dtStatusSucceed(mesh->init(data, size, DT_TILE_FREE_DATA)),
            "Detour refuses the tile");
    data_owner.release();  // the mesh frees it now
    disable_tiny_polygons(*mesh);

    // Detour links polygons inside the tile's own bytes, so the bytes saved are those in the mesh.
    const dtMeshTile* const tile = static_cast<const dtNavMesh&>(*mesh).getTile(0);
    std::string bytes;
    append(bytes, kFileMagic);
    append(bytes, kFileVersion);
    append(bytes, 1);
    append(bytes, *mesh->getParams());
    append(bytes, mesh->getTileRef(tile));
    append(bytes, tile->dataSize);
    bytes.append(reinterpret_cast<const char*>(tile->data),
                 static_cast<std::size_t>(tile->dataSize));
    return bytes;
}

}  // namespace

NavMeshSettings default_navmesh_settings() {
    NavMeshSettings settings;
    settings.cell_size_m = 0.05f;
    settings.cell_height_m = 0.2f;
    settings.agent_height_m = 1.5f;
    settings.agent_radius_m = 0.1f;
    settings.agent_max_climb_m = 0.2f;
    settings.agent_max_slope_deg = 45.0f;
    settings.region_min_size = 20;
    settings.region_merge_size = 20;
    settings.edge_max_len_m = 12.0f;
    settings.edge_max_error = 1.3f;
    settings.verts_per_poly = 6;
    settings.detail_sample_dist = 6;
    settings.detail_sample_max_error = 1;
    for (int i = 0; i < 3; ++i) settings.filter_flags[i] = true;
    return settings;
}

std::string build_navmesh(const TriangleSoup& soup, const NavMeshSettings& settings,
                          const std::filesystem::path& origin) {
    return Builder(soup, settings, origin).run();
}

}  // namespace havln
