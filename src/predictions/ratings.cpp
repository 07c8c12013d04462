#include <fmt/format.h>

#include <string>

#include "havln/predictions.h"
#include "io/escape.h"
#include "predictions/value_reader.h"

namespace havln {

Ratings read_ratings(const std::filesystem::path& file) {
    Ratings ratings;
    FileReport report(ratings.diagnostics, file.string(), {});
    const std::string text = read_prediction_text(file, ReadLimits().max_member_bytes);
    ValueReader reader(text, report);
    reader.object("an object {QUESTION_ID: rating from 1 to 5}", [&](const std::string& question) {
        const auto rating = reader.integer(1, 5);
        if (rating && !ratings.by_question.emplace(question, static_cast<int>(*rating)).second) {
            reader.fault(DiagnosticCode::kJsonDuplicateKey,
                         [&] { return fmt::format("{} is rated twice", quote(question)); });
        }
    });
    reader.finish();
    return ratings;
}

}  // namespace havln
