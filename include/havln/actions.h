#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace havln {

/// What an agent may do in one step. The values are those of Habitat's action codes.
enum class Action : std::uint8_t {
    kStop = 0,
    kMoveForward = 1,
    kTurnLeft = 2,
    kTurnRight = 3,
    kLookUp = 4,
    kLookDown = 5,
};

inline constexpr int kActionCount = 6;

/// The action's name in submissions, e.g. "MOVE_FORWARD".
std::string_view action_name(Action action);

/// The action of exactly that name (case-sensitive); nothing for any other text.
std::optional<Action> action_from_name(std::string_view name);

/// True for the actions that pass through the move filter: MOVE_FORWARD and the turns.
inline bool moves_body(Action action) {
    return action == Action::kMoveForward || action == Action::kTurnLeft ||
           action == Action::kTurnRight;
}

}  // namespace havln
