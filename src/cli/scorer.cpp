#include "cli/scorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "cli/rated_answers.h"
#include "cli/report_file.h"
#include "cli/results.h"
#include "groundtruth/layout.h"
#include "havln/error.h"
#include "havln/version.h"
#include "io/escape.h"
#include "io/file.h"
#include "io/sha256.h"
#include "report/data_check_report.h"
#include "report/diagnostics_json.h"
#include "report/diagnostics_text.h"
#include "report/rows_csv.h"
#include "report/score_json.h"
#include "report/shard_file.h"

namespace havln::cli {

namespace {

/// Whoever names a clock wants the frames of people, whatever the profile counts.
bool wants_frames_of_people(const ScoreCommand& command, const Profile& profile) {
    return profile.people || command.frames_per_action.has_value() || !command.clock.empty();
}

/// The profile with its changes. @throws Error (kUsage) where other options contradict it.
Profile checked_profile(const ScoreCommand& command) {
    const Profile profile = apply(load_profile(command.profile), command.overrides);
    const auto refuse = [&](const std::string& what) {
        throw usage_error({}, what + " (profile " + profile.name + ")");
    };
    if (command.predictions == PredictionKind::kPositions && profile.people) {
        refuse("--predictions positions: positions do not say what blocked the agent");
    }
    if (!command.dataset.empty() && wants_frames_of_people(command, profile)) {
        refuse("--dataset has no people: choose a --profile without people, and no clock");
    }
    if (!command.recipe.empty() && !profile.card) refuse("--recipe card: there is no recipe card");
    if ((command.clock_samples > 0 || !command.clock_sweep.empty()) && !profile.people) {
        refuse("--clock-sweep and --clock-samples: there are no people for a clock to move");
    }
    if (!command.shard.is_whole()) {
        if (!command.clock_sweep.empty() || command.clock_samples > 0 || !command.trace.empty() ||
            !command.rows.empty() || !command.report.empty()) {
            refuse(
                "--shard does not go with --clock-sweep, --clock-samples, --trace, --rows or "
                "--report; havln-merge --rows writes the rows of all shards");
        }
        if (command.out.empty())
            refuse("--shard needs --out: havln-merge reads what is written there");
        if (!command.ratings.empty()) {
            refuse("--shard does not go with --ratings: they rate the whole; score them alone");
        }
    }
    return profile;
}

GroundTruth open_ground_truth(const ScoreCommand& command) {
    if (command.data.empty() == command.dataset.empty()) {
        throw usage_error({}, "name the ground truth with either --data or --dataset");
    }
    if (!command.data.empty()) return GroundTruth(command.data);
    Dataset dataset;
    dataset.episodes = command.dataset;
    dataset.scenes = command.scenes_folder;
    if (!command.splits.empty()) dataset.split_name = command.splits.front();
    return GroundTruth(dataset);
}

std::unique_ptr<Clock> make_clock(const ScoreCommand& command) {
    if (!command.clock.empty()) return parse_clock(command.clock);
    return make_constant_clock(command.frames_per_action.value_or(1));
}

/// What people call a submission: the name of its archive or folder.
std::string title_of(const Paths& submission) {
    const std::filesystem::path path = submission.front().lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
}

}  // namespace

Scorer::Scorer(const ScoreCommand& command)
    : command_(command),
      profile_(checked_profile(command)),
      ground_truth_(open_ground_truth(command)),
      clock_(make_clock(command)),
      official_(command.manifest.empty() ? std::nullopt
                                         : std::optional(load_manifest(command.manifest))) {
    options_.profile = profile_;
    options_.reading = command.reading;
    options_.clock = clock_.get();
    options_.sliding = command.sliding;
    options_.frames_of_people = wants_frames_of_people(command, profile_);
    options_.recipe_card = !command.recipe.empty();
    options_.pool = command.pool;
    options_.keep_traces = !command.trace.empty() || !command.report.empty();
    options_.threads =
        command.threads != 0 ? command.threads : std::max(1u, std::thread::hardware_concurrency());
    options_.filter.episode_ids = parse_id_list("--episodes", command.episodes);
    options_.filter.scans = parse_id_list("--scenes", command.scenes);
    options_.shard = command.shard;
    if (command.bootstrap > 0) {
        ResamplingOptions& resampling = options_.bootstrap.emplace();
        resampling.samples = command.bootstrap;
        resampling.seed = command.seed;
    }
    options_.human_influenced = parse_human_influenced(command.human_influenced);
    check_human_influenced();
    const bool named = !command.splits.empty() && command.dataset.empty();
    splits_ = named ? command.splits : ground_truth_.split_names();
    if (splits_.empty()) {
        throw ground_truth_error(splits_folder(ground_truth_.root()),
                                 "holds no split: no folder SPLIT with SPLIT.json.gz in it");
    }
    if (named) manifest_ = manifest_of(splits_);
    load_agent_log();
    load_ratings();
    clocks_ = sampled_clocks();
}

std::vector<std::unique_ptr<Clock>> Scorer::sampled_clocks() const {
    std::vector<std::unique_ptr<Clock>> clocks;
    if (!command_.clock_sweep.empty()) {
        for (const double rate : parse_clock_sweep(command_.clock_sweep)) {
            clocks.push_back(make_constant_clock(rate));
        }
    }
    if (command_.clock_samples == 0) return clocks;
    const double rate = command_.frames_per_action.value_or(1);
    const auto base =
        command_.clock.empty() ? make_jitter_clock(rate, rate / 2, 1) : parse_clock(command_.clock);
    for (std::uint64_t i = 0; i < command_.clock_samples; ++i) {
        auto clock = base->reseeded(i);
        if (!clock) throw usage_error({}, "--clock-samples: a logged clock has no seed to vary");
        clocks.push_back(std::move(clock));
    }
    return clocks;
}

/// What --clock-sweep and --clock-samples add to a split's result.
void Scorer::add_clock_study(SplitRun& run, const SplitSubmission& submission) {
    if (clocks_.empty()) return;
    const auto samples = score_under_clocks(ground_truth_, submission, options_, clocks_);
    std::vector<std::string> ids;
    for (const std::size_t index : run.episodes) {
        ids.push_back(run.split->episodes[index].episode_id);
    }
    run.score.clock = summarise_clocks(samples, ids, run.score.human_influenced);
}

/// The splits with the data's ids; beta L from the challenge's or the user's manifest.
Manifest Scorer::manifest_of(const std::vector<std::string>& splits) {
    ahead_.emplace(ground_truth_, splits, options_.threads);
    if (!official_) official_ = builtin_manifest();
    Manifest manifest;
    for (const std::string& name : splits) {
        SplitManifest split = ground_truth_.manifest_of(name);
        check_human_influenced(split);
        if (const SplitManifest* known = official_->find(name)) {
            if (known->episode_ids.size() == split.episode_ids.size()) {
                split.human_influenced = known->human_influenced;
            } else if (known->human_influenced && !command_.manifest.empty()) {
                warn_once(
                    fmt::format("split {}: the {} human-influenced episodes that the "
                                "manifest counts are of {} episodes, while the data has {}; "
                                "they do not count",
                                escape_control(name), *known->human_influenced,
                                known->episode_ids.size(), split.episode_ids.size()));
            }
        }
        manifest.splits.push_back(std::move(split));
    }
    return manifest;
}

void Scorer::check_human_influenced() const {
    const std::vector<std::string> names = ground_truth_.split_names();
    for (const auto& [name, count] : options_.human_influenced) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            throw usage_error({},
                              fmt::format("--human-influenced: the data has no split {}; it has {}",
                                          quote(name), fmt::join(names, ", ")));
        }
    }
}

