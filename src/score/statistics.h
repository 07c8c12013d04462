#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "havln/random.h"
#include "havln/scorecard.h"
#include "havln/statistics.h"

namespace havln {

/// What ScoreComponents are made of; adding and removing rows is exact for all but the distances.
struct ScoreSums {
    std::int64_t SR = 0, CR = 0, excess = 0;
    std::int64_t rows = 0, distances = 0;
    double distance_to_goal = 0;

    void add(const ScoreRow& row) { add(row, 1); }
    void remove(const ScoreRow& row) { add(row, -1); }
    ScoreComponents components(double human_influenced) const;

  private:
    void add(const ScoreRow& row, int sign);
};

/// Draws `count` indices below `count`, with replacement.
void resample(Random& random, std::size_t count, std::vector<std::size_t>& indices);

/// Percentile interval of drawn values, which are sorted in place.
Interval percentile_interval(std::vector<double>& values, double level);

}  // namespace havln
