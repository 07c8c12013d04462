#include <algorithm>

#include "havln/scorecard.h"
#include "io/sha256.h"

namespace havln {

namespace {

/// Text with its length in front, so that no two sequences of texts give the same bytes.
void add(Sha256& sha, std::string_view text) {
    sha.update(std::to_string(text.size()) + ':');
    sha.update(text);
}

void add_episode(Sha256& sha, const SplitSubmission& split, const SubmittedEpisode& episode) {
    add(sha, episode.episode_id);
    const auto actions = split.actions_of(episode);
    std::string codes;
    codes.reserve(actions.size());
    for (const Action action : actions) {
        codes += static_cast<char>('0' + static_cast<int>(action));
    }
    add(sha, codes);
}

}  // namespace

std::string submission_digest(std::span<const SplitSubmission> splits) {
    std::vector<const SplitSubmission*> by_name;
    for (const SplitSubmission& split : splits) by_name.push_back(&split);
    std::sort(by_name.begin(), by_name.end(),
              [](const auto* a, const auto* b) { return a->split < b->split; });
    Sha256 sha;
    for (const SplitSubmission* split : by_name) {
        add(sha, split->split);
        std::vector<const SubmittedEpisode*> by_id;
        for (const SubmittedEpisode& episode : split->episodes) by_id.push_back(&episode);
        std::sort(by_id.begin(), by_id.end(),
                  [](const auto* a, const auto* b) { return a->episode_id < b->episode_id; });
        for (const SubmittedEpisode* episode : by_id) add_episode(sha, *split, *episode);
    }
    return sha.hex();
}

}  // namespace havln
