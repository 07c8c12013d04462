#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/submissions.h"
#include "havln/batch.h"
#include "havln/contract.h"
#include "havln/groundtruth.h"
#include "havln/profile.h"

namespace havln::cli {

/// Reads a submission's actions for `splits` of the data root, under the profile's rules.
/// @param required  splits that must be there.
ReadResult read_actions(GroundTruth& ground_truth, const Profile& profile, const Paths& submission,
                        const std::vector<std::string>& splits,
                        const std::vector<std::string>& required);

/// How episodes are replayed so that they can be drawn.
struct ReplayRules {
    Profile profile;
    bool frames_of_people = true;
    bool sliding = true;
};

/// The jobs' traces, in their order, with what blocked each step where the profile has people.
std::vector<Trace> replay_episodes(GroundTruth& ground_truth, const Split& split,
                                   std::span<const ReplayJob> jobs, const ReplayRules& rules);

}  // namespace havln::cli
