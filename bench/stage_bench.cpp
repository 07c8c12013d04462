#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bare_detour.h"
#include "havln/clock.h"
#include "havln/contract.h"
#include "havln/error.h"
#include "havln/groundtruth.h"
#include "havln/metrics.h"
#include "havln/replay.h"
#include "io/json_writer.h"

// Times each stage of scoring on one thread, on real input, and beside them Detour's calls alone.

namespace havln::bench {

namespace {

struct Options {
    std::filesystem::path submission, data;
    std::vector<std::string> splits;
    double frames_per_action = 1;
    int repeats = 5;
};

/// Seconds by stage of one repetition.
struct Seconds {
    double parsing = 0, ground_truth = 0, loading = 0, replay = 0, metrics = 0, bare_detour = 0;
};

template <typename Work>
auto timed(double& seconds, Work&& work) {
    struct Add {
        double* into;
        std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
        ~Add() {
            *into +=
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        }
    } const add{&seconds};
    return work();
}

struct Counts {
    std::uint64_t steps = 0, moves = 0;
    double check = 0;
};

/// One scene's episodes and what they submit.
struct SceneEpisodes {
    std::vector<std::size_t> episodes;
    std::vector<std::span<const Action>> actions;
};

class StageBench {
  public:
    explicit StageBench(const Options& options)
        : options_(options), clock_(make_constant_clock(options.frames_per_action)) {}

    void repeat() {
        Seconds seconds;
        counts_ = {};
        auto ground_truth = timed(seconds.ground_truth,
                                  [&] { return std::make_unique<GroundTruth>(options_.data); });
        Manifest manifest;
        for (const std::string& name : options_.splits) {
            timed(seconds.ground_truth,
                  [&] { manifest.splits.push_back(ground_truth->manifest_of(name)); });
        }
        ContractRules rules;
        rules.required_splits = options_.splits;
        const ReadResult read = timed(seconds.parsing, [&] {
            return read_submission({options_.submission}, manifest, rules);
        });
        if (read.rejected()) throw usage_error(options_.submission, "is not a valid submission");
        for (const SplitSubmission& split : read.splits) run_split(*ground_truth, split, seconds);
        runs_.push_back(seconds);
    }

    std::string report() const;

  private:
    void run_split(GroundTruth& ground_truth, const SplitSubmission& submission, Seconds& seconds);
    void run_scene(GroundTruth& ground_truth, const Split& split, const std::string& scan,
                   const SceneEpisodes& scene, Seconds& seconds);
    std::vector<bool> frames_needed(const Split& split, const SceneEpisodes& scene) const;
    static void add_moves(const Trace& trace, std::span<const Action> actions,
                          const SceneNavMeshes& meshes, std::vector<Move>& moves);

