#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "havln/metrics.h"

namespace havln {

/// Means of one group's episodes, by metric; over the episodes where each is defined and finite.
struct GroupMeans {
    std::string name;
    std::uint64_t episodes = 0;
    std::map<std::string, double> means;
};

/// One way of pooling a split's episodes.
struct Pooling {
    std::string by;                  ///< "scene" or "trajectory".
    std::vector<GroupMeans> groups;  ///< In the order of their first episodes.
    /// Micro average: mean over episodes, as SplitScore::means.
    std::map<std::string, double> micro;
    /// Macro average: mean over groups of the groups' means; groups where the metric is not
    /// defined are left out.
    std::map<std::string, double> macro;
};

/// @param group_names  one per row. Rows are summed in their order.
/// @param reading      as in named_metrics.
Pooling pool(std::string by, std::span<const EpisodeMetrics> rows,
             std::span<const std::string> group_names, const CollisionReading* reading);

}  // namespace havln
