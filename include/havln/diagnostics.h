#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace havln {

/// What can be wrong with a submission. The public names (diagnostic_code_name) are stable: used in
/// JSON output, JUnit, annotations and tests. More may be added; none is renamed.
enum class DiagnosticCode : std::uint8_t {
    kArchiveNotZip,
    kArchiveTruncated,
    kArchiveEncryptedMember,
    kArchiveUnsupportedMethod,
    kArchiveChecksumMismatch,
    kArchiveInconsistentHeader,
    kArchiveNestedPath,
    kArchiveUnsafePath,
    kArchiveSpecialFile,
    kArchiveDuplicateMember,
    kArchiveTooLarge,
    kArchiveReservedName,  ///< Warning.
    kJsonSyntax,
    kJsonEncoding,
    kJsonDuplicateKey,
    kJsonTooDeep,
    kSplitMissing,
    kSplitDuplicate,
    kSplitUnrecognised,  ///< Warning.
    kFormatVersion,
    kFieldMissing,
    kFieldType,
    kFieldUnknown,  ///< Warning.
    kEpisodeIdType,
    kEpisodeDuplicate,
    kEpisodeMissing,
    kEpisodeUnknown,
    kActionsEmpty,
    kActionsTooLong,
    kActionUnknown,
    kActionType,
    kStopMissing,
    kStopNotLast,
};

inline constexpr int kDiagnosticCodeCount = static_cast<int>(DiagnosticCode::kStopNotLast) + 1;

/// The public name, e.g. "archive-not-zip".
std::string_view diagnostic_code_name(DiagnosticCode code);

/// What the code means, in one sentence.
std::string_view diagnostic_code_summary(DiagnosticCode code);

enum class Severity : std::uint8_t { kError, kWarning };

/// One fault of a participant's content and where it is. Facts that are unknown are absent.
/// Text may hold the participant's bytes as they came: whoever prints it escapes it.
struct Diagnostic {
    DiagnosticCode code = DiagnosticCode::kArchiveNotZip;
    Severity severity = Severity::kError;
    std::string message;  ///< What is wrong: found and expected.
    std::string hint;     ///< How to mend it; may be empty.
    std::string file;     ///< Archive, folder file or loose file on disk, as the user named it.
    /// Of the archive that `file` names, cut to 1024 bytes; absent for folders and loose files.
    std::optional<std::string> member;
    std::optional<std::uint64_t> line;    ///< 1-based.
    std::optional<std::uint64_t> column;  ///< 1-based, in bytes.
    std::optional<std::string> pointer;   ///< JSON pointer (RFC 6901).
    std::optional<std::string> episode_id;
    std::optional<std::uint64_t> step;  ///< 0-based index into the actions.
    /// How many faults of this code it stands for, e.g. all missing ids of a split.
    std::uint64_t count = 1;
};

/// The severity that a code has unless the place makes it milder (a fault of an extra file).
Severity default_severity(DiagnosticCode code);

/// Collects faults in file order. Counts are complete; of each code only the first `max_kept`
/// are kept in full, so that memory is bounded whatever the input holds.
class DiagnosticLog {
  public:
    explicit DiagnosticLog(std::size_t max_kept_per_code = 1000);

    void add(Diagnostic diagnostic);
    /// Whether one more of that code would be kept. Where not, tally() saves making its text.
    bool wants(DiagnosticCode code) const;
    /// Counts faults that are not kept.
    void tally(DiagnosticCode code, Severity severity, std::uint64_t count = 1);

    const std::vector<Diagnostic>& kept() const { return kept_; }
    /// All faults of that code, kept or not.
    std::uint64_t count(DiagnosticCode code) const;
    /// The same of one severity: an extra file's faults are warnings whatever their code.
    std::uint64_t count(DiagnosticCode code, Severity severity) const;
    /// Only codes that occurred.
    std::map<DiagnosticCode, std::uint64_t> counts() const;
    std::uint64_t errors() const { return totals_[0]; }
    std::uint64_t warnings() const { return totals_[1]; }
    bool rejected() const { return errors() > 0; }

  private:
    std::size_t max_kept_per_code_;
    std::vector<Diagnostic> kept_;
    std::array<std::array<std::uint64_t, kDiagnosticCodeCount>, 2> counts_{};  ///< By severity.
    std::array<std::size_t, kDiagnosticCodeCount> kept_per_code_{};
    std::array<std::uint64_t, 2> totals_{};
};

}  // namespace havln
