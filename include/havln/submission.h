#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "havln/actions.h"

namespace havln {

/// One episode of a prediction: its id and where its actions stand in SplitSubmission::actions.
struct SubmittedEpisode {
    std::string episode_id;
    std::uint64_t first_action = 0;
    std::uint32_t action_count = 0;
};

/// The prediction for one split, episodes in the submission's order. Actions are one byte each.
struct SplitSubmission {
    std::string split;
    std::string file;    ///< Archive or file on disk that holds it.
    std::string member;  ///< Member of the archive or folder; empty for a loose file.
    std::vector<SubmittedEpisode> episodes;
    std::vector<Action> actions;

    /// The episode of that id; null where there is none. Looks at one after the other.
    const SubmittedEpisode* find(std::string_view episode_id) const {
        const auto at = std::find_if(
            episodes.begin(), episodes.end(),
            [&](const SubmittedEpisode& episode) { return episode.episode_id == episode_id; });
        return at == episodes.end() ? nullptr : &*at;
    }

    std::span<const Action> actions_of(const SubmittedEpisode& episode) const {
        return std::span(actions).subspan(episode.first_action, episode.action_count);
    }
};

}  // namespace havln
