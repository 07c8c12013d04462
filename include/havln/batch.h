#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "havln/actions.h"
#include "havln/clock.h"
#include "havln/groundtruth.h"
#include "havln/replay.h"

namespace havln {

/// One episode to replay under one clock.
struct ReplayJob {
    std::size_t episode_index = 0;  ///< In Split::episodes.
    std::span<const Action> actions;
    const Clock* clock = nullptr;
    /// Where given, this trace is handed over as it is and nothing is replayed: the agent's own log
    /// of positions. Must outlive the batch.
    const Trace* recorded = nullptr;
};

/// How a batch is replayed.
struct BatchSettings {
    ReplaySettings replay;
    /// false: one navmesh without people serves every action (profiles without people).
    bool frames_of_people = true;
    bool load_static_navmesh = false;  ///< Give workers the navmesh without people, if present.
    /// false: no navmesh is loaded at all; for recorded traces measured in straight lines.
    bool navmeshes = true;
    unsigned threads = 1;
};

/// What a worker hands over with each finished replay.
struct ReplayDone {
    std::size_t job = 0;  ///< Index into the jobs.
    Trace trace;          ///< Nearest people filled in where human_motion.json is present.
    const SceneNavMeshes* scene = nullptr;  ///< Null where no navmesh was loaded.
    NavMeshQuery* query = nullptr;          ///< The worker's own, free for use during the call.
};

/// Replays all jobs on worker threads, scene by scene: a scene's navmeshes are loaded once, shared
/// by its episodes and dropped with the last of them. Jobs of one episode that stand next to each
/// other (several clocks) are replayed by one worker, which shares what they have in common.
/// @param done  called on the worker threads, once a job, in no fixed order; must be thread-safe.
/// @throws Error (kGroundTruth) of the first scene, in the order of the split's episodes, whose
///         navmeshes are missing or broken; the same one whatever `threads`.
void replay_batch(GroundTruth& ground_truth, const Split& split, std::span<const ReplayJob> jobs,
                  const BatchSettings& settings, const std::function<void(ReplayDone&&)>& done);

/// Runs `work(worker)` on that many threads (the calling one is among them) and waits. Where the
/// system gives no more threads there are fewer: the work must be shared out among those that run.
/// The first exception by worker number is thrown again.
void run_workers(unsigned threads, const std::function<void(unsigned worker)>& work);

/// Runs work(0) to work(count - 1), each once, on at most that many threads. Items are taken in
/// their order. An exception ends its thread's work and is thrown again as in run_workers.
void for_each_parallel(std::size_t count, unsigned threads,
                       const std::function<void(std::size_t)>& work);

/// Loads splits, then people, on several threads before they are asked for. Says nothing of what is
/// missing or broken: asking for it throws as ever, in the order of asking.
class LoadAhead {
  public:
    /// Returns once the loading of every split has begun; the other threads go on. With one thread
    /// that is all there is: people are then loaded by whoever asks.
    /// @pre the ground truth outlives this.
    LoadAhead(GroundTruth& ground_truth, std::span<const std::string> splits, unsigned threads);

  private:
    void load_splits();

    std::vector<std::function<void()>> pieces_;
    std::atomic<std::size_t> next_ = 0;
    std::vector<std::jthread> others_;  ///< Waited for first when this ends.
};

}  // namespace havln
