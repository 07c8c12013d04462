#pragma once

#include <string>

#include "havln/contract.h"
#include "report/diagnostics_text.h"

namespace havln {

/// The outcome as GitHub workflow commands: an annotation for each of the first ten errors and ten
/// warnings, as many as GitHub shows for one step, then the outcome in one line. Untrusted text
/// cannot become a command of its own.
std::string diagnostics_github(const ReadResult& result, const CheckFacts& facts);

/// The whole outcome as Markdown for a job's summary page, cut to what GitHub takes (1 MiB).
std::string diagnostics_github_summary(const ReadResult& result, const CheckFacts& facts);

}  // namespace havln
