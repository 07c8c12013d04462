#include "contract/action_check.h"

#include <fmt/format.h>

namespace havln {

void ActionListFacts::add(bool is_stop, bool is_unclear, TextPlace place) {
    last_is_stop = is_stop;
    last_is_unclear = is_unclear;
    if (is_stop && stops++ == 0) {
        first_stop = count;
        first_stop_place = place;
    }
    ++count;
}

std::vector<ActionListFault> check_action_list(const ActionListFacts& facts, TextPlace place,
                                               std::uint32_t max_actions) {
    std::vector<ActionListFault> faults;
    if (facts.count == 0) {
        faults.push_back({DiagnosticCode::kActionsEmpty, "the list of actions is empty",
                          "an agent that stays where it is still needs [\"STOP\"]", std::nullopt,
                          place});
        return faults;
    }
    if (facts.count > max_actions) {
        faults.push_back(
            {DiagnosticCode::kActionsTooLong,
             fmt::format("{} actions; at most {} are allowed", facts.count, max_actions),
             fmt::format("end the episode after {} actions; STOP counts as one", max_actions),
             std::nullopt, place});
    }
    if (facts.stops > (facts.last_is_stop ? 1u : 0u)) {
        std::string message = fmt::format("STOP is action {} of {}; it must be the last",
                                          facts.first_stop + 1, facts.count);
        if (facts.stops > 1) message += fmt::format(" and stand once, not {} times", facts.stops);
        faults.push_back({DiagnosticCode::kStopNotLast, std::move(message),
                          "end the list at the first STOP", facts.first_stop,
                          facts.first_stop_place});
    } else if (facts.stops == 0 && facts.count < max_actions && !facts.last_is_unclear) {
        faults.push_back(
            {DiagnosticCode::kStopMissing,
             fmt::format("{} action{} without STOP at the end", facts.count,
                         facts.count == 1 ? "" : "s"),
             fmt::format("end the list with \"STOP\"; only an episode that used up all {} actions "
                         "may lack it",
                         max_actions),
             std::nullopt, place});
    }
    return faults;
}

}  // namespace havln
