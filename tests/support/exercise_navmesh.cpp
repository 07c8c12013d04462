#include "support/exercise_navmesh.h"

#include <vector>

#include "havln/replay.h"
#include "havln/scene.h"

namespace havln::test {

namespace {

void query_everything(const NavMesh& mesh, Random& random, const auto& any_point) {
    NavMeshQuery query;
    query.bind(mesh);
    for (int i = 0; i < 20; ++i) {
        const Vec3f a = any_point(random), b = any_point(random);
        query.try_step(a, b, true);
        query.try_step(a, b, false);
        query.find_path(a, b);
        query.is_navigable(a);
        query.distance_to_closest_obstacle_m(a);
        query.island_radius_m(a);
    }
}

}  // namespace

void exercise_navmesh(const std::shared_ptr<const NavMesh>& mesh, Random& random) {
    mesh->stats();
    const auto polygons = mesh->polygons();
    const auto any_point = [&](Random& from) -> Vec3f {
        const auto& vertices = polygons[from.below(polygons.size())].vertices;
        const Vec3f& v = vertices[from.below(vertices.size())];
        const auto shift = [&] { return static_cast<float>(from.uniform() * 4 - 2); };
        return {v.x + shift(), v.y + shift(), v.z + shift()};
    };
    query_everything(*mesh, random, any_point);

    std::vector<Action> actions;
    for (int i = 0; i < 60; ++i) actions.push_back(static_cast<Action>(1 + random.below(5)));
    SceneNavMeshes scene;
    scene.frames = {mesh};
    scene.without_people = mesh;
    for (bool sliding : {true, false}) {
        ReplaySettings settings;
        settings.sliding = sliding;
        settings.attribute_blocks = true;
        const AgentPose start = {any_point(random), {0, 0, 0, 1}};
        ReplayEngine(settings).replay(start, actions, constant_clock(actions.size(), 1), scene);
    }
}

}  // namespace havln::test
