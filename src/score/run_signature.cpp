#include <fmt/format.h>

#include "havln/scorecard.h"
#include "havln/version.h"

namespace havln {

namespace {

/// Enough of a digest to tell two files apart, short enough for one line.
std::string short_digest(const std::string& digest) {
    return digest.substr(0, 12);
}

template <typename ValueOf>
std::string by_split(const std::vector<SplitScore>& splits, ValueOf value_of) {
    std::string list;
    for (const SplitScore& split : splits) {
        const std::string value = value_of(split);
        if (value.empty()) continue;
        list += fmt::format("{}{}={}", list.empty() ? "" : ",", split.split, value);
    }
    return list;
}

}  // namespace

Signature make_signature(const Scorecard& card) {
    const RunSettings& run = card.settings;
    Signature signature;
    signature.set("profile", profile_signature(run.profile));
    signature.set("episodes", by_split(card.splits, [](const SplitScore& split) {
                      return std::to_string(split.episodes);
                  }));
    signature.set("part", card.partial ? run.selection : "all");
    if (run.profile.people) {
        signature.set("collisions", collision_reading_name(run.reading));
        signature.set("human_influenced", by_split(card.splits, [](const SplitScore& split) {
                          return std::to_string(split.human_influenced);
                      }));
    }
    if (!run.clock.empty()) signature.set("clock", run.clock);
    signature.set("sliding", run.sliding ? "yes" : "no");
    signature.set("navmesh", run.navmesh);
    if (run.profile.people) signature.set("people", short_digest(run.people_digest));
    signature.set("truth", by_split(card.splits, [](const SplitScore& split) {
                      return short_digest(split.ground_truth_digest);
                  }));
    signature.set("pathfinder", run.path_finder);
    if (!run.submission_digest.empty()) {
        signature.set(kSubmissionKey, short_digest(run.submission_digest));
    }
    signature.set("version", version());
    return signature;
}

}  // namespace havln
