#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "havln/error.h"
#include "havln/judge.h"
#include "io/escape.h"
#include "io/file.h"
#include "io/json_reader.h"
#include "io/text.h"
#include "predictions/value_reader.h"

namespace havln {

namespace {

constexpr std::uint64_t kMaxQuestionsBytes = 256ull << 20;
constexpr std::size_t kMaxIdBytes = 256;
constexpr std::size_t kMaxTextBytes = 64 << 10;
constexpr std::size_t kMaxExtraAnswers = 100;

std::string bounded_text(JsonReader& json) {
    const std::string_view text = json.string();
    if (text.size() > kMaxTextBytes) {
        throw json.fault(
            fmt::format("a text of {} bytes; the limit is {}", text.size(), kMaxTextBytes));
    }
    return std::string(text);
}

std::string read_id(JsonReader& json) {
    if (json.peek() == JsonReader::Kind::kNumber) return std::to_string(json.integer(0));
    const std::string_view id = json.string();
    if (id.empty() || id.size() > kMaxIdBytes) {
        throw json.fault(fmt::format("expected an id of 1 to {} bytes", kMaxIdBytes));
    }
    return std::string(id);
}

JudgeQuestion read_question(JsonReader& json) {
    JudgeQuestion question;
    std::set<std::string_view> seen;
    json.object([&](std::string_view key) {
        seen.insert(key);
        if (key == "question_id") {
            question.question_id = read_id(json);
        } else if (key == "question") {
            question.question = bounded_text(json);
        } else if (key == "answer") {
            question.answer = bounded_text(json);
        } else if (key == "prediction") {
            if (!json.skip_null()) question.prediction = bounded_text(json);
        } else if (key == "extra_answers") {
            if (json.skip_null()) return;
            json.array([&](std::size_t index) {
                question.extra_answers.push_back(bounded_text(json));
                if (index >= kMaxExtraAnswers) {
                    throw json.fault(fmt::format("more than {} answers", kMaxExtraAnswers));
                }
            });
        } else {
            json.skip();
        }
    });
    for (const char* key : {"question_id", "question", "answer", "prediction"}) {
        if (!seen.contains(key)) throw json.fault(fmt::format("the key \"{}\" is missing", key));
    }
    return question;
}

/// Takes questions, each id once.
class QuestionList {
  public:
    void take(JsonReader& json) {
        JudgeQuestion question = read_question(json);
        if (!ids_.insert(question.question_id).second) {
            throw json.fault(
                fmt::format("the question {} stands twice", quote(question.question_id)));
        }
        questions_.push_back(std::move(question));
    }

    std::vector<JudgeQuestion> finish(const std::filesystem::path& file) {
        if (questions_.empty()) throw usage_error(file, "holds no question");
        return std::move(questions_);
    }

  private:
    std::vector<JudgeQuestion> questions_;
    std::set<std::string> ids_;
};

}  // namespace

std::vector<JudgeQuestion> read_judge_questions(const std::filesystem::path& file) {
    const std::string text = read_prediction_text(file, kMaxQuestionsBytes);
    QuestionList questions;
    if (is_json_lines(file)) {
        for_each_line(text, [&](std::string_view line, std::uint64_t number) {
            JsonReader json(line, fmt::format("{}, record in line {}", file.string(), number),
                            ExitCode::kUsage);
            questions.take(json);
            json.finish();
        });
    } else {
        JsonReader json(text, file, ExitCode::kUsage);
        json.array([&](std::size_t) { questions.take(json); });
        json.finish();
    }
    return questions.finish(file);
}

bool is_blank(const JudgeQuestion& question) {
    return trimmed(question.prediction).empty();
}

}  // namespace havln
