#include <algorithm>
#include <limits>

#include "havln/error.h"
#include "havln/metrics.h"

namespace havln {

GoalDistance::GoalDistance(DistanceKind kind, NavMeshQuery* query) : kind_(kind), query_(query) {
    HAVLN_CHECK(kind == DistanceKind::kEuclidean || query != nullptr);
}

double GoalDistance::operator()(const Vec3d& position, const std::vector<Goal>& goals) const {
    double nearest = std::numeric_limits<double>::infinity();
    const auto consider = [&](const Vec3d& target) {
        if (kind_ == DistanceKind::kEuclidean) {
            nearest = std::min(nearest, distance_m(position, target));
            return;
        }
        const PathResult path = query_->find_path(to_float(position), to_float(target));
        if (path.found()) nearest = std::min(nearest, static_cast<double>(path.distance_m));
    };
    for (const Goal& goal : goals) {
        if (kind_ != DistanceKind::kGeodesicViewPoints || goal.view_points.empty()) {
            consider(goal.position);
            continue;
        }
        for (const Vec3d& view_point : goal.view_points) consider(view_point);
    }
    return nearest;
}

}  // namespace havln
