#include "cli/compare_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "cli/episode_replay.h"
#include "cli/report_file.h"
#include "havln/error.h"
#include "io/escape.h"

namespace havln::cli {

namespace {

/// Walked by a trace, summed as the metric is [m].
double path_length(const Trace& trace) {
    double length = 0;
    for (std::size_t k = 1; k < trace.positions.size(); ++k) {
        const Vec3d a = to_double(trace.positions[k - 1]), b = to_double(trace.positions[k]);
        if (a != b) length += distance_m(a, b);
    }
    return length;
}

/// Is the trace what the result tells of? Guards against other navmeshes, which no digest names.
bool is_as_scored(const Trace& trace, const EpisodeResult& result) {
    const auto metric = [&](const char* name, double otherwise) {
        const auto at = result.metrics.find(name);
        return at == result.metrics.end() ? otherwise : at->second;
    };
    const auto steps = static_cast<double>(trace.steps());
    const double length = path_length(trace);
    return metric("steps_taken", steps) == steps &&
           std::abs(metric("path_length", length) - length) <= 1e-6;
}

/// The actions of an episode, which is there.
std::span<const Action> actions_of(const std::vector<SplitSubmission>& splits,
                                   const std::string& split, const std::string& episode_id) {
    for (const SplitSubmission& one : splits) {
        if (one.split != split) continue;
        if (const auto* episode = one.find(episode_id)) return one.actions_of(*episode);
    }
    fail_check("a submission of the result's digest has its episodes", __FILE__, __LINE__);
}

}  // namespace

MapMaker::MapMaker(const MapOptions& options, std::vector<MapSource> sources)
    : options_(options), ground_truth_(options.data) {
    for (MapSource& source : sources) {
        if (!source.settings.was_replayed()) {
            throw usage_error({}, fmt::format("{} was scored from logged positions, which cannot "
                                              "be replayed: leave out --data and --submission",
                                              escape_control(source.name)));
        }
        auto clock = clock_of(source);
        players_.push_back({std::move(source), std::move(clock), {}});
    }
}

std::unique_ptr<Clock> MapMaker::clock_of(const MapSource& source) const {
    if (source.settings.clock.empty()) return make_constant_clock(1);  // there are no people
    if (auto clock = clock_of_name(source.settings.clock)) return clock;
    if (!options_.clock.empty()) {
        auto clock = parse_clock(options_.clock);
        if (clock->name() == source.settings.clock) return clock;
    }
    throw usage_error(
        {}, fmt::format("{} replayed the log of a clock ({}): give it with --clock "
                        "file:F",
                        escape_control(source.name), escape_control(source.settings.clock)));
}

std::optional<ReadResult> MapMaker::read() {
    for (Player& player : players_) {
        const MapSource& source = player.source;
        ReadResult read = read_actions(ground_truth_, source.settings.profile, {source.submission},
                                       source.splits, source.splits);
        if (read.rejected()) return read;
        player.splits = std::move(read.splits);
        check_submission(player);
    }
    return std::nullopt;
}

void MapMaker::check_submission(const Player& player) const {
    const std::string digest = submission_digest(player.splits);
    const MapSource& source = player.source;
    if (digest == source.settings.submission_digest) return;
    throw usage_error(source.submission,
                      fmt::format("is not what {} was scored from: the submission's sha256 is {}, "
                                  "the result's {}",
                                  escape_control(source.name), digest.substr(0, 12),
                                  escape_control(source.settings.submission_digest.substr(0, 12))));
}

std::shared_ptr<const Split> MapMaker::truth_of(const ComparedSplit& compared) {
    auto split = ground_truth_.split(compared.comparison->split);
    for (const SplitResult* result : {compared.result_a, compared.result_b}) {
        if (result->ground_truth_digest == split->digest) continue;
        throw usage_error(options_.data,
                          fmt::format("is not the ground truth of these results: split {} has the "
                                      "sha256 {}, the results {}",
                                      escape_control(split->name), split->digest.substr(0, 12),
                                      escape_control(result->ground_truth_digest.substr(0, 12))));
    }
    return split;
}

void MapMaker::replay(const ComparedSplit& compared, const std::vector<std::size_t>& rows,
                      const Player& player, const std::vector<const EpisodeResult*>& results,
                      std::vector<Trace>& traces, std::vector<std::vector<Action>>& actions) {
    const Split& split = *compared.ground_truth;
    std::vector<ReplayJob> jobs;
    for (const std::size_t row : rows) {
        const std::string& id = compared.comparison->episode_ids[row];
        const auto index = split.index_of(id);
        if (!index) {
            throw usage_error(options_.data,
                              fmt::format("has no episode {} in split {}", quote(id), split.name));
        }
        const auto all = actions_of(player.splits, split.name, id);
        actions.emplace_back(all.begin(), all.end());
        jobs.push_back({*index, all, player.clock.get()});
    }
    const RunSettings& settings = player.source.settings;
    const ReplayRules rules{settings.profile, settings.has_frames_of_people(), settings.sliding};
    traces = replay_episodes(ground_truth_, split, jobs, rules);
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (is_as_scored(traces[k], *results[rows[k]])) continue;
        throw usage_error(options_.data,
                          fmt::format("episode {} of {} walks {:.3f} m in {} steps here, which is "
                                      "not what the result says: were other navmeshes in force?",
                                      quote(compared.comparison->episode_ids[rows[k]]),
                                      escape_control(player.source.name), path_length(traces[k]),
                                      traces[k].steps()));
    }
}

void MapMaker::add_maps(ComparePageInput& page, const std::vector<std::size_t>& b) {
    const std::size_t sections = page.splits.size();
    for (std::size_t s = 0; s < sections; ++s) {
        ComparedSplit& compared = page.splits[s];
        compared.ground_truth = truth_of(compared);
        // Each section has the same share; what does not divide goes to the first ones.
        const std::size_t share = options_.maps / sections + (s < options_.maps % sections ? 1 : 0);
        std::vector<std::size_t> rows = rows_by_effect(*compared.comparison);
        rows.resize(std::min(rows.size(), share));
        std::vector<Trace> traces_a, traces_b;
        std::vector<std::vector<Action>> actions_a, actions_b;
        replay(compared, rows, players_[0], compared.rows_a, traces_a, actions_a);
        replay(compared, rows, players_[b[s]], compared.rows_b, traces_b, actions_b);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            compared.traces[rows[k]] = {std::move(traces_a[k]), std::move(traces_b[k]),
                                        std::move(actions_a[k]), std::move(actions_b[k])};
        }
    }
    add_scenes(page);
}

void MapMaker::add_scenes(ComparePageInput& page) {
    const bool with_people = players_[0].source.settings.has_frames_of_people();
    for (const ComparedSplit& compared : page.splits) {
        for (const auto& [row, traces] : compared.traces) {
            const Split& split = *compared.ground_truth;
            const auto index = split.index_of(compared.comparison->episode_ids[row]);
            const std::string& scan = split.episodes[*index].scan;
            if (page.scenes.contains(scan)) continue;
            page.scenes[scan] = load_scene_map(ground_truth_, scan, with_people);
        }
    }
}

}  // namespace havln::cli
