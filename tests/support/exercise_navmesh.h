#pragma once

#include <memory>

#include "havln/navmesh.h"
#include "havln/random.h"

namespace havln::test {

/// Asks a loaded navmesh everything that can be asked, near its parts and away from them, and
/// replays random walks on it. For files that nobody should trust: a fault is a crash.
void exercise_navmesh(const std::shared_ptr<const NavMesh>& mesh, Random& random);

}  // namespace havln::test
