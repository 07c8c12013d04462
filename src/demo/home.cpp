#include "demo/home.h"

#include <map>
#include <optional>
#include <utility>

#include "havln/batch.h"
#include "havln/navmesh_build.h"

namespace havln::demo {

namespace {

/// Everybody's place in one frame: what tells two frames' meshes apart.
using Placement = std::vector<std::optional<std::array<double, 3>>>;

Placement placement(const ScenePeople& people, std::size_t frame) {
    Placement placed;
    for (const Person& person : people.people) {
        const std::optional<Vec3d>& at = person.position[frame];
        placed.push_back(at ? std::optional(std::array{at->x, at->y, at->z}) : std::nullopt);
    }
    return placed;
}

/// One mesh to build.
struct MeshTask {
    std::size_t home = 0;
    std::optional<std::size_t> frame;  ///< None: without people.
    std::size_t slot = 0;              ///< In Home::mesh_bytes.
};

void add_tasks(Home& home, std::size_t index, std::vector<MeshTask>& tasks) {
    tasks.push_back({index, std::nullopt, 0});
    std::map<Placement, std::size_t> known;
    for (std::size_t frame = 0; frame < kFrameCount; ++frame) {
        const auto [entry, is_new] = known.emplace(placement(home.people, frame), known.size());
        home.mesh_of[frame] = entry->second;
        if (is_new) tasks.push_back({index, frame, entry->second});
    }
    home.mesh_bytes.resize(known.size());
}

std::string build_mesh(const Home& home, std::optional<std::size_t> frame) {
    TriangleSoup soup = scene_triangles(home.plan);
    if (frame) {
        for (const Person& person : home.people.people) {
            if (person.position[*frame]) add_person(soup, *person.position[*frame]);
        }
    }
    return build_navmesh(soup, default_navmesh_settings(), home.plan.scan);
}

void open_meshes(Home& home) {
    const auto empty = NavMesh::from_bytes(home.empty_bytes, home.plan.scan);
    std::vector<std::shared_ptr<const NavMesh>> meshes;
    for (const std::string& bytes : home.mesh_bytes) {
        meshes.push_back(NavMesh::from_bytes(bytes, home.plan.scan));
    }
    home.scene.scan = home.plan.scan;
    for (const std::size_t mesh : home.mesh_of) home.scene.frames.push_back(meshes[mesh]);
    home.scene.without_people = empty;
    home.empty_scene.scan = home.plan.scan;
    home.empty_scene.frames = {empty};
    home.empty_scene.without_people = empty;
}

}  // namespace

std::vector<Home> build_homes(std::vector<FloorPlan> plans, unsigned threads) {
    std::vector<Home> homes(plans.size());
    std::vector<MeshTask> tasks;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        homes[i].plan = std::move(plans[i]);
        homes[i].people = scene_people(homes[i].plan);
        add_tasks(homes[i], i, tasks);
    }
    for_each_parallel(tasks.size(), threads, [&](std::size_t i) {
        const MeshTask& task = tasks[i];
        Home& home = homes[task.home];
        std::string bytes = build_mesh(home, task.frame);
        (task.frame ? home.mesh_bytes[task.slot] : home.empty_bytes) = std::move(bytes);
    });
    for_each_parallel(homes.size(), threads, [&](std::size_t i) { open_meshes(homes[i]); });
    return homes;
}

}  // namespace havln::demo
