#include "havln/diagnostics.h"

#include <array>
#include <utility>

namespace havln {

namespace {

constexpr std::array<std::string_view, kDiagnosticCodeCount> kNames = {
    "archive-not-zip",
    "archive-truncated",
    "archive-encrypted-member",
    "archive-unsupported-method",
    "archive-checksum-mismatch",
    "archive-inconsistent-header",
    "archive-nested-path",
    "archive-unsafe-path",
    "archive-special-file",
    "archive-duplicate-member",
    "archive-too-large",
    "archive-reserved-name",
    "json-syntax",
    "json-encoding",
    "json-duplicate-key",
    "json-too-deep",
    "split-missing",
    "split-duplicate",
    "split-unrecognised",
    "format-version",
    "field-missing",
    "field-type",
    "field-unknown",
    "episode-id-type",
    "episode-duplicate",
    "episode-missing",
    "episode-unknown",
    "actions-empty",
    "actions-too-long",
    "action-unknown",
    "action-type",
    "stop-missing",
    "stop-not-last",
};
static_assert(!kNames.back().empty(), "every code has a name");

constexpr std::size_t index_of(DiagnosticCode code) {
    return static_cast<std::size_t>(code);
}

}  // namespace

std::string_view diagnostic_code_name(DiagnosticCode code) {
    return kNames[index_of(code)];
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
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        const auto code = static_cast<DiagnosticCode>(i);
        if (count(code) > 0) occurred[code] = count(code);
    }
    return occurred;
}

}  // namespace havln
