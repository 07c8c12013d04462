#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "havln/agent_log.h"
#include "havln/geometry.h"
#include "havln/groundtruth.h"
#include "havln/profile.h"
#include "havln/replay.h"

namespace havln {

/// Which blocked steps count as collisions.
enum class CollisionReading : std::uint8_t {
    kContact,   ///< Blocked while a person is within 1.0 m: the published definition.
    kReleased,  ///< Every blocked step: what the released evaluator does.
};
const char* collision_reading_name(CollisionReading reading);

/// Collisions of one episode under one reading.
struct ReadingMetrics {
    std::int64_t collisions = 0;  ///< c_i.
    std::int64_t excess = 0;      ///< e_i = max(0, c_i - b_i); its mean is TCR.
    int CR = 0;                   ///< min(e_i, 1).
    int SR = 0;                   ///< s_i * [e_i = 0].
};

/// Time near people, informative only: distance from the agent's position after each step to the
/// nearest person, bands of Hall's proxemics (upper bounds included).
struct PersonalSpace {
    std::int64_t intimate_steps = 0;  ///< <= 0.45 m.
    std::int64_t personal_steps = 0;  ///< <= 1.2 m.
    std::int64_t social_steps = 0;    ///< <= 3.6 m.
    /// Time in each band, in animation frames of 0.1 s: a step lasts until the next action's frame.
    /// The last action, and all once the animation holds its last frame, have no length.
    std::int64_t intimate_frames = 0, personal_frames = 0, social_frames = 0;
    std::optional<double> least_distance_m;  ///< Absent where nobody was ever placed.
};

/// A per-episode quantity by its output name.
struct NamedMetric {
    const char* name;
    double value;
    bool operator==(const NamedMetric&) const = default;
};

/// Blocked steps by cause; see BlockCause.
struct CauseCounts {
    std::int64_t human = 0, stationary = 0, both = 0;
};

/// Every per-episode quantity, computed from the trace and the episode alone.
struct EpisodeMetrics {
    std::size_t episode_index = 0;   ///< In Split::episodes.
    double distance_to_goal = 0;     ///< d_i [m] at the end, by the profile's distance.
    bool success = false;            ///< s_i.
    std::int64_t steps_taken = 0;    ///< STOP included.
    double path_length = 0;          ///< [m], step lengths summed in double.
    std::int64_t blocked_steps = 0;  ///< All blocked steps: the released reading's c_i.
    std::int64_t baseline = 0;       ///< b_i.
    ReadingMetrics released;
    std::optional<ReadingMetrics> contact;  ///< Absent where people's positions are unknown.
    double start_distance = 0;              ///< [m], by the profile's distance.
    /// Least distance to goal on the way, the start included [m].
    double oracle_navigation_error = 0;
    bool oracle_success = false;  ///< Some position on the way, the start included, is near enough.
    /// Shortest path on the navmesh from start to goal [m]; only where it is SPL's numerator.
    std::optional<double> geodesic_distance;
    double spl = 0;  ///< With the profile's numerator.
    double soft_spl = 0;
    /// Greatest SPL over the positions on the way, had the agent stopped there.
    double oracle_spl = 0;
    std::optional<double> ndtw, sdtw;  ///< Where gt locations exist.
    std::optional<CauseCounts> causes;
    std::optional<PersonalSpace> personal_space;
    /// The goal cannot be reached (infinite geodesic distance): success, spl and soft_spl are 0
    /// and distance means leave the episode out.
    bool goal_unreachable = false;
    std::optional<AgentLogTotals> agent_log;  ///< From the agent's own log; filled by the caller.
    std::vector<NamedMetric> card;  ///< Recipe card variants, where asked for; names end in _card.
};

/// Success weighted by Path Length: S * l / max(l, p), in [0, 1], higher is better. Unsuccessful:
/// 0. l = p = 0 and success: 1.
/// @param shortest_path_m l >= 0 [m]. @param path_length_m p >= 0 [m].
/// @see Anderson et al. 2018 (arXiv:1807.06757).
double spl(bool success, double shortest_path_m, double path_length_m);

/// max(0, 1 - d/d0) * l / max(l, p), in [0, 1], higher is better. d0 = 0: 1 when d = 0, else 0.
/// l = p = 0: the path factor is 1. @see habitat-lab, class SoftSPL.
double soft_spl(double distance_m, double start_distance_m, double shortest_path_m,
                double path_length_m);

/// Exact dynamic-time-warping distance between two paths [m]; memory linear in the shorter one.
/// @pre both non-empty.
double dtw_distance(std::span<const Vec3d> path, std::span<const Vec3d> reference);
/// FastDTW with the values of the Python package fastdtw; >= the exact distance.
double fastdtw_distance(std::span<const Vec3d> path, std::span<const Vec3d> reference,
                        int radius = 1);

/// exp(-DTW / (|R| * threshold)), in (0, 1], higher is better. Immediate repeats of a position in
/// `path` are dropped first, as VLN-CE's measure does. @see Ilharco et al. 2019 (arXiv:1907.05446).
double ndtw(std::span<const Vec3d> path, std::span<const Vec3d> reference, double threshold_m,
            DtwKind kind);

/// When a position counts as near enough to a goal.
struct SuccessRule {
    double distance_m = 3.0;
    bool inclusive = false;  ///< true: d <= distance; false: d < distance.
    bool use_goal_radius =
        false;  ///< The goal's own radius, where it is above 0, replaces distance.
    bool within(double d, const Goal& goal) const;
};
SuccessRule success_rule(const Profile& profile);

/// Distances to the goals of one episode, by the profile's kind. Geodesic ones are Habitat's: the
/// length of find_path, infinite where none is found.
class GoalDistance {
  public:
    /// @param query  bound to the mesh to measure on; null for Euclidean distance. Must outlive
    ///               this, as must `goals`.
    GoalDistance(DistanceKind kind, NavMeshQuery* query, const std::vector<Goal>& goals);

