// havln-judge as people run it, against a server on this machine.
#include <string>
#include <vector>

#include "judge/questions.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/http_server.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

constexpr const char* kKey = "k-very-secret-1";

/// Four questions "a" to "d" and what a run with them leaves.
class Workspace {
  public:
    Workspace() {
        std::string text;
        for (const char* id : {"a", "b", "c", "d"}) text += question_json(id, "a rug") + "\n";
        write_file(questions, text);
    }

    std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
        std::vector<std::string> all = {questions.string(), "--out", out.string(), "--retry-delay",
                                        "0.01"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    static std::map<std::string, std::string> environment(const HttpServer& server) {
        return {{"HAVLN_JUDGE_URL", server.url() + "/v1"},
                {"HAVLN_JUDGE_MODEL", "toy-judge"},
                {"HAVLN_JUDGE_KEY", kKey}};
    }
    CommandResult judge(const HttpServer& server, std::vector<std::string> more = {}) const {
        const CommandResult result =
            run(binary("havln-judge"), arguments(std::move(more)), environment(server));
        // Whatever happens, the key is nowhere but in the request.
        for (const std::string& text : {result.out, result.err}) {
            CHECK(text.find(kKey) == std::string::npos);
        }
        if (std::filesystem::exists(journal)) {
            CHECK(read_file(journal).find(kKey) == std::string::npos);
        }
        return result;
    }

    const TempDir dir;
    const std::filesystem::path questions = dir / "questions.jsonl", out = dir / "ratings.json",
                                journal = dir / "ratings.json.journal.jsonl";
};

HttpScript status(int code, std::vector<std::string> headers = {}, std::string body = "") {
    HttpScript script;
    script.status = code;
    script.headers = std::move(headers);
    script.body = std::move(body);
    return script;
}

}  // namespace

TEST_CASE("havln-judge: ratings that havln-score reads", "[judge][command]") {
    const Workspace work;
    const HttpServer server({completion("5"), completion("1"), completion("3"), completion("4")});
    const CommandResult result = work.judge(server);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    // 100 * (4 + 0 + 2 + 3) / 16
    CHECK(result.out == "LLM-Match: 56.25 of 100 (4 questions)\n");
    CHECK(read_file(work.out) == "{\n  \"a\": 5,\n  \"b\": 1,\n  \"c\": 3,\n  \"d\": 4\n}\n");
    CHECK(run(binary("havln-score"), {"--ratings", work.out.string()}).out == result.out);
    REQUIRE(server.request_count() == 4);
    const HttpRequest request = server.requests().front();
    CHECK_THAT(request.head, contains_text("POST /v1/chat/completions HTTP/1.1\r\n"));
    CHECK_THAT(request.head, contains_text("Authorization: Bearer " + std::string(kKey)));
    CHECK_THAT(request.body, contains_text("\"model\":\"toy-judge\""));
    // Again: all is in the journal.
    CHECK(work.judge(server).out == result.out);
    CHECK(server.request_count() == 4);
}

TEST_CASE("havln-judge: 429 with Retry-After, 500, a timeout, then success", "[judge][command]") {
    const Workspace work;
    HttpScript slow = completion("2");
    slow.delay_s = 8;
    const HttpServer server({status(429, {"Retry-After: 1"}), status(500), slow, completion("4")});
    const CommandResult result = work.judge(server, {"--timeout", "6"});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK(result.out == "LLM-Match: 75.00 of 100 (4 questions)\n");
    CHECK(server.request_count() == 7);
    CHECK_THAT(result.err, contains_text("the endpoint answered 429; again in 1.0 s"));
    CHECK_THAT(result.err, contains_text("the endpoint answered 500; again in 0.0 s"));
    CHECK_THAT(result.err, contains_text("7 requests sent"));
}

TEST_CASE("havln-judge: a refusal ends the run, even one that echoes the key", "[judge][command]") {
    const Workspace work;
    const HttpServer server(
        {completion("4"),
         status(401, {}, R"({"error": {"message": "wrong key )" + std::string(kKey) + "\"}}")});
    const CommandResult result = work.judge(server);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err ==
          "havln-judge: question \"b\": the endpoint answered 401: wrong key [key]\n");
    CHECK(server.request_count() == 2);
    CHECK_FALSE(std::filesystem::exists(work.out));
}

TEST_CASE("havln-judge: oversized replies and redirects end the run", "[judge][command]") {
    const Workspace work;
    const HttpServer large({status(200, {}, std::string(2 << 20, 'x'))});
    const CommandResult oversized = work.judge(large);
    CHECK(oversized.exit_code == 2);
    CHECK_THAT(oversized.err, contains_text("larger than 1048576 bytes"));
    CHECK(large.request_count() == 1);
    const HttpServer other({completion("5")});
    const HttpServer moved({status(308, {"Location: " + other.url()})});
    const CommandResult redirected = work.judge(moved);
    CHECK(redirected.exit_code == 2);
    CHECK_THAT(redirected.err, contains_text("answered 308 (a redirect"));
    CHECK(other.request_count() == 0);
}

