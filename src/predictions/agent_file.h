#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "contract/file_report.h"
#include "contract/prediction.h"
#include "predictions/pack.h"

namespace havln {

/// One episode as an agent's file tells it.
struct AgentEpisode {
    std::string episode_id;
    std::optional<std::string> split;  ///< The episode's own.
    std::uint64_t first_action = 0;    ///< Into AgentFile::actions.
    std::uint32_t action_count = 0;
    TextPlace place;
};

/// An agent's file.
struct AgentFile {
    std::optional<std::string> split;  ///< What the file says of itself.
    TextPlace split_place;
    std::vector<AgentEpisode> episodes;
    std::vector<Action> actions;
    std::uint64_t quoted_ids = 0;
    std::uint64_t translated_actions = 0;
};

/// Reads one file, in any of the forms that collect_predictions names; faults go to `report`.
/// @param unknown_keys  those warned of already.
/// @throws Error (kUsage) where it cannot be read.
AgentFile read_agent_file(const std::filesystem::path& path, const PackRules& rules,
                          UnknownKeys& unknown_keys, FileReport& report);

}  // namespace havln
