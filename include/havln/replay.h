#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "havln/actions.h"
#include "havln/geometry.h"
#include "havln/navmesh.h"
#include "havln/scene.h"

namespace havln {

/// Position and heading of the agent's body.
struct AgentPose {
    Vec3f position;       ///< [m], world frame.
    Quatf rotation_xyzw;  ///< world_from_agent, as given: normalised by turns only.
};

/// What one action does to the body.
struct MotionModel {
    float forward_step_m = 0.25f;
    double turn_angle_deg = 15.0;
};

/// Where MOVE_FORWARD wants to go from a pose, before the move filter has its say.
Vec3f forward_end(const AgentPose& pose, const MotionModel& motion);

/// What blocked a step: see attribution in the README.
enum class BlockCause : std::uint8_t {
    kNone = 0,    ///< Not blocked.
    kHuman = 1,   ///< Free on the navmesh without people.
    kStatic = 2,  ///< Blocked there too, ending at the same place (within 1e-4 m).
    kBoth = 3,    ///< Blocked there too, ending elsewhere.
};
/// "none", "human", "static", "both".
const char* block_cause_name(BlockCause cause);

struct ReplaySettings {
    MotionModel motion;
    bool sliding = true;
    /// Fill Trace::causes; it stays empty where SceneNavMeshes::without_people is null.
    bool attribute_blocks = false;
};

/// Everything that one episode's replay yields. Vectors are parallel to the actions, but for
/// positions and rotations, which hold the start too. Consumers must not assume more.
struct Trace {
    std::vector<Vec3f> positions;        ///< {actions + 1}, the start first [m].
    std::vector<Quatf> rotations_xyzw;   ///< {actions + 1}.
    std::vector<std::uint8_t> collided;  ///< {actions}: 1 where the step was blocked.
    std::vector<std::uint16_t> frames;   ///< {actions}: animation frame in force at each action.
    std::vector<BlockCause> causes;      ///< {actions} or empty.
    /// {actions} or empty where people's positions are unknown: nearest person after the step,
    /// index into ScenePeople::people; -1 when nobody is placed in that frame.
    std::vector<std::int32_t> nearest_person;
    /// {actions} or empty: distance to that person [m], in double from the float32 agent position;
    /// meaningless where nearest_person is -1.
    std::vector<double> nearest_person_distance_m;
    bool stopped = false;  ///< STOP was called.

    std::size_t steps() const { return collided.size(); }
};

/// The named clock: which animation frame is in force before action k.
/// frame(k) = min(floor(k * frames_per_action), last_frame), product in double.
/// @see the official replay holds the last frame, 119, once reached.
std::uint16_t clock_frame(std::size_t k, double frames_per_action, std::uint16_t last_frame = 119);

/// One frame per action for `actions` actions under a constant rate.
std::vector<std::uint16_t> constant_clock(std::size_t actions, double frames_per_action,
                                          std::uint16_t last_frame = 119);

class StepMemo;

/// Replays action sequences exactly as Habitat 0.1.7 does. One object per thread.
class ReplayEngine {
  public:
    explicit ReplayEngine(ReplaySettings settings);
    ~ReplayEngine();
    ReplayEngine(ReplayEngine&&) noexcept;
    ReplayEngine& operator=(ReplayEngine&&) noexcept;

    const ReplaySettings& settings() const { return settings_; }

    /// @param start   pose as the episode gives it, each component rounded to float32.
    /// @param actions the whole sequence; replay ends at STOP or at the end.
    /// @param frames  frame in force at each action, {actions.size()}.
    /// @param scene   navmeshes for every frame that `frames` names.
    /// @throws Error (kGroundTruth) where a navmesh is missing.
    Trace replay(const AgentPose& start, std::span<const Action> actions,
                 std::span<const std::uint16_t> frames, const SceneNavMeshes& scene);

    /// From now on replays remember the move filter's answers, which cannot change a result: pays
    /// where one episode is replayed under several clocks. Ends with forget_steps(), which must be
    /// called while the scene of those replays is alive.
    void remember_steps();
    void forget_steps();

  private:
    FilterResult step(const NavMesh& mesh, const Vec3f& from, const Vec3f& end);
    BlockCause cause_of(const Vec3f& position, const Vec3f& from, const Vec3f& end);

    ReplaySettings settings_;
    NavMeshQuery query_;
    NavMeshQuery static_query_;
    const NavMesh* bound_ = nullptr;  ///< Mesh of query_ within one replay.
    std::unique_ptr<StepMemo> memo_;
    bool remember_ = false;
};

/// Fills Trace::nearest_person and its distances from the people of the scene.
void locate_people(Trace& trace, const ScenePeople& people);

/// Blocked steps with a person within `envelope_m` (boundary included) after the step: the
/// contact reading of one trace, one flag per action.
/// @pre locate_people was called.
std::vector<std::uint8_t> contact_steps(const Trace& trace, double envelope_m = 1.0);

}  // namespace havln
