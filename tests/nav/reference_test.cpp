// The path finder's answers against Habitat-Sim 0.1.7's own, equal as float32.
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "havln/navmesh.h"
#include "havln/scene.h"
#include "support/catch.h"
#include "support/reference.h"
#include "support/support.h"

namespace havln::test {

namespace {

/// Answers on one scene's navmeshes; frame -1 is the mesh without people.
class SceneOracle {
  public:
    SceneOracle(const char* root, const std::string& scan)
        : scene_(load_scene_navmeshes(shared(root), scan, std::vector<bool>(kFrameCount, true),
                                      true)) {}

    const NavMesh& mesh(const JsonTree& item, int otherwise = 0) const {
        const JsonTree* frame = item.find("frame");
        const auto index = frame == nullptr ? otherwise : static_cast<int>(frame->integer());
        return index < 0 ? *scene_->without_people : scene_->frame(index);
    }

    NavMeshQuery& query(const JsonTree& item, int otherwise = 0) {
        query_.bind(mesh(item, otherwise));
        return query_;
    }

  private:
    std::shared_ptr<const SceneNavMeshes> scene_;
    NavMeshQuery query_;
};

const JsonTree& at(const JsonTree& object, std::string_view key) {
    const JsonTree* member = object.find(key);
    if (member == nullptr) throw std::runtime_error("reference lacks " + std::string(key));
    return *member;
}

float number_or(const JsonTree& value, float otherwise) {
    return value.is_null() ? otherwise : to_float32(value);
}

void check_steps(SceneOracle& oracle, const JsonTree& items) {
    for (const JsonTree& item : items.array()) {
        NavMeshQuery& query = oracle.query(item);
        const Vec3f start = to_point(at(item, "start")), end = to_point(at(item, "end"));
        INFO("start " << show(start) << " end " << show(end) << " frame "
                      << at(item, "frame").integer());
        CHECK(same_bits(query.try_step(start, end, true), to_point(at(item, "slide"))));
        CHECK(same_bits(query.try_step(start, end, false), to_point(at(item, "noslide"))));
    }
}

void check_paths(SceneOracle& oracle, const JsonTree& items) {
    for (const JsonTree& item : items.array()) {
        const Vec3f start = to_point(at(item, "start")), end = to_point(at(item, "end"));
        INFO("start " << show(start) << " end " << show(end));
        const PathResult path = oracle.query(item).find_path(start, end);
        REQUIRE(path.found() == at(item, "found").boolean());
        if (!path.found()) {
            CHECK(path.points.empty());
            continue;
        }
        CHECK(same_bits(path.distance_m, to_float32(at(item, "geodesic_distance"))));
        if (at(item, "points").is_null()) continue;
        const JsonTree::Array& points = at(item, "points").array();
        REQUIRE(path.points.size() == points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            CHECK(same_bits(path.points[i], to_point(points[i])));
        }
    }
}

void check_points(SceneOracle& oracle, const JsonTree& items) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const JsonTree& item : items.array()) {
        NavMeshQuery& query = oracle.query(item);
        const Vec3f point = to_point(at(item, "point"));
        INFO("point " << show(point));
        const std::optional<Vec3f> snapped = query.snap(point);
        REQUIRE(snapped.has_value() == !at(item, "snap").is_null());
        if (snapped) CHECK(same_bits(*snapped, to_point(at(item, "snap"))));
        CHECK(query.is_navigable(point) == at(item, "is_navigable").boolean());
        CHECK(same_bits(query.distance_to_closest_obstacle_m(point),
                        number_or(at(item, "distance_to_closest_obstacle"), kInfinity)));
        CHECK(same_bits(query.distance_to_closest_obstacle_m(point, 0.25f),
                        number_or(at(item, "distance_to_closest_obstacle_r0.25"), kInfinity)));
        CHECK(same_bits(query.island_radius_m(point), to_float32(at(item, "island_radius"))));
        CHECK(query.island(point).has_value() == snapped.has_value());
    }
}

