// Agent logs and ratings.
#include <string>

#include "havln/predictions.h"
#include "predictions/faults.h"
#include "support/catch.h"
#include "support/data_root.h"

using namespace havln;
using havln::test::Faults;
using havln::test::faults_of;

namespace {

AgentLog read_log(const std::string& text, const Split* split = nullptr) {
    const test::TempDir dir;
    test::write_file(dir / "log.jsonl", text);
    return read_agent_log(dir / "log.jsonl", split);
}

Ratings read_rated(const std::string& text) {
    const test::TempDir dir;
    test::write_file(dir / "ratings.json", text);
    return read_ratings(dir / "ratings.json");
}

}  // namespace

TEST_CASE("agent log: lines of one episode are summed", "[predictions][log]") {
    const AgentLog log = read_log(
        "{\"episode_id\": \"1\", \"skipped_steps\": 3, \"total_steps\": 10, \"gflops\": 20.5}\n"
        "\n"
        "{\"episode_id\": 2, \"skipped_steps\": 0, \"total_steps\": 0, \"gflops\": 0, \"x\": "
        "[1]}\r\n"
        "{\"gflops\": 1.5, \"total_steps\": 10, \"skipped_steps\": 10, \"episode_id\": \"1\"}");
    REQUIRE_FALSE(log.rejected());
    REQUIRE(log.episodes.size() == 2);
    CHECK(log.episodes.at("1").skipped_steps == 13);
    CHECK(log.episodes.at("1").total_steps == 20);
    CHECK(log.episodes.at("1").gflops == 22);
    CHECK(skip_ratio(log.episodes.at("1")) == 13.0 / 20);
    CHECK(gflops_per_step(log.episodes.at("1")) == 22.0 / 20);
    CHECK_FALSE(skip_ratio(log.episodes.at("2")));
    CHECK(read_log("").episodes.empty());
}

TEST_CASE("agent log: faults with their line", "[predictions][log]") {
    Split split;
    split.name = "toy";
    split.by_id.emplace("1", 0);
    split.episodes.push_back(test::make_episode("1"));
    const AgentLog log = read_log(
        "{\"episode_id\": \"1\", \"skipped_steps\": 3, \"total_steps\": 2, \"gflops\": 1}\n"
        "{\"episode_id\": \"9\", \"skipped_steps\": 0, \"total_steps\": 2, \"gflops\": 1}\n"
        "{\"episode_id\": \"1\", \"skipped_steps\": -1, \"total_steps\": 2.5, \"gflops\": -1}\n"
        "{\"episode_id\": \"1\"}\n"
        "[1]\n"
        "nonsense\n",
        &split);
    CHECK(log.episodes.empty());
    const Faults faults = faults_of(log.diagnostics);
    REQUIRE(faults.size() == 10);
    CHECK(faults[0] == "field-type : skipped_steps is 3, more than total_steps, 2");
    CHECK(faults[1] == "episode-unknown /episode_id: \"9\" is no episode of toy");
    CHECK(faults[2] ==
          "field-type /skipped_steps: expected an integer from 0 to 1000000000, found -1");
    CHECK(faults[3] ==
          "field-type /total_steps: expected an integer from 0 to 1000000000, found 2.5");
    CHECK(faults[5] == "field-missing : the key \"skipped_steps\" is missing");
    CHECK(faults[8] == "field-type : expected an object with episode_id, found a list");
    const std::vector<std::uint64_t> lines = {1, 2, 3, 3, 3, 4, 4, 4, 5, 6};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        CHECK(log.diagnostics.kept()[i].line == lines[i]);
    }
}

TEST_CASE("ratings: one integer from 1 to 5 a question", "[predictions][ratings]") {
    const Ratings ratings = read_rated(R"({"q2": 5, "f2e82760-5c3c": 1, "q1": 3})");
    REQUIRE_FALSE(ratings.rejected());
    CHECK(ratings.by_question ==
          std::map<std::string, int>{{"f2e82760-5c3c", 1}, {"q1", 3}, {"q2", 5}});
    CHECK(read_rated("{}").by_question.empty());
    CHECK(
        faults_of(
            read_rated(R"({"a": 0, "b": 6, "c": 4.5, "d": "4", "e": null, "f": 4})").diagnostics) ==
        Faults{"field-type /a: expected an integer from 1 to 5, found 0",
               "field-type /b: expected an integer from 1 to 5, found 6",
               "field-type /c: expected an integer from 1 to 5, found 4.5",
               "field-type /d: expected an integer from 1 to 5, found the string \"4\"",
               "field-type /e: expected an integer from 1 to 5, found null"});
    CHECK(read_rated(R"({"a": 1, "a": 2})").rejected());
    CHECK(read_rated("[1]").rejected());
    CHECK(read_rated("").rejected());
    std::string many = "{";
    for (int i = 0; i < 5000; ++i) many += "\"q" + std::to_string(i) + "\": 1, ";
    CHECK_FALSE(read_rated(many + "\"x\": 1}").rejected());
    CHECK(read_rated(many + "\"q4990\": 2}").rejected());
}