    /// To the nearest goal, or goal's view point [m]. Infinity where none can be reached.
    double nearest(const Vec3d& position) const;
    /// Near enough to some goal. @param nearest_m  nearest(position).
    bool reached(const Vec3d& position, double nearest_m, const SuccessRule& rule) const;

  private:
    /// A goal's position or one of its view points.
    struct Target {
        std::size_t goal = 0;
        Vec3f point, snapped;
        double slack_m = 0;  ///< How far the mesh is from the point.
    };
    void add_target(std::size_t goal, const Vec3d& point);
    double nearest_of(const Vec3d& position, std::size_t first, std::size_t last) const;

    DistanceKind kind_;
    NavMeshQuery* query_;
    const std::vector<Goal>* goals_;
    std::vector<Target> targets_;            ///< By goal.
    std::vector<std::size_t> first_target_;  ///< By goal, and the end.
};

struct MetricInputs {
    const Episode* episode = nullptr;
    const Trace* trace = nullptr;
    const std::vector<Vec3d>* gt_locations = nullptr;  ///< Null or empty: no nDTW.
    std::int64_t baseline = 0;
    bool people_known = false;
    NavMeshQuery* query = nullptr;  ///< Bound to the distance mesh; for geodesic profiles.
    bool recipe_card = false;       ///< Add the variants of Profile::card.
};

/// Every metric of one episode. A trace without steps (an empty prediction) has the metrics of an
/// agent that never moved and never stopped.
/// @pre the episode has goals; trace.positions holds one more than the steps.
EpisodeMetrics compute_episode_metrics(const MetricInputs& inputs, const Profile& profile);

/// The recipe card's variants of one episode: success_card, and as the recipe says spl_card,
/// soft_spl_card and path_length_card. Those that are not defined are left out.
/// @param card_success  STOP where the profile needs it, near enough by the recipe.
/// @param path, reference  positions; the reference may be empty.
std::vector<NamedMetric> card_metrics(const CardRecipe& recipe, const EpisodeMetrics& m,
                                      double shortest_path_m, bool card_success,
                                      std::span<const Vec3d> path,
                                      std::span<const Vec3d> reference);

/// The path without immediate repeats of a position.
std::vector<Vec3d> without_repeats(std::span<const Vec3d> path);

}  // namespace havln
