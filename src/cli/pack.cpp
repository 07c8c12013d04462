#include "predictions/pack.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "cli/manifest_options.h"
#include "cli/submissions.h"
#include "io/escape.h"
#include "io/file.h"
#include "report/diagnostics_text.h"

namespace havln::cli {

namespace {

struct PackCommand {
    CommonOptions common;
    std::vector<std::string> inputs;
    std::filesystem::path out;
    ManifestOptions manifest;
    std::string action_codes;
    bool last_wins = false;
};

void add_options(CLI::App& app, PackCommand& command) {
    app.add_option("INPUT", command.inputs,
                   "[SPLIT=]FILE: .json or .jsonl files of predictions; those of one split are "
                   "merged")
        ->required()
        ->type_name("");
    app.add_option("--out", command.out, "The submission to write")
        ->required()
        ->type_name("FILE.zip");
    app.add_option("--action-codes", command.action_codes,
                   "What integer actions mean, e.g. 0=STOP,1=MOVE_FORWARD,2=TURN_LEFT,3=TURN_RIGHT")
        ->type_name("CODE=ACTION,...");
    app.add_flag("--last-wins", command.last_wins,
                 "Where an episode comes several times, take the last and say which gave way "
                 "(default: refuse)");
    add_manifest_options(app, command.manifest);
}

/// "val_seen=FILE" with a split of the manifest; any other text is a file's name as a whole.
PackInput parse_input(const std::string& text, const Manifest& manifest) {
    const std::size_t equals = text.find('=');
    if (equals != text.npos && manifest.find(text.substr(0, equals)) != nullptr) {
        return {text.substr(equals + 1), text.substr(0, equals)};
    }
    return {text, {}};
}

ExitCode reject(const PackCommand& command, DiagnosticLog diagnostics) {
    ReadResult result;
    result.diagnostics = std::move(diagnostics);
    print_result(rejection_text(result, command.common.color_stdout()));
    return ExitCode::kRejected;
}

/// A file beside another, removed at the end unless it takes the other's place.
class Beside {
  public:
    explicit Beside(const std::filesystem::path& target)
        : target_(target), path_(target.parent_path() / ("." + target.filename().string())) {
        path_ += ".unchecked";
    }
    ~Beside() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    Beside(const Beside&) = delete;
    Beside& operator=(const Beside&) = delete;

    const std::filesystem::path& path() const { return path_; }
    void take_place() {
        std::error_code error;
        std::filesystem::rename(path_, target_, error);
        if (error) throw usage_error(target_, "cannot be written: " + error.message());
    }

  private:
    std::filesystem::path target_, path_;
};

/// The check's outcome behind what the agent's files drew warnings for. It speaks of the archive by
/// its own name; places in a file that nobody has seen are left out.
ReadResult outcome(ReadResult checked, const DiagnosticLog& read,
                   const std::filesystem::path& out) {
    DiagnosticLog log;
    add_all(log, read, [](Diagnostic&) { return true; });
    add_all(log, checked.diagnostics, [&](Diagnostic& diagnostic) {
        diagnostic.file = out.string();
        diagnostic.line.reset();
        diagnostic.column.reset();
        diagnostic.pointer.reset();
        return true;
    });
    checked.diagnostics = std::move(log);
    return checked;
}

std::string what_was_changed(const PackResult& packed) {
    std::string text;
    if (packed.quoted_ids > 0) {
        text += fmt::format("episode ids written as numbers, now strings: {}\n", packed.quoted_ids);
    }
    if (packed.translated_actions > 0) {
        text += fmt::format("action codes translated: {}\n", packed.translated_actions);
    }
    if (!packed.replaced.empty()) {
        text += fmt::format("last wins: {} earlier prediction{} gave way\n", packed.replaced.size(),
                            packed.replaced.size() == 1 ? "" : "s");
    }
    for (const ReplacedEpisode& episode : packed.replaced) {
        text +=
            fmt::format("  {} {}: {}:{} gave way to {}:{}\n", escape_control(episode.split),
                        quote(episode.episode_id), escape_control(episode.dropped.file),
                        episode.dropped.line, escape_control(episode.kept.file), episode.kept.line);
    }
    return text;
}

ExitCode run(const PackCommand& command) {
    if (command.out.extension() != ".zip") {
        throw usage_error(command.out, "a submission's name ends in .zip");
    }
    ContractRules contract;
    contract.required_splits = command.manifest.required_splits();
    const Manifest manifest = command.manifest.load();
    PackRules rules;
    if (contract.required_splits.size() == 1) rules.default_split = contract.required_splits[0];
    if (!command.action_codes.empty()) {
        rules.action_codes = parse_action_codes(command.action_codes);
    }
    rules.last_wins = command.last_wins;
    std::vector<PackInput> inputs;
    for (const std::string& text : command.inputs) inputs.push_back(parse_input(text, manifest));

    PackResult packed = collect_predictions(inputs, manifest, rules);
    if (packed.diagnostics.rejected()) return reject(command, std::move(packed.diagnostics));
    Beside unchecked(command.out);
    write_file_atomically(unchecked.path(), submission_archive(packed.splits));
    const ReadResult checked = outcome(read_submission({unchecked.path()}, manifest, contract),
                                       packed.diagnostics, command.out);
    CheckFacts facts;
    facts.manifest_digest = manifest.digest;
    facts.color = command.common.color_stdout();
    if (checked.rejected()) {
        print_result(diagnostics_text(checked, facts) + what_was_changed(packed));
        return ExitCode::kRejected;
    }
    unchecked.take_place();
    print_result(diagnostics_text(checked, facts) + what_was_changed(packed) +
                 escape_control(command.out.string()) + " written\n");
    return ExitCode::kDone;
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app("Builds a submission from an agent's files and checks it.", "havln-pack");
    PackCommand command;
    add_options(app, command);
    return run_command(app, command.common, argc, argv, [&] { return run(command); });
}
