#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "havln/error.h"
#include "havln/metrics.h"

namespace havln {

namespace {

/// Upper bounds of Hall's zones [m].
constexpr double kIntimate = 0.45, kPersonal = 1.2, kSocial = 3.6;

std::int64_t count_set(std::span<const std::uint8_t> flags) {
    return std::count_if(flags.begin(), flags.end(), [](std::uint8_t flag) { return flag != 0; });
}

ReadingMetrics reading_metrics(std::int64_t collisions, std::int64_t baseline, bool success) {
    ReadingMetrics m;
    m.collisions = collisions;
    m.excess = std::max<std::int64_t>(0, collisions - baseline);
    m.CR = m.excess > 0 ? 1 : 0;
    m.SR = success && m.excess == 0 ? 1 : 0;
    return m;
}

CauseCounts count_causes(const std::vector<BlockCause>& causes) {
    CauseCounts counts;
    for (const BlockCause cause : causes) {
        counts.human += cause == BlockCause::kHuman;
        counts.stationary += cause == BlockCause::kStatic;
        counts.both += cause == BlockCause::kBoth;
    }
    return counts;
}

PersonalSpace personal_space(const Trace& trace) {
    PersonalSpace space;
    for (std::size_t k = 0; k < trace.steps(); ++k) {
        if (trace.nearest_person[k] < 0) continue;
        const double distance = trace.nearest_person_distance_m[k];
        const std::int64_t frames =
            k + 1 < trace.frames.size() ? trace.frames[k + 1] - trace.frames[k] : 0;
        const auto count_within = [&](double bound, std::int64_t& steps, std::int64_t& time) {
            if (!(distance <= bound)) return;
            ++steps;
            time += frames;
        };
        count_within(kIntimate, space.intimate_steps, space.intimate_frames);
        count_within(kPersonal, space.personal_steps, space.personal_frames);
        count_within(kSocial, space.social_steps, space.social_frames);
        space.least_distance_m = std::min(space.least_distance_m.value_or(distance), distance);
    }
    return space;
}

/// The quantities that need every position on the way: the path's length, the least distance to
/// goal and the best SPL that stopping somewhere would have given.
/// @return near enough at the end.
bool follow_path(const std::vector<Vec3d>& positions, const GoalDistance& goal_distance,
                 const SuccessRule& rule, double shortest_path_m, EpisodeMetrics& m) {
    m.oracle_navigation_error = m.distance_to_goal = m.start_distance;
    bool reached = goal_distance.reached(positions.front(), m.start_distance, rule);
    m.oracle_success = reached;
    m.oracle_spl = spl(reached, shortest_path_m, 0);
    for (std::size_t k = 1; k < positions.size(); ++k) {
        if (positions[k] == positions[k - 1]) continue;
        m.path_length += distance_m(positions[k - 1], positions[k]);
        m.distance_to_goal = goal_distance.nearest(positions[k]);
        reached = goal_distance.reached(positions[k], m.distance_to_goal, rule);
        m.oracle_navigation_error = std::min(m.oracle_navigation_error, m.distance_to_goal);
        m.oracle_success = m.oracle_success || reached;
        m.oracle_spl = std::max(m.oracle_spl, spl(reached, shortest_path_m, m.path_length));
    }
    return reached;
}

void count_collisions(const MetricInputs& inputs, EpisodeMetrics& m) {
    const Trace& trace = *inputs.trace;
    m.blocked_steps = count_set(trace.collided);
    m.baseline = inputs.baseline;
    m.released = reading_metrics(m.blocked_steps, m.baseline, m.success);
    if (inputs.people_known) {
        m.contact = reading_metrics(count_set(contact_steps(trace)), m.baseline, m.success);
        m.personal_space = personal_space(trace);
    }
    if (trace.causes.size() == trace.steps() && !trace.causes.empty()) {
        m.causes = count_causes(trace.causes);
    }
}

}  // namespace

const char* collision_reading_name(CollisionReading reading) {
    return reading == CollisionReading::kContact ? "contact" : "released";
}

EpisodeMetrics compute_episode_metrics(const MetricInputs& inputs, const Profile& profile) {
    HAVLN_CHECK(inputs.episode && inputs.trace && inputs.episode->goals);
    const Trace& trace = *inputs.trace;
    const std::vector<Goal>& goals = *inputs.episode->goals;
    HAVLN_CHECK(!goals.empty() && trace.positions.size() == trace.steps() + 1);

    std::vector<Vec3d> positions(trace.positions.size());
    std::transform(trace.positions.begin(), trace.positions.end(), positions.begin(), to_double);

    EpisodeMetrics m;
    const GoalDistance goal_distance(profile.distance, inputs.query, goals);
    m.start_distance = goal_distance.nearest(positions.front());
    double shortest_path_m = m.start_distance;
    if (profile.spl_numerator != profile.distance) {
        shortest_path_m =
            GoalDistance(profile.spl_numerator, inputs.query, goals).nearest(positions.front());
    }
    if (profile.spl_numerator != DistanceKind::kEuclidean && std::isfinite(shortest_path_m)) {
        m.geodesic_distance = shortest_path_m;
    }

    const bool may_succeed = trace.stopped || !profile.stop_required;
    const bool reached =
        follow_path(positions, goal_distance, success_rule(profile), shortest_path_m, m);
    m.goal_unreachable = !std::isfinite(m.start_distance) || !std::isfinite(shortest_path_m) ||
                         !std::isfinite(m.distance_to_goal);
    m.success = reached && may_succeed && !m.goal_unreachable;
    m.steps_taken = static_cast<std::int64_t>(trace.steps());
    m.spl = spl(m.success, shortest_path_m, m.path_length);
    m.soft_spl = soft_spl(m.distance_to_goal, m.start_distance, shortest_path_m, m.path_length);
    if (inputs.gt_locations && !inputs.gt_locations->empty()) {
        m.ndtw = ndtw(positions, *inputs.gt_locations, profile.dtw_threshold_m, profile.dtw);
        m.sdtw = m.success ? *m.ndtw : 0.0;
    }
    count_collisions(inputs, m);
    if (inputs.recipe_card && profile.card) {
        const SuccessRule rule = {profile.card->success_distance_m, profile.card->success_inclusive,
                                  profile.card->use_goal_radius};
        const bool card_success = may_succeed && !m.goal_unreachable &&
                                  goal_distance.reached(positions.back(), m.distance_to_goal, rule);
        const std::vector<Vec3d> none;
        m.card = card_metrics(*profile.card, m, shortest_path_m, card_success, positions,
                              inputs.gt_locations ? *inputs.gt_locations : none);
    }
    return m;
}

}  // namespace havln
