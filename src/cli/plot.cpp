#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "cli/episode_replay.h"
#include "cli/output_files.h"
#include "cli/report_file.h"
#include "havln/clock.h"
#include "havln/contract.h"
#include "havln/groundtruth.h"
#include "havln/metrics.h"
#include "havln/profile.h"
#include "io/escape.h"
#include "io/file.h"
#include "report/diagnostics_text.h"
#include "report/svg_map.h"

namespace havln::cli {

namespace {

struct PlotCommand {
    CommonOptions common;
    std::string episode;
    std::filesystem::path data;
    Paths submission;
    std::string split;
    std::string profile = "havln";
    double frames_per_action = 1;
    std::string clock;  ///< Empty: frames_per_action.
    bool sliding = true;
    int width_px = 960;
    std::filesystem::path out;
};

void add_options(CLI::App& app, PlotCommand& command) {
    app.add_option("EPISODE", command.episode, "Id of the episode")->required()->type_name("");
    app.add_option("--data", command.data, "Data root in the official layout")
        ->required()
        ->type_name("DIR");
    app.add_option("--submission", command.submission,
                   "Draw what this submission does there: a .zip, a flat folder, or loose .json "
                   "files (default: start, goal and reference path alone)")
        ->type_name("FILE");
    app.add_option("--split", command.split, "Split of the episode, where several have that id")
        ->type_name("NAME");
    app.add_option("--profile", command.profile, "Evaluation system: a built-in name or a file")
        ->type_name("NAME|FILE")
        ->capture_default_str();
    auto* rate = app.add_option("--frames-per-action", command.frames_per_action,
                                "Clock: animation frames per action")
                     ->check(CLI::Range(0.0, 1e6).description(""))
                     ->type_name("F")
                     ->capture_default_str();
    app.add_option("--clock", command.clock,
                   "Another clock: jitter:MEAN,SPREAD,SEED or file:F, as in havln-score")
        ->type_name("CLOCK")
        ->excludes(rate);
    app.add_flag("--sliding,!--no-sliding", command.sliding,
                 "Slide along obstacles as the official replay does (default), or not");
    app.add_option("--width", command.width_px, "Width of the picture in pixels")
        ->check(CLI::Range(320, 4000).description(""))
        ->type_name("PX")
        ->capture_default_str();
    app.add_option("--out", command.out, "Write the picture there (default: to stdout)")
        ->type_name("FILE.svg");
}

/// Where an episode stands in the ground truth.
struct FoundEpisode {
    std::shared_ptr<const Split> split;
    std::size_t index = 0;
    const Episode& episode() const { return split->episodes[index]; }
};

/// The one split among `names` that has the episode. @throws Error (kUsage) where none or several
/// have it.
FoundEpisode find_episode(GroundTruth& ground_truth, const std::vector<std::string>& names,
                          const std::string& id) {
    std::vector<FoundEpisode> found;
    std::string searched, having;
    for (const std::string& name : names) {
        auto split = ground_truth.split(name);
        searched += (searched.empty() ? "" : ", ") + escape_control(name);
        if (const auto index = split->index_of(id)) {
            having += (having.empty() ? "" : ", ") + escape_control(name);
            found.push_back({std::move(split), *index});
        }
    }
    if (found.empty()) {
        throw usage_error({}, fmt::format("no episode {} in {}", quote(id), searched));
    }
    if (found.size() > 1) {
        throw usage_error({}, fmt::format("episode {} is in several splits: {}; choose one with "
                                          "--split",
                                          quote(id), having));
    }
    return found.front();
}

class Plotter {
  public:
    explicit Plotter(const PlotCommand& command)
        : command_(command), ground_truth_(command.data), profile_(load_profile(command.profile)) {}

    ExitCode plot();

  private:
    std::vector<std::string> known_splits();
    ReadResult read();
    Trace replay(const FoundEpisode& found, std::span<const Action> actions);
    std::string subtitle(const FoundEpisode& found, const Trace* trace) const;
    void draw(const FoundEpisode& found, const Trace* trace);

