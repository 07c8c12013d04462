#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "havln/actions.h"
#include "havln/groundtruth.h"
#include "havln/replay.h"
#include "report/scene_map.h"

namespace havln {

/// What blocked a step, as maps mark it.
enum class BlockMark : std::uint8_t { kUnknown, kHuman, kStatic, kBoth };

/// Was a step blocked, and how.
struct StepBlock {
    bool blocked = false;
    BlockMark mark = BlockMark::kUnknown;
    bool contact = false;  ///< The contact reading counts it.
};

/// Blocked steps of one cause at one place.
struct MapBlock {
    MapPlace place;
    BlockMark mark = BlockMark::kUnknown;
    bool contact = false;    ///< The contact reading counts them.
    std::uint32_t step = 0;  ///< The first, counted from 1.
    std::uint32_t count = 1;
    bool operator==(const MapBlock&) const = default;
};

/// A blocked step with a person within the envelope. Contacts with a person who has hardly moved
/// since the last one are one.
struct MapContact {
    std::uint32_t person = 0;  ///< Index into SceneMap::people.
    std::uint32_t step = 0;    ///< Counted from 1.
    std::uint16_t frame = 0;
    MapPlace person_place, agent_place;
    bool operator==(const MapContact&) const = default;
};

/// The part of one floor that an episode's map shows.
struct MapView {
    int floor = 0;
    MapBox box;
};

/// One episode on its scene's map: everything drawn, in map coordinates.
struct EpisodeMap {
    std::vector<MapPlace> reference;  ///< Reference path.
    std::vector<MapPlace> goals;
    MapPlace start;
    int start_heading_5deg = 0;          ///< See map_heading_5deg.
    std::int32_t goal_radius_cm = 0;     ///< Success distance.
    std::vector<MapPlace> path;          ///< {steps + 1}, the start first; empty without a trace.
    std::vector<StepBlock> step_blocks;  ///< {steps}
    std::vector<MapBlock> blocks;        ///< What of them is drawn.
    std::vector<MapContact> contacts;
    /// Where the path or the reference path goes from one floor to another, those within 60 cm of
    /// each other taken together. They lie on both floors.
    std::vector<MapPoint> crossings;
    bool stopped = false;
    std::vector<MapView> views;  ///< Floors that something of the episode lies on, rising.

    std::size_t steps() const { return path.empty() ? 0 : path.size() - 1; }
};

/// Adds the views of another map of the same scene: each floor once, wide enough for both.
void join_views(std::vector<MapView>& views, const std::vector<MapView>& more);
/// Adds crossings that are not within 60 cm of one that is there.
void join_crossings(std::vector<MapPoint>& crossings, const std::vector<MapPoint>& more);

/// Direction that an agent faces on the map, in steps of 5 degrees from up (world -z) clockwise:
/// [0, 72).
int map_heading_5deg(const Quatf& rotation_xyzw);

/// Radius around people within which a blocked step is a contact.
inline constexpr double kEnvelope_m = 1.0;

/// @param trace  null: a map of the episode alone. Its people, where located, are the scene's.
EpisodeMap make_episode_map(const SceneMap& scene, const Episode& episode, const Trace* trace,
                            double success_distance_m);

}  // namespace havln
