#include "havln/score_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
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

/// A job for each chosen episode: `fill` completes it from what the submission holds for its id.
template <typename Items, typename Fill>
std::vector<ReplayJob> make_jobs(const Split& split, const std::vector<std::size_t>& episodes,
                                 const Items& items, const Fill& fill) {
    std::unordered_map<std::string_view, const typename Items::value_type*> by_id;
    by_id.reserve(items.size());
    for (const auto& item : items) by_id.emplace(item.episode_id, &item);
    std::vector<ReplayJob> jobs;
    jobs.reserve(episodes.size());
    for (const std::size_t index : episodes) {
        const auto at = by_id.find(split.episodes[index].episode_id);
        HAVLN_CHECK(at != by_id.end());  // the contract demands every official id
        ReplayJob& job = jobs.emplace_back();
        job.episode_index = index;
        fill(job, *at->second);
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

namespace {

BatchSettings batch_settings(const ScoreOptions& options, bool recorded) {
    BatchSettings settings;
    settings.replay.motion.forward_step_m = static_cast<float>(options.profile.forward_step_m);
    settings.replay.motion.turn_angle_deg = options.profile.turn_angle_deg;
    settings.replay.sliding = options.sliding;
    settings.replay.attribute_blocks = options.attribute_blocks && options.profile.people;
    settings.frames_of_people = options.frames_of_people;
    settings.load_static_navmesh =
        settings.replay.attribute_blocks || needs_navmesh(options.profile);
    settings.navmeshes = !recorded || needs_navmesh(options.profile);
    settings.threads = options.threads;
    return settings;
}

/// Turns finished replays into rows, on the workers' threads.
class RowMaker {
  public:
    RowMaker(SplitRun& run, const ScoreOptions& options, bool people_known)
        : run_(run), options_(options), people_known_(people_known) {
        run.rows.resize(run.episodes.size());
        if (options.keep_traces) run.traces.resize(run.episodes.size());
    }

    void operator()(ReplayDone&& done) {
        const Split& split = *run_.split;
        const std::size_t index = run_.episodes[done.job];
        MetricInputs inputs;
        inputs.episode = &split.episodes[index];
        inputs.trace = &done.trace;
        if (!split.gt_locations.empty()) inputs.gt_locations = &split.gt_locations[index];
        if (!split.baselines.empty()) inputs.baseline = split.baselines[index];
        inputs.people_known = people_known_;
        inputs.recipe_card = options_.recipe_card;
        if (needs_navmesh(options_.profile)) {
            done.query->bind(*distance_mesh(*done.scene));
            inputs.query = done.query;
        }
        if (done.scene != nullptr && !done.scene->without_people) static_missing_ = true;
        EpisodeMetrics& row = run_.rows[done.job];
        row = compute_episode_metrics(inputs, options_.profile);
        row.episode_index = index;
        if (options_.agent_log != nullptr) add_agent_log(row, inputs.episode->episode_id);
        if (options_.keep_traces) run_.traces[done.job] = std::move(done.trace);
        if (options_.progress) options_.progress();
    }

    bool static_missing() const { return static_missing_; }

  private:
    void add_agent_log(EpisodeMetrics& row, const std::string& episode_id) const {
        const auto log = options_.agent_log->find(episode_id);
        if (log != options_.agent_log->end()) row.agent_log = log->second;
    }

    SplitRun& run_;
    const ScoreOptions& options_;
    bool people_known_;
    std::atomic<bool> static_missing_ = false;
};

void aggregate_run(SplitRun& run, const Manifest& manifest, const ScoreOptions& options) {
    const HumanInfluenced influenced =
        options.profile.people
            ? human_influenced(options, manifest, *run.split, run.selected_episodes, run.partial)
            : HumanInfluenced();
    run.human_influenced_assumed = influenced.assumed;
    if (options.shard.is_whole()) {
        run.score =
            score_of_rows(*run.split, run.rows, influenced.episodes, run.partial, options.profile,
                          options.reading, options.pool, options.bootstrap);
    } else {
        run.score.split = run.split->name;
        run.score.human_influenced = influenced.episodes;
    }
}

std::map<std::string, std::size_t> scans_without_people(GroundTruth& ground_truth,
                                                        const SplitRun& run) {
    std::map<std::string, std::size_t> episodes;
    if (!ground_truth.has_people_file()) return episodes;
    for (const std::size_t index : run.episodes) ++episodes[run.split->episodes[index].scan];
    std::erase_if(episodes,
                  [&](const auto& scan) { return ground_truth.names_people_of(scan.first); });
    return episodes;
}

/// @param jobs_of  (split, chosen episodes) -> their jobs, in that order.
template <typename JobsOf>
SplitRun score_jobs(GroundTruth& ground_truth, const Manifest& manifest,
                    const std::string& split_name, const ScoreOptions& options,
                    const JobsOf& jobs_of) {
    SplitRun run;
    run.split = ground_truth.split(split_name);
    check_scorable(ground_truth, *run.split, options);
    run.episodes = select_episodes(*run.split, options.filter);
    run.selected_episodes = run.episodes.size();
    run.episodes = episodes_of_shard(*run.split, run.episodes, options.shard);
    run.partial = options.filter.is_partial();
    const std::vector<ReplayJob> jobs = jobs_of(*run.split, run.episodes);
    const bool recorded = !jobs.empty() && jobs.front().recorded != nullptr;
    const BatchSettings settings = batch_settings(options, recorded);

    RowMaker make_row(run, options, options.profile.people && ground_truth.has_people_file());
    replay_batch(ground_truth, *run.split, jobs, settings, std::ref(make_row));

    if (options.profile.people) {
        run.scans_without_people = scans_without_people(ground_truth, run);
    }
    run.static_navmesh_missing = settings.replay.attribute_blocks && make_row.static_missing();
    aggregate_run(run, manifest, options);
    return run;
}

}  // namespace

SplitRun score_split(GroundTruth& ground_truth, const Manifest& manifest,
                     const SplitSubmission& submission, const ScoreOptions& options) {
    const auto fill = [&](ReplayJob& job, const SubmittedEpisode& episode) {
        job.actions = submission.actions_of(episode);
        job.clock = options.clock;
    };
    return score_jobs(ground_truth, manifest, submission.split, options,
                      [&](const Split& split, const std::vector<std::size_t>& episodes) {
                          return make_jobs(split, episodes, submission.episodes, fill);
                      });
}

std::vector<ClockSample> score_under_clocks(GroundTruth& ground_truth,
                                            const SplitSubmission& submission,
                                            const ScoreOptions& options,
                                            std::span<const std::unique_ptr<Clock>> clocks) {
    HAVLN_CHECK(options.profile.people && !clocks.empty());
    const auto split = ground_truth.split(submission.split);
    check_scorable(ground_truth, *split, options);
    const std::vector<std::size_t> episodes = select_episodes(*split, options.filter);
    const auto fill = [&](ReplayJob& job, const SubmittedEpisode& episode) {
        job.actions = submission.actions_of(episode);
    };
    // All clocks of an episode next to each other: that is what lets a worker share their steps.
    std::vector<ReplayJob> jobs;
    jobs.reserve(episodes.size() * clocks.size());
    for (const ReplayJob& job : make_jobs(*split, episodes, submission.episodes, fill)) {
        for (const auto& clock : clocks) {
            jobs.push_back(job);
            jobs.back().clock = clock.get();
        }
    }
    std::vector<ClockSample> samples(clocks.size());
    for (std::size_t c = 0; c < clocks.size(); ++c) {
        samples[c].clock = clocks[c]->name();
        samples[c].rows.resize(episodes.size());
    }
    const bool people_known = ground_truth.has_people_file();
    const auto finish = [&](ReplayDone&& done) {
        const std::size_t row = done.job / clocks.size();
        MetricInputs inputs;
        inputs.episode = &split->episodes[episodes[row]];
        inputs.trace = &done.trace;
        inputs.baseline = split->baselines[episodes[row]];
        inputs.people_known = people_known;
        const EpisodeMetrics metrics = compute_episode_metrics(inputs, options.profile);
        samples[done.job % clocks.size()].rows[row] =
            score_rows(std::span(&metrics, 1), options.reading).front();
        if (options.progress && done.job % clocks.size() == 0) options.progress();
    };
    ScoreOptions plain = options;
    plain.attribute_blocks = false;
    replay_batch(ground_truth, *split, jobs, batch_settings(plain, false), finish);
    return samples;
}

SplitRun score_recorded(GroundTruth& ground_truth, const Manifest& manifest,
                        const std::string& split, const std::vector<RecordedEpisode>& episodes,
                        const ScoreOptions& options) {
    const auto fill = [](ReplayJob& job, const RecordedEpisode& episode) {
        job.recorded = &episode.trace;
    };
    ScoreOptions recorded = options;
    recorded.frames_of_people = false;
    return score_jobs(ground_truth, manifest, split, recorded,
                      [&](const Split& of, const std::vector<std::size_t>& chosen) {
                          return make_jobs(of, chosen, episodes, fill);
                      });
}

}  // namespace havln
