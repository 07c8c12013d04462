#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "havln/actions.h"
#include "havln/replay.h"
#include "io/json_writer.h"
#include "report/episode_map.h"
#include "report/scene_map.h"

namespace havln {

/// Whole numbers as printable ASCII that needs no escape in JSON or HTML: one character for
/// -43..42, six for any other.
void append_packed(std::string& out, std::int32_t value);
std::string pack(std::span<const std::int32_t> values);
/// The characters in order of value, the last one introducing a long number.
std::string_view packing_alphabet();

/// JSON without '<', so that it can stand in a <script> element.
std::string script_safe(std::string json);

/// A number with as many decimals as the table can use; null where it is absent or not finite.
void put_rounded(JsonWriter& json, std::optional<double> value);

/// One agent's way through an episode, as the page's script draws it.
struct AgentOnMap {
    const EpisodeMap* map = nullptr;
    const Trace* trace = nullptr;
    std::span<const Action> actions;  ///< Or empty: steps have no names then.
};

/// An episode's map with the agents on it. @pre at least one; all are of the same episode.
void put_episode_map(JsonWriter& json, std::span<const AgentOnMap> agents);

/// A scene's floors and people, script-safe.
std::string scene_json(const SceneMap& scene);

/// The same for each scan; empty for those without a map.
std::vector<std::string> scenes_json(const std::vector<std::string>& scans,
                                     const std::map<std::string, SceneMap>& maps);

}  // namespace havln
