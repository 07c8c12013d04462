#pragma once

#include <string>

#include "havln/contract.h"
#include "report/diagnostics_text.h"

namespace havln {

/// The outcome as SARIF 2.1.0 (OASIS standard). Members of an archive are artifacts nested in it
/// (section 3.24.3). Columns are bytes, which equal SARIF's characters as long as the line is
/// ASCII.
std::string diagnostics_sarif(const ReadResult& result, const CheckFacts& facts);

}  // namespace havln