    Options options_;
    std::unique_ptr<Clock> clock_;
    std::vector<Seconds> runs_;
    Counts counts_;
};

void StageBench::run_split(GroundTruth& ground_truth, const SplitSubmission& submission,
                           Seconds& seconds) {
    const auto split = ground_truth.split(submission.split);
    std::map<std::string, SceneEpisodes> scenes;
    for (const SubmittedEpisode& episode : submission.episodes) {
        const std::size_t index = split->index_of(episode.episode_id).value();
        SceneEpisodes& scene = scenes[split->episodes[index].scan];
        scene.episodes.push_back(index);
        scene.actions.push_back(submission.actions_of(episode));
    }
    for (const auto& [scan, scene] : scenes) run_scene(ground_truth, *split, scan, scene, seconds);
}

std::vector<bool> StageBench::frames_needed(const Split& split, const SceneEpisodes& scene) const {
    std::vector<bool> needed(kFrameCount, false);
    std::vector<std::uint16_t> frames;
    for (std::size_t i = 0; i < scene.episodes.size(); ++i) {
        clock_->frames(split.name, split.episodes[scene.episodes[i]].episode_id,
                       scene.actions[i].size(), frames);
        for (const std::uint16_t frame : frames) needed[frame] = true;
    }
    return needed;
}

void StageBench::add_moves(const Trace& trace, std::span<const Action> actions,
                           const SceneNavMeshes& meshes, std::vector<Move>& moves) {
    for (std::size_t k = 0; k < trace.steps(); ++k) {
        if (!moves_body(actions[k])) continue;
        const Vec3f from = trace.positions[k];
        const Vec3f end = actions[k] == Action::kMoveForward
                              ? forward_end({from, trace.rotations_xyzw[k]}, MotionModel())
                              : from;
        moves.push_back({&meshes.frame(trace.frames[k]), from, end});
    }
}

void StageBench::run_scene(GroundTruth& ground_truth, const Split& split, const std::string& scan,
                           const SceneEpisodes& scene, Seconds& seconds) {
    const auto meshes = timed(seconds.loading, [&] {
        return ground_truth.load_navmeshes(scan, frames_needed(split, scene), false);
    });
    ReplayEngine engine{ReplaySettings()};
    std::vector<Trace> traces(scene.episodes.size());
    timed(seconds.replay, [&] {
        std::vector<std::uint16_t> frames;
        for (std::size_t i = 0; i < traces.size(); ++i) {
            const Episode& episode = split.episodes[scene.episodes[i]];
            clock_->frames(split.name, episode.episode_id, scene.actions[i].size(), frames);
            traces[i] = engine.replay(episode.start_pose(), scene.actions[i], frames, *meshes);
        }
    });
    const Profile profile;
    timed(seconds.metrics, [&] {
        for (std::size_t i = 0; i < traces.size(); ++i) {
            MetricInputs inputs;
            inputs.episode = &split.episodes[scene.episodes[i]];
            inputs.trace = &traces[i];
            if (!split.gt_locations.empty()) {
                inputs.gt_locations = &split.gt_locations[scene.episodes[i]];
            }
            counts_.check += compute_episode_metrics(inputs, profile).distance_to_goal;
        }
    });
    std::vector<Move> moves;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        add_moves(traces[i], scene.actions[i], *meshes, moves);
        counts_.steps += traces[i].steps();
    }
    counts_.moves += moves.size();
    BareDetour bare;
    bare.prepare(moves);
    counts_.check += timed(seconds.bare_detour, [&] { return bare.run(moves); });
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string StageBench::report() const {
    const auto of = [&](double Seconds::*stage) {
        std::vector<double> values;
        for (const Seconds& run : runs_) values.push_back(run.*stage);
        return median(values);
    };
    const double parsing = of(&Seconds::parsing), truth = of(&Seconds::ground_truth);
    const double loading = of(&Seconds::loading), replay = of(&Seconds::replay);
    const double metrics = of(&Seconds::metrics), bare = of(&Seconds::bare_detour);
    const double total = parsing + truth + loading + replay + metrics;
    const auto steps = static_cast<double>(counts_.steps);
    JsonWriter json;
    json.begin_object();
    json.member("repeats", runs_.size());
    json.member("steps", counts_.steps).member("moves", counts_.moves);
    json.key("median_s").begin_object();
    json.member("parsing", parsing).member("ground_truth", truth).member("loading", loading);
    json.member("replay", replay).member("metrics", metrics).member("bare_detour", bare);
    json.end_object();
    json.key("share").begin_object();
    json.member("parsing", parsing / total).member("ground_truth", truth / total);
    json.member("loading", loading / total).member("replay", replay / total);
    json.member("metrics", metrics / total).end_object();
    json.member("replay_steps_per_s", steps / replay);
    json.member("bare_detour_steps_per_s", steps / bare);
    json.member("replay_speed_over_bare_detour", bare / replay);
    json.member("check", counts_.check);
    json.end_object();
    return json.take();
}

}  // namespace

}  // namespace havln::bench

int main(int argc, char** argv) {
    using namespace havln::bench;
    CLI::App app("Times each stage of scoring on one thread; medians over repeats.",
                 "havln-bench-stages");
    Options options;
    app.add_option("SUBMISSION", options.submission)->required();
    app.add_option("--data", options.data)->required();
    app.add_option("--split", options.splits)->required()->allow_extra_args(false);
    app.add_option("--frames-per-action", options.frames_per_action)->capture_default_str();
    app.add_option("--repeats", options.repeats)->check(CLI::Range(1, 1000))->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        StageBench bench(options);
        for (int i = 0; i < options.repeats; ++i) bench.repeat();
        fmt::print("{}", bench.report());
    } catch (const havln::Error& error) {
        fmt::print(stderr, "havln-bench-stages: {}\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}
