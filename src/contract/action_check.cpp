#include "contract/action_check.h"

#include <fmt/format.h>

#include "havln/error.h"

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
    if (facts.count == 0) return {{DiagnosticCode::kActionsEmpty, place, std::nullopt}};
    std::vector<ActionListFault> faults;
    if (facts.count > max_actions) {
        faults.push_back({DiagnosticCode::kActionsTooLong, place, std::nullopt});
    }
    if (facts.stops > (facts.last_is_stop ? 1u : 0u)) {
        faults.push_back({DiagnosticCode::kStopNotLast, facts.first_stop_place, facts.first_stop});
    } else if (facts.stops == 0 && facts.count < max_actions && !facts.last_is_unclear) {
        faults.push_back({DiagnosticCode::kStopMissing, place, std::nullopt});
    }
    return faults;
}

std::string action_list_message(DiagnosticCode code, const ActionListFacts& facts,
                                std::uint32_t max_actions) {
    switch (code) {
        case DiagnosticCode::kActionsTooLong:
            return fmt::format("{} actions; at most {} are allowed", facts.count, max_actions);
        case DiagnosticCode::kStopNotLast: {
            std::string message = fmt::format("STOP is action {} of {}; it must be the last",
                                              facts.first_stop + 1, facts.count);
            if (facts.stops > 1) {
                message += fmt::format(" and stand once, not {} times", facts.stops);
            }
            return message;
        }
        case DiagnosticCode::kStopMissing:
            return fmt::format("{} action{} without STOP at the end", facts.count,
                               facts.count == 1 ? "" : "s");
        default:
            HAVLN_CHECK(code == DiagnosticCode::kActionsEmpty);
            return "the list of actions is empty";
    }
}

std::string action_list_hint(DiagnosticCode code, std::uint32_t max_actions) {
    switch (code) {
        case DiagnosticCode::kActionsTooLong:
            return fmt::format("end the episode after {} actions; STOP counts as one", max_actions);
        case DiagnosticCode::kStopNotLast:
            return "end the list at the first STOP";
        case DiagnosticCode::kStopMissing:
            return fmt::format(
                "end the list with \"STOP\"; only an episode that used up all {} actions may "
                "lack it",
                max_actions);
        default:
            HAVLN_CHECK(code == DiagnosticCode::kActionsEmpty);
            return "an agent that stays where it is still needs [\"STOP\"]";
    }
}

}  // namespace havln
