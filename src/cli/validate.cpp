#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "cli/submissions.h"
#include "havln/contract.h"
#include "havln/groundtruth.h"
#include "io/escape.h"
#include "report/diagnostics_json.h"
#include "report/diagnostics_text.h"

namespace havln::cli {

namespace {

enum class CheckFormat : std::uint8_t { kText, kJson };

struct ValidateCommand {
    CommonOptions common;
    Paths inputs;
    int phase = 1;
    std::vector<std::string> splits;
    std::filesystem::path manifest;
    std::filesystem::path data;
    CheckFormat format = CheckFormat::kText;
    std::size_t max_shown = 20;
    ReadLimits limits;
};

void add_options(CLI::App& app, ValidateCommand& command) {
    app.add_option("submission", command.inputs,
                   "A .zip, a flat folder, or loose .json files that make one submission")
        ->required()
        ->type_name("");
    auto* const phase =
        app.add_option("--phase", command.phase, "1: val_seen and val_unseen; 2: test")
            ->check(CLI::IsMember({1, 2}))
            ->capture_default_str();
    app.add_option("--split", command.splits, "Required split; repeatable; replaces --phase")
        ->excludes(phase)
        ->type_name("NAME");
    auto* const manifest =
        app.add_option("--manifest", command.manifest,
                       "Official episode ids: {\"splits\": {NAME: {\"episode_ids\": [...]} or "
                       "{\"count\": n}}} (default: the challenge's)")
            ->type_name("FILE");
    app.add_option("--data", command.data, "Take the ids from the ground truth in this data root")
        ->excludes(manifest)
        ->type_name("DIR");
    app.add_option("--format", command.format, "Output: text or json")
        ->transform(
            CLI::CheckedTransformer(std::map<std::string, CheckFormat>{
                                        {"text", CheckFormat::kText}, {"json", CheckFormat::kJson}})
                .description(""))
        ->type_name("FORMAT");
    app.add_option("--max-shown", command.max_shown,
                   "Faults shown per code; the counts stay complete")
        ->capture_default_str()
        ->type_name("N");
}

Manifest manifest_of(const ValidateCommand& command,
                     const std::vector<std::string>& required_splits) {
    if (!command.manifest.empty()) return load_manifest(command.manifest);
    if (command.data.empty()) return builtin_manifest();
    GroundTruth ground_truth(command.data);
    Manifest manifest;
    for (const std::string& name : ground_truth.split_names()) {
        const bool wanted = std::find(required_splits.begin(), required_splits.end(), name) !=
                            required_splits.end();
        if (wanted) manifest.splits.push_back(ground_truth.manifest_of(name));
    }
    for (const std::string& name : required_splits) {
        // Names what is missing, as the ground truth's own fault.
        if (manifest.find(name) == nullptr) ground_truth.manifest_of(name);
    }
    manifest.digest = manifest_digest(manifest);
    return manifest;
}

ExitCode run(const ValidateCommand& command) {
    ContractRules rules;
    rules.required_splits = command.splits.empty() ? phase_splits(command.phase) : command.splits;
    rules.limits = command.limits;
    const Manifest manifest = manifest_of(command, rules.required_splits);
    CheckFacts facts;
    facts.manifest_digest = manifest.digest;
    facts.max_shown = command.max_shown;
    facts.color = command.common.color_stdout();

    const std::vector<Paths> submissions = group_submissions(command.inputs);
    if (submissions.size() > 1 && command.format != CheckFormat::kText) {
        throw usage_error({}, "this format takes one submission at a time");
    }
    ExitCode worst = ExitCode::kDone;
    for (const Paths& submission : submissions) {
        const ReadResult result = read_submission(submission, manifest, rules);
        if (submissions.size() > 1) {
            print_result("== " + escape_control(submission.front().string()) + "\n");
        }
        print_result(command.format == CheckFormat::kJson ? diagnostics_json(result, facts)
                                                          : diagnostics_text(result, facts));
        if (result.rejected()) worst = ExitCode::kRejected;
    }
    return worst;
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app("Checks a submission before the upload and says how to mend it.",
                 "havln-validate");
    ValidateCommand command;
    add_options(app, command);
    return run_command(app, command.common, argc, argv, [&] { return run(command); });
}
