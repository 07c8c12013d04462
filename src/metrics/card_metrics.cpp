#include <algorithm>
#include <cmath>

#include "havln/metrics.h"

namespace havln {

namespace {

double count_of(const std::vector<Vec3d>& nodes) {
    return static_cast<double>(nodes.size());
}

}  // namespace

std::vector<NamedMetric> card_metrics(const CardRecipe& recipe, const EpisodeMetrics& m,
                                      double shortest_path_m, bool card_success,
                                      std::span<const Vec3d> path,
                                      std::span<const Vec3d> reference) {
    std::vector<NamedMetric> variants = {{"success_card", card_success ? 1.0 : 0.0}};
    double shortest = shortest_path_m, length = m.path_length;
    bool comparable = true;
    if (recipe.path_in_nodes) {
        length = count_of(without_repeats(path));
        shortest = count_of(without_repeats(reference));
        comparable = !reference.empty();
        variants.push_back({"path_length_card", length});
    }
    if (comparable && !recipe.spl_is_product_of_means) {
        variants.push_back({"spl_card", spl(card_success, shortest, length)});
    }
    if (recipe.spl_is_product_of_means && std::isfinite(shortest) && shortest > 0) {
        variants.push_back({"path_ratio_card", length / shortest});
    }
    if (recipe.soft_spl_may_be_negative && !m.goal_unreachable && m.start_distance > 0) {
        const double longer = std::max(shortest, length);
        const double factor = longer > 0 ? shortest / longer : 1.0;
        variants.push_back({"soft_spl_card", (1 - m.distance_to_goal / m.start_distance) * factor});
    }
    return variants;
}

}  // namespace havln
