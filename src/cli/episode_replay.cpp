#include "cli/episode_replay.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace havln::cli {

ReadResult read_actions(GroundTruth& ground_truth, const Profile& profile, const Paths& submission,
                        const std::vector<std::string>& splits,
                        const std::vector<std::string>& required) {
    const auto facts_of = [&](const std::vector<std::string>& held) {
        std::vector<SplitManifest> facts;
        for (const std::string& name : held) facts.push_back(ground_truth.manifest_of(name));
        return facts;
    };
    return read_submission(submission, splits, facts_of, contract_rules(profile, required));
}

std::vector<Trace> replay_episodes(GroundTruth& ground_truth, const Split& split,
                                   std::span<const ReplayJob> jobs, const ReplayRules& rules) {
    BatchSettings settings;
    settings.replay.motion.forward_step_m = static_cast<float>(rules.profile.forward_step_m);
    settings.replay.motion.turn_angle_deg = rules.profile.turn_angle_deg;
    settings.replay.sliding = rules.sliding;
    settings.replay.attribute_blocks = rules.profile.people;
    settings.frames_of_people = rules.frames_of_people;
    settings.load_static_navmesh = rules.profile.people;
    settings.threads = std::max(1u, std::thread::hardware_concurrency());
    std::vector<Trace> traces(jobs.size());
    replay_batch(ground_truth, split, jobs, settings,
                 [&](ReplayDone&& done) { traces[done.job] = std::move(done.trace); });
    return traces;
}

}  // namespace havln::cli
