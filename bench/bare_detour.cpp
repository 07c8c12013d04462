#include "bare_detour.h"

#include <DetourNavMeshQuery.h>

#include <unordered_map>

#include "havln/error.h"
#include "nav/navmesh_impl.h"

namespace havln::bench {

namespace {

constexpr float kHalfExtents_m[3] = {2, 4, 2};
constexpr int kMaxPolys = 256;

struct FreeQuery {
    void operator()(dtNavMeshQuery* query) const { dtFreeNavMeshQuery(query); }
};

}  // namespace

struct BareDetour::Impl {
    std::unordered_map<const NavMesh*, std::unique_ptr<dtNavMeshQuery, FreeQuery>> queries;
    dtQueryFilter filter;
};

BareDetour::BareDetour() : impl_(std::make_unique<Impl>()) {
    impl_->filter.setIncludeFlags(1);
    impl_->filter.setExcludeFlags(0);
}

BareDetour::~BareDetour() = default;

void BareDetour::prepare(const std::vector<Move>& moves) {
    impl_->queries.clear();
    for (const Move& move : moves) {
        auto& query = impl_->queries[move.mesh];
        if (query) continue;
        query.reset(dtAllocNavMeshQuery());
        HAVLN_CHECK(dtStatusSucceed(query->init(&move.mesh->impl().mesh, 2048)));
    }
}

double BareDetour::run(const std::vector<Move>& moves) {
    double sum = 0;
    for (const Move& move : moves) {
        const dtNavMeshQuery& query = *impl_->queries.find(move.mesh)->second;
        const float from[3] = {move.from.x, move.from.y, move.from.z};
        const float end[3] = {move.end.x, move.end.y, move.end.z};
        float from_point[3] = {}, end_point[3] = {}, result[3] = {}, height = 0;
        dtPolyRef from_ref = 0, end_ref = 0, result_ref = 0, visited[kMaxPolys];
        int visited_count = 0;
        query.findNearestPoly(from, kHalfExtents_m, &impl_->filter, &from_ref, from_point);
        query.findNearestPoly(end, kHalfExtents_m, &impl_->filter, &end_ref, end_point);
        if (from_ref == 0 || end_ref == 0) continue;
        query.moveAlongSurface(from_ref, from_point, end, &impl_->filter, result, visited,
                               &visited_count, kMaxPolys);
        if (visited_count == 0) continue;
        if (dtStatusSucceed(query.getPolyHeight(visited[visited_count - 1], result, &height))) {
            result[1] = height;
        }
        query.findNearestPoly(result, kHalfExtents_m, &impl_->filter, &result_ref, end_point);
        sum += static_cast<double>(result[0]) + result[1] + result[2] + (result_ref != 0);
    }
    return sum;
}

}  // namespace havln::bench
