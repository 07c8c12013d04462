#include <algorithm>

#include "havln/metrics.h"

namespace havln {

namespace {

/// l / max(l, p); 1 for a path of no length to a goal at no distance.
double path_factor(double shortest_path_m, double path_length_m) {
    const double longer = std::max(shortest_path_m, path_length_m);
    return longer > 0 ? shortest_path_m / longer : 1.0;
}

}  // namespace

double spl(bool success, double shortest_path_m, double path_length_m) {
    if (!success || !std::isfinite(shortest_path_m)) return 0;
    return path_factor(shortest_path_m, path_length_m);
}

double soft_spl(double distance_m, double start_distance_m, double shortest_path_m,
                double path_length_m) {
    if (!std::isfinite(distance_m) || !std::isfinite(start_distance_m) ||
        !std::isfinite(shortest_path_m)) {
        return 0;
    }
    const double progress = start_distance_m > 0 ? std::max(0.0, 1 - distance_m / start_distance_m)
                                                 : (distance_m > 0 ? 0.0 : 1.0);
    return progress * path_factor(shortest_path_m, path_length_m);
}

}  // namespace havln
