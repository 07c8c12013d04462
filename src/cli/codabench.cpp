#include "cli/codabench.h"

#include <fmt/format.h>

#include <set>

#include "cli/scorer.h"
#include "cli/submissions.h"
#include "io/file.h"
#include "io/json_writer.h"
#include "report/diagnostics_text.h"
#include "report/score_table.h"

namespace havln::cli {

namespace {

/// One flat object; a name that is taken keeps its first value.
class FlatScores {
  public:
    FlatScores() { json_.begin_object(); }
    template <typename Number>
    void add(const std::string& name, Number value) {
        if (names_.insert(name).second) json_.member(name, value);
    }
    std::string take() { return json_.end_object().take(); }

  private:
    JsonWriter json_;
    std::set<std::string> names_;
};

/// What ranks, in the official order.
void add_ranking(FlatScores& scores, const std::string& prefix, const SplitScore& split) {
    if (split.has_people) scores.add(prefix + "score", split.headline.score);
    scores.add(prefix + "SR", split.headline.SR);
    scores.add(prefix + "NE", split.headline.NE);
    if (!split.has_people) return;
    scores.add(prefix + "CR", split.headline.CR);
    scores.add(prefix + "TCR", split.headline.TCR);
}

void add_split(FlatScores& scores, const SplitScore& split) {
    const std::string prefix = split.split + "_";
    add_ranking(scores, prefix, split);
    if (split.has_people) {
        scores.add(prefix + "navigation", split.headline.navigation);
        scores.add(prefix + "social", split.headline.social);
    }
    if (split.other) {
        const std::string other =
            prefix + (split.reading == CollisionReading::kContact ? "released_" : "contact_");
        scores.add(other + "score", split.other->score);
        scores.add(other + "SR", split.other->SR);
        scores.add(other + "CR", split.other->CR);
        scores.add(other + "TCR", split.other->TCR);
    }
    scores.add(prefix + "episodes", split.episodes);
    for (const auto& [metric, mean] : split.means) scores.add(prefix + metric, mean);
}

/// The split whose result ranks; null where that cannot be told.
const SplitScore* ranking_split(const Scorecard& card) {
    for (const SplitScore& split : card.splits) {
        if (split.split == "val_unseen") return &split;
    }
    return card.splits.size() == 1 ? &card.splits.front() : nullptr;
}

/// The rejection without what is said of `metadata`, which is the platform's own file here.
ReadResult participants(const ReadResult& read) {
    ReadResult told;
    add_all(told.diagnostics, read.diagnostics, [](const Diagnostic& diagnostic) {
        return diagnostic.code != DiagnosticCode::kArchiveReservedName;
    });
    return told;
}

}  // namespace

std::string codabench_scores(const Scorecard& card) {
    FlatScores scores;
    if (const SplitScore* split = ranking_split(card)) add_ranking(scores, "", *split);
    for (const SplitScore& split : card.splits) add_split(scores, split);
    return scores.take();
}

ExitCode run_codabench(const ScoreCommand& command) {
    HAVLN_CHECK(command.codabench.size() == 2);
    const std::filesystem::path input = command.codabench[0], output = command.codabench[1];
    ScoreCommand inner = command;
    inner.inputs = {input / "res"};
    inner.data = input / "ref";
    inner.report = output / "detailed_results.html";
    if (inner.splits.empty()) inner.splits = GroundTruth(inner.data).split_names();
    Scorer scorer(inner);
    scorer.on_rejection([&](const ReadResult& read) {
        fmt::print(stderr, "{}", rejection_text(participants(read), inner.common.color_stderr()));
    });
    std::optional<ScoredSubmission> scored = scorer.score(inner.inputs);
    if (!scored) return ExitCode::kRejected;
    scored->title = "Submission";  // the platform does not tell its name
    make_folder(output);
    scorer.write(*scored, {});
    write_file_atomically(output / "scores.json", codabench_scores(scored->card));
    print_result(score_table(scored->card));
    return ExitCode::kDone;
}

}  // namespace havln::cli
