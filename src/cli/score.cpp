#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "cli/common.h"
#include "cli/score_options.h"
#include "cli/submissions.h"
#include "havln/clock.h"
#include "havln/contract.h"
#include "havln/groundtruth.h"
#include "havln/score_run.h"
#include "io/escape.h"
#include "io/file.h"
#include "report/diagnostics_text.h"
#include "report/score_json.h"
#include "report/score_table.h"

namespace havln::cli {

namespace {

/// One run of the command over one data root.
class Scorer {
  public:
    explicit Scorer(const ScoreCommand& command)
        : command_(command),
          ground_truth_(command.data),
          clock_(command.clock.empty() ? make_constant_clock(command.frames_per_action)
                                       : parse_clock(command.clock)) {
        options_.reading = command.reading;
        options_.clock = clock_.get();
        options_.sliding = command.sliding;
        options_.keep_traces = !command.trace.empty();
        options_.threads = command.threads != 0 ? command.threads
                                                : std::max(1u, std::thread::hardware_concurrency());
        options_.filter.episode_ids = parse_id_list(command.episodes);
        options_.filter.scans = parse_id_list(command.scenes);
        options_.human_influenced = parse_human_influenced(command.human_influenced);
        manifest_ = manifest_of_data();
    }

    ExitCode score(const Paths& submission, const std::filesystem::path& out);

  private:
    Manifest manifest_of_data();
    Scorecard make_card(const std::vector<SplitRun>& runs,
                        const std::vector<SplitSubmission>& submission);
    void warn(const SplitRun& run);
    void write_outputs(const Scorecard& card, const std::vector<SplitRun>& runs,
                       const std::filesystem::path& out);
    std::string trace_lines(const std::vector<SplitRun>& runs);

