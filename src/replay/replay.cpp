#include "havln/replay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "havln/error.h"
#include "replay/step_memo.h"

namespace havln {

namespace {

/// Third column of the quaternion's rotation matrix: the agent's backward axis.
Vec3f backward_axis(const Quatf& q) {
    return {2.0f * q.x * q.z + 2.0f * q.y * q.w, 2.0f * q.y * q.z - 2.0f * q.x * q.w,
            1.0f - 2.0f * q.x * q.x - 2.0f * q.y * q.y};
}

Quatf product(const Quatf& a, const Quatf& b) {
    return {a.w * b.x + b.w * a.x + (a.y * b.z - a.z * b.y),
            a.w * b.y + b.w * a.y + (a.z * b.x - a.x * b.z),
            a.w * b.z + b.w * a.z + (a.x * b.y - a.y * b.x),
            a.w * b.w - (a.x * b.x + a.y * b.y + a.z * b.z)};
}

/// A true division: multiplying with the reciprocal rounds differently.
Quatf normalised(const Quatf& q) {
    const float length = std::sqrt(((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w);
    return {q.x / length, q.y / length, q.z / length, q.w / length};
}

/// Rotation about +y.
Quatf yaw(float angle_rad) {
    const float half = angle_rad / 2.0f;
    return {0, std::sin(half), 0, std::cos(half)};
}

/// What the motion model's actions do, computed once.
struct Motion {
    explicit Motion(const MotionModel& model) {
        const auto angle = static_cast<float>(model.turn_angle_deg * std::numbers::pi / 180.0);
        left = yaw(angle);
        right = yaw(-angle);
    }

    void turn(AgentPose& pose, Action action) const {
        const Quatf& way = action == Action::kTurnLeft ? left : right;
        pose.rotation_xyzw = normalised(product(pose.rotation_xyzw, way));
    }

    Quatf left, right;
};

// Two ends of a blocked step this close are the same place.
constexpr double kSamePlace_m = 1e-4;

bool is_turn(Action action) {
    return action == Action::kTurnLeft || action == Action::kTurnRight;
}

/// Navmeshes on which a turn at the agent's present position is known to leave it there: the
/// filter ran with this very position on this very mesh, and its answer is a function of both.
class Stillness {
  public:
    bool known(const NavMesh& mesh) const {
        return std::find(meshes_.begin(), meshes_.end(), &mesh) != meshes_.end();
    }

    void note(const NavMesh& mesh, const Vec3f& from, const Vec3f& to, bool turned) {
        using Bits = std::array<std::uint32_t, 3>;
        const bool moved = std::bit_cast<Bits>(from) != std::bit_cast<Bits>(to);
        if (moved) meshes_.clear();
        if (!moved && turned) meshes_.push_back(&mesh);
    }

    Stillness() { meshes_.reserve(kFrameCount); }

  private:
    std::vector<const NavMesh*> meshes_;
};

}  // namespace

const char* block_cause_name(BlockCause cause) {
    switch (cause) {
        case BlockCause::kNone:
            return "none";
        case BlockCause::kHuman:
            return "human";
        case BlockCause::kStatic:
            return "static";
        case BlockCause::kBoth:
            return "both";
    }
    return "none";
}

std::uint16_t clock_frame(std::size_t k, double frames_per_action, std::uint16_t last_frame) {
    const double frame = std::floor(static_cast<double>(k) * frames_per_action);
    if (!(frame > 0)) return 0;
    return frame < last_frame ? static_cast<std::uint16_t>(frame) : last_frame;
}

std::vector<std::uint16_t> constant_clock(std::size_t actions, double frames_per_action,
                                          std::uint16_t last_frame) {
    std::vector<std::uint16_t> frames(actions);
    for (std::size_t k = 0; k < actions; ++k) {
        frames[k] = clock_frame(k, frames_per_action, last_frame);
    }
    return frames;
}

Vec3f forward_end(const AgentPose& pose, const MotionModel& motion) {
    const Vec3f axis = backward_axis(pose.rotation_xyzw);
    const float step = -motion.forward_step_m;
    return {pose.position.x + axis.x * step, pose.position.y + axis.y * step,
            pose.position.z + axis.z * step};
}

ReplayEngine::ReplayEngine(ReplaySettings settings)
    : settings_(settings), memo_(std::make_unique<StepMemo>()) {}
ReplayEngine::~ReplayEngine() = default;
ReplayEngine::ReplayEngine(ReplayEngine&&) noexcept = default;
ReplayEngine& ReplayEngine::operator=(ReplayEngine&&) noexcept = default;

void ReplayEngine::remember_steps() {
    remember_ = true;
}

void ReplayEngine::forget_steps() {
    remember_ = false;
    memo_->clear();
}

FilterResult ReplayEngine::step(const NavMesh& mesh, const Vec3f& from, const Vec3f& end) {
    if (remember_) {
        if (const auto known = memo_->find(mesh, from, end)) return *known;
    }
    if (&mesh != bound_) query_.bind(*(bound_ = &mesh));
    const FilterResult result = query_.filter_step(from, end, settings_.sliding);
    if (remember_) memo_->put(mesh, from, end, result);
    return result;
}

Trace ReplayEngine::replay(const AgentPose& start, std::span<const Action> actions,
                           std::span<const std::uint16_t> frames, const SceneNavMeshes& scene) {
    HAVLN_CHECK(frames.size() >= actions.size());
    const Motion motion(settings_.motion);
    Trace trace;
    trace.positions.reserve(actions.size() + 1);
    trace.rotations_xyzw.reserve(actions.size() + 1);
    trace.collided.reserve(actions.size());
    trace.frames.reserve(actions.size());

    const bool attribute = settings_.attribute_blocks && scene.without_people != nullptr;
    if (attribute) {
        static_query_.bind(*scene.without_people);
        trace.causes.reserve(actions.size());
    }

    AgentPose pose = start;
    Stillness stillness;
    bound_ = nullptr;
    trace.positions.push_back(pose.position);
    trace.rotations_xyzw.push_back(pose.rotation_xyzw);
    for (std::size_t k = 0; k < actions.size() && !trace.stopped; ++k) {
        const Action action = actions[k];
        const Vec3f from = pose.position;
        Vec3f end = from;
        FilterResult moved = {from, false};
        if (action == Action::kMoveForward) end = forward_end(pose, settings_.motion);
        if (is_turn(action)) motion.turn(pose, action);
        if (moves_body(action)) {
            const NavMesh& mesh = scene.frame(frames[k]);
            if (!is_turn(action) || !stillness.known(mesh)) {
                moved = step(mesh, from, end);
                stillness.note(mesh, from, moved.position, is_turn(action));
            }
        }
        pose.position = moved.position;
        if (attribute) {
            trace.causes.push_back(moved.collided ? cause_of(moved.position, from, end)
                                                  : BlockCause::kNone);
        }
        trace.positions.push_back(pose.position);
        trace.rotations_xyzw.push_back(pose.rotation_xyzw);
        trace.collided.push_back(moved.collided ? 1 : 0);
        trace.frames.push_back(frames[k]);
        trace.stopped = action == Action::kStop;
    }
    return trace;
}

BlockCause ReplayEngine::cause_of(const Vec3f& position, const Vec3f& from, const Vec3f& end) {
    const FilterResult without_people = static_query_.filter_step(from, end, settings_.sliding);
    if (!without_people.collided) return BlockCause::kHuman;
    const double apart = distance_m(to_double(position), to_double(without_people.position));
    return apart <= kSamePlace_m ? BlockCause::kStatic : BlockCause::kBoth;
}

void locate_people(Trace& trace, const ScenePeople& people) {
    trace.nearest_person.assign(trace.steps(), -1);
    trace.nearest_person_distance_m.assign(trace.steps(), 0);
    for (std::size_t k = 0; k < trace.steps(); ++k) {
        const Vec3d agent = to_double(trace.positions[k + 1]);
        const std::size_t frame = trace.frames[k];
        HAVLN_CHECK(frame < kFrameCount);
        for (std::size_t i = 0; i < people.people.size(); ++i) {
            const std::optional<Vec3d>& person = people.people[i].position[frame];
            if (!person) continue;
            const double distance = distance_m(agent, *person);
            // Not "<" alone: the first person counts even where the distance is not a number.
            if (trace.nearest_person[k] < 0 || distance < trace.nearest_person_distance_m[k]) {
                trace.nearest_person[k] = static_cast<std::int32_t>(i);
                trace.nearest_person_distance_m[k] = distance;
            }
        }
    }
}

std::vector<std::uint8_t> contact_steps(const Trace& trace, double envelope_m) {
    HAVLN_CHECK(trace.nearest_person.size() == trace.steps());
    std::vector<std::uint8_t> contact(trace.steps());
    for (std::size_t k = 0; k < trace.steps(); ++k) {
        contact[k] = trace.collided[k] != 0 && trace.nearest_person[k] >= 0 &&
                     trace.nearest_person_distance_m[k] <= envelope_m;
    }
    return contact;
}

}  // namespace havln
