#pragma once

#include <string>

#include "havln/scorecard.h"

namespace havln {

/// The table on stdout: one block per split with both collision readings side by side, the means
/// that people look for, and the signature. A partial result says so in the first line and beside
/// each split. Plain text, ends in a newline.
std::string score_table(const Scorecard& card);

/// LLM-Match and the number of rated questions, in one line.
std::string llm_match_line(const LlmMatchScore& match);

}  // namespace havln
