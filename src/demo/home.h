#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "demo/floor_plan.h"
#include "havln/scene.h"

namespace havln::demo {

/// A plan made real: its people and its navmeshes, as files' bytes and ready for queries.
struct Home {
    FloorPlan plan;
    ScenePeople people;
    std::string empty_bytes;                       ///< The navmesh without people.
    std::vector<std::string> mesh_bytes;           ///< The distinct ones with people.
    std::array<std::size_t, kFrameCount> mesh_of;  ///< Index into mesh_bytes by frame.
    SceneNavMeshes scene;                          ///< Frames with people, and without.
    SceneNavMeshes empty_scene;                    ///< Every frame without people.
};

/// Builds the navmeshes of all plans on that many threads; the same bytes for any number. Frames in
/// which everybody stands as in an earlier one share its mesh.
/// @throws Error where a plan leaves nothing to walk on.
std::vector<Home> build_homes(std::vector<FloorPlan> plans, unsigned threads);

}  // namespace havln::demo