    const PlotCommand& command_;
    GroundTruth ground_truth_;
    Profile profile_;
};

std::vector<std::string> Plotter::known_splits() {
    if (!command_.split.empty()) return {command_.split};
    return ground_truth_.split_names();
}

ReadResult Plotter::read() {
    std::vector<std::string> required;
    if (!command_.split.empty()) required = {command_.split};
    return read_actions(ground_truth_, profile_, command_.submission, known_splits(), required);
}

Trace Plotter::replay(const FoundEpisode& found, std::span<const Action> actions) {
    const auto clock = command_.clock.empty() ? make_constant_clock(command_.frames_per_action)
                                              : parse_clock(command_.clock);
    const ReplayJob job{found.index, actions, clock.get()};
    const ReplayRules rules{profile_, profile_.people, command_.sliding};
    return std::move(replay_episodes(ground_truth_, *found.split, {&job, 1}, rules).front());
}

/// Straight-line distance to the nearest goal [m]; nothing without goals.
std::optional<double> distance_to_goal(const Episode& episode, const Vec3f& position) {
    if (!episode.goals || episode.goals->empty()) return std::nullopt;
    return GoalDistance(DistanceKind::kEuclidean, nullptr, *episode.goals)
        .nearest(to_double(position));
}

std::string Plotter::subtitle(const FoundEpisode& found, const Trace* trace) const {
    std::string text = fmt::format("{}, scene {}", found.split->name, found.episode().scan);
    if (trace == nullptr) return text;
    const auto blocked = std::count(trace->collided.begin(), trace->collided.end(), 1);
    text += fmt::format(": {} steps, {} blocked", trace->steps(), blocked);
    if (!trace->nearest_person.empty()) {
        const auto contact = contact_steps(*trace, kEnvelope_m);
        text += fmt::format(", {} in contact", std::count(contact.begin(), contact.end(), 1));
    }
    if (const auto distance = distance_to_goal(found.episode(), trace->positions.back())) {
        text += fmt::format(", ends {:.2f} m from the goal", *distance);
    }
    return text;
}

void Plotter::draw(const FoundEpisode& found, const Trace* trace) {
    const SceneMap scene = load_scene_map(ground_truth_, found.episode().scan, profile_.people);
    const EpisodeMap map =
        make_episode_map(scene, found.episode(), trace, profile_.success_distance_m);
    SvgMapInput input;
    input.scene = &scene;
    input.map = &map;
    input.title = "Episode " + found.episode().episode_id;
    input.subtitle = subtitle(found, trace);
    input.width_px = command_.width_px;
    const std::string svg = svg_map(input);
    if (command_.out.empty()) {
        print_result(svg);
    } else {
        write_file_atomically(command_.out, svg);
    }
}

ExitCode Plotter::plot() {
    require_distinct({{"--out", command_.out}}, command_.submission);
    require_outside({{"--out", command_.out}}, command_.data);
    if (command_.submission.empty()) {
        draw(find_episode(ground_truth_, known_splits(), command_.episode), nullptr);
        return ExitCode::kDone;
    }
    const ReadResult read = this->read();
    if (read.rejected()) {
        print_result(rejection_text(read, command_.common.color_stdout()));
        return ExitCode::kRejected;
    }
    std::vector<std::string> names;
    for (const SplitSubmission& split : read.splits) names.push_back(split.split);
    const FoundEpisode found = find_episode(ground_truth_, names, command_.episode);
    for (const SplitSubmission& split : read.splits) {
        if (split.split != found.split->name) continue;
        if (const SubmittedEpisode* episode = split.find(command_.episode)) {
            const Trace trace = replay(found, split.actions_of(*episode));
            draw(found, &trace);
        }
    }
    return ExitCode::kDone;
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app("Draws an episode from above, with what a submission does there.", "havln-plot");
    PlotCommand command;
    add_options(app, command);
    return run_command(app, command.common, argc, argv, [&] { return Plotter(command).plot(); });
}