void Scorer::check_human_influenced(const SplitManifest& split) const {
    const auto given = options_.human_influenced.find(split.name);
    if (given == options_.human_influenced.end()) return;
    if (given->second <= split.episode_ids.size()) return;
    throw usage_error({}, fmt::format("--human-influenced: {} of the {} episodes of {}",
                                      given->second, split.episode_ids.size(), quote(split.name)));
}

void Scorer::load_agent_log() {
    if (command_.agent_log.empty()) return;
    AgentLog log = read_agent_log(command_.agent_log);
    require_sound(log.diagnostics, command_.agent_log, command_.common);
    agent_log_ = std::move(log.episodes);
    options_.agent_log = &agent_log_;
}

void Scorer::load_ratings() {
    if (!command_.ratings.empty()) llm_match_ = llm_match_of(command_.ratings, command_.common);
}

ContractRules Scorer::contract_rules() const {
    return cli::contract_rules(
        profile_, command_.dataset.empty() ? command_.splits : std::vector<std::string>());
}

const SplitManifest& Scorer::only_split() {
    if (splits_.size() != 1) {
        throw usage_error({}, "name the split that these predictions are for with --split");
    }
    if (manifest_.splits.empty()) manifest_ = manifest_of(splits_);
    return manifest_.splits.front();
}

ReadResult Scorer::read_challenge_actions(const Paths& submission) {
    const ContractRules rules = contract_rules();
    if (!rules.required_splits.empty()) return read_submission(submission, manifest_, rules);
    // What the submission does not hold is not loaded: it may be large, or broken.
    const auto facts_of = [&](const std::vector<std::string>& splits) {
        manifest_ = manifest_of(splits);
        return manifest_.splits;
    };
    return read_submission(submission, splits_, facts_of, rules);
}

