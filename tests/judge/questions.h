#pragma once

#include <string>

#include "havln/judge.h"

namespace havln::test {

/// A question as a JSON object in one line.
inline std::string question_json(const std::string& id, const std::string& prediction) {
    return R"({"question_id": ")" + id + R"(", "question": "What is red?", "answer": "the rug", )" +
           R"("prediction": ")" + prediction + "\"}";
}

inline JudgeQuestion make_question(const std::string& id, const std::string& prediction) {
    return {id, "What is red?", "the rug", {}, prediction};
}

}  // namespace havln::test
