#include "nav/projection.h"

#include <DetourCommon.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "nav/navmesh_impl.h"

namespace havln::nav {

namespace {

constexpr float kHalfExtents_m[3] = {2, 4, 2};
constexpr float kInfinity = std::numeric_limits<float>::infinity();
// Detour's points are sums and products of a few coordinates, each good to 2^-24 of the largest;
// this is over a hundred times that.
constexpr float kRelativeSlack = 1e-5f;
constexpr float kAbsoluteSlack_m = 1e-5f;

/// Detour casts x and z to tile coordinates without a look at their range.
bool in_range(const Vec3f& point) {
    return std::abs(point.x) <= kMaxCoordinate_m && std::isfinite(point.y) &&
           std::abs(point.z) <= kMaxCoordinate_m;
}

/// How far a coordinate lies outside of an interval; infinite for an empty one.
float outside(float value, float min, float max) {
    return std::max(std::max(min - value, value - max), 0.0f);
}

}  // namespace

Projection project_by_detour(const dtNavMeshQuery& query, const dtQueryFilter& filter,
                             const Vec3f& point) {
    if (!in_range(point)) return {};
    const float center[3] = {point.x, point.y, point.z};
    dtPolyRef ref = 0;
    float nearest[3] = {};
    if (dtStatusFailed(query.findNearestPoly(center, kHalfExtents_m, &filter, &ref, nearest))) {
        return {};
    }
    return {ref, to_vec(nearest), false};
}

/// The nearest polygon so far; a node's index is its place in BV order.
struct ProjectionIndex::Best {
    float measure = std::numeric_limits<float>::max();
    int node = -1;
    Projection projection;
};

std::optional<ProjectionIndex> ProjectionIndex::build(const dtNavMesh& mesh) {
    ProjectionIndex index;
    for (int i = 0; i < mesh.getMaxTiles(); ++i) {
        const dtMeshTile* tile = mesh.getTile(i);
        if (tile->header == nullptr) continue;
        if (index.tile_ != nullptr) return std::nullopt;
        index.tile_ = tile;
    }
    if (index.tile_ == nullptr || index.tile_->bvTree == nullptr) return std::nullopt;
    index.mesh_ = &mesh;
    index.base_ = mesh.getPolyRefBase(index.tile_);
    float largest = 0;
    for (int i = 0; i < 3 * index.tile_->header->vertCount; ++i) {
        largest = std::max(largest, std::abs(index.tile_->verts[i]));
    }
    for (int i = 0; i < 3 * index.tile_->header->detailVertCount; ++i) {
        largest = std::max(largest, std::abs(index.tile_->detailVerts[i]));
    }
    index.slack_m_ = kAbsoluteSlack_m + kRelativeSlack * largest;
    if (!index.add_nodes()) return std::nullopt;
    return index;
}

/// False where the nodes do not nest.
bool ProjectionIndex::add_nodes() {
    const int count = tile_->header->bvNodeCount;
    nodes_.resize(static_cast<std::size_t>(count));
    for (int i = count - 1; i >= 0; --i) {
        const dtBVNode& from = tile_->bvTree[i];
        Node& node = nodes_[static_cast<std::size_t>(i)];
        for (int axis = 0; axis < 3; ++axis) {
            node.cell_min[axis] = from.bmin[axis];
            node.cell_max[axis] = from.bmax[axis];
            node.min[axis] = kInfinity;
            node.max[axis] = -kInfinity;
        }
        node.poly = from.i >= 0 ? from.i : -1;
        node.next = from.i >= 0 ? i + 1 : i - from.i;
        if (node.poly >= 0 && passes_filter(tile_->polys[node.poly])) cover_poly(node, node.poly);
        int child = i + 1;
        while (child < node.next) {
            const Node& below = nodes_[static_cast<std::size_t>(child)];
            for (int axis = 0; axis < 3; ++axis) {
                node.min[axis] = std::min(node.min[axis], below.min[axis]);
                node.max[axis] = std::max(node.max[axis], below.max[axis]);
            }
            child = below.next;
        }
        if (child != node.next) return false;
    }
    return true;
}

void ProjectionIndex::cover_poly(Node& node, int index) {
    const auto cover = [&node](const float* v) {
        for (int axis = 0; axis < 3; ++axis) {
            node.min[axis] = std::min(node.min[axis], v[axis]);
            node.max[axis] = std::max(node.max[axis], v[axis]);
        }
    };
    const dtPoly& poly = tile_->polys[index];
    const dtPolyDetail& detail = tile_->detailMeshes[index];
    for (int i = 0; i < poly.vertCount; ++i) cover(tile_->verts + 3 * poly.verts[i]);
    for (unsigned int i = 0; i < detail.triCount; ++i) {
        const unsigned char* tri = tile_->detailTris + 4 * (detail.triBase + i);
        for (int k = 0; k < 3; ++k) cover(detail_corner(*tile_, poly, detail, tri[k]));
    }
}

Projection ProjectionIndex::project(const dtNavMeshQuery& query, const Vec3f& point) const {
    if (!in_range(point) || !tile_in_reach(point)) return {};
    const CellBox box = cells_around(point);
    Best best;
    if (!measure_those_below(query, point, box, best)) {
        measure_all_around(query, point, box, best);
    }
    return best.projection;
}

/// Detour looks at the tiles whose place in the grid the query box touches.
bool ProjectionIndex::tile_in_reach(const Vec3f& point) const {
    const float low[3] = {point.x - kHalfExtents_m[0], point.y - kHalfExtents_m[1],
                          point.z - kHalfExtents_m[2]};
    const float high[3] = {point.x + kHalfExtents_m[0], point.y + kHalfExtents_m[1],
                           point.z + kHalfExtents_m[2]};
    int min_x = 0, min_y = 0, max_x = 0, max_y = 0;
    mesh_->calcTileLoc(low, &min_x, &min_y);
    mesh_->calcTileLoc(high, &max_x, &max_y);
    const dtMeshHeader& header = *tile_->header;
    return min_x <= header.x && header.x <= max_x && min_y <= header.y && header.y <= max_y;
}

/// The box as dtNavMeshQuery::queryPolygonsInTile quantises it: clamped into the tile first.
ProjectionIndex::CellBox ProjectionIndex::cells_around(const Vec3f& point) const {
    const dtMeshHeader& header = *tile_->header;
    const float center[3] = {point.x, point.y, point.z};
    CellBox box = {};
    for (int axis = 0; axis < 3; ++axis) {
        const float low = header.bmin[axis], high = header.bmax[axis];
        const float from = dtClamp(center[axis] - kHalfExtents_m[axis], low, high) - low;
        const float to = dtClamp(center[axis] + kHalfExtents_m[axis], low, high) - low;
        const auto from_cell = static_cast<unsigned short>(header.bvQuantFactor * from);
        const auto to_cell = static_cast<unsigned short>(header.bvQuantFactor * to + 1);
        box.min[axis] = static_cast<unsigned short>(from_cell & 0xfffe);
        box.max[axis] = static_cast<unsigned short>(to_cell | 1);
    }
    return box;
}

/// No polygon below the node measures less than this. Only a point over a polygon is measured by
/// height alone, less the climb; that takes a point within the bounds, seen from above.
float ProjectionIndex::least_measure(const Node& node, const Vec3f& point) const {
    const float x = outside(point.x, node.min[0], node.max[0]) - slack_m_;
    const float y = outside(point.y, node.min[1], node.max[1]) - slack_m_;
    const float z = outside(point.z, node.min[2], node.max[2]) - slack_m_;
    constexpr float kRounding = 0.9999f;
    if (x > 0 || z > 0) {
        const float dx = std::max(x, 0.0f), dy = std::max(y, 0.0f), dz = std::max(z, 0.0f);
        return (dx * dx + dy * dy + dz * dz) * kRounding;
    }
    const float dy = std::max(y - std::max(tile_->header->walkableClimb, 0.0f), 0.0f);
    return dy * dy * kRounding;
}

void ProjectionIndex::measure(const dtNavMeshQuery& query, const Vec3f& point, int node,
                              Best& best) const {
    const dtPolyRef ref =
        base_ | static_cast<dtPolyRef>(nodes_[static_cast<std::size_t>(node)].poly);
    const float center[3] = {point.x, point.y, point.z};
    float closest[3] = {};
    bool over = false;
    query.closestPointOnPoly(ref, center, closest, &over);
    float way[3];
    dtVsub(way, center, closest);
    float distance = dtVlenSqr(way);
    if (over) {
        distance = dtAbs(way[1]) - tile_->header->walkableClimb;
        distance = distance > 0 ? distance * distance : 0;
    }
    if (distance < best.measure || (distance == best.measure && node < best.node)) {
        best = {distance, node, {ref, to_vec(closest), over}};
    }
}

/// Measures the polygons whose bounds do not prove that the measure is above zero, in BV order up
/// to the first zero: nothing beats that.
bool ProjectionIndex::measure_those_below(const dtNavMeshQuery& query, const Vec3f& point,
                                          const CellBox& box, Best& best) const {
    const int count = static_cast<int>(nodes_.size());
    for (int i = 0; i < count;) {
        const Node& node = nodes_[static_cast<std::size_t>(i)];
        if (!dtOverlapQuantBounds(box.min, box.max, node.cell_min, node.cell_max) ||
            least_measure(node, point) > 0) {
            i = node.next;
            continue;
        }
        if (node.poly >= 0) {
            measure(query, point, i, best);
            if (best.measure == 0) return true;
        }
        ++i;
    }
    return false;
}

/// Measures all others that may still win.
void ProjectionIndex::measure_all_around(const dtNavMeshQuery& query, const Vec3f& point,
                                         const CellBox& box, Best& best) const {
    const int count = static_cast<int>(nodes_.size());
    for (int i = 0; i < count;) {
        const Node& node = nodes_[static_cast<std::size_t>(i)];
        const float least = least_measure(node, point);
        if (least > best.measure ||
            !dtOverlapQuantBounds(box.min, box.max, node.cell_min, node.cell_max)) {
            i = node.next;
            continue;
        }
        if (node.poly >= 0 && least > 0) measure(query, point, i, best);
        ++i;
    }
}

}  // namespace havln::nav
