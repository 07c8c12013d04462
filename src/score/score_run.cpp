#include "havln/score_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <unordered_set>

#include "havln/error.h"

namespace havln {

namespace {

void check_known_ids(const Split& split, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
        if (!split.index_of(id)) {
            throw usage_error(
                {}, fmt::format("--episodes: split {} has no episode \"{}\"", split.name, id));
        }
    }
}

void check_known_scans(const Split& split, const std::vector<std::string>& scans) {
    for (const std::string& scan : scans) {
        const bool known = std::any_of(split.episodes.begin(), split.episodes.end(),
                                       [&](const Episode& e) { return e.scan == scan; });
        if (!known) {
            throw usage_error(
                {}, fmt::format("--scenes: split {} has no scene \"{}\"", split.name, scan));
        }
    }
}

/// The mesh that geodesic distances are measured on: without people, else the first frame loaded.
const NavMesh* distance_mesh(const SceneNavMeshes& scene) {
    if (scene.without_people) return scene.without_people.get();
    for (const auto& mesh : scene.frames) {
        if (mesh) return mesh.get();
    }
    return nullptr;
}

std::vector<ReplayJob> make_jobs(const Split& split, const std::vector<std::size_t>& episodes,
                                 const SplitSubmission& submission, const Clock& clock) {
    std::unordered_map<std::string_view, const SubmittedEpisode*> by_id;
    by_id.reserve(submission.episodes.size());
    for (const SubmittedEpisode& episode : submission.episodes) {
        by_id.emplace(episode.episode_id, &episode);
    }
    std::vector<ReplayJob> jobs;
    jobs.reserve(episodes.size());
    for (const std::size_t index : episodes) {
        const auto at = by_id.find(split.episodes[index].episode_id);
        HAVLN_CHECK(at != by_id.end());  // the contract demands every official id
        jobs.push_back({index, submission.actions_of(*at->second), &clock});
    }
    return jobs;
}

bool needs_navmesh(const Profile& profile) {
    return profile.distance != DistanceKind::kEuclidean ||
           profile.spl_numerator != DistanceKind::kEuclidean;
}

}  // namespace

std::vector<std::size_t> select_episodes(const Split& split, const EpisodeFilter& filter) {
    check_known_ids(split, filter.episode_ids);
    check_known_scans(split, filter.scans);
    const std::unordered_set<std::string_view> ids(filter.episode_ids.begin(),
                                                   filter.episode_ids.end());
    const std::unordered_set<std::string_view> scans(filter.scans.begin(), filter.scans.end());
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < split.episodes.size(); ++i) {
        const Episode& episode = split.episodes[i];
        if (!ids.empty() && !ids.contains(episode.episode_id)) continue;
        if (!scans.empty() && !scans.contains(episode.scan)) continue;
        chosen.push_back(i);
    }
    if (chosen.empty()) {
        throw usage_error({}, fmt::format("split {}: no episode is left to score", split.name));
    }
    return chosen;
}

HumanInfluenced human_influenced(const ScoreOptions& options, const Manifest& manifest,
                                 const Split& split, std::size_t scored_episodes, bool partial) {
    if (const auto given = options.human_influenced.find(split.name);
        given != options.human_influenced.end()) {
        return {given->second, false};
    }
    const SplitManifest* known = manifest.find(split.name);
    const bool applies = known != nullptr && known->human_influenced && !partial &&
                         known->episode_ids.size() == split.episodes.size();
    if (applies) return {*known->human_influenced, false};
    return {scored_episodes, true};
}

void check_scorable(const GroundTruth& ground_truth, const Split& split,
                    const ScoreOptions& options) {
    if (!split.has_goals()) {
        throw ground_truth_error(
            split.episodes_file,
            fmt::format("split {} has episodes without goals: it can be validated, not scored",
                        split.name));
    }
    if (!options.profile.people) return;
    if (split.baselines.empty()) {
        throw ground_truth_error(
            ground_truth.root() / "HA-R2R-tools" / ("collision_num_" + split.name + ".json"),
            "is missing: the collision baselines of the split are needed to score it");
    }
    if (options.reading == CollisionReading::kContact && !ground_truth.has_people_file()) {
        throw ground_truth_error(
            ground_truth.root() / "Multi-Human-Annotations" / "human_motion.json",
            "is missing: without people's positions the contact reading cannot be computed; add "
            "the file, or score with --collisions released");
    }
}

SplitRun score_split(GroundTruth& ground_truth, const Manifest& manifest,
                     const SplitSubmission& submission, const ScoreOptions& options) {
    SplitRun run;
    run.split = ground_truth.split(submission.split);
    const Split& split = *run.split;
    check_scorable(ground_truth, split, options);
    run.episodes = select_episodes(split, options.filter);
    run.partial = options.filter.is_partial();
    run.rows.resize(run.episodes.size());
    if (options.keep_traces) run.traces.resize(run.episodes.size());

    const bool people_known = options.profile.people && ground_truth.has_people_file();
    std::atomic<bool> static_missing = false;
    const auto finish = [&](ReplayDone&& done) {
        const std::size_t index = run.episodes[done.job];
        MetricInputs inputs;
        inputs.episode = &split.episodes[index];
        inputs.trace = &done.trace;
        if (!split.gt_locations.empty()) inputs.gt_locations = &split.gt_locations[index];
        if (!split.baselines.empty()) inputs.baseline = split.baselines[index];
        inputs.people_known = people_known;
        if (needs_navmesh(options.profile)) {
            done.query->bind(*distance_mesh(*done.scene));
            inputs.query = done.query;
        }
        if (!done.scene->without_people) static_missing = true;
        EpisodeMetrics& row = run.rows[done.job];
        row = compute_episode_metrics(inputs, options.profile);
        row.episode_index = index;
        if (options.keep_traces) run.traces[done.job] = std::move(done.trace);
    };

    BatchSettings settings;
    settings.replay.motion.forward_step_m = static_cast<float>(options.profile.forward_step_m);
    settings.replay.motion.turn_angle_deg = options.profile.turn_angle_deg;
    settings.replay.sliding = options.sliding;
    settings.replay.attribute_blocks = options.attribute_blocks && options.profile.people;
    settings.frames_of_people = options.profile.people;
    settings.load_static_navmesh =
        settings.replay.attribute_blocks || needs_navmesh(options.profile);
    settings.threads = options.threads;
    const auto jobs = make_jobs(split, run.episodes, submission, *options.clock);
    replay_batch(ground_truth, split, jobs, settings, finish);

    run.static_navmesh_missing = settings.replay.attribute_blocks && static_missing;
    if (!options.profile.people) {
        run.score = aggregate_without_people(split.name, run.rows, run.partial);
        return run;
    }
    const HumanInfluenced influenced =
        human_influenced(options, manifest, split, run.episodes.size(), run.partial);
    run.human_influenced_assumed = influenced.assumed;
    run.score = aggregate(split.name, run.rows, influenced.episodes, options.reading, run.partial);
    return run;
}

}  // namespace havln
