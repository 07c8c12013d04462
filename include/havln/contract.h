#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "havln/actions.h"
#include "havln/diagnostics.h"
#include "havln/submission.h"

namespace havln {

/// The official facts of one split that a submission is checked against.
struct SplitManifest {
    std::string name;
    std::vector<std::string> episode_ids;  ///< Every official id, in order.
    /// beta L, the episodes with a person in the way: CR's denominator. Unknown for some splits.
    std::optional<std::uint64_t> human_influenced;
};

/// All splits that are known, required or not (a file of another known split gets a better hint).
struct Manifest {
    std::vector<SplitManifest> splits;
    std::string digest;  ///< sha256 over its canonical form, hex; names it in outputs.

    const SplitManifest* find(std::string_view split) const;
};

/// sha256 (hex) over the manifest's canonical form: compact JSON, splits sorted by name, ids listed
/// in full in their order. Set Manifest::digest to it after building one by hand.
std::string manifest_digest(const Manifest& manifest);

/// The challenge's own manifest: val_seen, val_unseen and test.
Manifest builtin_manifest();

/// Reads {"splits": {NAME: {"episode_ids": [...]} or {"count": n}, "human_influenced": k}}.
/// @throws Error (kUsage) that names the file, the place and what is wrong.
Manifest load_manifest(const std::filesystem::path& path);

/// Required splits of a phase: 1 gives val_seen and val_unseen, 2 gives test.
std::vector<std::string> phase_splits(int phase);

/// Bounds on what is read from an archive or folder, whatever it declares.
struct ReadLimits {
    std::uint64_t max_members = 10'000;
    std::uint64_t max_member_bytes = 256ull << 20;  ///< One member, inflated [bytes].
    std::uint64_t max_total_bytes = 512ull << 20;   ///< All members, inflated [bytes].
    int max_json_depth = 64;
    /// Faults kept in full for each code; the others are only counted.
    std::size_t max_kept_per_code = 1000;
};

/// What a valid submission looks like.
struct ContractRules {
    /// Each exactly once. Empty: whichever of the manifest's splits the submission holds, at least
    /// one, none twice.
    std::vector<std::string> required_splits;
    std::uint32_t max_actions = 500;  ///< Step budget; that many may lack STOP.
    /// Actions of the profile's set, by Action value.
    std::array<bool, kActionCount> allowed = {true, true, true, true, true, true};
    ReadLimits limits;
};

/// One input that is a split's prediction, valid or not.
struct SplitSummary {
    std::string split;
    std::string file;    ///< Archive or file on disk that holds it.
    std::string member;  ///< Member of the archive or folder; empty for a loose file.
    std::uint64_t episodes = 0;
    std::uint64_t actions = 0;
};

/// Outcome of reading a submission.
struct ReadResult {
    std::vector<SplitSubmission> splits;  ///< In required order, or the manifest's where none is
                                          ///< required; complete only if not rejected.
    std::vector<SplitSummary> summaries;
    DiagnosticLog diagnostics;

    bool rejected() const { return diagnostics.rejected(); }
};

/// Reads and checks a submission: a .zip, a flat folder, or loose .json files.
/// @param inputs  one archive or folder, or one or more loose files, that make one submission.
/// @throws Error (kUsage) where an input cannot be opened or read; faults of content are
///         diagnostics of the result.
ReadResult read_submission(const std::vector<std::filesystem::path>& inputs,
                           const Manifest& manifest, const ContractRules& rules);

/// Gives the official facts of splits, in the order in which they are named.
using SplitFacts =
    std::function<std::vector<SplitManifest>(const std::vector<std::string>& splits)>;

/// The same where facts are dear: they are asked for once, after a first look at the files, and
/// only for the splits that the submission holds.
/// @param known_splits  names of all splits. @throws Error as above, and what `facts_of` throws.
ReadResult read_submission(const std::vector<std::filesystem::path>& inputs,
                           const std::vector<std::string>& known_splits, const SplitFacts& facts_of,
                           const ContractRules& rules);

/// The same for a zip archive in memory. @param name  what diagnostics call it.
ReadResult read_submission_archive(std::string bytes, const std::string& name,
                                   const Manifest& manifest, const ContractRules& rules);

}  // namespace havln
