#include <DetourNavMeshQuery.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "havln/error.h"
#include "havln/navmesh.h"
#include "nav/navmesh_impl.h"
#include "nav/no_sliding.h"

namespace havln {

using nav::Projection;

namespace {

constexpr int kNodePool = 2048;
constexpr int kMaxPolys = 256;
constexpr float kNudge_m = 1e-4f;
constexpr float kNavigableHeight_m = 0.5f;
constexpr double kNavigableOffset_m = 1e-2;
// A shortening of the squared step up to this is no collision.
constexpr double kCollisionSlack_m2 = 1e-5;

bool same_bits(const Vec3f& a, const Vec3f& b) {
    using Bits = std::array<std::uint32_t, 3>;
    return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

/// Eigen's isApprox: apart by no more than 1e-5 of the shorter vector's length, all in float32.
bool agree(const Vec3f& a, const Vec3f& b) {
    const auto squared = [](float x, float y, float z) { return x * x + (y * y + z * z); };
    constexpr float kTolerance = 1e-5f * 1e-5f;
    return squared(a.x - b.x, a.y - b.y, a.z - b.z) <=
           kTolerance * std::min(squared(a.x, a.y, a.z), squared(b.x, b.y, b.z));
}

/// Squared length, summed x, y, z from left to right.
float squared_distance(const Vec3f& a, const Vec3f& b) {
    const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

}  // namespace

struct NavMeshQuery::Impl {
    const NavMesh::Impl* mesh = nullptr;
    dtNavMeshQuery query;
    dtQueryFilter filter;
    /// Where the last step on this mesh ended, and its projection: mostly the next step's start.
    Vec3f known_point;
    Projection known;

    Impl() {
        filter.setIncludeFlags(nav::kWalkable);
        filter.setExcludeFlags(0);
    }

    Projection project(const Vec3f& point) const {
        if (mesh->projection_index) return mesh->projection_index->project(query, point);
        return nav::project_by_detour(query, filter, point);
    }
    bool connected(const Projection& a, const Projection& b) const {
        return a.ref != 0 && b.ref != 0 && mesh->island(a.ref) == mesh->island(b.ref);
    }
    Vec3f nudged_into(dtPolyRef ref, const Vec3f& point) const;
    Vec3f try_step(const Vec3f& start, const Vec3f& end, bool sliding);
    nav::StraightMove move(const Projection& from, const Projection& to, const Vec3f& end,
                           bool sliding) const;
    nav::StraightMove slide(const Projection& from, const Vec3f& end) const;
    nav::StraightMove go_straight(const Projection& from, const Vec3f& end) const;
    PathResult path_through(const Projection& from, const Projection& to, const Vec3f& start,
                            const Vec3f& end) const;
};

/// Thin walls: a result on an edge that two islands share may project onto the wrong one. Habitat
/// moves it a little towards the middle of the polygon that the step ended on.
Vec3f NavMeshQuery::Impl::nudged_into(dtPolyRef ref, const Vec3f& point) const {
    const dtMeshTile* tile = nullptr;
    const dtPoly* poly = nullptr;
    mesh->mesh.getTileAndPolyByRefUnsafe(ref, &tile, &poly);
    Vec3f mean;
    for (int i = 0; i < poly->vertCount; ++i) {
        const float* v = tile->verts + 3 * poly->verts[i];
        mean = {mean.x + v[0], mean.y + v[1], mean.z + v[2]};
    }
    const float count = poly->vertCount;
    float way[3] = {mean.x / count - point.x, mean.y / count - point.y, mean.z / count - point.z};
    const float length = nav::norm(way);
    if (length > 0) {
        for (float& component : way) component /= length;
    }
    return {point.x + kNudge_m * way[0], point.y + kNudge_m * way[1], point.z + kNudge_m * way[2]};
}

Vec3f NavMeshQuery::Impl::try_step(const Vec3f& start, const Vec3f& end, bool sliding) {
    const bool start_known = known.ref != 0 && same_bits(start, known_point);
    const Projection from = start_known ? known : project(start);
    const Projection to = same_bits(start, end) ? from : project(end);
    if (!connected(from, to)) return start;

    const nav::StraightMove moved = move(from, to, end, sliding);
    if (moved.last == 0) return start;
    const Vec3f reached = nav::to_vec(moved.point);
    const Projection at = same_bits(reached, end) ? to : project(reached);
    if (!connected(from, at)) return nudged_into(moved.last, reached);
    known_point = reached;
    known = at;
    return reached;
}

/// Steps 3 and 4 of the filter: along the surface, then onto it.
nav::StraightMove NavMeshQuery::Impl::move(const Projection& from, const Projection& to,
                                           const Vec3f& end, bool sliding) const {
    // Both searches look into the start's polygon first and are done where the end lies in it; its
    // height there is what the projection found.
    if (to.over && to.ref == from.ref) return {to.ref, {end.x, to.point.y, end.z}};
    nav::StraightMove moved = sliding ? slide(from, end) : go_straight(from, end);
    float height = 0;
    if (moved.last != 0 && dtStatusSucceed(query.getPolyHeight(moved.last, moved.point, &height))) {
        moved.point[1] = height;
    }
    return moved;
}

nav::StraightMove NavMeshQuery::Impl::slide(const Projection& from, const Vec3f& end) const {
    const float from_point[3] = {from.point.x, from.point.y, from.point.z};
    const float end_point[3] = {end.x, end.y, end.z};
    nav::StraightMove moved;
    dtPolyRef visited[kMaxPolys];
    int visited_count = 0;
    query.moveAlongSurface(from.ref, from_point, end_point, &filter, moved.point, visited,
                           &visited_count, kMaxPolys);
    if (visited_count > 0) moved.last = visited[visited_count - 1];
    return moved;
}

nav::StraightMove NavMeshQuery::Impl::go_straight(const Projection& from, const Vec3f& end) const {
    const float from_point[3] = {from.point.x, from.point.y, from.point.z};
    const float end_point[3] = {end.x, end.y, end.z};
    return nav::move_without_sliding(mesh->mesh, from.ref, from_point, end_point);
}

/// Detour's corridor and the straight path through it. @pre the projections are connected.
PathResult NavMeshQuery::Impl::path_through(const Projection& from, const Projection& to,
                                            const Vec3f& start, const Vec3f& end) const {
    const float from_point[3] = {from.point.x, from.point.y, from.point.z};
    const float to_point[3] = {to.point.x, to.point.y, to.point.z};
    PathResult result;
    result.status = PathStatus::kCorridorIncomplete;
    dtPolyRef corridor[kMaxPolys];
    int corridor_count = 0;
    // Exactly success: no flag for a partial path, a full buffer or a lack of nodes.
    if (query.findPath(from.ref, to.ref, from_point, to_point, &filter, corridor, &corridor_count,
                       kMaxPolys) != DT_SUCCESS ||
        corridor_count == 0) {
        return result;
    }
    const float raw_start[3] = {start.x, start.y, start.z};
    const float raw_end[3] = {end.x, end.y, end.z};
    float corners[3 * kMaxPolys];
    int corner_count = 0;
    const dtStatus status =
        query.findStraightPath(raw_start, raw_end, corridor, corridor_count, corners, nullptr,
                               nullptr, &corner_count, kMaxPolys);
    if (dtStatusDetail(status, DT_BUFFER_TOO_SMALL)) {
        result.status = PathStatus::kStraightPathTooLong;
        return result;
    }
    if (status != DT_SUCCESS || corner_count == 0) return result;
    for (int i = 0; i < corner_count; ++i) result.points.push_back(nav::to_vec(corners + 3 * i));
    for (int i = 1; i < corner_count; ++i) {
        float way[3];
        for (int k = 0; k < 3; ++k) way[k] = corners[3 * (i - 1) + k] - corners[3 * i + k];
        result.distance_m += nav::norm(way);
    }
    result.status = PathStatus::kFound;
    return result;
}

NavMeshQuery::NavMeshQuery() : impl_(std::make_unique<Impl>()) {}
NavMeshQuery::~NavMeshQuery() = default;
NavMeshQuery::NavMeshQuery(NavMeshQuery&&) noexcept = default;
NavMeshQuery& NavMeshQuery::operator=(NavMeshQuery&&) noexcept = default;

void NavMeshQuery::bind(const NavMesh& mesh) {
    // Forgotten also where the address is the old one: another mesh may stand there by now.
    impl_->known = {};
    if (impl_->mesh == &mesh.impl()) return;
    impl_->mesh = nullptr;
    HAVLN_CHECK(dtStatusSucceed(impl_->query.init(&mesh.impl().mesh, kNodePool)));
    impl_->mesh = &mesh.impl();
}

Vec3f NavMeshQuery::try_step(const Vec3f& start, const Vec3f& end, bool sliding) {
    HAVLN_CHECK(impl_->mesh != nullptr);
    return impl_->try_step(start, end, sliding);
}

FilterResult NavMeshQuery::filter_step(const Vec3f& start, const Vec3f& end, bool sliding) {
    const Vec3f reached = try_step(start, end, sliding);
    FilterResult result;
    // Habitat's agent moves by the difference from where it wanted to go, in float32.
    result.position = {(reached.x - end.x) + end.x, (reached.y - end.y) + end.y,
                       (reached.z - end.z) + end.z};
    result.collided = static_cast<double>(squared_distance(reached, start)) + kCollisionSlack_m2 <
                      static_cast<double>(squared_distance(end, start));
    return result;
}

std::optional<Vec3f> NavMeshQuery::snap(const Vec3f& point) {
    HAVLN_CHECK(impl_->mesh != nullptr);
    const Projection projection = impl_->project(point);
    if (projection.ref == 0) return std::nullopt;
    return projection.point;
}

bool NavMeshQuery::is_navigable(const Vec3f& point) {
    const std::optional<Vec3f> snapped = snap(point);
    if (!snapped || std::abs(snapped->y - point.y) > kNavigableHeight_m) return false;
    const float dx = point.x - snapped->x, dz = point.z - snapped->z;
    // The limit is a double in Habitat; the norm is not.
    return !(static_cast<double>(std::sqrt(dx * dx + dz * dz)) > kNavigableOffset_m);
}

float NavMeshQuery::distance_to_closest_obstacle_m(const Vec3f& point, float max_radius_m) {
    HAVLN_CHECK(impl_->mesh != nullptr);
    const Projection projection = impl_->project(point);
    if (projection.ref == 0) return std::numeric_limits<float>::infinity();
    const float center[3] = {projection.point.x, projection.point.y, projection.point.z};
    float distance = std::numeric_limits<float>::quiet_NaN();
    float hit[3] = {}, normal[3] = {};
    impl_->query.findDistanceToWall(projection.ref, center, max_radius_m, &impl_->filter, &distance,
                                    hit, normal);
    return distance;
}

std::optional<int> NavMeshQuery::island(const Vec3f& point) {
    HAVLN_CHECK(impl_->mesh != nullptr);
    const Projection projection = impl_->project(point);
    if (projection.ref == 0) return std::nullopt;
    return impl_->mesh->island(projection.ref);
}

float NavMeshQuery::island_radius_m(const Vec3f& point) {
    const std::optional<int> index = island(point);
    return index ? impl_->mesh->island_radii_m[static_cast<std::size_t>(*index)] : 0.0f;
}

PathResult NavMeshQuery::find_path(const Vec3f& start, const Vec3f& end) {
    HAVLN_CHECK(impl_->mesh != nullptr);
    const Projection from = impl_->project(start);
    const Projection to = impl_->project(end);
    if (from.ref == 0) return {PathStatus::kStartOffMesh, 0, {}};
    if (to.ref == 0) return {PathStatus::kEndOffMesh, 0, {}};
    if (agree(from.point, to.point)) return {PathStatus::kFound, 0, {from.point, to.point}};
    if (!impl_->connected(from, to)) return {PathStatus::kDifferentIslands, 0, {}};
    return impl_->path_through(from, to, start, end);
}

std::string path_finder_version() {
    return "detour-" HAVLN_DETOUR_VERSION;
}

}  // namespace havln