    const ScoreCommand& command_;
    GroundTruth ground_truth_;
    std::unique_ptr<Clock> clock_;
    ScoreOptions options_;
    Manifest manifest_;
    std::set<std::string> warned_;
};

/// The splits to be scored with their official ids; beta L from the challenge's manifest.
Manifest Scorer::manifest_of_data() {
    const Manifest builtin = builtin_manifest();
    Manifest manifest;
    for (const std::string& name :
         command_.splits.empty() ? ground_truth_.split_names() : command_.splits) {
        SplitManifest split = ground_truth_.manifest_of(name);
        if (const SplitManifest* known = builtin.find(name);
            known != nullptr && known->episode_ids.size() == split.episode_ids.size()) {
            split.human_influenced = known->human_influenced;
        }
        manifest.splits.push_back(std::move(split));
    }
    return manifest;
}

ExitCode Scorer::score(const Paths& submission, const std::filesystem::path& out) {
    ContractRules rules;
    rules.required_splits = command_.splits;
    rules.max_actions = options_.profile.max_steps;
    rules.allowed = options_.profile.actions;
    const ReadResult read = read_submission(submission, manifest_, rules);
    if (read.rejected()) {
        print_result(rejection_text(read, command_.common.color_stdout()));
        return ExitCode::kRejected;
    }
    std::vector<SplitRun> runs;
    for (const SplitSubmission& split : read.splits) {
        runs.push_back(score_split(ground_truth_, manifest_, split, options_));
        warn(runs.back());
    }
    const Scorecard card = make_card(runs, read.splits);
    write_outputs(card, runs, out);
    print_result(command_.format == ScoreFormat::kJson ? score_summary_json(card)
                                                       : score_table(card));
    return ExitCode::kDone;
}

Scorecard Scorer::make_card(const std::vector<SplitRun>& runs,
                            const std::vector<SplitSubmission>& submission) {
    Scorecard card;
    card.settings.profile = options_.profile;
    card.settings.reading = options_.reading;
    card.settings.clock = clock_->name();
    card.settings.sliding = options_.sliding;
    card.settings.navmesh = options_.profile.people ? "recompute_navmesh" : "scene_datasets";
    card.settings.people_digest = ground_truth_.people_digest();
    card.settings.path_finder = path_finder_version();
    card.settings.submission_digest = submission_digest(submission);
    if (!command_.episodes.empty()) card.settings.selection = "episodes=" + command_.episodes;
    if (!command_.scenes.empty()) {
        card.settings.selection +=
            (card.settings.selection.empty() ? "" : ";") + ("scenes=" + command_.scenes);
    }
    for (const SplitRun& run : runs) {
        card.splits.push_back(run.score);
        card.splits.back().ground_truth_digest = run.split->digest;
        card.partial = card.partial || run.partial;
    }
    return card;
}

void Scorer::warn(const SplitRun& run) {
    const auto once = [&](const std::string& line) {
        if (warned_.insert(line).second) say(command_.common, "warning: " + line);
    };
    if (run.human_influenced_assumed && options_.profile.people) {
        once(fmt::format(
            "split {}: the number of human-influenced episodes is not known; CR is "
            "divided by all {} scored episodes (set --human-influenced {}=N)",
            escape_control(run.split->name), run.episodes.size(), escape_control(run.split->name)));
    }
    if (run.static_navmesh_missing) {
        once(
            "scene_datasets/mp3d holds no navmesh without people for some scenes: what blocked "
            "their steps is left out");
    }
}

std::string Scorer::trace_lines(const std::vector<SplitRun>& runs) {
    std::string lines;
    for (const SplitRun& run : runs) {
        for (std::size_t i = 0; i < run.episodes.size(); ++i) {
            const Episode& episode = run.split->episodes[run.episodes[i]];
            const auto people = ground_truth_.people(episode.scan);
            lines +=
                trace_line_json(run.split->name, episode.episode_id, run.traces[i], people.get());
        }
    }
    return lines;
}

void Scorer::write_outputs(const Scorecard& card, const std::vector<SplitRun>& runs,
                           const std::filesystem::path& out) {
    if (!out.empty()) {
        std::vector<SplitRows> rows;
        for (const SplitRun& run : runs) rows.push_back({run.split.get(), run.rows});
        make_folder(out);
        write_file_atomically(out / "episode_metrics.json",
                              episode_metrics_json(rows, card.settings));
        write_file_atomically(out / "score_summary.json", score_summary_json(card));
    }
    if (!command_.trace.empty()) {
        const std::string lines = trace_lines(runs);
        write_file_atomically(command_.trace,
                              command_.trace.extension() == ".gz" ? gzip(lines) : lines);
    }
}

/// Folder for one of several submissions: its name without ending below --out.
std::filesystem::path out_of(const ScoreCommand& command, const Paths& submission, bool several) {
    if (command.out.empty() || !several) return command.out;
    return command.out / submission.front().stem();
}

ExitCode run(const ScoreCommand& command) {
    const std::vector<Paths> submissions = group_submissions(command.inputs);
    const bool several = submissions.size() > 1;
    if (several && !command.trace.empty()) {
        throw usage_error({}, "--trace takes one submission at a time");
    }
    std::set<std::filesystem::path> outs;
    for (const Paths& submission : submissions) {
        const auto out = out_of(command, submission, several);
        if (!out.empty() && !outs.insert(out).second) {
            throw usage_error(out, "two submissions of this name would be written here");
        }
    }
    Scorer scorer(command);
    ExitCode worst = ExitCode::kDone;
    for (const Paths& submission : submissions) {
        if (several && command.format == ScoreFormat::kText) {
            print_result("== " + escape_control(submission.front().string()) + "\n");
        }
        const ExitCode code = scorer.score(submission, out_of(command, submission, several));
        worst = std::max(worst, code);
    }
    return worst;
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app("Replays a submission's actions and scores it.", "havln-score");
    ScoreCommand command;
    add_score_options(app, command);
    return run_command(app, command.common, argc, argv, [&] { return run(command); });
}
