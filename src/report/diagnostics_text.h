#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "havln/contract.h"

namespace havln {

/// What the reports of a check say beside its diagnostics.
struct CheckFacts {
    std::string manifest_digest;
    std::size_t max_shown = 20;  ///< Faults shown per code; counts are always complete.
    bool color = false;          ///< Text and the verdict line only.
    /// What was mended before the check; text and JSON only.
    struct Fix {
        std::vector<std::string> changes;
        std::string written_to;  ///< Empty where mending was refused.
    };
    std::optional<Fix> fix;
};

/// The whole outcome as text: begins with "PASS:" or "SUBMISSION REJECTED:", then errors and
/// warnings grouped by code. Untrusted text is escaped.
std::string diagnostics_text(const ReadResult& result, const CheckFacts& facts);

/// The faults alone, grouped by code as above, without a verdict: for files beside the submission.
std::string faults_text(const DiagnosticLog& log, const CheckFacts& facts = {});

/// Its first line alone, with the line break.
std::string verdict_line(const ReadResult& result, const CheckFacts& facts);

/// The text of a rejected submission, as every command shows it.
std::string rejection_text(const ReadResult& result, bool color);

/// Where a diagnostic stands: "FILE, member MEMBER, line 1, column 20 (episode "7", step 3)".
std::string diagnostic_place(const Diagnostic& diagnostic);

}  // namespace havln
