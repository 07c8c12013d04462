#pragma once

#include <filesystem>
#include <string>

#include "cli/score_options.h"
#include "havln/scorecard.h"

namespace havln::cli {

/// scores.json as CodaBench takes it: one object of numbers. For every split SPLIT_score, SPLIT_SR,
/// SPLIT_NE, SPLIT_CR, SPLIT_TCR, SPLIT_navigation and SPLIT_social; the other collision reading's
/// as SPLIT_contact_SR or SPLIT_released_SR and so on; the mean of every per-episode metric as
/// SPLIT_spl and so on; SPLIT_episodes. The first five also without SPLIT_, for the split that
/// ranks: val_unseen, or the only one. A profile without people has neither CR, TCR nor score.
std::string codabench_scores(const Scorecard& card);

/// Scores as CodaBench's scoring program, exactly as the command line says: INPUT/res is the
/// submission, unpacked, with the platform's own `metadata` file in it; INPUT/ref the data root,
/// every split of which is required unless --split says otherwise. Writes scores.json and
/// detailed_results.html into OUTPUT. A rejected submission: neither, and the reason on stderr.
/// @pre command.codabench holds INPUT and OUTPUT.
ExitCode run_codabench(const ScoreCommand& command);

}  // namespace havln::cli
