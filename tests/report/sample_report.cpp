#include "report/sample_report.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "havln/random.h"

namespace havln::test {

namespace {

constexpr float kStairsFrom = 10, kStairsTo = 14, kUpper_m = 3;

float ground_height(float x) {
    return std::clamp((x - kStairsFrom) / (kStairsTo - kStairsFrom), 0.0f, 1.0f) * kUpper_m;
}

NavMesh::Polygon rectangle(float x0, float z0, float x1, float z1, float y0, float y1, int island) {
    return {{{x0, y0, z0}, {x0, y0, z1}, {x1, y1, z1}, {x1, y1, z0}}, island, true};
}

/// A walk that drifts towards +x, with turns and blocked steps.
Trace random_walk(Random& random, const Episode& episode, std::span<const Action> actions) {
    Trace trace;
    const AgentPose start = episode.start_pose();
    Vec3f at = start.position;
    int heading_deg = 270;  // along +x
    const auto add_pose = [&] {
        const double half = heading_deg * std::numbers::pi / 360;
        trace.positions.push_back(at);
        trace.rotations_xyzw.push_back(
            {0, static_cast<float>(std::sin(half)), 0, static_cast<float>(std::cos(half))});
    };
    add_pose();
    for (const Action action : actions) {
        bool blocked = false;
        if (action == Action::kTurnLeft) heading_deg += 15;
        if (action == Action::kTurnRight) heading_deg -= 15;
        if (action == Action::kMoveForward) {
            const double angle = heading_deg * std::numbers::pi / 180;
            const auto x = static_cast<float>(at.x - 0.25 * std::sin(angle));
            const auto z = static_cast<float>(at.z - 0.25 * std::cos(angle));
            blocked = x < 0 || x > 24 || z < 0 || z > 8 || random.below(12) == 0;
            if (!blocked) at = {x, ground_height(x), z};
        }
        add_pose();
        trace.collided.push_back(blocked ? 1 : 0);
        trace.causes.push_back(!blocked ? BlockCause::kNone
                                        : static_cast<BlockCause>(1 + random.below(3)));
        trace.frames.push_back(
            static_cast<std::uint16_t>(std::min<std::size_t>(trace.frames.size(), kLastFrame)));
    }
    trace.stopped = !actions.empty() && actions.back() == Action::kStop;
    return trace;
}

std::vector<Action> random_actions(Random& random, std::size_t steps) {
    std::vector<Action> actions;
    const std::size_t count = steps / 2 + random.below(steps / 2 + 1);
    while (actions.size() + 1 < count) {
        constexpr Action kChoices[] = {Action::kMoveForward, Action::kMoveForward,
                                       Action::kMoveForward, Action::kTurnLeft,
                                       Action::kTurnRight,   Action::kLookUp};
        actions.push_back(kChoices[random.below(6)]);
    }
    actions.push_back(count == steps ? Action::kTurnLeft : Action::kStop);
    return actions;
}

Episode sample_episode(Random& random, std::size_t number, bool hostile) {
    Episode episode;
    episode.episode_id = std::to_string(number);
    episode.scan = "two_storeys";
    episode.scene_id = "mp3d/two_storeys/two_storeys.glb";
    episode.start_position = {1 + 6 * random.uniform(), 0, 1 + 6 * random.uniform()};
    episode.start_rotation_xyzw = {0, -std::sqrt(0.5), 0, std::sqrt(0.5)};
    const double goal_x = random.below(4) == 0 ? 16 + 5 * random.uniform() : 6 + random.uniform();
    const Vec3d goal{goal_x, ground_height(static_cast<float>(goal_x)), 4};
    episode.goals = std::make_shared<std::vector<Goal>>(1, Goal{goal, 3, {}, {}});
    episode.reference_path = {episode.start_position, {4, 0, 4}, goal};
    episode.instruction =
        "Walk past the person who is reading by the window and stop beside the table. Episode " +
        episode.episode_id + ".";
    if (hostile && number % 5 == 0) {
        episode.episode_id =
            "</script><img src=x onerror=\"document.title='owned'\">" + episode.episode_id;
        episode.instruction = "<!--<script>alert(1)</script> ]]> \xff\x01 \xe2\x80\xa8 & ' \" \\";
    }
    return episode;
}

/// Bootstrap intervals, and three clocks under which nearly the same rows came out.
void add_doubts(SplitScore& score, std::span<const EpisodeMetrics> rows, CollisionReading reading) {
    const std::vector<ScoreRow> sums = score_rows(rows, reading);
    ResamplingOptions options;
    options.samples = 50;
    score.bootstrap = bootstrap(sums, score.human_influenced, options);
    std::vector<ClockSample> clocks;
    for (const char* name :
         {"frames-per-action=0.5", "frames-per-action=1", "frames-per-action=2"}) {
        clocks.push_back({name, sums});
    }
    clocks.back().rows.front().SR = 1 - clocks.back().rows.front().SR;
    std::vector<std::string> ids(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) ids[i] = std::to_string(i);
    score.clock = summarise_clocks(clocks, ids, score.human_influenced);
}

EpisodeMetrics metrics_of(const Episode& episode, std::size_t index, const Trace& trace,
                          std::int64_t baseline, const Profile& profile) {
    MetricInputs inputs;
    inputs.episode = &episode;
    inputs.trace = &trace;
    inputs.people_known = true;
    inputs.baseline = baseline;
    inputs.gt_locations = &episode.reference_path;
    EpisodeMetrics metrics = compute_episode_metrics(inputs, profile);
    metrics.episode_index = index;
    return metrics;
}

void add_split(SampleReport& report, const SampleSplit& wanted, std::size_t steps, bool hostile,
               const ScenePeople& people) {
    auto split = std::make_shared<Split>();
    split->name = wanted.name;
    Random random(mix_seed(7, wanted.name));
    auto& rows = report.rows.emplace_back();
    auto& traces = report.traces.emplace_back();
    auto& actions = report.actions.emplace_back();
    for (std::size_t i = 0; i < wanted.episodes; ++i) {
        split->episodes.push_back(sample_episode(random, i + 1, hostile));
        split->by_id[split->episodes.back().episode_id] = i;
        actions.push_back(random_actions(random, steps));
        traces.push_back(random_walk(random, split->episodes.back(), actions.back()));
        locate_people(traces.back(), people);
        rows.push_back(metrics_of(split->episodes.back(), i, traces.back(),
                                  static_cast<std::int64_t>(random.below(3)),
                                  report.card.settings.profile));
    }
    report.scores.push_back(
        aggregate(wanted.name, rows, wanted.episodes, report.card.settings.reading, false));
    add_doubts(report.scores.back(), rows, report.card.settings.reading);
    report.splits.push_back(std::move(split));
}

EpisodeResult result_of(const Episode& episode, const EpisodeMetrics& row,
                        CollisionReading reading) {
    EpisodeResult result;
    result.episode_id = episode.episode_id;
    for (const NamedMetric& metric : named_metrics(row, &reading)) {
        result.metrics[metric.name] = metric.value;
    }
    return result;
}

SplitResult split_result_of(const SampleReport& report, std::size_t k) {
    SplitResult result;
    result.split = report.splits[k]->name;
    result.whole_signature = make_signature(report.card);
    result.has_people = true;
    return result;
}

/// B walks from the same starts at random too, every third episode just as A does.
void add_comparison(SampleComparison& sample, std::size_t k, std::size_t steps, std::size_t maps,
                    const ScenePeople& people) {
    const SampleReport& a = *sample.a;
    const Split& split = *a.splits[k];
    const RunSettings& settings = a.card.settings;
    Random random(mix_seed(11, split.name));
    std::vector<EpisodeMetrics> rows;
    std::vector<PairedTraces> pairs;
    for (std::size_t i = 0; i < split.episodes.size(); ++i) {
        const Episode& episode = split.episodes[i];
        PairedTraces& pair = pairs.emplace_back();
        pair.a = pair.b = a.traces[k][i];
        pair.actions_a = pair.actions_b = a.actions[k][i];
        if (i % 3 != 0) {
            pair.actions_b = random_actions(random, steps);
            pair.b = random_walk(random, episode, pair.actions_b);
            locate_people(pair.b, people);
        }
        rows.push_back(metrics_of(episode, i, pair.b, a.rows[k][i].baseline, settings.profile));
        sample.episodes_a[k].push_back(result_of(episode, a.rows[k][i], settings.reading));
        sample.episodes_b[k].push_back(result_of(episode, rows.back(), settings.reading));
    }
    SplitComparison& comparison = sample.comparisons[k];
    comparison.split = split.name;
    comparison.names = {"score", "SR", "NE", "CR", "TCR", "navigation", "social"};
    comparison.primary = "score";
    for (const Episode& episode : split.episodes) {
        comparison.episode_ids.push_back(episode.episode_id);
    }
    ResamplingOptions options;
    options.samples = 50;
    comparison.result = compare_rows(score_rows(a.rows[k], settings.reading),
                                     score_rows(rows, settings.reading), rows.size(), options);
    ComparedSplit& compared = sample.input.splits[k];
    compared.comparison = &comparison;
    compared.ground_truth = a.splits[k];
    std::vector<std::size_t> order = rows_by_effect(comparison);
    order.resize(std::min(maps, order.size()));
    for (const std::size_t row : order) compared.traces[row] = std::move(pairs[row]);
}

}  // namespace

std::vector<NavMesh::Polygon> sample_ground() {
    std::vector<NavMesh::Polygon> ground = {rectangle(0, 0, 10, 8, 0, 0, 0),
                                            rectangle(14, 0, 24, 8, kUpper_m, kUpper_m, 0),
                                            rectangle(3, 5, 5, 6, 0.8f, 0.8f, 1)};
    for (int k = 0; k < 8; ++k) {
        const float x0 = kStairsFrom + 0.5f * static_cast<float>(k), x1 = x0 + 0.5f;
        ground.push_back(rectangle(x0, 3, x1, 5, ground_height(x0), ground_height(x1), 0));
    }
    return ground;
}

ScenePeople sample_people() {
    ScenePeople people;
    people.scan = "two_storeys";
    people.people.resize(3);
    const char* const names[] = {"standing", "walking", "leaving"};
    for (std::size_t k = 0; k < 3; ++k) {
        people.people[k].viewpoint = names[k];
        people.people[k].category = "talking";
    }
    for (std::size_t frame = 0; frame < kFrameCount; ++frame) {
        people.people[0].position[frame] = Vec3d{5, 0, 2};
        people.people[1].position[frame] =
            Vec3d{1 + 8 * static_cast<double>(frame) / kLastFrame, 0, 6};
        if (frame <= 60) people.people[2].position[frame] = Vec3d{18, kUpper_m, 4};
    }
    return people;
}

std::unique_ptr<SampleReport> make_sample_report(const std::vector<SampleSplit>& splits,
                                                 std::size_t steps, const std::string& title,
                                                 bool hostile) {
    auto report = std::make_unique<SampleReport>();
    ScenePeople people = sample_people();
    if (hostile) people.people[0].viewpoint = "</script><b>";
    for (const SampleSplit& split : splits) add_split(*report, split, steps, hostile, people);
    report->card.settings.path_finder = "sample path finder";
    report->card.splits = report->scores;
    report->input.title = title;
    report->input.card = &report->card;
    report->input.scenes["two_storeys"] =
        make_scene_map("two_storeys", sample_ground(), &people, false);
    for (std::size_t k = 0; k < splits.size(); ++k) {
        ReportSplit& part = report->input.splits.emplace_back();
        part.split = report->splits[k].get();
        part.score = &report->scores[k];
        part.rows = report->rows[k];
        part.traces = report->traces[k];
        part.actions.assign(report->actions[k].begin(), report->actions[k].end());
    }
    return report;
}

std::unique_ptr<SampleComparison> make_sample_comparison(const std::vector<SampleSplit>& splits,
                                                         std::size_t steps, std::size_t maps,
                                                         bool hostile) {
    auto sample = std::make_unique<SampleComparison>();
    sample->a = make_sample_report(splits, steps, "a.zip", hostile);
    const std::size_t count = splits.size();
    sample->comparisons.resize(count);
    sample->episodes_a.resize(count);
    sample->episodes_b.resize(count);
    sample->input.splits.resize(count);
    sample->input.profile = sample->a->card.settings.profile;
    sample->input.scenes = sample->a->input.scenes;
    const ScenePeople people = sample_people();
    for (std::size_t k = 0; k < count; ++k) {
        add_comparison(*sample, k, steps, maps, people);
        sample->results_a.push_back(split_result_of(*sample->a, k));
        sample->results_b.push_back(split_result_of(*sample->a, k));
    }
    for (std::size_t k = 0; k < count; ++k) {
        ComparedSplit& compared = sample->input.splits[k];
        compared.a = hostile ? "</title><script>1</script>" : "results/a";
        compared.b = hostile ? "<i>b</i> & co" : "results/b";
        compared.result_a = &sample->results_a[k];
        compared.result_b = &sample->results_b[k];
        for (const EpisodeResult& row : sample->episodes_a[k]) compared.rows_a.push_back(&row);
        for (const EpisodeResult& row : sample->episodes_b[k]) compared.rows_b.push_back(&row);
    }
    return sample;
}

}  // namespace havln::test
