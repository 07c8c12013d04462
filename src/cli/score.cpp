#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/codabench.h"
#include "cli/common.h"
#include "cli/output_files.h"
#include "cli/rated_answers.h"
#include "cli/results.h"
#include "cli/score_options.h"
#include "cli/scorer.h"
#include "cli/submissions.h"
#include "io/escape.h"
#include "io/file.h"
#include "report/score_json.h"
#include "report/score_table.h"

namespace havln::cli {

namespace {

ExitCode list_profiles() {
    for (const std::string& name : builtin_profile_names()) {
        print_result(fmt::format("{:<16}{}\n", name, load_profile(name).task));
    }
    return ExitCode::kDone;
}

/// Folder for one of several submissions: its name without ending below --out.
std::filesystem::path out_of(const ScoreCommand& command, const Paths& submission, bool several) {
    if (command.out.empty() || !several) return command.out;
    const std::filesystem::path stem = submission.front().stem();
    if (stem.empty() || stem == "." || stem == "..") {
        throw usage_error(submission.front(), "gives no name to a folder below --out; rename it");
    }
    return command.out / stem;
}

void check_outputs(const ScoreCommand& command, const std::vector<Paths>& submissions) {
    const bool several = submissions.size() > 1;
    if (several && !(command.trace.empty() && command.rows.empty() && command.report.empty())) {
        throw usage_error({}, "--trace, --rows and --report take one submission at a time");
    }
    if (several && !command.ratings.empty()) {
        throw usage_error({}, "--ratings rate one agent's answers: score one submission at a time");
    }
    std::vector<std::filesystem::path> inputs = {command.agent_log, command.ratings,
                                                 command.manifest};
    for (const Paths& submission : submissions) {
        inputs.insert(inputs.end(), submission.begin(), submission.end());
    }
    std::vector<OutputFile> outputs = result_files(command.out);
    outputs.insert(
        outputs.end(),
        {{"--trace", command.trace}, {"--rows", command.rows}, {"--report", command.report}});
    require_distinct(outputs, inputs);
    require_outside(outputs, command.data);
    for (const Paths& submission : submissions) {
        // One that is not there must not come to light after the others were scored.
        if (!several || stands(submission.front())) continue;
        throw usage_error(submission.front(), "does not exist");
    }
    std::set<std::filesystem::path> outs;
    for (const Paths& submission : submissions) {
        const auto out = out_of(command, submission, several);
        if (!out.empty() && !outs.insert(out).second) {
            throw usage_error(out, "two submissions of this name would be written here");
        }
    }
}

ExitCode score_all(const ScoreCommand& command) {
    if (command.inputs.empty()) throw usage_error({}, "name a SUBMISSION to score; see --help");
    const std::vector<Paths> submissions = group_submissions(command.inputs);
    const bool several = submissions.size() > 1;
    check_outputs(command, submissions);
    Scorer scorer(command);
    ExitCode worst = ExitCode::kDone;
    for (const Paths& submission : submissions) {
        if (several && command.format == ScoreFormat::kText) {
            print_result("== " + escape_control(submission.front().string()) + "\n");
        }
        const auto scored = scorer.score(submission);
        if (!scored) {
            worst = std::max(worst, ExitCode::kRejected);
            continue;
        }
        const auto out = out_of(command, submission, several);
        if (!command.shard.is_whole()) {
            print_result(scorer.write_shard(*scored, out).string() + "\n");
            continue;
        }
        scorer.write(*scored, out);
        print_result(command.format == ScoreFormat::kJson ? score_summary_json(scored->card)
                                                          : score_table(scored->card));
    }
    return worst;
}

/// Ratings are all that the command line names.
bool wants_llm_match_alone(const ScoreCommand& command) {
    return !command.ratings.empty() && command.inputs.empty() && command.data.empty() &&
           command.dataset.empty();
}

ExitCode score_ratings(const ScoreCommand& command) {
    if (!command.out.empty() || !command.trace.empty()) {
        throw usage_error({}, "--out and --trace need a SUBMISSION to score; see --help");
    }
    const LlmMatchScore match = llm_match_of(command.ratings, command.common);
    print_result(command.format == ScoreFormat::kJson ? llm_match_json(match)
                                                      : llm_match_line(match));
    return ExitCode::kDone;
}

ExitCode run(const ScoreCommand& command) {
    if (command.list_profiles) return list_profiles();
    if (command.show_profile) {
        if (!command.inputs.empty()) {
            throw usage_error(command.inputs.front(),
                              "--show-profile takes no SUBMISSION; --profile names the profile");
        }
        print_result(profile_json(apply(load_profile(command.profile), command.overrides)));
        return ExitCode::kDone;
    }
    if (!command.codabench.empty()) return run_codabench(command);
    if (wants_llm_match_alone(command)) return score_ratings(command);
    return score_all(command);
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app("Replays a submission's actions and scores it.", "havln-score");
    ScoreCommand command;
    add_score_options(app, command);
    return run_command(app, command.common, argc, argv, [&] {
        drop_repeats(command.splits);
        return run(command);
    });
}
