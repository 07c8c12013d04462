#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "cli/manifest_options.h"
#include "cli/output_files.h"
#include "cli/submissions.h"
#include "contract/fix.h"
#include "havln/contract.h"
#include "io/escape.h"
#include "io/file.h"
#include "report/diagnostics_github.h"
#include "report/diagnostics_json.h"
#include "report/diagnostics_junit.h"
#include "report/diagnostics_sarif.h"
#include "report/diagnostics_text.h"

namespace havln::cli {

namespace {

enum class CheckFormat : std::uint8_t { kText, kJson, kGithub, kJunit, kSarif };

struct ValidateCommand {
    CommonOptions common;
    Paths inputs;
    ManifestOptions manifest;
    CheckFormat format = CheckFormat::kText;
    std::size_t max_shown = 20;
    std::filesystem::path fix;
    ReadLimits limits;
    std::uint64_t max_member_mib = 256;
    std::uint64_t max_total_mib = 512;
};

const std::map<std::string, CheckFormat> kFormats = {{"text", CheckFormat::kText},
                                                     {"json", CheckFormat::kJson},
                                                     {"github", CheckFormat::kGithub},
                                                     {"junit", CheckFormat::kJunit},
                                                     {"sarif", CheckFormat::kSarif}};

void add_limits(CLI::App& app, ValidateCommand& command) {
    app.add_option("--max-members", command.limits.max_members, "Members of the archive at most")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->capture_default_str()
        ->type_name("N");
    app.add_option("--max-member-mib", command.max_member_mib,
                   "Size of one member at most, inflated [MiB]")
        ->check(CLI::Range(1, 1 << 20).description(""))
        ->capture_default_str()
        ->type_name("N");
    app.add_option("--max-total-mib", command.max_total_mib,
                   "Size of all members at most, inflated [MiB]")
        ->check(CLI::Range(1, 1 << 20).description(""))
        ->capture_default_str()
        ->type_name("N");
}

void add_options(CLI::App& app, ValidateCommand& command) {
    app.add_option("SUBMISSION", command.inputs,
                   "A .zip, a flat folder, or loose .json files that make one submission")
        ->required()
        ->type_name("");
    add_manifest_options(app, command.manifest);
    app.add_option("--format", command.format, "What stdout shows")
        ->transform(choice(kFormats))
        ->type_name("text|json|github|junit|sarif")
        ->default_str("text");
    app.add_option("--max-shown", command.max_shown,
                   "Faults shown per code; the counts stay complete")
        ->check(CLI::Range(0, 1'000'000).description(""))
        ->capture_default_str()
        ->type_name("N");
    app.add_option("--fix", command.fix,
                   "Mend what can be mended without guessing and write a valid archive: a folder "
                   "around the files, macOS's own files, byte-order marks, UTF-16, ids that are "
                   "numbers")
        ->type_name("OUT.zip");
    add_limits(app, command);
}

std::string report(const ReadResult& result, const CheckFacts& facts, CheckFormat format) {
    switch (format) {
        case CheckFormat::kText:
            return diagnostics_text(result, facts);
        case CheckFormat::kJson:
            return diagnostics_json(result, facts);
        case CheckFormat::kGithub:
            return diagnostics_github(result, facts);
        case CheckFormat::kJunit:
            return diagnostics_junit(result, facts);
        case CheckFormat::kSarif:
            return diagnostics_sarif(result, facts);
    }
    fail_check("every format has a report", __FILE__, __LINE__);
}

/// The full list goes to the job's summary page where the runner offers one.
void append_step_summary(const std::string& markdown) {
    const char* path = std::getenv("GITHUB_STEP_SUMMARY");
    if (path == nullptr || *path == '\0') return;
    std::ofstream out(path, std::ios::binary | std::ios::app);
    out << markdown;
    if (!out.flush()) throw usage_error(path, "the job summary cannot be written");
}

/// One run of the command.
class Validator {
  public:
    explicit Validator(const ValidateCommand& command) : command_(command) {
        rules_.required_splits = command.manifest.required_splits();
        rules_.limits = command.limits;
        rules_.limits.max_member_bytes = command.max_member_mib << 20;
        rules_.limits.max_total_bytes = command.max_total_mib << 20;
        rules_.limits.max_kept_per_code =
            std::max(rules_.limits.max_kept_per_code, command.max_shown);
        manifest_ = command.manifest.load();
        facts_.manifest_digest = manifest_.digest;
        facts_.max_shown = command.max_shown;
        facts_.color = command.common.color_stdout();
    }

    ExitCode check(const Paths& submission) {
        const ReadResult read = read_submission(submission, manifest_, rules_);
        if (read.rejected() && !command_.manifest.data.empty()) {
            require_whole_data(submission, manifest_, builtin_manifest(), rules_,
                               command_.manifest.data);
        }
        return finish(read);
    }

    ExitCode fix(const Paths& submission) {
        FixResult fixed = fix_submission(submission, manifest_, rules_);
        CheckFacts::Fix facts;
        if (!fixed.refused()) {
            write_file_atomically(command_.fix, fixed.archive);
            facts.changes = std::move(fixed.changes);
            facts.written_to = command_.fix.string();
        }
        facts_.fix = std::move(facts);
        return finish(fixed.check);
    }

  private:
    ExitCode finish(const ReadResult& result) {
        if (command_.format == CheckFormat::kGithub) {
            append_step_summary(diagnostics_github_summary(result, facts_));
        }
        print_result(report(result, facts_, command_.format));
        return result.rejected() ? ExitCode::kRejected : ExitCode::kDone;
    }

    const ValidateCommand& command_;
    ContractRules rules_;
    Manifest manifest_;
    CheckFacts facts_;
};

ExitCode run(const ValidateCommand& command) {
    const std::vector<Paths> submissions = group_submissions(command.inputs);
    const bool several = submissions.size() > 1;
    const bool one_at_a_time = command.format == CheckFormat::kJson ||
                               command.format == CheckFormat::kJunit ||
                               command.format == CheckFormat::kSarif;
    if (several && (one_at_a_time || !command.fix.empty())) {
        throw usage_error({},
                          "--fix and the formats json, junit and sarif take one submission at "
                          "a time");
    }
    if (!command.fix.empty() && command.format != CheckFormat::kText &&
        command.format != CheckFormat::kJson) {
        throw usage_error({}, "--fix reports as text or json");
    }
    require_distinct({{"--fix", command.fix}}, command.inputs);
    Validator validator(command);
    ExitCode worst = ExitCode::kDone;
    for (const Paths& submission : submissions) {
        if (several && command.format == CheckFormat::kText) {
            print_result("== " + escape_control(submission.front().string()) + "\n");
        }
        worst = std::max(
            worst, command.fix.empty() ? validator.check(submission) : validator.fix(submission));
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
