#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "havln/scorecard.h"
#include "havln/signature.h"

namespace havln {

/// One split of a result, read back from score_summary.json.
struct SplitResult {
    std::string split;
    Signature signature;        ///< For this split alone.
    Signature whole_signature;  ///< The result's.
    bool partial = false;
    bool has_people = false;
    std::uint64_t episodes = 0;
    std::uint64_t human_influenced = 0;  ///< 0 where `has_people` is false.
    ScoreComponents components;          ///< SR and NE alone where `has_people` is false.
    std::map<std::string, double> means;
    std::string ground_truth_digest;    ///< sha256 (hex); empty where the summary lacks it.
    std::string primary;                ///< The profile's.
    std::vector<std::string> reported;  ///< The profile's.
};

/// A score_summary.json is far smaller; its reader keeps a tree.
inline constexpr std::uint64_t kMaxSummaryBytes = 64ull << 20;

/// A result is named by its folder or by the score_summary.json in it.
std::filesystem::path summary_path(const std::filesystem::path& result);
/// The episodes that belong to a summary.
std::filesystem::path episodes_path(const std::filesystem::path& summary);

/// Reads the document and names its splits, in file order.
/// @throws Error (kUsage), as the following: with the file, the JSON pointer, what was found and
///         what is expected. Numbers out of range, and a score that does not follow from its
///         components, are faults too.
class SummaryReader {
  public:
    SummaryReader(std::string_view text, const std::filesystem::path& origin);
    ~SummaryReader();
    SummaryReader(const SummaryReader&) = delete;
    SummaryReader& operator=(const SummaryReader&) = delete;

    std::vector<std::string> split_names() const;
    /// What the run was asked to do, but for `selection`: enough to replay it.
    RunSettings settings() const;
    SplitResult split(const std::string& name) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One episode of a result, read back from episode_metrics.json.
struct EpisodeResult {
    std::string episode_id;
    std::map<std::string, double> metrics;  ///< Every number of the record by name.
};

/// Episodes by split, in file order. @throws Error (kUsage), also where an id stands twice.
std::map<std::string, std::vector<EpisodeResult>> read_episode_results(
    std::string_view text, const std::filesystem::path& origin);

/// The row of a result with people. @throws Error (kUsage) naming the metric that is missing or
/// that no episode can have.
ScoreRow score_row(const EpisodeResult& episode, const std::filesystem::path& origin);

}  // namespace havln
