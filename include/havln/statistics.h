#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "havln/metrics.h"

namespace havln {

struct ScoreComponents;

/// Linear interpolation between order statistics (Hyndman and Fan's type 7, numpy's default).
/// @param sorted ascending, not empty, finite. @param share in [0, 1].
double quantile(std::span<const double> sorted, double share);

struct Interval {
    double low = 0, high = 0;
    bool operator==(const Interval&) const = default;
};

/// How often and from which seed random draws are made. The seed is fixed by default, so that a
/// result can be had again.
struct ResamplingOptions {
    std::uint64_t samples = 1000;  ///< >= 1.
    std::uint64_t seed = 12345;
    double level = 0.95;  ///< Of intervals: between quantiles (1 -/+ level) / 2.
};

/// What one episode adds to a split's aggregates: the sufficient statistics of SR, NE, CR, TCR and
/// Score, of which every resample is made.
struct ScoreRow {
    int SR = 0;
    int CR = 0;
    std::int64_t excess = 0;      ///< e_i.
    double distance_to_goal = 0;  ///< [m]; left out of NE where it is not finite.
    bool operator==(const ScoreRow&) const = default;
};

/// @pre every row has the reading.
std::vector<ScoreRow> score_rows(std::span<const EpisodeMetrics> rows, CollisionReading reading);

/// SR, NE, CR, TCR, navigation, social and score of rows, summed in their order.
/// @param human_influenced  CR's denominator.
ScoreComponents components_of(std::span<const ScoreRow> rows, double human_influenced);

/// Names and members of ScoreComponents in output order: SR NE CR TCR navigation social score.
struct ComponentName {
    const char* name;
    double ScoreComponents::*member;
};
std::span<const ComponentName> component_names();

/// Intervals of a split's components from resampled episodes.
struct BootstrapSummary {
    ResamplingOptions options;
    std::map<std::string, Interval> intervals;  ///< By component or metric name.
};

/// Percentile bootstrap over episodes: `samples` times as many episodes as there are are drawn with
/// replacement and aggregated anew.
///
/// CR is a ratio to the number of human-influenced episodes, which the released data give per split
/// and not per episode: a resample of all L episodes keeps the share human_influenced / L, so its
/// denominator is human_influenced.
/// @pre rows is not empty; human_influenced > 0.
/// @see Efron and Tibshirani 1993, chapter 13.
BootstrapSummary bootstrap(std::span<const ScoreRow> rows, std::uint64_t human_influenced,
                           const ResamplingOptions& options);

/// The same for the means of metrics by name, for profiles without people: SR (the mean of
/// success), NE and the metrics of `names`. A metric is averaged over the drawn episodes that have
/// it; names that no episode has are left out.
BootstrapSummary bootstrap_means(std::span<const EpisodeMetrics> rows,
                                 std::span<const std::string> names,
                                 const ResamplingOptions& options);

/// One quantity of two results on the same episodes.
struct ComponentDifference {
    double a = 0, b = 0;
    double difference = 0;  ///< b - a.
    Interval interval;      ///< Of the difference, paired bootstrap.
    double p_value = 1;     ///< Two-sided, paired randomisation test; see compare_rows.
};

/// What one episode means for the difference.
struct EpisodeEffect {
    std::size_t row = 0;
    /// What the split's primary quantity (Score, in points) would gain had `a` done in this
    /// episode as `b` did.
    double effect = 0;
    int SR_a = 0, SR_b = 0;  ///< Success of the episode on either side.
};

struct PairedComparison {
    ResamplingOptions options;
    std::map<std::string, ComponentDifference> components;
    bool exact = false;  ///< The test went through every assignment instead of drawing some.
    std::vector<EpisodeEffect> effects;         ///< Episodes that differ, greatest |effect| first.
    std::uint64_t won = 0, lost = 0, tied = 0;  ///< Episodes by the sign of effect, for `b`.
    std::uint64_t gained = 0, dropped = 0;      ///< SR flipped from 0 to 1, and from 1 to 0.
};

/// Compares two results on the same episodes, row by row.
///
/// Intervals: both results are aggregated on the same resampled episodes (paired bootstrap).
/// p-values: under the null hypothesis that it does not matter which result an episode's outcome
/// belongs to, outcomes are exchanged with probability 1/2, episode by episode; p is the share of
/// assignments whose |difference| is at least the observed one (Noreen 1989, approximate
/// randomisation, with the observed assignment counted: (hits + 1) / (samples + 1)). Where the
/// episodes that differ allow no more than `samples` assignments, every one is tried and p is
/// exact.
/// @pre equal, non-zero sizes.
PairedComparison compare_rows(std::span<const ScoreRow> a, std::span<const ScoreRow> b,
                              std::uint64_t human_influenced, const ResamplingOptions& options);

/// One episode's metrics by position in a list of names; absent where it has none.
using MetricRow = std::vector<std::optional<double>>;

/// The same for means of metrics, for profiles without people. Each mean is over the episodes that
/// have the metric.
/// @param primary  name whose mean `effect` is about. @param success  name that flips count.
/// @pre both are among `names`; every row has one entry per name; rows agree in which are absent.
PairedComparison compare_means(std::span<const MetricRow> a, std::span<const MetricRow> b,
                               std::span<const std::string> names, const std::string& primary,
                               const std::string& success, const ResamplingOptions& options);

/// One split scored under one clock.
struct ClockSample {
    std::string clock;           ///< The clock's name, as in signatures.
    std::vector<ScoreRow> rows;  ///< In the ground truth's order; equal sizes over samples.
};

/// Spread of one component over clocks.
struct Spread {
    double least = 0, p5 = 0, median = 0, p95 = 0, greatest = 0;
    bool operator==(const Spread&) const = default;
};

/// How a split's result moves with the clock.
struct ClockSummary {
    struct Sample {
        std::string clock;
        std::vector<double> values;  ///< By component_names().
    };
    struct Flip {
        std::string episode_id;
        std::uint64_t successes = 0;  ///< Samples in which SR is 1; above 0 and below all.
    };
    std::vector<Sample> samples;
    std::map<std::string, Spread> spread;  ///< By component name.
    std::vector<Flip> flips;               ///< Episodes whose SR is not the same in all samples.
};

/// @param episode_ids  by row.
/// @pre at least one sample; all of the same, non-zero number of rows.
ClockSummary summarise_clocks(std::span<const ClockSample> samples,
                              std::span<const std::string> episode_ids,
                              std::uint64_t human_influenced);

}  // namespace havln
