#include "demo/agents.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <span>

namespace havln::demo {

namespace {

constexpr std::size_t kMaxActions = 500;
constexpr int kHalfTurn = 12;  // turns of 15 degrees
constexpr float kArrived_m = 0.15f;
constexpr double kTurnCost_m = 0.02;
constexpr double kScrapeCost_m = 0.15;
constexpr double kForbidden_m = 100;

/// Moves one pose by single actions through the public replay engine, so that whatever an agent
/// plans is what the replay of its actions does.
class Body {
  public:
    explicit Body(const SceneNavMeshes& scene) : scene_(scene), engine_(ReplaySettings{}) {}

    /// @return true where the step was blocked.
    bool step(AgentPose& pose, Action action, std::uint16_t frame) {
        const std::array<Action, 1> actions = {action};
        const std::array<std::uint16_t, 1> frames = {frame};
        const Trace trace = engine_.replay(pose, actions, frames, scene_);
        pose = {trace.positions[1], trace.rotations_xyzw[1]};
        return trace.collided[0] != 0;
    }

  private:
    const SceneNavMeshes& scene_;
    ReplayEngine engine_;
};

/// A way to spend the next few actions: some turns, then one step forward.
struct Choice {
    int turns = 0;                                          ///< To the left; negative: right.
    double cost = std::numeric_limits<double>::infinity();  ///< [m]
};

/// Tries a step in directions 15 degrees apart on the mesh of one frame and takes the one from
/// where the goal is nearest, the extra cost of the reached place included.
class Chooser {
  public:
    using ExtraCost = std::function<double(const Vec3f&)>;

    Chooser(const SceneNavMeshes& scene, const Vec3f& goal)
        : scene_(scene), body_(scene), goal_(goal) {}

    std::optional<float> remaining_m(const Vec3f& position, std::uint16_t frame) {
        query_.bind(scene_.frame(frame));
        const PathResult path = query_.find_path(position, goal_);
        return path.found() ? std::optional(path.distance_m) : std::nullopt;
    }

    /// @param rest_m  what remaining_m gives for the pose. Directions over 45 degrees off are tried
    ///                only where the nearer ones gain little.
    Choice choose(const AgentPose& pose, float rest_m, std::uint16_t frame,
                  const ExtraCost& extra_cost) {
        constexpr int kNarrow = 3;
        constexpr double kGoodGain_m = 0.1;
        Choice best;
        AgentPose left = pose;
        AgentPose right = pose;
        consider(pose, 0, frame, extra_cost, best);
        for (int turns = 1; turns <= kHalfTurn; ++turns) {
            if (turns > kNarrow && best.cost <= rest_m - kGoodGain_m) break;
            body_.step(left, Action::kTurnLeft, frame);
            consider(left, turns, frame, extra_cost, best);
            body_.step(right, Action::kTurnRight, frame);
            consider(right, -turns, frame, extra_cost, best);
        }
        return best;
    }

  private:
    void consider(AgentPose pose, int turns, std::uint16_t frame, const ExtraCost& extra_cost,
                  Choice& best) {
        const bool blocked = body_.step(pose, Action::kMoveForward, frame);
        const std::optional<float> rest = remaining_m(pose.position, frame);
        if (!rest) return;
        const double cost = *rest + kTurnCost_m * std::abs(turns) + (blocked ? kScrapeCost_m : 0) +
                            extra_cost(pose.position);
        if (cost < best.cost) best = {turns, cost};
    }

    const SceneNavMeshes& scene_;
    Body body_;
    NavMeshQuery query_;
    Vec3f goal_;
};

Action turn_towards(int turns) {
    return turns > 0 ? Action::kTurnLeft : Action::kTurnRight;
}

/// Turns to make (to the left; negative: right) until `point` lies within half a turn of straight
/// ahead; only the sign and "none" are exact.
int turns_to_face(const AgentPose& pose, const Vec3f& point) {
    const Quatf& q = pose.rotation_xyzw;
    const double ahead_x = -2.0 * (q.x * q.z + q.y * q.w);
    const double ahead_z = -1.0 + 2.0 * (q.x * q.x + q.y * q.y);
    const double dx = point.x - pose.position.x;
    const double dz = point.z - pose.position.z;
    const double along = ahead_x * dx + ahead_z * dz;
    const double left = ahead_z * dx - ahead_x * dz;
    constexpr double kTangentHalfTurn = 0.1317;  // of 7.5 degrees
    if (along > 0 && std::abs(left) <= kTangentHalfTurn * along) return 0;
    return left > 0 ? 1 : -1;
}

double horizontal_distance_m(const Vec3f& a, const Vec3d& b) {
    const double dx = a.x - b.x;
    const double dz = a.z - b.z;
    return std::sqrt(dx * dx + dz * dz);
}

/// Decides, action by action, what the careful agent does.
class CarefulAgent {
  public:
    CarefulAgent(const Home& home, const Task& task)
        : home_(home),
          goal_(task.goal),
          chooser_(home.scene, task.goal),
          empty_chooser_(home.empty_scene, task.goal) {}

    Action next(const AgentPose& pose, std::size_t k) {
        const std::uint16_t seen = clock_frame(k == 0 ? 0 : k - 1, 1.0);
        if (turns_left_ != 0) return turn();
        if (forward_next_ && crowding(ahead_, seen) < kForbidden_m) return go();
        forward_next_ = false;
        const std::optional<float> rest = chooser_.remaining_m(pose.position, seen);
        const std::optional<float> rest_empty = empty_chooser_.remaining_m(pose.position, 0);
        if (rest && *rest < kArrived_m) return Action::kStop;
        if (!rest || !rest_empty || *rest > *rest_empty + kDetour_m) return wait();
        const Choice choice = chooser_.choose(
            pose, *rest, seen, [&](const Vec3f& place) { return crowding(place, seen); });
        if (choice.cost >= kForbidden_m) return wait();
        if (choice.cost > *rest + kScrapeCost_m) {
            return *rest < kNearEnough_m ? Action::kStop : wait();
        }
        turns_left_ = choice.turns;
        forward_next_ = true;
        plan_ahead(pose);
        return turns_left_ != 0 ? turn() : go();
    }

