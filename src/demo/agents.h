#pragma once

#include <vector>

#include "demo/home.h"
#include "havln/actions.h"
#include "havln/geometry.h"
#include "havln/replay.h"

namespace havln::demo {

/// From where to where an agent shall go.
struct Task {
    AgentPose start;
    Vec3f goal;
};

/// The reference: walks the shortest path through the home without people. It looks ahead on the
/// navmesh, so it neither scrapes along walls nor stops short where it can get nearer.
std::vector<Action> walk_reference(const Home& home, const Task& task);

/// Ignores people. Plans once, from corner to corner of the shortest path in the home without
/// people, then plays the plan without looking: what pushes it aside it never makes good.
std::vector<Action> walk_hastily(const Home& home, const Task& task);

/// Minds people, at one animation frame per action. It knows where they stood one frame ago, walks
/// around them where there is room, and looks about while it waits where there is none. It never
/// gives up: who stands in its only way costs it all 500 steps.
std::vector<Action> walk_carefully(const Home& home, const Task& task);

/// Replays actions in the home with people, one frame per action, with causes and nearest people.
Trace replay_with_people(const Home& home, const AgentPose& start,
                         const std::vector<Action>& actions);
/// Replays actions in the home without people.
Trace replay_empty(const Home& home, const AgentPose& start, const std::vector<Action>& actions);

}  // namespace havln::demo
