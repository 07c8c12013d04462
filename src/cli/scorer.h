#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/score_options.h"
#include "cli/submissions.h"
#include "havln/clock.h"
#include "havln/contract.h"
#include "havln/groundtruth.h"
#include "havln/predictions.h"
#include "havln/score_run.h"
#include "havln/scorecard.h"

namespace havln::cli {

/// A submission's result, before it is written anywhere.
struct ScoredSubmission {
    std::string title;  ///< Name of its archive, folder or file.
    Scorecard card;
    std::vector<SplitRun> runs;
    std::vector<SplitSubmission> splits;  ///< Its actions; empty for logged positions.
};

/// Scores submissions as the command line says; the ground truth is loaded once for all of them.
class Scorer {
  public:
    /// @throws Error where the command line contradicts itself or the ground truth is at fault.
    explicit Scorer(const ScoreCommand& command);

    /// Says why a submission is rejected. As long as none is set, that goes to stdout.
    using Rejection = std::function<void(const ReadResult&)>;
    void on_rejection(Rejection tell) { tell_rejection_ = std::move(tell); }

    /// Validates, replays and scores. Nothing where the submission is rejected: why is said.
    std::optional<ScoredSubmission> score(const Paths& submission);

    /// Writes what --out, --trace and --report ask for. @param out  empty: no folder was asked for.
    void write(const ScoredSubmission& scored, const std::filesystem::path& out);

    /// Writes one shard's results for havln-merge. @return the file.
    std::filesystem::path write_shard(const ScoredSubmission& scored,
                                      const std::filesystem::path& out) const;

  private:
    Manifest manifest_of(const std::vector<std::string>& splits);
    ContractRules contract_rules() const;
    std::optional<std::vector<SplitRun>> score_actions(const Paths& submission, std::string& digest,
                                                       std::vector<SplitSubmission>& splits);
    std::optional<std::vector<SplitRun>> score_positions(const Paths& submission,
                                                         std::string& digest);
    ReadResult read_challenge_actions(const Paths& submission);
    std::optional<ReadResult> read_actions(const Paths& submission);
    const SplitManifest& only_split();
    /// @throws Error (kUsage) where --human-influenced names no split of the data.
    void check_human_influenced() const;
    /// @throws Error (kUsage) where it says more episodes than the split has.
    void check_human_influenced(const SplitManifest& split) const;
    /// Says why the submission is rejected, in the format that was asked for.
    void reject(const ReadResult& result) const;
    void load_agent_log();
    void load_ratings();
    std::vector<std::unique_ptr<Clock>> sampled_clocks() const;
    void add_clock_study(SplitRun& run, const SplitSubmission& submission);
    Scorecard make_card(const std::vector<SplitRun>& runs, const std::string& digest);
    void warn(const SplitRun& run);
    void warn_once(const std::string& line);
    /// An id that is wrong would else leave its episode's figures out without a word.
    void warn_of_agent_log(const std::vector<SplitRun>& runs);
    std::string trace_lines(const std::vector<SplitRun>& runs);

    const ScoreCommand& command_;
    Profile profile_;
    GroundTruth ground_truth_;
    std::optional<LoadAhead> ahead_;
    std::unique_ptr<Clock> clock_;
    /// Tells which splits are the challenge's, and their beta L. The built-in one is read while
    /// the ground truth loads.
    std::optional<Manifest> official_;
    ScoreOptions options_;
    std::vector<std::string> splits_;  ///< That a submission may hold.
    Manifest manifest_;                ///< Of those that it must, or does, hold.
    std::map<std::string, AgentLogTotals> agent_log_;
    std::optional<LlmMatchScore> llm_match_;
    std::vector<std::unique_ptr<Clock>> clocks_;  ///< Of --clock-sweep or --clock-samples.
    std::set<std::string> warned_;
    Rejection tell_rejection_;
};

}  // namespace havln::cli
