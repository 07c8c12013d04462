#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "demo/agents.h"
#include "demo/home.h"
#include "havln/replay.h"

namespace havln::demo {

/// How a home's episodes are drawn.
struct EpisodeSettings {
    std::uint64_t seed = 0;
    std::size_t count = 24;
    /// Trajectories come in as many texts, in turn; each text has a start heading of its own.
    std::vector<std::size_t> texts = {2, 1};
    double least_geodesic_m = 4.5;
    double most_geodesic_m = 20;
};

/// One episode of the demo split, before it gets its id.
struct DemoEpisode {
    std::size_t home = 0;        ///< Index into the homes.
    std::size_t trajectory = 0;  ///< Counted from 0: within the home, then over the split.
    Task task;
    std::array<double, 4> start_rotation_xyzw = {0, 0, 0, 1};
    double geodesic_distance_m = 0;
    std::vector<Vec3f> reference_path;
    std::string instruction;
    std::vector<Action> reference_actions;
    std::int64_t baseline = 0;      ///< See unavoidable_collisions.
    bool human_influenced = false;  ///< On the reference walk somebody is within 1.5 m.
};

/// Draws a home's episodes. The same for the same settings and home.
std::vector<DemoEpisode> draw_episodes(std::span<const Home> homes, std::size_t home,
                                       const EpisodeSettings& settings);

/// All homes' episodes, taken in turn from one home after the other, with reference and rating.
/// @param per_home  settings by home; their counts may differ by one at most.
std::vector<DemoEpisode> make_split(std::span<const Home> homes,
                                    const std::vector<EpisodeSettings>& per_home, unsigned threads);

/// Walks the reference and derives baseline and human influence from it.
void walk_and_rate(const Home& home, DemoEpisode& episode);

/// Encounters with people that the reference walk cannot avoid by leaving later: the fewest over
/// departures 0, 6, 12, 18 and 24 steps late, at one animation frame per action. An encounter is a
/// run of consecutive steps that a person blocks (causes human and both).
std::int64_t unavoidable_collisions(const Home& home, const DemoEpisode& episode);

}  // namespace havln::demo
