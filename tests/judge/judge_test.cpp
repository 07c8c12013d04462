// The run itself, against an endpoint in memory.
#include "havln/judge.h"

#include <deque>
#include <string>

#include "havln/error.h"
#include "havln/predictions.h"
#include "judge/questions.h"
#include "support/catch.h"
#include "support/http_server.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

HttpReply answered(int status, std::string body, std::optional<double> retry_after_s = {}) {
    HttpReply reply;
    reply.outcome = HttpReply::Outcome::kAnswered;
    reply.status = status;
    reply.body = std::move(body);
    reply.retry_after_s = retry_after_s;
    return reply;
}

HttpReply rated(const std::string& content) {
    return answered(200, completion(content).body);
}

HttpReply lost() {
    HttpReply reply;
    reply.outcome = HttpReply::Outcome::kLost;
    reply.detail = "it broke";
    return reply;
}

/// Gives its replies in turn and keeps what it is asked. Its secret is "S3CRET".
class FakeEndpoint : public JudgeEndpoint {
  public:
    explicit FakeEndpoint(std::deque<HttpReply> replies) : script(std::move(replies)) {}

    HttpReply post(const std::string& body) override {
        bodies.push_back(body);
        REQUIRE_FALSE(script.empty());
        HttpReply reply = script.front();
        script.pop_front();
        return reply;
    }
    std::string redacted(std::string text) const override {
        for (auto at = text.find("S3CRET"); at != text.npos; at = text.find("S3CRET")) {
            text.replace(at, 6, "[key]");
        }
        return text;
    }

    std::deque<HttpReply> script;
    std::vector<std::string> bodies;
};

/// A run over `questions`; `fault` is what it was ended with.
struct Run {
    JudgeResult result;
    std::vector<double> waits;
    std::vector<std::string> lines;
    std::string fault;
};

Run run_judge(FakeEndpoint& endpoint, const std::vector<JudgeQuestion>& questions,
              const std::filesystem::path& journal) {
    Run run;
    JudgeOptions options;
    options.model.name = "m";
    options.wait = [&](double seconds) { run.waits.push_back(seconds); };
    options.tell = [&](const std::string& line) { run.lines.push_back(line); };
    try {
        run.result = judge_answers(questions, endpoint, journal, options);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kUsage);
        run.fault = error.what();
    }
    return run;
}

}  // namespace

TEST_CASE("judge: rates in order, blank answers without asking, and resumes", "[judge][run]") {
    const TempDir dir;
    std::vector<JudgeQuestion> questions = {make_question("a", "p"), make_question("b", " "),
                                            make_question("c", "p")};
    FakeEndpoint first({rated("5"), rated("2")});
    const Run run = run_judge(first, questions, dir / "j");
    CHECK(run.fault.empty());
    CHECK(run.result.ratings == std::map<std::string, int>{{"a", 5}, {"b", 1}, {"c", 2}});
    CHECK(run.result.requests == 2);
    CHECK(run.result.blank == 1);
    CHECK(run.waits.empty());
    // Only what is new or changed is asked again.
    questions[2].prediction = "another";
    questions.push_back(make_question("d", "p"));
    FakeEndpoint second({rated("3"), rated("4")});
    const Run again = run_judge(second, questions, dir / "j");
    CHECK(again.result.ratings ==
          std::map<std::string, int>{{"a", 5}, {"b", 1}, {"c", 3}, {"d", 4}});
    CHECK(again.result.resumed == 1);
    CHECK(again.result.requests == 2);
}

TEST_CASE("judge: busy and failing endpoints are asked again, later and later", "[judge][run]") {
    const TempDir dir;
    FakeEndpoint endpoint({answered(500, ""), lost(), answered(429, "", 30.0), answered(503, "x"),
                           answered(408, ""), rated("4")});
    const Run run = run_judge(endpoint, {make_question("a", "p")}, dir / "j");
    INFO(run.fault);
    REQUIRE(run.result.ratings.count("a") == 1);
    CHECK(run.result.ratings.at("a") == 4);
    CHECK(run.result.requests == 6);
    REQUIRE(run.waits.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
        const double doubled = static_cast<double>(1 << i);
        CHECK(run.waits[i] >= (i == 2 ? 30 : doubled / 2));
        CHECK(run.waits[i] <= (i == 2 ? 30 : doubled));
    }
    CHECK_THAT(run.lines.at(1), contains_text("it broke"));
    // The same request each time.
    for (const std::string& body : endpoint.bodies) CHECK(body == endpoint.bodies.front());
}

