// The sooner projection against the stock call, bit by bit, on points of every kind.
#include "nav/projection.h"

#include <cmath>
#include <memory>
#include <vector>

#include "havln/random.h"
#include "nav/navmesh_impl.h"
#include "support/catch.h"
#include "support/reference.h"
#include "support/support.h"
#include "support/toy_navmesh.h"

namespace havln::test {

namespace {

/// Points in and around the mesh: anywhere, on vertices and edges, a hair beside them, far off.
class PointSource {
  public:
    PointSource(const NavMesh& mesh, std::uint64_t seed)
        : polygons_(mesh.polygons()), bounds_(mesh.stats().bounds), random_(seed) {}

    Vec3f next() {
        switch (random_.below(5)) {
            case 0:
                return {between(bounds_.min.x - 3, bounds_.max.x + 3),
                        between(bounds_.min.y - 5, bounds_.max.y + 5),
                        between(bounds_.min.z - 3, bounds_.max.z + 3)};
            case 1:
                return corner();
            case 2:
                return on_edge(0);
            case 3:
                return on_edge(1e-3f);
            default:
                return on_edge(2);
        }
    }

  private:
    float between(float low, float high) {
        return low + (high - low) * static_cast<float>(random_.uniform());
    }

    const NavMesh::Polygon& any_polygon() { return polygons_[random_.below(polygons_.size())]; }

    Vec3f corner() {
        const auto& vertices = any_polygon().vertices;
        return vertices[random_.below(vertices.size())];
    }

    Vec3f on_edge(float spread) {
        const auto& vertices = any_polygon().vertices;
        const std::size_t i = random_.below(vertices.size());
        const Vec3f &a = vertices[i], &b = vertices[(i + 1) % vertices.size()];
        const float t = between(0, 1);
        return {a.x + (b.x - a.x) * t + between(-spread, spread),
                a.y + (b.y - a.y) * t + between(-spread, spread),
                a.z + (b.z - a.z) * t + between(-spread, spread)};
    }

    std::vector<NavMesh::Polygon> polygons_;
    Bounds bounds_;
    Random random_;
};

void check_same_projections(const NavMesh& mesh, int points, std::uint64_t seed) {
    REQUIRE(mesh.impl().projection_index.has_value());
    dtNavMeshQuery query;
    REQUIRE(dtStatusSucceed(query.init(&mesh.impl().mesh, 2048)));
    dtQueryFilter filter;
    filter.setIncludeFlags(nav::kWalkable);
    PointSource source(mesh, seed);
    int found = 0, differing = 0;
    for (int i = 0; i < points; ++i) {
        const Vec3f point = source.next();
        const nav::Projection stock = nav::project_by_detour(query, filter, point);
        const nav::Projection ours = mesh.impl().projection_index->project(query, point);
        found += stock.ref != 0 ? 1 : 0;
        if (stock.ref == ours.ref && (stock.ref == 0 || same_bits(stock.point, ours.point))) {
            continue;
        }
        if (++differing == 1) {
            UNSCOPED_INFO("at " << show(point) << ": " << show(ours.point) << ", stock "
                                << show(stock.point));
        }
    }
    CHECK(differing == 0);
    CHECK(found > points / 2);
}

}  // namespace

TEST_CASE("projection: the same as Detour's on plans with walls, levels and islands", "[nav]") {
    const ToyFloor plans[] = {{{"........", "..##..#.", "..##....", "........", "#......#"}},
                              {{"000111", "0#0111", "222111", "2222#1"}},
                              {{"."}}};
    std::uint64_t seed = 1;
    for (const ToyFloor& plan : plans) check_same_projections(*toy_mesh(plan), 20000, seed++);
}

TEST_CASE("projection: the same as Detour's on a real scene", "[nav][reference]") {
    HAVLN_NEED_SHARED("real/havln2/recompute_navmesh");
    const auto scene = load_scene_navmeshes(shared("real/havln2"), "x8F5xyUWy9e",
                                            std::vector<bool>(kFrameCount, true), false);
    for (int frame = 0; frame < kFrameCount; frame += 17) {
        check_same_projections(scene->frame(frame), 10000, static_cast<std::uint64_t>(frame));
    }
}

TEST_CASE("projection: the same as Detour's on synthetic scenes", "[nav][reference]") {
    HAVLN_NEED_SHARED("synth/scene_datasets");
    for (const char* scan : {"syn_rooms", "syn_stairs", "syn_maze", "syn_pillars", "syn_floors",
                             "syn_crowd", "hnd_thin", "hnd_degen", "hnd_micro", "hnd_comb"}) {
        INFO("scene " << scan);
        const auto scene = load_scene_navmeshes(shared("synth"), scan, {}, true);
        check_same_projections(*scene->without_people, 5000, 7);
    }
}

TEST_CASE("projection: meshes of several tiles or without a BV tree use the stock call", "[nav]") {
    ToyFloor floor = {{"....", "...."}};
    floor.bv_tree = false;
    CHECK_FALSE(toy_mesh(floor)->impl().projection_index.has_value());
    floor.bv_tree = true;
    CHECK(toy_mesh(floor)->impl().projection_index.has_value());
    floor.tile_cells = 1;
    CHECK_FALSE(toy_mesh(floor)->impl().projection_index.has_value());
}

}  // namespace havln::test
