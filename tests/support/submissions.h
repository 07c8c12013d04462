#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "havln/contract.h"
#include "support/zip_builder.h"

namespace havln::test {

/// A manifest small enough to write out: val_seen has the ids 1 to 3, val_unseen 1 to 5, test 1 to
/// 7.
Manifest small_manifest();

/// Rules of phase 1.
ContractRules phase_1_rules();

/// {"episode_id":"ID","actions":[ACTIONS]}.
std::string episode_json(std::string_view id, std::string_view actions = "\"STOP\"");

/// A prediction with these episodes.
std::string prediction_json(std::string_view split, const std::vector<std::string>& episodes);

/// A valid prediction of the small manifest: STOP only.
std::string good_prediction(std::string_view split);

/// Members val_seen.json and val_unseen.json, both valid.
ZipFile good_archive();

/// The archive's check against the small manifest and phase 1; it is called "test.zip".
ReadResult check(const ZipFile& archive);
ReadResult check(std::string archive_bytes);

/// The check of a good archive whose val_seen.json is replaced by this text.
ReadResult check_val_seen(std::string json);

/// The codes that were found, with severity: "error action-type, warning field-unknown", in file
/// order, each once.
std::string findings(const ReadResult& result);

/// The first diagnostic of that code. Fails the test where there is none.
Diagnostic first_of(const ReadResult& result, DiagnosticCode code);

}  // namespace havln::test
