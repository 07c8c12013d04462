// The replay against Habitat-Sim 0.1.7's own path finder, step by step, equal as float32.
#include <map>
#include <memory>
#include <string>

#include "havln/replay.h"
#include "support/catch.h"
#include "support/reference.h"
#include "support/support.h"

namespace havln::test {

namespace {

struct Recording {
    const char* root;
    const char* episodes;
    const char* submission;
    const char* traces;
    double frames_per_action;
    bool sliding;
    std::size_t steps;  ///< What the reference holds, so that a short file cannot pass.
};

std::shared_ptr<const SceneNavMeshes> load_all_frames(const char* root, const std::string& scan,
                                                      double frames_per_action) {
    std::vector<bool> frames(kFrameCount, frames_per_action > 0);
    frames[0] = true;
    return load_scene_navmeshes(shared(root), scan, frames, false);
}

/// First step at which the trace differs from the reference, as text; empty where none does.
std::string difference(const Trace& trace, const ReferenceTrace& reference) {
    if (trace.positions.size() != reference.positions.size()) return "the lengths differ";
    for (std::size_t i = 0; i < trace.positions.size(); ++i) {
        if (!same_bits(trace.positions[i], reference.positions[i])) {
            return "position " + std::to_string(i) + ": " + show(trace.positions[i]) + " is not " +
                   show(reference.positions[i]);
        }
    }
    for (std::size_t i = 0; i < trace.collided.size(); ++i) {
        if (trace.collided[i] != reference.collided[i]) return "flag " + std::to_string(i);
    }
    return {};
}

void check_recording(const Recording& recording) {
    const auto cases = read_replay_cases(recording.episodes, recording.submission);
    std::map<std::string, ReferenceTrace> references;
    for (ReferenceTrace& trace : read_reference_traces(recording.traces)) {
        references[trace.episode_id] = std::move(trace);
    }
    REQUIRE(references.size() == cases.size());

    ReplaySettings settings;
    settings.sliding = recording.sliding;
    ReplayEngine engine(settings);
    std::map<std::string, std::shared_ptr<const SceneNavMeshes>> scenes;
    std::size_t steps = 0;
    for (const ReplayCase& episode : cases) {
        auto& scene = scenes[episode.scan];
        if (scene == nullptr) {
            scene = load_all_frames(recording.root, episode.scan, recording.frames_per_action);
        }
        const auto frames = constant_clock(episode.actions.size(), recording.frames_per_action);
        const Trace trace = engine.replay(episode.start, episode.actions, frames, *scene);
        INFO("scene " << episode.scan << ", episode " << episode.episode_id);
        CHECK(difference(trace, references.at(episode.episode_id)) == "");
        steps += trace.steps();
    }
    CHECK(steps == recording.steps);
}

}  // namespace

TEST_CASE("replay: reference actions on a still scene give Habitat's positions and flags",
          "[replay][reference]") {
    HAVLN_NEED_SHARED("vectors/mini_gt_static.trace.jsonl.gz");
    check_recording({"real/havln2", "real/havln2/HA-R2R/mini_gt/mini_gt.json.gz",
                     "vectors/mini_gt.json", "vectors/mini_gt_static.trace.jsonl.gz", 0, true,
                     4968});
}

TEST_CASE("replay: random walks among people give Habitat's positions and flags",
          "[replay][reference]") {
    HAVLN_NEED_SHARED("vectors/mini_random_slide.trace.jsonl.gz");
    check_recording({"real/havln2", "real/havln2/HA-R2R/mini_random/mini_random.json.gz",
                     "vectors/mini_random.json", "vectors/mini_random_slide.trace.jsonl.gz", 1,
                     true, 50407});
}

TEST_CASE("replay: walks on synthetic scenes give Habitat's positions and flags",
          "[replay][reference]") {
    HAVLN_NEED_SHARED("synth/synth_shared_slide.trace.jsonl.gz");
    check_recording({"synth", "synth/HA-R2R/synth_shared/synth_shared.json",
                     "synth/synth_shared.json", "synth/synth_shared_slide.trace.jsonl.gz", 1, true,
                     51595});
}

TEST_CASE("replay: random walks without sliding give Habitat's positions and flags",
          "[replay][reference]") {
    HAVLN_NEED_SHARED("vectors/mini_random_noslide.trace.jsonl.gz");
    check_recording({"real/havln2", "real/havln2/HA-R2R/mini_random/mini_random.json.gz",
                     "vectors/mini_random.json", "vectors/mini_random_noslide.trace.jsonl.gz", 1,
                     false, 50407});
}

TEST_CASE("replay: walks on synthetic scenes without sliding give Habitat's positions and flags",
          "[replay][reference]") {
    HAVLN_NEED_SHARED("synth/synth_shared_noslide.trace.jsonl.gz");
    check_recording({"synth", "synth/HA-R2R/synth_shared/synth_shared.json",
                     "synth/synth_shared.json", "synth/synth_shared_noslide.trace.jsonl.gz", 1,
                     false, 51595});
}

}  // namespace havln::test
