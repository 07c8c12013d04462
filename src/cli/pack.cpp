#include "predictions/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/common.h"
#include "cli/manifest_options.h"
#include "cli/submissions.h"
#include "contract/split_check.h"
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
                   "merged; docs/data.md shows the forms that are read")
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

/// Characters to put in, take out or change to make one text of the other (Levenshtein).
std::size_t edits_between(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t k = 0; k < b.size(); ++k) {
            const std::size_t changed = diagonal + (a[i] == b[k] ? 0 : 1);
            diagonal = row[k + 1];
            row[k + 1] = std::min({changed, diagonal + 1, row[k] + 1});
        }
    }
    return row.back();
}

/// What to say of "NAME=FILE" where NAME is no split.
Error unknown_split(std::string_view name, const Manifest& manifest) {
    constexpr std::size_t kMaxShownBytes = 80;
    std::string meant, known;
    std::size_t least = 3;  // more edits than that are another word
    for (const SplitManifest& split : manifest.splits) {
        known += (known.empty() ? "" : ", ") + escape_control(split.name);
        if (name.size() > kMaxShownBytes || split.name.size() > kMaxShownBytes) continue;
        const std::size_t edits = edits_between(name, split.name);
        if (edits < least) meant = fmt::format("; did you mean {}?", escape_control(split.name));
        least = std::min(least, edits);
    }
    return usage_error({}, fmt::format("there is no split {}{} The splits are {}", quote(name),
                                       meant.empty() ? "." : meant, known));
}

/// "val_seen=FILE" with a split of the manifest; any other text is a file's name as a whole.
/// @throws Error (kUsage) where neither holds and the split is what seems mistyped.
PackInput parse_input(const std::string& text, const Manifest& manifest) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos) return {text, {}};
    const std::string name = text.substr(0, equals);
    if (manifest.find(name) != nullptr) return {text.substr(equals + 1), name};
    std::error_code error;
    const bool is_path = name.find('/') != name.npos || std::filesystem::exists(text, error);
    if (!is_path) throw unknown_split(name, manifest);
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

/// "FILE:LINE:COLUMN", as editors take it.
std::string show(const EpisodePlace& place) {
    return fmt::format("{}:{}:{}", escape_control(place.file), place.line, place.column);
}

/// A line for what gave way in one file to another: exact places for one episode, else the ids.
std::string what_gave_way(const std::vector<ReplacedEpisode>& replaced) {
    using Files = std::tuple<std::string, std::string, std::string>;  // split, dropped, kept
    std::map<Files, std::vector<const ReplacedEpisode*>> groups;
    for (const ReplacedEpisode& episode : replaced) {
        groups[{episode.split, episode.dropped.file, episode.kept.file}].push_back(&episode);
    }
    std::string text;
    for (const auto& [files, episodes] : groups) {
        const auto& [split, dropped, kept] = files;
        const ReplacedEpisode& first = *episodes.front();
        text += fmt::format("  {} ", escape_control(split));
        if (episodes.size() == 1) {
            text += fmt::format("{}: {} gave way to {}\n", quote(first.episode_id),
                                show(first.dropped), show(first.kept));
            continue;
        }
        std::vector<std::string_view> ids;
        for (const ReplacedEpisode* episode : episodes) ids.push_back(episode->episode_id);
        text +=
            fmt::format("{}: {} in {} gave way to {}, the first at {} to {}\n",
                        escape_control(id_ranges(ids)), episodes.size(), escape_control(dropped),
                        escape_control(kept), show(first.dropped), show(first.kept));
    }
    return text;
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
    return text + what_gave_way(packed.replaced);
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
