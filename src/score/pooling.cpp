#include "havln/pooling.h"

#include <utility>

#include "havln/error.h"
#include "havln/scorecard.h"
#include "score/mean.h"

namespace havln {

namespace {

using Means = std::map<std::string, Mean>;

std::map<std::string, double> values_of(const Means& means) {
    std::map<std::string, double> values;
    for (const auto& [name, mean] : means) values[name] = mean.value();
    return values;
}

}  // namespace

Pooling pool(std::string by, std::span<const EpisodeMetrics> rows,
             std::span<const std::string> group_names, const CollisionReading* reading) {
    HAVLN_CHECK(rows.size() == group_names.size());
    Pooling pooling;
    pooling.by = std::move(by);
    std::map<std::string, std::size_t> index_of;
    std::vector<Means> group_means;
    Means micro, macro;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto [place, is_new] = index_of.emplace(group_names[k], pooling.groups.size());
        if (is_new) {
            pooling.groups.push_back({group_names[k], 0, {}});
            group_means.emplace_back();
        }
        ++pooling.groups[place->second].episodes;
        for (const NamedMetric& metric : named_metrics(rows[k], reading)) {
            group_means[place->second][metric.name].add(metric.value);
            micro[metric.name].add(metric.value);
        }
    }
    for (std::size_t g = 0; g < group_means.size(); ++g) {
        for (const auto& [name, mean] : group_means[g]) macro[name].add(mean.value());
        pooling.groups[g].means = values_of(group_means[g]);
    }
    pooling.micro = values_of(micro);
    pooling.macro = values_of(macro);
    return pooling;
}

}  // namespace havln
