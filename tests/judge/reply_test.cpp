#include <string>

#include "havln/judge.h"
#include "support/catch.h"
#include "support/http_server.h"

using namespace havln;
using namespace havln::test;

namespace {

std::optional<int> rating_of(const std::string& content) {
    return read_judge_reply(completion(content).body).rating;
}

std::string fault_of(const std::string& content) {
    const JudgeReply reply = read_judge_reply(completion(content).body);
    CHECK_FALSE(reply.rating);
    return reply.fault;
}

}  // namespace

TEST_CASE("reply: a whole number from 1 to 5 and nothing else", "[judge][reply]") {
    for (int n = 1; n <= 5; ++n) CHECK(rating_of(std::to_string(n)) == n);
    CHECK(rating_of(" 4\n") == 4);
    CHECK(rating_of("4.") == 4);
    CHECK(rating_of("It misses the colour, 2 of 3.\nRating: 3") == 3);
    CHECK(rating_of("Rating: 5\nIt says the same.") == 5);
}

TEST_CASE("reply: what is no rating is named, never guessed", "[judge][reply]") {
    CHECK(fault_of("0") == "the rating is not from 1 to 5: 0");
    CHECK(fault_of("6") == "the rating is not from 1 to 5: 6");
    CHECK(fault_of("-3") == "the rating is not from 1 to 5: -3");
    CHECK(fault_of("99999999999999999999") ==
          "the rating is not from 1 to 5: 99999999999999999999");
    CHECK(fault_of("nan") == "the rating is not from 1 to 5: nan");
    CHECK(fault_of("3.5") == "the rating is no whole number: 3.5");
    CHECK(fault_of("I give it a 4") ==
          "expected one number and nothing else, found: I give it a 4");
    CHECK(fault_of("4/5") == "expected one number and nothing else, found: 4/5");
    CHECK(fault_of("45") == "the rating is not from 1 to 5: 45");
    CHECK(fault_of("Rating: 4\nRating: 2") ==
          "expected one number and nothing else, found: Rating: 4\nRating: 2");
    CHECK(fault_of("Rating: 7") == "the rating is not from 1 to 5: 7");
    CHECK(fault_of("good") == "expected a number from 1 to 5, found: good");
    CHECK(fault_of("") == "the reply's content is empty");
    CHECK(fault_of(" \n") == "the reply's content is empty");
}

TEST_CASE("reply: bodies that are no chat completion", "[judge][reply]") {
    const auto fault = [](const std::string& body) {
        const JudgeReply reply = read_judge_reply(body);
        CHECK_FALSE(reply.rating);
        return reply.fault;
    };
    CHECK(fault("") == "the reply is not JSON");
    CHECK(fault("<html>4</html>") == "the reply is not JSON: <html>4</html>");
    CHECK(fault(R"({"choices": [)") == R"(the reply is not JSON: {"choices": [)");
    const std::string shape = "the reply is no chat completion (no choices[0].message.content)";
    CHECK(fault("4") == shape);
    CHECK(fault(R"({"choices": []})") == shape);
    CHECK(fault(R"({"choices": {"0": 4}})") == shape);
    CHECK(fault(R"({"choices": [{"message": "4"}]})") == shape);
    CHECK(fault(R"({"choices": [{"message": {"content": null}}]})") ==
          "the reply's content is null, not text");
    CHECK(fault(R"({"choices": [{"message": {"content": 4}}]})") ==
          "the reply's content is integer, not text");
    CHECK(fault(std::string(100'000, '[')).starts_with("the reply is not JSON"));
}
