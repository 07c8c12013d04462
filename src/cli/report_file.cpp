#include "cli/report_file.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>

#include "report/report_html.h"

namespace havln::cli {

namespace {

/// The actions of each scored episode; empty where the submission has none of the split.
std::vector<std::span<const Action>> actions_of(const SplitRun& run,
                                                const std::vector<SplitSubmission>& submission) {
    const auto split =
        std::find_if(submission.begin(), submission.end(),
                     [&](const SplitSubmission& one) { return one.split == run.split->name; });
    if (split == submission.end()) return {};
    std::unordered_map<std::string_view, std::span<const Action>> by_id;
    for (const SubmittedEpisode& episode : split->episodes) {
        by_id.emplace(episode.episode_id, split->actions_of(episode));
    }
    std::vector<std::span<const Action>> actions;
    for (const std::size_t index : run.episodes) {
        actions.push_back(by_id[run.split->episodes[index].episode_id]);
    }
    return actions;
}

}  // namespace

SceneMap load_scene_map(GroundTruth& ground_truth, const std::string& scan, bool with_people) {
    const std::vector<bool> frames = with_people ? std::vector<bool>{true} : std::vector<bool>{};
    const auto scene = ground_truth.load_navmeshes(scan, frames, true);
    const auto people = with_people ? ground_truth.people(scan) : nullptr;
    return make_scene_map(*scene, people.get());
}

std::string make_report(GroundTruth& ground_truth, const std::string& title, const Scorecard& card,
                        const std::vector<SplitRun>& runs,
                        const std::vector<SplitSubmission>& submission) {
    const bool with_people = card.settings.has_frames_of_people();
    const bool with_maps = card.settings.was_replayed();  // logged positions may lack navmeshes
    ReportInput input;
    input.title = title;
    input.card = &card;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        const SplitRun& run = runs[k];
        ReportSplit& split = input.splits.emplace_back();
        split.split = run.split.get();
        split.score = &card.splits[k];
        split.rows = run.rows;
        split.traces = run.traces;
        split.actions = actions_of(run, submission);
        split.human_influenced_assumed = run.human_influenced_assumed;
        for (const std::size_t index : run.episodes) {
            const std::string& scan = run.split->episodes[index].scan;
            if (input.scenes.contains(scan) || !with_maps) continue;
            input.scenes[scan] = load_scene_map(ground_truth, scan, with_people);
        }
    }
    return report_html(input);
}

}  // namespace havln::cli
