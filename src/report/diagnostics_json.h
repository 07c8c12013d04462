#pragma once

#include <string>

#include "havln/contract.h"
#include "report/diagnostics_text.h"

namespace havln {

/// The whole outcome as JSON, schema_version 1; docs/diagnostics.md says what is in it. Absent facts
/// are left out. Faults beyond max_shown per code are counted but not listed.
std::string diagnostics_json(const ReadResult& result, const CheckFacts& facts);

}  // namespace havln
