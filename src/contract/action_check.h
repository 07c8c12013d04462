#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "havln/diagnostics.h"
#include "io/json_stream.h"

namespace havln {

/// What one episode's list of actions showed while it was read.
struct ActionListFacts {
    std::uint64_t count = 0;
    std::uint64_t stops = 0;
    std::uint64_t first_stop = 0;  ///< Index of the first STOP.
    TextPlace first_stop_place;
    bool last_is_stop = false;
    bool last_is_unclear = false;  ///< No action, but STOP may have been meant.

    /// Counts one item of the list.
    void add(bool is_stop, bool is_unclear, TextPlace place);
};

/// One broken rule of an episode's list of actions.
struct ActionListFault {
    DiagnosticCode code = DiagnosticCode::kActionsEmpty;
    TextPlace place;
    std::optional<std::uint64_t> step;  ///< Where the fault is one action's.
};

/// The rules that hold for a list as a whole: 1 to max_actions actions; STOP once, as the last; a
/// list of fewer than max_actions actions needs it.
/// @param place  of the list.
std::vector<ActionListFault> check_action_list(const ActionListFacts& facts, TextPlace place,
                                               std::uint32_t max_actions);

/// What is wrong, in words.
std::string action_list_message(DiagnosticCode code, const ActionListFacts& facts,
                                std::uint32_t max_actions);
/// How to mend it.
std::string action_list_hint(DiagnosticCode code, std::uint32_t max_actions);

}  // namespace havln
