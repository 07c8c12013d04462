#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "havln/groundtruth.h"
#include "havln/metrics.h"
#include "havln/profile.h"

namespace havln {

/// Aggregates of one split under one collision reading, full precision.
/// @see challenge.md sections 3 and 4 (the challenge's published formulas).
struct ScoreComponents {
    double SR = 0;   ///< mean SR_i, in [0, 1].
    double NE = 0;   ///< mean d_i [m].
    double CR = 0;   ///< sum of CR_i over human-influenced episodes; nothing clamps it.
    double TCR = 0;  ///< mean e_i.
    double navigation = 0, social = 0, score = 0;
};

/// Navigation = 0.80 SR + 0.20 * 3/(3+NE).
double navigation_score(double SR, double NE);
/// Social = 0.75 (1-CR) + 0.25/(1+TCR).
double social_score(double CR, double TCR);
/// Score = 100 * Navigation * (0.70 + 0.30 Social).
double composite_score(double navigation, double social);

/// Fills navigation, social and score from SR, NE, CR and TCR.
ScoreComponents complete(ScoreComponents components);

/// Sort key: larger is better in every place. {score, SR, -NE, -CR, -TCR}.
std::array<double, 5> tie_break_key(const ScoreComponents& components);

/// One split's result.
struct SplitScore {
    std::string split;
    std::uint64_t episodes = 0;
    std::uint64_t human_influenced = 0;  ///< CR's denominator.
    CollisionReading reading = CollisionReading::kContact;
    ScoreComponents headline;                       ///< Under `reading`.
    std::optional<ScoreComponents> other;           ///< Under the other reading, where computable.
    std::map<std::string, double> means;            ///< Every per-episode metric: its mean.
    std::map<std::string, std::uint64_t> left_out;  ///< Metric: episodes left out of its mean.
    bool partial = false;
};

/// Sums in the order of `rows` (the ground truth's order), counts first, ratios last.
/// @pre rows is not empty; human_influenced > 0.
SplitScore aggregate(const std::string& split, std::span<const EpisodeMetrics> rows,
                     std::uint64_t human_influenced, CollisionReading reading, bool partial);

}  // namespace havln