TEST_CASE("judge: the waits are bounded and depend on seed, question and attempt alone",
          "[judge][run]") {
    RetryPolicy policy;
    for (const int attempt : {0, 3, 6, 19, 2'000'000'000}) {
        const double bound = attempt < 6 ? static_cast<double>(1 << attempt) : 60;
        const double delay_s = retry_delay_s(policy, "a", attempt, {});
        CHECK(delay_s >= bound / 2);
        CHECK(delay_s < bound);
        CHECK(delay_s == retry_delay_s(policy, "a", attempt, {}));
        CHECK(delay_s != retry_delay_s(policy, "b", attempt, {}));
        CHECK(retry_delay_s(policy, "a", attempt, 100.0) == 100);
    }
    policy.seed = 1;
    CHECK(retry_delay_s(policy, "a", 0, {}) != retry_delay_s(RetryPolicy(), "a", 0, {}));
}

TEST_CASE("judge: attempts, and the wait that an endpoint may ask for, are bounded",
          "[judge][run]") {
    const TempDir dir;
    FakeEndpoint down(std::deque<HttpReply>(6, answered(502, "")));
    const Run given_up = run_judge(down, {make_question("a", "p")}, dir / "j");
    CHECK_THAT(given_up.fault, contains_text("answered 502; given up after 6 attempts"));
    CHECK(given_up.waits.size() == 5);
    FakeEndpoint slow({answered(429, "", 3600.0)});
    const Run refused = run_judge(slow, {make_question("a", "p")}, dir / "j");
    CHECK_THAT(refused.fault, contains_text("wait 3600 s, longer than 300 s"));
    CHECK(refused.waits.empty());
}

TEST_CASE("judge: other errors end the run in one line that never shows the key", "[judge][run]") {
    const TempDir dir;
    for (const int status : {400, 401, 403, 404, 422}) {
        FakeEndpoint endpoint(
            {answered(status, R"({"error": {"message": "Bad key: S3\u0043RET\u001b[31m"}})")});
        const Run run = run_judge(endpoint, {make_question("a", "p")}, dir / "j");
        CHECK(run.fault == "question \"a\": the endpoint answered " + std::to_string(status) +
                               ": Bad key: [key]\\x1b[31m");
        CHECK(run.waits.empty());
    }
    FakeEndpoint moved({answered(302, "")});
    CHECK_THAT(run_judge(moved, {make_question("a", "p")}, dir / "j").fault,
               contains_text("a redirect, which is not followed"));
}

TEST_CASE("judge: replies without a rating are asked for thrice, then named", "[judge][run]") {
    const TempDir dir;
    // The key, echoed where the text is cut for showing: it is blotted out before.
    const std::string echo = std::string(145, 'x') + "S3CRET" + std::string(100, 'y');
    FakeEndpoint endpoint(
        {rated("3.5"), rated("x"), rated("2"), rated("0"), rated("x"), rated(echo)});
    const Run run =
        run_judge(endpoint, {make_question("a", "p"), make_question("b", "p")}, dir / "j");
    CHECK(run.result.ratings == std::map<std::string, int>{{"a", 2}});
    REQUIRE(run.result.unrated.size() == 1);
    const std::string& why = run.result.unrated.at("b");
    CHECK(why.starts_with("expected one number and nothing else, found: xxx"));
    CHECK(why.find("S3") == std::string::npos);
    CHECK(why.size() < 250);
    // Each time with another seed.
    CHECK(endpoint.bodies[0] != endpoint.bodies[1]);
    CHECK(endpoint.bodies[1] != endpoint.bodies[2]);
}

TEST_CASE("judge: a judge that never rates ends the run", "[judge][run]") {
    const TempDir dir;
    std::vector<JudgeQuestion> questions;
    for (int i = 0; i < 50; ++i) questions.push_back(make_question(std::to_string(i), "p"));
    FakeEndpoint endpoint(std::deque<HttpReply>(150, rated("no")));
    CHECK_THAT(run_judge(endpoint, questions, dir / "j").fault,
               contains_text("10 answers got no rating"));
    CHECK(endpoint.bodies.size() == 30);
}

TEST_CASE("judge: ratings read back as they were", "[judge][run]") {
    const TempDir dir;
    const std::map<std::string, int> ratings = {{"a \"b\"", 1}, {"\n", 5}, {"7", 3}};
    write_file(dir / "r.json", ratings_json(ratings));
    const Ratings read = read_ratings(dir / "r.json");
    CHECK_FALSE(read.rejected());
    CHECK(read.by_question == ratings);
}