  private:
    static constexpr float kDetour_m = 4;
    static constexpr float kNearEnough_m = 0.5f;
    static constexpr double kRespect_m = 1.2;
    static constexpr double kKeepOff_m = 0.7;
    static constexpr double kSqueeze_m = 0.42;
    static constexpr int kPatience = 8;

    Action turn() {
        const Action action = turn_towards(turns_left_);
        turns_left_ += turns_left_ > 0 ? -1 : 1;
        return action;
    }

    Action go() {
        forward_next_ = false;
        waits_ = 0;
        return Action::kMoveForward;
    }

    Action wait() { return ++waits_ % 2 == 1 ? Action::kLookDown : Action::kLookUp; }

    /// Where the step after the turns is meant to lead.
    void plan_ahead(const AgentPose& pose) {
        AgentPose imagined = pose;
        Body body(home_.empty_scene);
        for (int i = 0; i < std::abs(turns_left_); ++i) {
            body.step(imagined, turn_towards(turns_left_), 0);
        }
        body.step(imagined, Action::kMoveForward, 0);
        ahead_ = imagined.position;
    }

    /// Cost of being at a place one frame after the one seen, people walking on as they did.
    double crowding(const Vec3f& place, std::uint16_t seen) const {
        const double keep_off = waits_ < kPatience ? kKeepOff_m : kSqueeze_m;
        double cost = 0;
        for (const Person& person : home_.people.people) {
            const std::optional<Vec3d>& now = person.position[seen];
            if (!now || std::abs(now->y - place.y) > 1) continue;
            const std::optional<Vec3d>& before = person.position[seen >= 2 ? seen - 2u : 0u];
            Vec3d soon = *now;
            if (before) soon = {2 * now->x - before->x, now->y, 2 * now->z - before->z};
            const double distance =
                std::min(horizontal_distance_m(place, *now), horizontal_distance_m(place, soon));
            if (distance < keep_off) return kForbidden_m;
            cost += 0.4 * std::max(0.0, kRespect_m - distance);
        }
        return cost;
    }

    const Home& home_;
    Vec3f goal_;
    Chooser chooser_, empty_chooser_;
    Vec3f ahead_;
    int turns_left_ = 0;
    int waits_ = 0;
    bool forward_next_ = false;
};

}  // namespace

std::vector<Action> walk_reference(const Home& home, const Task& task) {
    Chooser chooser(home.empty_scene, task.goal);
    Body body(home.empty_scene);
    AgentPose pose = task.start;
    std::vector<Action> actions;
    const auto act = [&](Action action) {
        body.step(pose, action, 0);
        actions.push_back(action);
    };
    while (actions.size() + kHalfTurn + 2 < kMaxActions) {
        const std::optional<float> rest = chooser.remaining_m(pose.position, 0);
        if (!rest || *rest < kArrived_m) break;
        const Choice choice = chooser.choose(pose, *rest, 0, [](const Vec3f&) { return 0.0; });
        if (choice.cost > *rest) break;
        for (int i = 0; i < std::abs(choice.turns); ++i) act(turn_towards(choice.turns));
        act(Action::kMoveForward);
    }
    actions.push_back(Action::kStop);
    return actions;
}

std::vector<Action> walk_hastily(const Home& home, const Task& task) {
    constexpr float kReached_m = 0.2f;
    NavMeshQuery query;
    query.bind(home.empty_scene.frame(0));
    Body body(home.empty_scene);
    AgentPose pose = task.start;
    std::vector<Action> actions;
    while (actions.size() + 1 < kMaxActions) {
        const PathResult path = query.find_path(pose.position, task.goal);
        if (!path.found() || path.distance_m < kReached_m) break;
        const auto corner = std::ranges::find_if(path.points, [&](const Vec3f& point) {
            return horizontal_distance_m(point, to_double(pose.position)) > 0.1;
        });
        if (corner == path.points.end()) break;
        const int turns = turns_to_face(pose, *corner);
        const Action action = turns == 0 ? Action::kMoveForward : turn_towards(turns);
        body.step(pose, action, 0);
        actions.push_back(action);
    }
    actions.push_back(Action::kStop);
    return actions;
}

std::vector<Action> walk_carefully(const Home& home, const Task& task) {
    CarefulAgent agent(home, task);
    Body body(home.scene);
    AgentPose pose = task.start;
    std::vector<Action> actions;
    while (actions.size() < kMaxActions) {
        const Action action = agent.next(pose, actions.size());
        body.step(pose, action, clock_frame(actions.size(), 1.0));
        actions.push_back(action);
        if (action == Action::kStop) break;
    }
    return actions;
}

Trace replay_with_people(const Home& home, const AgentPose& start,
                         const std::vector<Action>& actions) {
    ReplaySettings settings;
    settings.attribute_blocks = true;
    Trace trace = ReplayEngine(settings).replay(start, actions, constant_clock(actions.size(), 1.0),
                                                home.scene);
    locate_people(trace, home.people);
    return trace;
}

Trace replay_empty(const Home& home, const AgentPose& start, const std::vector<Action>& actions) {
    return ReplayEngine(ReplaySettings{})
        .replay(start, actions, constant_clock(actions.size(), 1.0), home.empty_scene);
}

}  // namespace havln::demo
