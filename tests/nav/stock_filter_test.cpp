// The move filter with its savings against the plain sequence of stock Detour calls, bit by bit.
#include <DetourNavMeshQuery.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "havln/random.h"
#include "nav/navmesh_impl.h"
#include "support/catch.h"
#include "support/reference.h"
#include "support/support.h"
#include "support/toy_navmesh.h"

namespace havln::test {

namespace {

/// The filter as the replay contract words it, every call made, nothing remembered.
class StockFilter {
  public:
    explicit StockFilter(const NavMesh& mesh) : mesh_(mesh) {
        REQUIRE(dtStatusSucceed(query_.init(&mesh.impl().mesh, 2048)));
        filter_.setIncludeFlags(nav::kWalkable);
        filter_.setExcludeFlags(0);
    }

    Vec3f try_step(const Vec3f& start, const Vec3f& end) const {
        float from[3], to[3], result[3] = {}, again[3];
        const dtPolyRef from_ref = project(start, from), to_ref = project(end, to);
        if (!same_island(from_ref, to_ref)) return start;
        const float end_point[3] = {end.x, end.y, end.z};
        dtPolyRef visited[256];
        int visited_count = 0;
        query_.moveAlongSurface(from_ref, from, end_point, &filter_, result, visited,
                                &visited_count, 256);
        if (visited_count == 0) return start;
        float height = 0;
        const dtPolyRef last = visited[visited_count - 1];
        if (dtStatusSucceed(query_.getPolyHeight(last, result, &height))) result[1] = height;
        const Vec3f reached = nav::to_vec(result);
        return same_island(from_ref, project(reached, again)) ? reached : nudged(last, reached);
    }

  private:
    dtPolyRef project(const Vec3f& point, float* nearest) const {
        const float center[3] = {point.x, point.y, point.z}, half_extents[3] = {2, 4, 2};
        dtPolyRef ref = 0;
        query_.findNearestPoly(center, half_extents, &filter_, &ref, nearest);
        return ref;
    }

    bool same_island(dtPolyRef a, dtPolyRef b) const {
        return a != 0 && b != 0 && mesh_.impl().island(a) == mesh_.impl().island(b);
    }

    Vec3f nudged(dtPolyRef ref, const Vec3f& point) const {
        const dtMeshTile* tile = nullptr;
        const dtPoly* poly = nullptr;
        mesh_.impl().mesh.getTileAndPolyByRefUnsafe(ref, &tile, &poly);
        float mean[3] = {};
        for (int i = 0; i < poly->vertCount; ++i) {
            for (int axis = 0; axis < 3; ++axis)
                mean[axis] += tile->verts[3 * poly->verts[i] + axis];
        }
        const float n = poly->vertCount;
        float way[3] = {mean[0] / n - point.x, mean[1] / n - point.y, mean[2] / n - point.z};
        const float length = std::sqrt(way[0] * way[0] + (way[1] * way[1] + way[2] * way[2]));
        for (float& w : way) w = length > 0 ? w / length : 0;
        return {point.x + 1e-4f * way[0], point.y + 1e-4f * way[1], point.z + 1e-4f * way[2]};
    }

    const NavMesh& mesh_;
    dtNavMeshQuery query_;
    dtQueryFilter filter_;
};

/// Walks at random from many places with one query object, so that what it remembers is used:
/// forward steps, turns, long steps, and jumps to another place or just beside the mesh.
void check_same_steps(const NavMesh& mesh, int steps, std::uint64_t seed) {
    const StockFilter stock(mesh);
    NavMeshQuery query;
    query.bind(mesh);
    const auto polygons = mesh.polygons();
    Random random(seed);
    const auto spread = [&](double width) {
        return static_cast<float>(width * (2 * random.uniform() - 1));
    };
    Vec3f at = polygons.front().vertices.front();
    int differing = 0, moved = 0;
    for (int i = 0; i < steps; ++i) {
        if (random.below(12) == 0) {
            const auto& vertices = polygons[random.below(polygons.size())].vertices;
            const Vec3f& corner = vertices[random.below(vertices.size())];
            at = {corner.x + spread(0.3), corner.y + spread(0.2), corner.z + spread(0.3)};
        }
        const double angle_rad = std::numbers::pi / 12 * static_cast<double>(random.below(24));
        const double length_m = random.below(20) == 0 ? 3.0 : 0.25;
        const bool turn = random.below(3) == 0;
        const Vec3f end =
            turn ? at
                 : Vec3f{at.x + static_cast<float>(length_m * std::cos(angle_rad)), at.y,
                         at.z + static_cast<float>(length_m * std::sin(angle_rad))};
        const Vec3f expected = stock.try_step(at, end);
        const Vec3f ours = query.try_step(at, end, true);
        if (!same_bits(ours, expected) && ++differing == 1) {
            UNSCOPED_INFO("from " << show(at) << " to " << show(end) << ": " << show(ours)
                                  << ", stock " << show(expected));
        }
        moved += same_bits(expected, at) ? 0 : 1;
        at = expected;
    }
    CHECK(differing == 0);
    CHECK(moved > steps / 10);
}

}  // namespace

TEST_CASE("filter: random walks on plans equal the plain stock calls", "[nav][filter]") {
    const ToyFloor plans[] = {{{"........", "..##..#.", "..##....", "........", "#......#"}},
                              {{"000111", "0#0111", "222111", "2222#1"}}};
    std::uint64_t seed = 1;
    for (const ToyFloor& plan : plans) check_same_steps(*toy_mesh(plan), 20000, seed++);
    ToyFloor tiled = plans[0];
    tiled.tile_cells = 3;
    check_same_steps(*toy_mesh(tiled), 20000, seed);
}

TEST_CASE("filter: random walks on a real scene equal the plain stock calls",
          "[nav][filter][reference]") {
    HAVLN_NEED_SHARED("real/havln2/recompute_navmesh");
    const auto scene = load_scene_navmeshes(shared("real/havln2"), "x8F5xyUWy9e",
                                            std::vector<bool>(kFrameCount, true), false);
    for (int frame = 0; frame < kFrameCount; frame += 7) {
        check_same_steps(scene->frame(frame), 10000, static_cast<std::uint64_t>(frame) + 1);
    }
}

TEST_CASE("filter: random walks on synthetic scenes equal the plain stock calls",
          "[nav][filter][reference]") {
    HAVLN_NEED_SHARED("synth/scene_datasets");
    for (const char* scan :
         {"syn_rooms", "syn_stairs", "syn_maze", "syn_pillars", "syn_floors", "syn_crowd",
          "hnd_thin", "hnd_degen", "hnd_tiles", "hnd_micro", "hnd_comb", "hnd_wide"}) {
        INFO("scene " << scan);
        const auto scene = load_scene_navmeshes(shared("synth"), scan, {}, true);
        check_same_steps(*scene->without_people, 10000, 7);
    }
}

}  // namespace havln::test
