#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/episode_map.h"
#include "report/report_html.h"
#include "report/scene_map.h"

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

/// Whole numbers as printable ASCII that needs no escape in JSON or HTML: one character for
/// -43..42, six for any other.
void append_packed(std::string& out, std::int32_t value);
std::string pack(std::span<const std::int32_t> values);
/// The characters in order of value, the last one introducing a long number.
std::string_view packing_alphabet();

/// The scans that the report's episodes lie in, sorted: their places are their numbers in the data.
std::vector<std::string> report_scans(const ReportInput& input);

/// JSON documents that the page's script reads. All are compact, without NaN or Infinity, and hold
/// no '<', so that they can stand in a <script> element.
/// The table: settings and, by split, columns of per-episode values.
std::string table_json(const ReportInput& input);
/// A scene's floors and people.
std::string scene_json(const SceneMap& scene);
/// By episode of the split: its map, or null where its scene has none.
std::string maps_json(const ReportInput& input, const ReportSplit& split);

}  // namespace havln