std::optional<ReadResult> Scorer::read_actions(const Paths& submission) {
    ReadResult read;
    if (command_.predictions == PredictionKind::kChallenge) {
        read = read_challenge_actions(submission);
    } else {
        if (submission.size() != 1) throw usage_error({}, "expected one file of action lists");
        const ActionCodes codes = command_.action_codes.empty()
                                      ? default_action_codes()
                                      : parse_action_codes(command_.action_codes);
        read = read_action_lists(submission.front(), only_split(), contract_rules(), codes);
    }
    if (!read.rejected()) return read;
    if (official_ && !command_.data.empty() && command_.predictions == PredictionKind::kChallenge) {
        require_whole_data(submission, manifest_, *official_, contract_rules(), command_.data);
    }
    reject(read);
    return std::nullopt;
}

void Scorer::reject(const ReadResult& result) const {
    if (tell_rejection_) {
        tell_rejection_(result);
    } else if (command_.format == ScoreFormat::kJson) {
        CheckFacts facts;
        facts.manifest_digest = manifest_digest(manifest_);
        print_result(diagnostics_json(result, facts));
    } else {
        print_result(rejection_text(result, command_.common.color_stdout()));
    }
}

std::optional<std::vector<SplitRun>> Scorer::score_actions(const Paths& submission,
                                                           std::string& digest,
                                                           std::vector<SplitSubmission>& splits) {
    std::optional<ReadResult> read = read_actions(submission);
    if (!read) return std::nullopt;
    std::vector<SplitRun> runs;
    std::size_t episodes = 0;
    for (const SplitSubmission& split : read->splits) episodes += split.episodes.size();
    if (!clocks_.empty()) episodes *= 2;  // once for the headline, once for all clocks together
    Progress progress(command_.common, "replaying", episodes);
    options_.progress = [&progress] { progress.advance(); };
    for (const SplitSubmission& split : read->splits) {
        runs.push_back(score_split(ground_truth_, manifest_, split, options_));
        add_clock_study(runs.back(), split);
    }
    splits = std::move(read->splits);
    digest = submission_digest(splits);
    return runs;
}

std::optional<std::vector<SplitRun>> Scorer::score_positions(const Paths& submission,
                                                             std::string& digest) {
    if (submission.size() != 1) throw usage_error({}, "expected one file of positions");
    const auto split = ground_truth_.split(only_split().name);
    const PathPredictions predictions =
        read_path_predictions(submission.front(), *split, contract_rules());
    if (predictions.rejected()) {
        ReadResult result;
        result.diagnostics = predictions.diagnostics;
        reject(result);
        return std::nullopt;
    }
    std::vector<RecordedEpisode> episodes;
    episodes.reserve(predictions.paths.size());
    for (const PredictedPath& path : predictions.paths) {
        episodes.push_back({path.episode_id, trace_of(path)});
    }
    digest = sha256_hex(read_whole_file(submission.front()));
    std::vector<SplitRun> runs;
    runs.push_back(score_recorded(ground_truth_, manifest_, split->name, episodes, options_));
    return runs;
}

std::optional<ScoredSubmission> Scorer::score(const Paths& submission) {
    ScoredSubmission scored;
    scored.title = title_of(submission);
    std::string digest;
    auto runs = command_.predictions == PredictionKind::kPositions
                    ? score_positions(submission, digest)
                    : score_actions(submission, digest, scored.splits);
    if (!runs) return std::nullopt;
    for (const SplitRun& run : *runs) warn(run);
    warn_of_agent_log(*runs);
    scored.card = make_card(*runs, digest);
    scored.runs = std::move(*runs);
    return scored;
}

Scorecard Scorer::make_card(const std::vector<SplitRun>& runs, const std::string& digest) {
    Scorecard card;
    RunSettings& settings = card.settings;
    settings.profile = profile_;
    settings.reading = options_.reading;
    settings.sliding = options_.sliding;
    const bool recorded = command_.predictions == PredictionKind::kPositions;
    settings.clock = options_.frames_of_people ? clock_->name() : "";
    settings.navmesh = recorded                    ? "none"
                       : options_.frames_of_people ? "recompute_navmesh"
                                                   : "scene_datasets";
    settings.people_digest = ground_truth_.people_digest();
    settings.path_finder = path_finder_version();
    settings.submission_digest = digest;
    if (!command_.episodes.empty()) settings.selection = "episodes=" + command_.episodes;
    if (!command_.scenes.empty()) {
        settings.selection +=
            (settings.selection.empty() ? "" : ";") + ("scenes=" + command_.scenes);
    }
    for (const SplitRun& run : runs) {
        card.splits.push_back(run.score);
        card.partial = card.partial || run.partial;
    }
    card.llm_match = llm_match_;
    return card;
}