TEST_CASE(
    "havln-judge: answers without a rating are named and asked again by the next run; no ratings "
    "are written before",
    "[judge][command]") {
    const Workspace work;
    const HttpServer odd({completion("4"), status(200, {}, "<html>"), completion("6"),
                          completion("I say 3\x1b[2J"), completion("2")});
    const CommandResult first = work.judge(odd);
    CHECK(first.exit_code == 2);
    CHECK(first.out.empty());
    CHECK_THAT(first.err, contains_text("question \"b\": expected one number and nothing else, "
                                        "found: I say 3\\x1b[2J"));
    CHECK_THAT(first.err, contains_text("not written: 1 of 4 answers got no rating"));
    CHECK_FALSE(std::filesystem::exists(work.out));
    const HttpServer even({completion("3")});
    const CommandResult second = work.judge(even);
    CHECK(second.exit_code == 0);
    CHECK(even.request_count() == 1);
    // 100 * (3 + 2 + 1 + 1) / 16
    CHECK(second.out == "LLM-Match: 43.75 of 100 (4 questions)\n");
}

TEST_CASE("havln-judge: killed in the middle, it goes on where it was", "[judge][command]") {
    const Workspace work;
    HttpScript never = completion("1");
    never.delay_s = 60;
    {
        const HttpServer server({completion("5"), completion("4"), never});
        const CommandResult killed =
            run_and_kill(binary("havln-judge"), work.arguments(), work.environment(server),
                         [&] { return server.request_count() == 3; });
        CHECK(killed.exit_code == 128 + 9);
    }
    CHECK_FALSE(std::filesystem::exists(work.out));
    // As if the machine had stopped within a line.
    write_file(work.journal, read_file(work.journal) + R"({"question_id":"c","sha)");
    const HttpServer server({completion("2"), completion("3")});
    const CommandResult result = work.judge(server);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK(server.request_count() == 2);
    CHECK_THAT(result.err, contains_text("2 ratings from the journal"));
    CHECK(read_file(work.out) == "{\n  \"a\": 5,\n  \"b\": 4,\n  \"c\": 2,\n  \"d\": 3\n}\n");
}

TEST_CASE("havln-judge: without an endpoint, and under --dry-run, nothing is sent",
          "[judge][command]") {
    const Workspace work;
    const CommandResult nameless = run(binary("havln-judge"), work.arguments(),
                                       {{"HAVLN_JUDGE_URL", ""}, {"HAVLN_JUDGE_MODEL", "m"}});
    CHECK(nameless.exit_code == 2);
    CHECK_THAT(nameless.err, contains_text("no endpoint is named, so nothing was sent"));
    CHECK_FALSE(std::filesystem::exists(work.journal));
    const HttpServer server({completion("5")});
    const CommandResult dry = work.judge(server, {"--dry-run"});
    CHECK(dry.exit_code == 0);
    CHECK(server.request_count() == 0);
    CHECK_FALSE(std::filesystem::exists(work.journal));
    CHECK_FALSE(std::filesystem::exists(work.out));
    CHECK_THAT(dry.out, contains_text("Reply with the grade alone"));
    CHECK_THAT(dry.out, contains_text("== question \"d\"\n{\"question\":\"What is red?\","
                                      "\"reference_answers\":[\"the rug\"],"
                                      "\"agent_answer\":\"a rug\"}\n"));
    CHECK_THAT(dry.out, contains_text("4 of 4 would be sent; nothing was\n"));
    // The dry run needs no endpoint.
    CHECK(run(binary("havln-judge"), {work.questions.string(), "--dry-run"},
              {{"HAVLN_JUDGE_URL", ""}})
              .out == dry.out);
}

TEST_CASE("havln-judge: the key comes from a file or the environment, never the command line",
          "[judge][command]") {
    const Workspace work;
    write_file(work.dir / "key", "file-key\n");
    const HttpServer server({completion("5")});
    CHECK(work.judge(server, {"--key-file", (work.dir / "key").string()}).exit_code == 0);
    REQUIRE(server.request_count() == 4);
    CHECK_THAT(server.requests().front().head, contains_text("Authorization: Bearer file-key"));
    CHECK(work.judge(server, {"--key", "x"}).exit_code == 2);
    write_file(work.dir / "empty", "\n");
    CHECK(work.judge(server, {"--key-file", (work.dir / "empty").string()}).exit_code == 2);
    CHECK(work.judge(server, {"--model", "other"}).exit_code == 2);  // the journal is another's
    CHECK(server.request_count() == 4);
}
