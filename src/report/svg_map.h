#pragma once

#include <string>
#include <vector>

#include "report/episode_map.h"
#include "report/scene_map.h"

namespace havln {

/// Colours that the agent's path takes from its first step to its last.
inline constexpr int kTimeBins = 12;

/// Steps along an agent's path that share a time colour and a floor.
struct TimePiece {
    int bin = 0;  ///< [0, kTimeBins)
    std::vector<MapPoint> points;
};

/// What of the agent's path shows on one floor. A step between floors shows on both.
std::vector<TimePiece> time_pieces(const EpisodeMap& map, int floor);

/// Every how many steps a step's number stands beside the path: at most six numbers.
std::size_t step_label_interval(std::size_t steps);

/// One line of a map's legend: a drawing of at most 34 x 26 px around (17, 0) and its words.
struct LegendEntry {
    std::string key;  ///< Names it; letters and dashes.
    std::string drawing, words;
};
/// Every entry that a legend can have, in order.
std::vector<LegendEntry> legend_catalogue();

struct SvgMapInput {
    const SceneMap* scene = nullptr;
    const EpisodeMap* map = nullptr;
    std::string title;     ///< Untrusted text is escaped here.
    std::string subtitle;  ///< One line below; may be empty.
    int width_px = 960;
};

/// A map as an SVG file of its own: the floors side by side at one scale, scale bar and legend.
/// Colours are written out, without CSS variables, for programs that are no browsers.
std::string svg_map(const SvgMapInput& input);

}  // namespace havln
