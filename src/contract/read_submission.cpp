#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "contract/file_report.h"
#include "contract/input_files.h"
#include "contract/prediction.h"
#include "contract/split_check.h"
#include "havln/contract.h"
#include "havln/error.h"
#include "io/escape.h"

namespace havln {

namespace {

/// Reads one submission: a first look at every file, then the predictions in full.
class SubmissionReader {
  public:
    /// @throws Error (kUsage) where the manifest lacks a required split.
    SubmissionReader(const Manifest& manifest, const ContractRules& rules);

    /// @param found  called after the first look with the names of the splits found.
    using Found = std::function<void(const std::vector<std::string>& splits)>;
    ReadResult read(InputFiles files, const Found& found = {});

  private:
    std::vector<std::string> found_splits() const;
    void look_at_all();
    void set_broken_apart(std::size_t split);
    void read_file(std::size_t file);
    void read_prediction_file(const InputFile& input, std::size_t split, FileReport& report);
    void report_extra(const InputFile& input, const SplitSniff& sniff, FileReport& report);
    void report_missing_splits();
    bool required(std::size_t split) const;
    bool any_required_missing() const;
    std::string missing_split_hint() const;
    std::string known_splits() const;

    const ContractRules& rules_;
    ManifestIndex index_;
    UnknownKeys unknown_keys_;
    std::vector<std::size_t> required_;  ///< By position in the manifest; all known where none is.
    InputFiles files_;
    std::vector<SplitSniff> sniffs_;
    std::vector<std::optional<Diagnostic>> source_faults_;  ///< Of files that are no prediction.
    std::vector<std::vector<std::size_t>> predictions_;     ///< By split: the files that hold it.
    std::vector<std::pair<std::size_t, SplitSubmission>> read_;  ///< By split, in file order.
    ReadResult result_;
};

SubmissionReader::SubmissionReader(const Manifest& manifest, const ContractRules& rules)
    : rules_(rules), index_(manifest) {
    result_.diagnostics = DiagnosticLog(rules.limits.max_kept_per_code);
    for (const std::string& name : rules.required_splits) {
        const std::optional<std::size_t> split = index_.split(name);
        if (!split) {
            throw usage_error({}, fmt::format("the split {} is not in the manifest", quote(name)));
        }
        required_.push_back(*split);
    }
    if (required_.empty()) {
        required_.resize(manifest.splits.size());
        std::iota(required_.begin(), required_.end(), std::size_t{0});
    }
}

ReadResult SubmissionReader::read(InputFiles files, const Found& found) {
    files_ = std::move(files);
    for (Diagnostic& diagnostic : files_.faults) {
        result_.diagnostics.add(std::move(diagnostic));
    }
    look_at_all();
    if (found) found(found_splits());
    for (std::size_t i = 0; i < files_.files.size(); ++i) read_file(i);
    if (files_.readable) report_missing_splits();
    for (const std::size_t split : required_) {
        for (auto& [which, submission] : read_) {
            if (which == split) result_.splits.push_back(std::move(submission));
        }
    }
    return std::move(result_);
}

void SubmissionReader::look_at_all() {
    predictions_.resize(index_.manifest().splits.size());
    sniffs_.resize(files_.files.size());
    source_faults_.resize(files_.files.size());
    for (std::size_t i = 0; i < files_.files.size(); ++i) {
        const InputFile& input = files_.files[i];
        if (!input.candidate) continue;
        const std::unique_ptr<ByteSource> source = input.open();
        sniffs_[i] = sniff_split(*source, index_, rules_.limits.max_json_depth);
        if (sniffs_[i].split) {
            predictions_[*sniffs_[i].split].push_back(i);
        } else {
            source_faults_[i] = source->fault();
        }
    }
    for (std::size_t split = 0; split < predictions_.size(); ++split) {
        if (predictions_[split].size() > 1 || !required(split)) set_broken_apart(split);
    }
}

/// A file whose text is broken is no prediction, whatever split it begins with, where it is not
/// needed: the split is not required, or another file holds it.
void SubmissionReader::set_broken_apart(std::size_t split) {
    std::vector<std::size_t> sound;
    const std::vector<std::size_t> found = predictions_[split];
    for (const std::size_t file : found) {
        const std::unique_ptr<ByteSource> source = files_.files[file].open();
        sniffs_[file].fault = first_text_fault(*source, rules_.limits.max_json_depth);
        source_faults_[file] = source->fault();
        if (!sniffs_[file].fault && !source_faults_[file]) sound.push_back(file);
    }
    if (sound.empty() && required(split)) sound.push_back(found.front());
    for (const std::size_t file : found) {
        const bool is_sound = std::find(sound.begin(), sound.end(), file) != sound.end();
        if (is_sound) {
            source_faults_[file].reset();  // Shows when it is read in full.
        } else {
            sniffs_[file].split.reset();
        }
    }
    predictions_[split] = std::move(sound);
}

std::vector<std::string> SubmissionReader::found_splits() const {
    std::vector<std::string> names;
    for (std::size_t split = 0; split < predictions_.size(); ++split) {
        if (!predictions_[split].empty()) names.push_back(index_.facts(split).name);
    }
    return names;
}

bool SubmissionReader::required(std::size_t split) const {
    return std::find(required_.begin(), required_.end(), split) != required_.end();
}

/// Without required splits, one prediction of any known split must be there.
bool SubmissionReader::any_required_missing() const {
    const auto empty = [&](std::size_t split) { return predictions_[split].empty(); };
    return rules_.required_splits.empty() ? std::all_of(required_.begin(), required_.end(), empty)
                                          : std::any_of(required_.begin(), required_.end(), empty);
}

void SubmissionReader::read_file(std::size_t file) {
    const InputFile& input = files_.files[file];
    FileReport report(result_.diagnostics, input.file,
                      input.in_archive ? input.member : std::nullopt);
    for (const Diagnostic& diagnostic : input.faults) report.add(diagnostic);
    if (!input.candidate) return;
    const SplitSniff& sniff = sniffs_[file];
    if (!sniff.split) {
        if (source_faults_[file]) {
            // The archive must be whole, whatever the member is. Its text is not to be judged then.
            report.add(*source_faults_[file]);
        } else {
            report_extra(input, sniff, report);
        }
        return;
    }
    const std::vector<std::size_t>& same = predictions_[*sniff.split];
    if (same.front() != file && required(*sniff.split)) {
        const InputFile& first = files_.files[same.front()];
        Diagnostic diagnostic =
            diagnostic_at(sniff.place, "/split",
                          fmt::format("a second prediction for {}; the first is {}",
                                      index_.facts(*sniff.split).name,
                                      quote(first.member ? *first.member : first.file)),
                          "keep one of the two, or correct the value of \"split\"");
        diagnostic.code = DiagnosticCode::kSplitDuplicate;
        report.add(std::move(diagnostic));
    }
    read_prediction_file(input, *sniff.split, report);
}

void SubmissionReader::read_prediction_file(const InputFile& input, std::size_t split,
                                            FileReport& report) {
    const std::unique_ptr<ByteSource> source = input.open();
    SplitSummary summary;
    summary.split = index_.facts(split).name;
    summary.member = input.member ? *input.member : std::string();
    summary.file = input.file;
    SplitSubmission submission =
        read_prediction(*source, split, index_, rules_, unknown_keys_, report, summary);
    submission.file = input.file;
    submission.member = summary.member;
    if (source->fault()) report.add(*source->fault());
    result_.summaries.push_back(std::move(summary));
    read_.emplace_back(split, std::move(submission));
}

/// A file that is no prediction. While a required split is missing, a .json file that does not
/// parse is the likely culprit; else it is nobody's business but worth a warning.
void SubmissionReader::report_extra(const InputFile& input, const SplitSniff& sniff,
                                    FileReport& report) {
    Diagnostic diagnostic;
    if (sniff.fault) {
        if (input.json_name) {
            diagnostic =
                diagnostic_at(sniff.fault->place, "", sniff.fault->message, sniff.fault->hint);
            diagnostic.pointer.reset();
            diagnostic.code = sniff.fault->code;
            const bool culprit = any_required_missing() && !input.apple_double;
            diagnostic.severity = culprit ? Severity::kError : Severity::kWarning;
            if (!culprit) diagnostic.message += " (the file is no prediction and is ignored)";
            report.add(std::move(diagnostic));
        }
    } else if (sniff.has_split_key || input.json_name) {
        std::string message = sniff.other_name
                                  ? fmt::format("the split {} is not known; the file is ignored",
                                                quote(*sniff.other_name))
                              : sniff.has_split_key ? "\"split\" is no string; the file is ignored"
                              : sniff.is_object     ? "the file has no \"split\" and is ignored"
                                                : "the file holds no JSON object and is ignored";
        diagnostic = diagnostic_at(sniff.place, sniff.has_split_key ? "/split" : "",
                                   std::move(message), "the splits are " + known_splits());
        diagnostic.code = DiagnosticCode::kSplitUnrecognised;
        diagnostic.severity = Severity::kWarning;
        report.add(std::move(diagnostic));
    }
}

std::string SubmissionReader::known_splits() const {
    std::string known;
    for (const SplitManifest& split : index_.manifest().splits) {
        known += (known.empty() ? "" : ", ") + split.name;
    }
    return known;
}

std::string SubmissionReader::missing_split_hint() const {
    bool nested = false;
    for (std::size_t i = 0; i < files_.files.size(); ++i) {
        const InputFile& input = files_.files[i];
        bool unread = source_faults_[i].has_value();
        for (const Diagnostic& fault : input.faults) {
            const bool is_nested = fault.code == DiagnosticCode::kArchiveNestedPath;
            nested |= is_nested;
            unread |= !input.candidate && !is_nested;
        }
        if (unread) return "it may stand in a file that could not be read, see above";
    }
    if (nested) return "it may stand in a folder: only files at the archive's root count";
    for (const SplitSniff& sniff : sniffs_) {
        if (sniff.other_name) {
            return fmt::format("a file names the split {}: was this one meant?",
                               quote(*sniff.other_name));
        }
    }
    return "add the file of this split, with its name as the value of \"split\"";
}

void SubmissionReader::report_missing_splits() {
    const auto report = [&](std::string_view what) {
        Diagnostic diagnostic;
        diagnostic.code = DiagnosticCode::kSplitMissing;
        diagnostic.message = fmt::format("no file holds the prediction for {}", what);
        diagnostic.hint = missing_split_hint();
        diagnostic.file = files_.name;
        result_.diagnostics.add(std::move(diagnostic));
    };
    if (rules_.required_splits.empty()) {
        if (any_required_missing()) report("any of the splits " + known_splits());
        return;
    }
    for (const std::size_t split : required_) {
        if (predictions_[split].empty()) report(index_.facts(split).name);
    }
}

}  // namespace

ReadResult read_submission(const std::vector<std::filesystem::path>& inputs,
                           const Manifest& manifest, const ContractRules& rules) {
    SubmissionReader reader(manifest, rules);
    return reader.read(open_inputs(inputs, rules.limits));
}

ReadResult read_submission(const std::vector<std::filesystem::path>& inputs,
                           const std::vector<std::string>& known_splits, const SplitFacts& facts_of,
                           const ContractRules& rules) {
    Manifest manifest;
    for (const std::string& name : known_splits) manifest.splits.push_back({name, {}, {}});
    SubmissionReader reader(manifest, rules);
    return reader.read(open_inputs(inputs, rules.limits), [&](const auto& found) {
        for (SplitManifest& facts : facts_of(found)) {
            for (SplitManifest& split : manifest.splits) {
                if (split.name == facts.name) split.episode_ids = std::move(facts.episode_ids);
            }
        }
    });
}

ReadResult read_submission_archive(std::string bytes, const std::string& name,
                                   const Manifest& manifest, const ContractRules& rules) {
    SubmissionReader reader(manifest, rules);
    return reader.read(open_archive_in_memory(name, std::move(bytes), rules.limits));
}

}  // namespace havln
