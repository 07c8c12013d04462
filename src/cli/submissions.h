#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "havln/contract.h"
#include "havln/diagnostics.h"
#include "havln/profile.h"

namespace havln::cli {

using Paths = std::vector<std::filesystem::path>;

/// Each archive or folder is a submission of its own; loose .json files together make one.
std::vector<Paths> group_submissions(const Paths& inputs);

/// What a submission for the profile may hold.
/// @param required  splits that it must.
ContractRules contract_rules(const Profile& profile, const std::vector<std::string>& required);

/// For a submission that was refused against the data's ids: where it would pass with those of the
/// challenge's manifest, the data and not the submission is at fault.
/// @param of_data   what it was read against; splits whose ids are the challenge's count as they
/// are.
/// @param data_root  the official layout.
/// @throws Error (kGroundTruth) naming the split.
void require_whole_data(const Paths& submission, const Manifest& of_data, const Manifest& challenge,
                        const ContractRules& rules, const std::filesystem::path& data_root);

/// Adds the diagnostics of `more`, counts included. `take` may change each one on the way, or drop
/// it by giving false.
void add_all(DiagnosticLog& log, const DiagnosticLog& more,
             const std::function<bool(Diagnostic&)>& take);

}  // namespace havln::cli
