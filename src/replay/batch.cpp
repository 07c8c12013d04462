#include "havln/batch.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "havln/error.h"

namespace havln {

namespace {

/// One scene's share of the batch. The first worker to arrive loads it; the others wait.
struct SceneWork {
    std::string scan;
    std::vector<std::size_t> jobs;
    std::vector<std::size_t> turns;  ///< Places in `jobs` where another episode begins.
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> left = 0;
    std::once_flag loading;
    std::shared_ptr<const SceneNavMeshes> navmeshes;
    std::shared_ptr<const ScenePeople> people;
    std::exception_ptr load_fault;  ///< Written while loading, read after.
    /// Of the first job that failed. Guarded by Batch::fault_mutex_ until all workers ended.
    std::exception_ptr replay_fault;
    std::size_t fault_job = 0;
};

class Batch {
  public:
    Batch(GroundTruth& ground_truth, const Split& split, std::span<const ReplayJob> jobs,
          const BatchSettings& settings, const std::function<void(ReplayDone&&)>& done)
        : ground_truth_(ground_truth),
          split_(split),
          jobs_(jobs),
          settings_(settings),
          done_(done) {
        std::unordered_map<std::string_view, std::size_t> index;
        for (std::size_t job = 0; job < jobs.size(); ++job) {
            const std::string& scan = split.episodes.at(jobs[job].episode_index).scan;
            const auto [at, is_new] = index.try_emplace(scan, scenes_.size());
            if (is_new) scenes_.push_back(std::make_unique<SceneWork>());
            scenes_[at->second]->scan = scan;
            add(*scenes_[at->second], job);
        }
        for (auto& scene : scenes_) scene->left = scene->turns.size();
    }

    void run() {
        const auto threads = static_cast<unsigned>(std::clamp<std::size_t>(
            std::min<std::size_t>(settings_.threads, jobs_.size()), 1, 256));
        run_workers(threads, [this](unsigned) { work(); });
        for (const auto& scene : scenes_) {
            if (scene->load_fault) std::rethrow_exception(scene->load_fault);
            if (scene->replay_fault) std::rethrow_exception(scene->replay_fault);
        }
    }

  private:
    void add(SceneWork& scene, std::size_t job) {
        const bool same_episode = !scene.jobs.empty() && jobs_[scene.jobs.back()].episode_index ==
                                                             jobs_[job].episode_index;
        if (!same_episode) scene.turns.push_back(scene.jobs.size());
        scene.jobs.push_back(job);
    }

    /// Takes scenes nobody has started; when none is left, helps with those in progress.
    void work() {
        ReplayEngine engine(settings_.replay);
        NavMeshQuery query;
        std::vector<std::uint16_t> frames;
        for (;;) {
            const std::size_t own = next_scene_.fetch_add(1);
            if (own >= scenes_.size() || failed_) break;
            work_on(*scenes_[own], engine, query, frames);
        }
        for (const auto& scene : scenes_) {
            // After a fault, scenes that nobody started stay so: the first fault in scene order is
            // then the same whatever the number of threads.
            if (failed_) break;
            work_on(*scene, engine, query, frames);
        }
    }

    void work_on(SceneWork& scene, ReplayEngine& engine, NavMeshQuery& query,
                 std::vector<std::uint16_t>& frames) {
        while (scene.next.load(std::memory_order_relaxed) < scene.turns.size()) {
            std::call_once(scene.loading, [&] { load(scene); });
            if (scene.load_fault) return;
            const std::size_t turn = scene.next.fetch_add(1);
            if (turn >= scene.turns.size()) return;
            take_turn(scene, turn, engine, query, frames);
            if (scene.left.fetch_sub(1) == 1) {
                scene.navmeshes.reset();
                scene.people.reset();
            }
        }
    }

    /// Replays one episode under each of its clocks.
    void take_turn(SceneWork& scene, std::size_t turn, ReplayEngine& engine, NavMeshQuery& query,
                   std::vector<std::uint16_t>& frames) {
        const std::size_t first = scene.turns[turn];
        const std::size_t last =
            turn + 1 < scene.turns.size() ? scene.turns[turn + 1] : scene.jobs.size();
        if (last - first > 1) engine.remember_steps();
        for (std::size_t i = first; i < last; ++i) {
            replay(scene, scene.jobs[i], engine, query, frames);
        }
        engine.forget_steps();
    }

    void load(SceneWork& scene) {
        try {
            if (settings_.navmeshes) {
                scene.navmeshes = ground_truth_.load_navmeshes(
                    scene.scan, frames_needed(scene),
                    settings_.load_static_navmesh || !settings_.frames_of_people);
            }
            if (settings_.frames_of_people) scene.people = ground_truth_.people(scene.scan);
        } catch (...) {
            scene.load_fault = std::current_exception();
            failed_ = true;
        }
    }

