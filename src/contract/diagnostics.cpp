#include "havln/diagnostics.h"

#include <array>
#include <utility>

namespace havln {

namespace {

/// What is public about a code: both texts are part of the outputs.
struct CodeTexts {
    std::string_view name;
    std::string_view summary;
};

constexpr std::array<CodeTexts, kDiagnosticCodeCount> kCodes = {{
    {"archive-not-zip", "The file is no zip archive."},
    {"archive-truncated", "A part of the archive is missing."},
    {"archive-encrypted-member", "A member is encrypted."},
    {"archive-unsupported-method", "A member is compressed with a method other than deflate."},
    {"archive-checksum-mismatch", "A member's bytes are damaged."},
    {"archive-inconsistent-header", "The archive's headers contradict each other or its content."},
    {"archive-nested-path", "A member stands in a folder; all must stand at the root."},
    {"archive-unsafe-path", "A member's path leads out of the archive."},
    {"archive-special-file", "A member is a link, a device or a pipe."},
    {"archive-duplicate-member", "Two members have the same name."},
    {"archive-too-large", "The archive goes beyond a limit."},
    {"archive-reserved-name", "The competition server gives this name a meaning of its own."},
    {"json-syntax", "The text is not JSON."},
    {"json-encoding", "The text is not UTF-8 without a byte-order mark."},
    {"json-duplicate-key", "A key stands twice in one object."},
    {"json-too-deep", "The text is nested too deeply."},
    {"split-missing", "No file holds the prediction for a required split."},
    {"split-duplicate", "Two files hold predictions for the same split."},
    {"split-unrecognised", "A file names no known split and is ignored."},
    {"format-version", "format_version is not the integer 1."},
    {"field-missing", "A key is missing."},
    {"field-type", "A value is of the wrong type."},
    {"field-unknown", "A key is not known and is ignored."},
    {"episode-id-type", "An episode_id is not a string."},
    {"episode-duplicate", "An episode stands twice."},
    {"episode-missing", "Official episodes are missing."},
    {"episode-unknown", "An episode is not of this split."},
    {"actions-empty", "A list of actions is empty."},
    {"actions-too-long", "A list of actions is longer than the budget."},
    {"action-unknown", "A string is not the name of an action."},
    {"action-type", "An action is not a string."},
    {"stop-missing", "An episode below the budget does not end with STOP."},
    {"stop-not-last", "STOP stands before the end."},
}};
static_assert(!kCodes.back().name.empty(), "every code has its texts");

constexpr std::size_t index_of(DiagnosticCode code) {
    return static_cast<std::size_t>(code);
}

}  // namespace

std::string_view diagnostic_code_name(DiagnosticCode code) {
    return kCodes[index_of(code)].name;
}

std::string_view diagnostic_code_summary(DiagnosticCode code) {
    return kCodes[index_of(code)].summary;
}

Severity default_severity(DiagnosticCode code) {
    switch (code) {
        case DiagnosticCode::kArchiveReservedName:
        case DiagnosticCode::kSplitUnrecognised:
        case DiagnosticCode::kFieldUnknown:
            return Severity::kWarning;
        default:
            return Severity::kError;
    }
}

DiagnosticLog::DiagnosticLog(std::size_t max_kept_per_code)
    : max_kept_per_code_(max_kept_per_code) {}

bool DiagnosticLog::wants(DiagnosticCode code) const {
    return kept_per_code_[index_of(code)] < max_kept_per_code_;
}

void DiagnosticLog::add(Diagnostic diagnostic) {
    tally(diagnostic.code, diagnostic.severity, diagnostic.count);
    if (!wants(diagnostic.code)) return;
    ++kept_per_code_[index_of(diagnostic.code)];
    kept_.push_back(std::move(diagnostic));
}

void DiagnosticLog::tally(DiagnosticCode code, Severity severity, std::uint64_t count) {
    const auto row = static_cast<std::size_t>(severity);
    counts_[row][index_of(code)] += count;
    totals_[row] += count;
}

std::uint64_t DiagnosticLog::count(DiagnosticCode code, Severity severity) const {
    return counts_[static_cast<std::size_t>(severity)][index_of(code)];
}

std::uint64_t DiagnosticLog::count(DiagnosticCode code) const {
    return count(code, Severity::kError) + count(code, Severity::kWarning);
}

std::map<DiagnosticCode, std::uint64_t> DiagnosticLog::counts() const {
    std::map<DiagnosticCode, std::uint64_t> occurred;
    for (std::size_t i = 0; i < kCodes.size(); ++i) {
        const auto code = static_cast<DiagnosticCode>(i);
        if (count(code) > 0) occurred[code] = count(code);
    }
    return occurred;
}

}  // namespace havln
