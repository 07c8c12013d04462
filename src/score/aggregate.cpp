#include <algorithm>
#include <cmath>

#include "havln/error.h"
#include "havln/scorecard.h"
#include "havln/statistics.h"
#include "score/mean.h"

namespace havln {

namespace {

/// @return null where the row lacks the reading.
const ReadingMetrics* find_reading(const EpisodeMetrics& row, CollisionReading reading) {
    if (reading == CollisionReading::kReleased) return &row.released;
    return row.contact ? &*row.contact : nullptr;
}

double mean_distance_to_goal(std::span<const EpisodeMetrics> rows) {
    Mean mean;
    for (const EpisodeMetrics& row : rows) {
        if (std::isfinite(row.distance_to_goal)) mean.add(row.distance_to_goal);
    }
    return mean.value();
}

/// @return nothing where a row lacks the reading.
std::optional<ScoreComponents> components_under(CollisionReading reading,
                                                std::span<const EpisodeMetrics> rows,
                                                std::uint64_t human_influenced) {
    const bool known = std::all_of(rows.begin(), rows.end(), [reading](const EpisodeMetrics& row) {
        return find_reading(row, reading) != nullptr;
    });
    if (!known) return std::nullopt;
    return components_of(score_rows(rows, reading), static_cast<double>(human_influenced));
}

void add_means(std::span<const EpisodeMetrics> rows, const CollisionReading* reading,
               SplitScore& score) {
    using Means = std::map<std::string, Mean, std::less<>>;
    Means means;
    std::vector<Means::value_type*> by_place;  // Rows list nearly the same names in one order.
    for (const EpisodeMetrics& row : rows) {
        std::size_t place = 0;
        for (const NamedMetric& metric : named_metrics(row, reading)) {
            if (place == by_place.size()) by_place.push_back(nullptr);
            Means::value_type*& mean = by_place[place++];
            if (mean == nullptr || mean->first != metric.name) {
                mean = &*means.try_emplace(metric.name).first;
            }
            mean->second.add(metric.value);
        }
    }
    for (const auto& [name, mean] : means) {
        score.means[name] = mean.value();
        if (mean.count() < rows.size()) score.left_out[name] = rows.size() - mean.count();
    }
    // The card of bsc-nav defines its SPL on whole splits only.
    if (means.contains("path_ratio_card") && means.contains("success_card")) {
        score.means["spl_card"] = score.means["success_card"] * score.means["path_ratio_card"];
    }
    // A distance that no episode has is left out of all of them.
    for (const char* name : {"distance_to_goal", "start_distance", "oracle_navigation_error"}) {
        if (!means.contains(name)) score.left_out[name] = rows.size();
    }
}

std::optional<CauseCounts> sum_causes(std::span<const EpisodeMetrics> rows) {
    CauseCounts sum;
    for (const EpisodeMetrics& row : rows) {
        if (!row.causes) return std::nullopt;
        sum.human += row.causes->human;
        sum.stationary += row.causes->stationary;
        sum.both += row.causes->both;
    }
    return sum;
}

SplitScore begin_split(const std::string& split, std::span<const EpisodeMetrics> rows,
                       bool partial) {
    HAVLN_CHECK(!rows.empty());
    for (std::size_t k = 1; k < rows.size(); ++k) {
        HAVLN_CHECK(rows[k - 1].episode_index < rows[k].episode_index);
    }
    SplitScore score;
    score.split = split;
    score.episodes = rows.size();
    score.partial = partial;
    score.causes = sum_causes(rows);
    for (const EpisodeMetrics& row : rows) score.unreachable_goals += row.goal_unreachable;
    return score;
}

}  // namespace

std::vector<NamedMetric> named_metrics(const EpisodeMetrics& row, const CollisionReading* reading) {
    std::vector<NamedMetric> list;
    list.reserve(32);  // About what a profile with people gives.
    const auto add = [&list](const char* name, double value) {
        if (std::isfinite(value)) list.push_back({name, value});
    };
    const auto count = [&list](const char* name, std::int64_t value) {
        list.push_back({name, static_cast<double>(value)});
    };
    count("steps_taken", row.steps_taken);
    add("distance_to_goal", row.distance_to_goal);
    count("success", row.success);
    add("path_length", row.path_length);
    count("collisions", row.blocked_steps);
    if (row.contact) count("collisions_human", row.contact->collisions);
    if (reading != nullptr) {
        const ReadingMetrics* m = find_reading(row, *reading);
        HAVLN_CHECK(m != nullptr);
        count("baseline", row.baseline);
        count("TCR", m->excess);
        count("CR", m->CR);
        count("SR", m->SR);
    }
    add("start_distance", row.start_distance);
    add("oracle_navigation_error", row.oracle_navigation_error);
    count("oracle_success", row.oracle_success);
    add("spl", row.spl);
    add("soft_spl", row.soft_spl);
    add("oracle_spl", row.oracle_spl);
    if (row.geodesic_distance) add("geodesic_distance", *row.geodesic_distance);
    if (row.ndtw) add("ndtw", *row.ndtw);
    if (row.sdtw) add("sdtw", *row.sdtw);
    if (row.personal_space) {
        const PersonalSpace& space = *row.personal_space;
        count("intimate_steps", space.intimate_steps);
        count("personal_steps", space.personal_steps);
        count("social_steps", space.social_steps);
        const auto seconds = [&](const char* name, std::int64_t frames) {
            add(name, static_cast<double>(frames) / 10);
        };
        seconds("intimate_s", space.intimate_frames);
        seconds("personal_s", space.personal_frames);
        seconds("social_s", space.social_frames);
        if (space.least_distance_m) add("least_human_distance_m", *space.least_distance_m);
    }
    if (row.agent_log) {
        if (const auto ratio = skip_ratio(*row.agent_log)) add("skip_ratio", *ratio);
        if (const auto gflops = gflops_per_step(*row.agent_log)) add("gflops_per_step", *gflops);
    }
    for (const NamedMetric& variant : row.card) add(variant.name, variant.value);
    return list;
}

SplitScore aggregate(const std::string& split, std::span<const EpisodeMetrics> rows,
                     std::uint64_t human_influenced, CollisionReading reading, bool partial) {
    HAVLN_CHECK(human_influenced > 0);
    SplitScore score = begin_split(split, rows, partial);
    score.human_influenced = human_influenced;
    score.reading = reading;
    const std::optional<ScoreComponents> headline =
        components_under(reading, rows, human_influenced);
    HAVLN_CHECK(headline.has_value());
    score.headline = *headline;
    const CollisionReading other = reading == CollisionReading::kContact
                                       ? CollisionReading::kReleased
                                       : CollisionReading::kContact;
    score.other = components_under(other, rows, human_influenced);
    add_means(rows, &reading, score);
    return score;
}

SplitScore aggregate_without_people(const std::string& split, std::span<const EpisodeMetrics> rows,
                                    bool partial) {
    SplitScore score = begin_split(split, rows, partial);
    score.has_people = false;
    Mean success;
    for (const EpisodeMetrics& row : rows) success.add(row.success ? 1 : 0);
    score.headline.SR = success.value();
    score.headline.NE = mean_distance_to_goal(rows);
    add_means(rows, nullptr, score);
    return score;
}

}  // namespace havln