    std::vector<bool> frames_needed(const SceneWork& scene) const {
        if (!settings_.frames_of_people) return {};
        std::vector<bool> needed(kFrameCount, false);
        std::vector<std::uint16_t> frames;
        for (const std::size_t job : scene.jobs) {
            if (jobs_[job].recorded != nullptr) continue;
            fill_frames(jobs_[job], frames);
            for (const std::uint16_t frame : frames) needed.at(frame) = true;
        }
        return needed;
    }

    void fill_frames(const ReplayJob& job, std::vector<std::uint16_t>& frames) const {
        job.clock->frames(split_.name, split_.episodes[job.episode_index].episode_id,
                          job.actions.size(), frames);
    }

    Trace trace_of(const ReplayJob& job, const SceneWork& scene, ReplayEngine& engine,
                   std::vector<std::uint16_t>& frames) const {
        if (job.recorded != nullptr) return *job.recorded;
        fill_frames(job, frames);
        const Episode& episode = split_.episodes[job.episode_index];
        return engine.replay(episode.start_pose(), job.actions, frames, *scene.navmeshes);
    }

    void replay(SceneWork& scene, std::size_t job, ReplayEngine& engine, NavMeshQuery& query,
                std::vector<std::uint16_t>& frames) {
        try {
            ReplayDone finished;
            finished.job = job;
            finished.trace = trace_of(jobs_[job], scene, engine, frames);
            if (scene.people) locate_people(finished.trace, *scene.people);
            finished.scene = scene.navmeshes.get();
            finished.query = &query;
            done_(std::move(finished));
        } catch (...) {
            const std::lock_guard lock(fault_mutex_);
            // Turns begin in order and end whatever happens, so that the first job that fails is
            // the same one whatever the number of threads.
            if (!scene.replay_fault || job < scene.fault_job) {
                scene.replay_fault = std::current_exception();
                scene.fault_job = job;
            }
            failed_ = true;
        }
    }

    GroundTruth& ground_truth_;
    const Split& split_;
    std::span<const ReplayJob> jobs_;
    const BatchSettings& settings_;
    const std::function<void(ReplayDone&&)>& done_;
    std::vector<std::unique_ptr<SceneWork>> scenes_;
    std::atomic<std::size_t> next_scene_ = 0;
    std::atomic<bool> failed_ = false;
    std::mutex fault_mutex_;
};

/// Starts work(1) to work(count - 1), each on a thread of its own, or fewer where the system gives
/// no more threads: the work is shared out, so that those that run do all of it.
template <typename Work>
void start_threads(std::vector<std::jthread>& threads, std::size_t count, const Work& work) {
    for (std::size_t worker = 1; worker < count; ++worker) {
        try {
            threads.emplace_back(work, static_cast<unsigned>(worker));
        } catch (const std::system_error&) {
            return;
        }
    }
}

/// Whoever asks for what could not be loaded tries again, and then meets the fault.
template <typename Load>
void try_to(const Load& load) {
    try {
        load();
    } catch (...) {
    }
}

}  // namespace

void replay_batch(GroundTruth& ground_truth, const Split& split, std::span<const ReplayJob> jobs,
                  const BatchSettings& settings, const std::function<void(ReplayDone&&)>& done) {
    if (!jobs.empty()) Batch(ground_truth, split, jobs, settings, done).run();
}

void run_workers(unsigned threads, const std::function<void(unsigned worker)>& work) {
    std::vector<std::exception_ptr> faults(std::max(threads, 1u));
    const auto guarded = [&](unsigned worker) {
        try {
            work(worker);
        } catch (...) {
            faults[worker] = std::current_exception();
        }
    };
    std::vector<std::jthread> others;
    start_threads(others, threads, guarded);
    guarded(0);
    others.clear();  // waits for them
    for (const std::exception_ptr& fault : faults) {
        if (fault) std::rethrow_exception(fault);
    }
}

void for_each_parallel(std::size_t count, unsigned threads,
                       const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    const auto workers = static_cast<unsigned>(std::min<std::size_t>(threads, count));
    run_workers(workers, [&](unsigned) {
        for (std::size_t i = next++; i < count; i = next++) work(i);
    });
}

LoadAhead::LoadAhead(GroundTruth& ground_truth, std::span<const std::string> splits,
                     unsigned threads)
    : pieces_(ground_truth.loading_pieces(splits)) {
    start_threads(others_, std::min<std::size_t>(threads, pieces_.size() + 1),
                  [this, &ground_truth](unsigned) {
                      load_splits();
                      // Last: what waits for the splits need not wait for the people.
                      try_to([&] { ground_truth.people_digest(); });
                  });
    load_splits();
}

void LoadAhead::load_splits() {
    for (std::size_t i = next_++; i < pieces_.size(); i = next_++) try_to(pieces_[i]);
}

}  // namespace havln
