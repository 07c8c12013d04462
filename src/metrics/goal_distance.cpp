#include <algorithm>
#include <cmath>

#include "havln/error.h"
#include "havln/metrics.h"

namespace havln {

namespace {

double horizontal_distance(const Vec3f& a, const Vec3f& b) {
    const double dx = static_cast<double>(a.x) - b.x, dz = static_cast<double>(a.z) - b.z;
    return std::sqrt(dx * dx + dz * dz);
}

/// A path is no shorter than this: its ends lie within twice the slack of the snapped points, and
/// its float32 length may fall short by rounding.
double path_lower_bound(const Vec3f& a, double slack_a, const Vec3f& b, double slack_b) {
    return (horizontal_distance(a, b) - 2 * (slack_a + slack_b)) * (1 - 1e-4) - 1e-4;
}

}  // namespace

bool SuccessRule::within(double d, const Goal& goal) const {
    const double threshold = use_goal_radius && goal.radius_m > 0 ? goal.radius_m : distance_m;
    return inclusive ? d <= threshold : d < threshold;
}

SuccessRule success_rule(const Profile& profile) {
    return {profile.success_distance_m, profile.success_inclusive, profile.use_goal_radius};
}

GoalDistance::GoalDistance(DistanceKind kind, NavMeshQuery* query, const std::vector<Goal>& goals)
    : kind_(kind), query_(query), goals_(&goals) {
    HAVLN_CHECK(kind == DistanceKind::kEuclidean || query != nullptr);
    for (std::size_t g = 0; g < goals.size(); ++g) {
        first_target_.push_back(targets_.size());
        const Goal& goal = goals[g];
        if (kind == DistanceKind::kGeodesicViewPoints && !goal.view_points.empty()) {
            for (const Vec3d& view_point : goal.view_points) add_target(g, view_point);
        } else if (kind != DistanceKind::kEuclidean) {
            add_target(g, goal.position);
        }
    }
    first_target_.push_back(targets_.size());
}

void GoalDistance::add_target(std::size_t goal, const Vec3d& point) {
    Target target;
    target.goal = goal;
    target.point = to_float(point);
    // A point off the mesh has no path to it, ever.
    const std::optional<Vec3f> snapped = query_->snap(target.point);
    if (!snapped) return;
    target.snapped = *snapped;
    target.slack_m = distance_m(to_double(target.point), to_double(*snapped));
    targets_.push_back(target);
}

double GoalDistance::nearest_of(const Vec3d& position, std::size_t first, std::size_t last) const {
    const Vec3f from = to_float(position);
    const std::optional<Vec3f> snapped = first < last ? query_->snap(from) : std::nullopt;
    if (!snapped) return kInfinity;
    const double slack = distance_m(to_double(from), to_double(*snapped));
    std::vector<std::pair<double, std::size_t>> by_bound;
    for (std::size_t k = first; k < last; ++k) {
        const Target& target = targets_[k];
        by_bound.emplace_back(path_lower_bound(*snapped, slack, target.snapped, target.slack_m), k);
    }
    std::sort(by_bound.begin(), by_bound.end());
    double nearest = kInfinity;
    for (const auto& [bound, k] : by_bound) {
        // Sorted: no later target can be nearer. Objects have hundreds of view points.
        if (bound > nearest) break;
        const PathResult path = query_->find_path(from, targets_[k].point);
        if (path.found()) nearest = std::min(nearest, static_cast<double>(path.distance_m));
    }
    return nearest;
}

double GoalDistance::nearest(const Vec3d& position) const {
    if (kind_ != DistanceKind::kEuclidean) return nearest_of(position, 0, targets_.size());
    double nearest = kInfinity;
    for (const Goal& goal : *goals_) {
        nearest = std::min(nearest, distance_m(position, goal.position));
    }
    return nearest;
}

bool GoalDistance::reached(const Vec3d& position, double nearest_m, const SuccessRule& rule) const {
    if (!std::isfinite(nearest_m)) return false;
    if (!rule.use_goal_radius) return rule.within(nearest_m, Goal{});
    for (std::size_t g = 0; g < goals_->size(); ++g) {
        const Goal& goal = (*goals_)[g];
        const double d = kind_ == DistanceKind::kEuclidean
                             ? distance_m(position, goal.position)
                             : nearest_of(position, first_target_[g], first_target_[g + 1]);
        if (std::isfinite(d) && rule.within(d, goal)) return true;
    }
    return false;
}

}  // namespace havln
