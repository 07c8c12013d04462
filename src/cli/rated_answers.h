#pragma once

#include <filesystem>

#include "cli/common.h"
#include "havln/diagnostics.h"
#include "havln/scorecard.h"

namespace havln::cli {

/// Shows a file's faults on stderr and throws Error (kUsage) where it has any.
void require_sound(const DiagnosticLog& diagnostics, const std::filesystem::path& file,
                   const CommonOptions& common);

/// LLM-Match of a file of ratings. @throws Error (kUsage) where the file is at fault (its faults
/// are shown on stderr) or rates nothing.
LlmMatchScore llm_match_of(const std::filesystem::path& ratings, const CommonOptions& common);

}  // namespace havln::cli
