#pragma once

#include <string>

#include "havln/contract.h"
#include "report/diagnostics_text.h"

namespace havln {

/// The outcome as JUnit XML: one test case for each code, failed where an error of that code was
/// found. Untrusted text is escaped to what XML 1.0 can hold.
std::string diagnostics_junit(const ReadResult& result, const CheckFacts& facts);

}  // namespace havln