void check_stats(SceneOracle& oracle, const JsonTree& items) {
    for (const JsonTree& item : items.array()) {
        INFO("frame " << at(item, "frame").integer());
        const NavMeshStats stats = oracle.mesh(item).stats();
        CHECK(same_bits(stats.navigable_area_m2, to_float32(at(item, "navigable_area"))));
        CHECK(same_bits(stats.bounds.min, to_point(at(item, "bounds").array().at(0))));
        CHECK(same_bits(stats.bounds.max, to_point(at(item, "bounds").array().at(1))));
        CHECK(stats.polys == at(item, "polys").integer());
        CHECK(stats.disabled_polys == at(item, "disabled_polys").integer());
        CHECK(stats.verts == at(item, "verts").integer());
        CHECK(stats.tiles == at(item, "tiles").integer());
        CHECK(stats.off_mesh_links == at(item, "off_mesh").integer());
        CHECK(stats.islands == at(item, "islands").integer());
        CHECK(stats.islands_with_walkable_poly == at(item, "islands_with_walkable_poly").integer());
        const JsonTree::Array& radii = at(item, "island_radii").array();
        REQUIRE(stats.island_radii_m.size() == radii.size());
        for (std::size_t i = 0; i < radii.size(); ++i) {
            CHECK(same_bits(stats.island_radii_m[i], to_float32(radii[i])));
        }
    }
}

constexpr const char* kRealRoot = "real/havln2";
constexpr const char* kRealScan = "x8F5xyUWy9e";

}  // namespace

TEST_CASE("navmesh: shortest paths on a real scene are Habitat's", "[nav][reference]") {
    HAVLN_NEED_SHARED("vectors/geodesic.json.gz");
    SceneOracle oracle(kRealRoot, kRealScan);
    const JsonTree reference = read_shared_json("vectors/geodesic.json.gz");
    REQUIRE(at(reference, "frame").integer() == 0);
    REQUIRE(at(reference, "episodes").array().size() == 102);
    REQUIRE(at(reference, "random").array().size() == 300);
    check_paths(oracle, at(reference, "episodes"));
    check_paths(oracle, at(reference, "random"));
}

TEST_CASE("navmesh: point queries on a real scene are Habitat's", "[nav][reference]") {
    HAVLN_NEED_SHARED("vectors/queries.json.gz");
    SceneOracle oracle(kRealRoot, kRealScan);
    const JsonTree reference = read_shared_json("vectors/queries.json.gz");
    REQUIRE(at(reference, "frame").integer() == 0);
    REQUIRE(at(reference, "queries").array().size() == 500);
    check_points(oracle, at(reference, "queries"));
}

TEST_CASE("navmesh: areas, bounds and islands of 120 real navmeshes are Habitat's",
          "[nav][reference]") {
    HAVLN_NEED_SHARED("vectors/navmesh_stats.json.gz");
    SceneOracle oracle(kRealRoot, kRealScan);
    const JsonTree reference = read_shared_json("vectors/navmesh_stats.json.gz");
    REQUIRE(at(reference, "frames").array().size() == 120);
    check_stats(oracle, at(reference, "frames"));
}

TEST_CASE("navmesh: single steps on a real scene are Habitat's with and without sliding",
          "[nav][reference]") {
    HAVLN_NEED_SHARED("vectors/trystep_extra.json.gz");
    SceneOracle oracle(kRealRoot, kRealScan);
    const JsonTree reference = read_shared_json("vectors/trystep_extra.json.gz");
    REQUIRE(at(reference, "items").array().size() == 3000);
    check_steps(oracle, at(reference, "items"));
}

TEST_CASE("navmesh: every raw answer on the synthetic scenes is Habitat's", "[nav][reference]") {
    HAVLN_NEED_SHARED("synth/raw.json.gz");
    const JsonTree reference = read_shared_json("synth/raw.json.gz");
    REQUIRE(at(reference, "scenes").object().size() == 12);
    for (const auto& [scan, answers] : at(reference, "scenes").object()) {
        INFO("scene " << scan);
        SceneOracle oracle("synth", scan);
        check_steps(oracle, at(answers, "trystep"));
        check_paths(oracle, at(answers, "geodesic"));
        check_points(oracle, at(answers, "queries"));
        check_stats(oracle, at(answers, "navmesh_stats"));
    }
}

}  // namespace havln::test
