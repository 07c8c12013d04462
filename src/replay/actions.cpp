#include "havln/actions.h"

#include <array>

namespace havln {

namespace {

constexpr std::array<std::string_view, kActionCount> kNames = {
    "STOP", "MOVE_FORWARD", "TURN_LEFT", "TURN_RIGHT", "LOOK_UP", "LOOK_DOWN"};

}  // namespace

std::string_view action_name(Action action) {
    return kNames[static_cast<std::size_t>(action)];
}

std::optional<Action> action_from_name(std::string_view name) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name) return static_cast<Action>(i);
    }
    return std::nullopt;
}

}  // namespace havln
