#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "havln/error.h"
#include "havln/metrics.h"

namespace havln {

std::vector<Vec3d> without_repeats(std::span<const Vec3d> path) {
    std::vector<Vec3d> moved;
    moved.reserve(path.size());
    for (const Vec3d& point : path) {
        if (moved.empty() || !(moved.back() == point)) moved.push_back(point);
    }
    return moved;
}

double dtw_distance(std::span<const Vec3d> path, std::span<const Vec3d> reference) {
    HAVLN_CHECK(!path.empty() && !reference.empty());
    // The recurrence is symmetric, so the shorter path may lie along the row whatever its role.
    if (path.size() < reference.size()) std::swap(path, reference);
    const std::size_t width = reference.size();

    // cost[j + 1] is the cheapest alignment up to (row, j); cost[0] stands left of the row.
    std::vector<double> cost(width + 1, kInfinity);
    cost[0] = 0;
    std::vector<double> local(width);
    for (const Vec3d& point : path) {
        for (std::size_t j = 0; j < width; ++j) local[j] = distance_m(point, reference[j]);
        double corner = std::exchange(cost[0], kInfinity);
        double left = kInfinity;
        for (std::size_t j = 0; j < width; ++j) {
            const double up = cost[j + 1];
            left = std::min(left, std::min(up, corner)) + local[j];
            corner = up;
            cost[j + 1] = left;
        }
    }
    return cost[width];
}

double ndtw(std::span<const Vec3d> path, std::span<const Vec3d> reference, double threshold_m,
            DtwKind kind) {
    HAVLN_CHECK(!path.empty() && !reference.empty() && threshold_m > 0);
    const std::vector<Vec3d> moved = without_repeats(path);
    const double distance = kind == DtwKind::kExact ? dtw_distance(moved, reference)
                                                    : fastdtw_distance(moved, reference);
    return std::exp(-distance / (static_cast<double>(reference.size()) * threshold_m));
}

}  // namespace havln
