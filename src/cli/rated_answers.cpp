#include "cli/rated_answers.h"

#include <fmt/format.h>

#include <cstdio>
#include <vector>

#include "havln/agent_log.h"
#include "havln/error.h"
#include "havln/predictions.h"
#include "report/diagnostics_text.h"

namespace havln::cli {

void require_sound(const DiagnosticLog& diagnostics, const std::filesystem::path& file,
                   const CommonOptions& common) {
    if (!diagnostics.rejected()) return;
    CheckFacts facts;
    facts.color = common.color_stderr();
    fmt::print(stderr, "{}\n", faults_text(diagnostics, facts));
    throw usage_error(
        file, fmt::format("the file is at fault, as shown above ({} error{})", diagnostics.errors(),
                          diagnostics.errors() == 1 ? "" : "s"));
}

LlmMatchScore llm_match_of(const std::filesystem::path& ratings, const CommonOptions& common) {
    const Ratings read = read_ratings(ratings);
    require_sound(read.diagnostics, ratings, common);
    if (read.by_question.empty()) {
        throw usage_error(ratings, "rates no question; expected {QUESTION_ID: 1 to 5}");
    }
    std::vector<int> values;
    values.reserve(read.by_question.size());
    for (const auto& [question, rating] : read.by_question) values.push_back(rating);
    return {llm_match(values), values.size()};
}

}  // namespace havln::cli