void Scorer::warn_once(const std::string& line) {
    if (warned_.insert(line).second) say(command_.common, "warning: " + line);
}

void Scorer::warn(const SplitRun& run) {
    const std::string split = escape_control(run.split->name);
    if (run.human_influenced_assumed) {
        warn_once(
            fmt::format("split {}: the number of human-influenced episodes is not known; CR is "
                        "divided by all {} scored episodes (set --human-influenced {}=N)",
                        split, run.episodes.size(), split));
    }
    if (!run.scans_without_people.empty()) {
        warn_once(
            fmt::format("split {}: {}", split,
                        scans_without_people_text(run.scans_without_people, run.episodes.size())));
    }
    if (run.static_navmesh_missing) {
        warn_once(
            "scene_datasets/mp3d holds no navmesh without people for some scenes: what blocked "
            "their steps is left out");
    }
    if (run.score.unreachable_goals > 0) {
        warn_once(
            fmt::format("split {}: {} of {} episodes have goals that cannot be reached; distance "
                        "means leave them out",
                        split, run.score.unreachable_goals, run.episodes.size()));
    }
}

void Scorer::warn_of_agent_log(const std::vector<SplitRun>& runs) {
    if (command_.agent_log.empty()) return;
    std::set<std::string_view> used;
    for (const SplitRun& run : runs) {
        for (const EpisodeMetrics& row : run.rows) {
            if (row.agent_log) used.insert(run.split->episodes[row.episode_index].episode_id);
        }
    }
    if (used.size() == agent_log_.size() && !used.empty()) return;
    const auto other = std::find_if(agent_log_.begin(), agent_log_.end(),
                                    [&](const auto& one) { return !used.contains(one.first); });
    warn_once(fmt::format(
        "--agent-log: {} of its {} episodes were scored{}", used.size(), agent_log_.size(),
        other == agent_log_.end() ? "" : fmt::format("; {} was not", quote(other->first))));
}

std::string Scorer::trace_lines(const std::vector<SplitRun>& runs) {
    std::string lines;
    for (const SplitRun& run : runs) {
        for (std::size_t i = 0; i < run.episodes.size(); ++i) {
            const Episode& episode = run.split->episodes[run.episodes[i]];
            const auto people =
                options_.frames_of_people ? ground_truth_.people(episode.scan) : nullptr;
            lines +=
                trace_line_json(run.split->name, episode.episode_id, run.traces[i], people.get());
        }
    }
    return lines;
}

std::filesystem::path Scorer::write_shard(const ScoredSubmission& scored,
                                          const std::filesystem::path& out) const {
    Shard shard;
    shard.key = options_.shard;
    shard.version = version();
    shard.settings = scored.card.settings;
    shard.pool = options_.pool;
    shard.bootstrap = options_.bootstrap;
    for (const SplitRun& run : scored.runs) {
        ShardSplit& split = shard.splits.emplace_back();
        split.name = run.split->name;
        split.split_episodes = run.split->episodes.size();
        split.selected_episodes = run.selected_episodes;
        split.human_influenced = run.score.human_influenced;
        split.partial = run.partial;
        split.ground_truth_digest = run.split->digest;
        split.rows = run.rows;
        for (const std::size_t index : run.episodes) {
            split.episodes.push_back(run.split->episodes[index]);
        }
    }
    const auto file = out / fmt::format("shard-{}-of-{}.json", shard.key.index, shard.key.count);
    make_folder(out);
    write_file_atomically(file, shard_json(shard));
    return file;
}

void Scorer::write(const ScoredSubmission& scored, const std::filesystem::path& out) {
    std::vector<SplitRows> rows;
    for (const SplitRun& run : scored.runs) rows.push_back({run.split.get(), run.rows});
    if (!out.empty()) write_results(scored.card, rows, out);
    if (!command_.rows.empty()) {
        write_file_atomically(command_.rows, episode_rows_csv(rows, scored.card.settings));
    }
    if (!command_.trace.empty()) {
        const std::string lines = trace_lines(scored.runs);
        write_file_atomically(command_.trace,
                              command_.trace.extension() == ".gz" ? gzip(lines) : lines);
    }
    if (!command_.report.empty()) {
        write_file_atomically(command_.report, make_report(ground_truth_, scored.title, scored.card,
                                                           scored.runs, scored.splits));
    }
}

}  // namespace havln::cli
