#include <DetourNavMeshQuery.h>

#include <cmath>
#include <limits>
#include <utility>

#include "havln/error.h"
#include "havln/navmesh.h"
#include "nav/navmesh_impl.h"

namespace havln {

namespace {

constexpr int kNodePool = 2048;
constexpr int kMaxPolys = 256;
constexpr float kNudge_m = 1e-4f;
// A shortening of the squared step up to this is no collision.
constexpr double kCollisionSlack_m2 = 1e-5;

/// Nearest point on the mesh; ref 0 where there is none.
struct Projection {
    dtPolyRef ref = 0;
    Vec3f point;
};

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

    Impl() {
        filter.setIncludeFlags(nav::kWalkable);
        filter.setExcludeFlags(0);
    }

    Projection project(const Vec3f& point) const;
    bool connected(const Projection& a, const Projection& b) const {
        return a.ref != 0 && b.ref != 0 && mesh->island(a.ref) == mesh->island(b.ref);
    }
    Vec3f nudged_into(dtPolyRef ref, const Vec3f& point) const;
    Vec3f try_step(const Vec3f& start, const Vec3f& end, bool sliding);
};

Projection NavMeshQuery::Impl::project(const Vec3f& point) const {
    // Detour casts x and z to tile coordinates without a look at their range.
    if (!(std::abs(point.x) <= nav::kMaxCoordinate_m) || !std::isfinite(point.y) ||
        !(std::abs(point.z) <= nav::kMaxCoordinate_m)) {
        return {};
    }
    constexpr float kHalfExtents_m[3] = {2, 4, 2};
    const float center[3] = {point.x, point.y, point.z};
    dtPolyRef ref = 0;
    float nearest[3] = {};
    if (dtStatusFailed(query.findNearestPoly(center, kHalfExtents_m, &filter, &ref, nearest))) {
        return {};
    }
    return {ref, nav::to_vec(nearest)};
}

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
    const Projection from = project(start);
    const Projection to = project(end);
    if (!connected(from, to)) return start;

    HAVLN_CHECK(sliding);
    const float from_point[3] = {from.point.x, from.point.y, from.point.z};
    const float end_point[3] = {end.x, end.y, end.z};
    float result[3] = {};
    dtPolyRef visited[kMaxPolys];
    int visited_count = 0;
    query.moveAlongSurface(from.ref, from_point, end_point, &filter, result, visited,
                           &visited_count, kMaxPolys);
    if (visited_count == 0) return start;

    const dtPolyRef last = visited[visited_count - 1];
    float height = 0;
    if (dtStatusSucceed(query.getPolyHeight(last, result, &height))) result[1] = height;

    const Vec3f reached = nav::to_vec(result);
    return connected(from, project(reached)) ? reached : nudged_into(last, reached);
}

NavMeshQuery::NavMeshQuery() : impl_(std::make_unique<Impl>()) {}
NavMeshQuery::~NavMeshQuery() = default;
NavMeshQuery::NavMeshQuery(NavMeshQuery&&) noexcept = default;
NavMeshQuery& NavMeshQuery::operator=(NavMeshQuery&&) noexcept = default;

void NavMeshQuery::bind(const NavMesh& mesh) {
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

std::string path_finder_version() {
    return "detour-1.5.1+git20210215";
}

}  // namespace havln
