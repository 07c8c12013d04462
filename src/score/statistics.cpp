#include "score/statistics.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "havln/error.h"

namespace havln {

namespace {

constexpr ComponentName kComponentNames[] = {
    {"SR", &ScoreComponents::SR},
    {"NE", &ScoreComponents::NE},
    {"CR", &ScoreComponents::CR},
    {"TCR", &ScoreComponents::TCR},
    {"navigation", &ScoreComponents::navigation},
    {"social", &ScoreComponents::social},
    {"score", &ScoreComponents::score},
};

void check_options(const ResamplingOptions& options) {
    HAVLN_CHECK(options.samples >= 1);
    HAVLN_CHECK(options.level > 0 && options.level < 1);
}

/// Values of one metric by episode; absent where the episode has none.
using Column = std::vector<std::optional<double>>;

/// Names with "SR" and "NE" in front, for profiles without people.
std::map<std::string, Column> metric_columns(std::span<const EpisodeMetrics> rows,
                                             std::span<const std::string> names) {
    std::map<std::string, Column> columns;
    const auto put = [&](const std::string& name, std::size_t k, double value) {
        Column& column = columns[name];
        column.resize(rows.size());
        column[k] = value;
    };
    for (std::size_t k = 0; k < rows.size(); ++k) {
        for (const NamedMetric& metric : named_metrics(rows[k], nullptr)) {
            const std::string name = metric.name;
            if (name == "success") put("SR", k, metric.value);
            if (name == "distance_to_goal") put("NE", k, metric.value);
            if (std::find(names.begin(), names.end(), name) != names.end()) {
                put(name, k, metric.value);
            }
        }
    }
    return columns;
}

}  // namespace

double quantile(std::span<const double> sorted, double share) {
    HAVLN_CHECK(!sorted.empty() && share >= 0 && share <= 1);
    const double place = share * static_cast<double>(sorted.size() - 1);
    const std::size_t below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double weight = place - static_cast<double>(below);
    return sorted[below] + weight * (sorted[above] - sorted[below]);
}

std::span<const ComponentName> component_names() {
    return kComponentNames;
}

void ScoreSums::add(const ScoreRow& row, int sign) {
    SR += sign * row.SR;
    CR += sign * row.CR;
    excess += sign * row.excess;
    rows += sign;
    if (!std::isfinite(row.distance_to_goal)) return;
    distance_to_goal += sign * row.distance_to_goal;
    distances += sign;
}

ScoreComponents ScoreSums::components(double human_influenced) const {
    HAVLN_CHECK(rows > 0 && human_influenced > 0);
    const double episodes = static_cast<double>(rows);
    ScoreComponents c;
    c.SR = static_cast<double>(SR) / episodes;
    c.NE = distances > 0 ? distance_to_goal / static_cast<double>(distances) : 0;
    c.CR = static_cast<double>(CR) / human_influenced;
    c.TCR = static_cast<double>(excess) / episodes;
    return complete(c);
}

std::vector<ScoreRow> score_rows(std::span<const EpisodeMetrics> rows, CollisionReading reading) {
    std::vector<ScoreRow> list;
    list.reserve(rows.size());
    for (const EpisodeMetrics& row : rows) {
        const bool contact = reading == CollisionReading::kContact;
        HAVLN_CHECK(!contact || row.contact.has_value());
        const ReadingMetrics& m = contact ? *row.contact : row.released;
        list.push_back({m.SR, m.CR, m.excess, row.distance_to_goal});
    }
    return list;
}

ScoreComponents components_of(std::span<const ScoreRow> rows, double human_influenced) {
    ScoreSums sums;
    for (const ScoreRow& row : rows) sums.add(row);
    return sums.components(human_influenced);
}

void resample(Random& random, std::size_t count, std::vector<std::size_t>& indices) {
    indices.resize(count);
    for (std::size_t& index : indices) index = static_cast<std::size_t>(random.below(count));
}

Interval percentile_interval(std::vector<double>& values, double level) {
    std::sort(values.begin(), values.end());
    return {quantile(values, (1 - level) / 2), quantile(values, (1 + level) / 2)};
}

BootstrapSummary bootstrap(std::span<const ScoreRow> rows, std::uint64_t human_influenced,
                           const ResamplingOptions& options) {
    check_options(options);
    HAVLN_CHECK(!rows.empty() && human_influenced > 0);
    Random random(options.seed);
    std::map<std::string, std::vector<double>> drawn;
    std::vector<std::size_t> indices;
    for (std::uint64_t sample = 0; sample < options.samples; ++sample) {
        resample(random, rows.size(), indices);
        ScoreSums sums;
        for (const std::size_t index : indices) sums.add(rows[index]);
        const ScoreComponents c = sums.components(static_cast<double>(human_influenced));
        for (const ComponentName& part : kComponentNames) {
            drawn[part.name].push_back(c.*part.member);
        }
    }
    BootstrapSummary summary{options, {}};
    for (auto& [name, values] : drawn) {
        summary.intervals[name] = percentile_interval(values, options.level);
    }
    return summary;
}

BootstrapSummary bootstrap_means(std::span<const EpisodeMetrics> rows,
                                 std::span<const std::string> names,
                                 const ResamplingOptions& options) {
    check_options(options);
    HAVLN_CHECK(!rows.empty());
    const std::map<std::string, Column> columns = metric_columns(rows, names);
    Random random(options.seed);
    std::map<std::string, std::vector<double>> drawn;
    std::vector<std::size_t> indices;
    for (std::uint64_t sample = 0; sample < options.samples; ++sample) {
        resample(random, rows.size(), indices);
        for (const auto& [name, column] : columns) {
            double sum = 0, count = 0;
            for (const std::size_t index : indices) {
                if (!column[index]) continue;
                sum += *column[index];
                ++count;
            }
            if (count > 0) drawn[name].push_back(sum / count);
        }
    }
    BootstrapSummary summary{options, {}};
    for (auto& [name, values] : drawn) {
        summary.intervals[name] = percentile_interval(values, options.level);
    }
    return summary;
}

ClockSummary summarise_clocks(std::span<const ClockSample> samples,
                              std::span<const std::string> episode_ids,
                              std::uint64_t human_influenced) {
    HAVLN_CHECK(!samples.empty() && !samples.front().rows.empty());
    const std::size_t episodes = samples.front().rows.size();
    HAVLN_CHECK(episode_ids.size() == episodes);
    ClockSummary summary;
    std::vector<std::uint64_t> successes(episodes);
    std::map<std::string, std::vector<double>> values;
    for (const ClockSample& sample : samples) {
        HAVLN_CHECK(sample.rows.size() == episodes);
        const ScoreComponents c = components_of(sample.rows, static_cast<double>(human_influenced));
        ClockSummary::Sample& line = summary.samples.emplace_back();
        line.clock = sample.clock;
        for (const ComponentName& part : kComponentNames) {
            line.values.push_back(c.*part.member);
            values[part.name].push_back(c.*part.member);
        }
        for (std::size_t k = 0; k < episodes; ++k) successes[k] += sample.rows[k].SR != 0;
    }
    for (auto& [name, list] : values) {
        std::sort(list.begin(), list.end());
        summary.spread[name] = {list.front(), quantile(list, 0.05), quantile(list, 0.5),
                                quantile(list, 0.95), list.back()};
    }
    for (std::size_t k = 0; k < episodes; ++k) {
        if (successes[k] > 0 && successes[k] < samples.size()) {
            summary.flips.push_back({episode_ids[k], successes[k]});
        }
    }
    return summary;
}

}  // namespace havln
