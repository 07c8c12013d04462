#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/json_writer.h"
#include "report/report_html.h"

namespace havln {

/// How an episode ended, each in exactly one way.
enum class Outcome : std::uint8_t {
    kReached,          ///< Success, and no more collisions than the baseline.
    kReachedCollided,  ///< Success, but more collisions than the baseline: SR is 0.
    kStoppedNear,      ///< STOP below twice the success distance.
    kStoppedFar,
    kOutOfSteps,  ///< STOP was never called.
};
inline constexpr int kOutcomeCount = 5;
const char* outcome_words(Outcome outcome);

/// @param reading  null for a profile without people.
Outcome outcome_of(const EpisodeMetrics& row, bool stopped, const CollisionReading* reading,
                   double success_distance_m);
/// The reading's collisions; null where it was not computed.
const ReadingMetrics* reading_of(const EpisodeMetrics& row, const CollisionReading* reading);

/// The scans that the report's episodes lie in, sorted: their places are their numbers in the data.
std::vector<std::string> report_scans(const ReportInput& input);

/// Writes one column of the page's table: a value per row.
void put_column(JsonWriter& json, const char* name, std::size_t rows,
                const std::function<void(std::size_t)>& put_value);

/// JSON documents that the page's script reads. All are compact, without NaN or Infinity, and hold
/// no '<', so that they can stand in a <script> element.
/// The table: settings and, by split, columns of per-episode values.
std::string table_json(const ReportInput& input);
/// By episode of the split: its map, or null where its scene has none.
std::string maps_json(const ReportInput& input, const ReportSplit& split);

}  // namespace havln
