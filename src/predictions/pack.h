#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "havln/contract.h"
#include "havln/predictions.h"
#include "io/file.h"

namespace havln {

/// A file of an agent's predictions.
struct PackInput {
    std::filesystem::path file;
    /// Its split, where the user said so; what the file names must then agree.
    std::string split;
};

struct PackRules {
    /// Split of files and episodes that name none; empty where there is no such split.
    std::string default_split;
    ActionCodes action_codes;  ///< Empty: integer actions are faults.
    bool last_wins = false;    ///< Of one episode's several predictions the last is taken.
    std::uint64_t max_file_bytes = kMaxFileBytes;
};

/// Where an episode stands.
struct EpisodePlace {
    std::string file;
    std::uint64_t line = 0, column = 0;  ///< 1-based.
};

/// An episode whose earlier prediction gave way to a later one.
struct ReplacedEpisode {
    std::string split, episode_id;
    EpisodePlace dropped, kept;
};

struct PackResult {
    /// In the manifest's order, their episodes too; what is not official comes last. Complete only
    /// if not rejected.
    std::vector<SplitSubmission> splits;
    std::vector<ReplacedEpisode> replaced;  ///< In the order in which they were read.
    std::uint64_t quoted_ids = 0;           ///< Ids that were numbers and became strings.
    std::uint64_t translated_actions = 0;   ///< Actions that were codes and became names.
    DiagnosticLog diagnostics;
};

/// Reads predictions in the forms that agents write, merging files of one split:
/// - {"episodes": [{"episode_id", "actions"}, ...]} with the split under "split" or, as in the
///   challenge's earlier actions.json, under "metadata"."split"; or that list alone;
/// - {ID: [action, ...], ...}, alone or under "episodes";
/// - JSON Lines (".jsonl"): one {"episode_id", "actions"} a line.
/// An episode may name its own "split". What an episode holds besides is left out. Files may be
/// gzip-compressed (".gz").
///
/// Faults are diagnostics: text that is no JSON, an episode without id, actions or split, what is
/// no action, an episode that comes twice. Whether the result is a valid submission is for
/// read_submission to say.
/// @throws Error (kUsage) where a file cannot be read, or where it contradicts PackInput::split.
PackResult collect_predictions(const std::vector<PackInput>& inputs, const Manifest& manifest,
                               const PackRules& rules);

/// The split's prediction file: format version 1, one episode a line.
std::string prediction_file(const SplitSubmission& split);

/// The submission: a flat archive of SPLIT.json members. Equal predictions give equal bytes.
std::string submission_archive(const std::vector<SplitSubmission>& splits);

}  // namespace havln
