// havln-score --ratings: alone and beside a submission.
#include <string>
#include <vector>

#include "io/json_tree.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/data_root.h"
#include "support/support.h"
#include "support/toy_navmesh.h"

using namespace havln;
using namespace havln::test;

namespace {

CommandResult score(const std::vector<std::string>& arguments) {
    return run(binary("havln-score"), arguments);
}

/// One episode on a flat floor, a submission for it and four ratings: 100 * (0+1+3+4) / 16 = 50.
class RatedRoot : public DataRoot {
  public:
    RatedRoot() {
        ToyFloor floor;
        floor.rows.assign(12, ".........");
        floor.origin = {-4.5f, 0, -10};
        write_toy_scene(path(), "scan", {floor}, &floor);
        write_episodes("toy", {make_episode("1")});
        write("actions.json", R"({"1": ["STOP"]})");
        write("ratings.json", R"({"a": 1, "b": 2, "c": 4, "d": 5})");
    }

    std::vector<std::string> scoring(std::vector<std::string> more) const {
        std::vector<std::string> arguments = {(*this / "actions.json").string(),
                                              "--predictions",
                                              "actions",
                                              "--data",
                                              path().string(),
                                              "--profile",
                                              "bsc-nav"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
};

}  // namespace

TEST_CASE("havln-score --ratings alone prints LLM-Match and needs no data", "[cli][ratings]") {
    const RatedRoot root;
    const std::string ratings = (root / "ratings.json").string();
    const CommandResult text = score({"--ratings", ratings});
    CHECK(text.exit_code == 0);
    CHECK(text.out == "LLM-Match: 50.00 of 100 (4 questions)\n");
    const CommandResult json = score({"--ratings", ratings, "--format", "json"});
    CHECK(json.exit_code == 0);
    const JsonTree tree = JsonTree::parse(json.out, "stdout");
    CHECK(tree.find("schema_version")->integer() == 1);
    CHECK(tree.find("llm_match")->find("score")->number() == 50);
    CHECK(tree.find("llm_match")->find("questions")->integer() == 4);
    CHECK(score({"--ratings", ratings, "--out", (root / "out").string()}).exit_code == 2);
    CHECK_FALSE(std::filesystem::exists(root / "out"));
}

TEST_CASE("havln-score --ratings beside a submission: summary and table show LLM-Match",
          "[cli][ratings]") {
    const RatedRoot root;
    const CommandResult with = score(root.scoring(
        {"--ratings", (root / "ratings.json").string(), "--out", (root / "out").string()}));
    INFO(with.err);
    REQUIRE(with.exit_code == 0);
    CHECK_THAT(with.out, contains_text("LLM-Match: 50.00 of 100 (4 questions)\n"));
    const JsonTree summary =
        JsonTree::parse(read_file(root / "out" / "score_summary.json"), "summary");
    REQUIRE(summary.find("llm_match") != nullptr);
    CHECK(summary.find("llm_match")->find("score")->number() == 50);
    CHECK(summary.find("llm_match")->find("questions")->integer() == 4);
    const CommandResult without = score(root.scoring({"--format", "json"}));
    REQUIRE(without.exit_code == 0);
    CHECK(JsonTree::parse(without.out, "stdout").find("llm_match") == nullptr);
}

TEST_CASE("havln-score --ratings: faults of the file exit 2 with place and reason",
          "[cli][ratings]") {
    RatedRoot root;
    const std::string file = (root / "bad.json").string();
    const auto refused = [&](const std::string& text, const std::string& why) {
        root.write("bad.json", text);
        for (const auto& arguments :
             {std::vector<std::string>{"--ratings", file}, root.scoring({"--ratings", file})}) {
            const CommandResult result = score(arguments);
            INFO(text << "\n" << result.err);
            CHECK(result.exit_code == 2);
            CHECK(result.out.empty());
            CHECK_THAT(result.err, contains_text(why));
        }
    };
    refused("{\n  \"a\": 0}", "line 2, column 8");
    refused(R"({"a": 6, "b": 3})", "expected an integer from 1 to 5, found 6");
    refused(R"({"a": 3.5})", "found 3.5");
    refused(R"({"a": "4"})", "error[field-type]");
    refused(R"({"a": 4, "a": 4})", "error[json-duplicate-key]");
    refused(R"({"a": 4)", "error[json-syntax]");
    refused("[4, 5]", "an object {QUESTION_ID: rating from 1 to 5}");
    refused("{}", "rates no question");
    std::filesystem::remove(file);
    const CommandResult absent = score({"--ratings", file});
    CHECK(absent.exit_code == 2);
    CHECK_THAT(absent.err, contains_text("cannot be opened"));
}

TEST_CASE("havln-score --ratings go with one submission and no shard", "[cli][ratings]") {
    const RatedRoot root;
    std::filesystem::create_directory(root / "a");
    std::filesystem::create_directory(root / "b");
    const CommandResult result =
        score({(root / "a").string(), (root / "b").string(), "--data", root.path().string(),
               "--ratings", (root / "ratings.json").string()});
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, contains_text("one submission at a time"));
    const CommandResult shard =
        score(root.scoring({"--ratings", (root / "ratings.json").string(), "--shard", "1/2",
                            "--out", (root / "out").string()}));
    CHECK(shard.exit_code == 2);
    CHECK_THAT(shard.err, contains_text("--shard does not go with --ratings"));
}

TEST_CASE("havln-score --agent-log: a faulty log exits 2 and is not called a rejected submission",
          "[cli][agent-log]") {
    RatedRoot root;
    const std::string log = (root / "log.jsonl").string();
    const auto scored = [&](const std::string& text) {
        root.write("log.jsonl", text);
        return score(root.scoring({"--agent-log", log}));
    };
    const std::string good =
        R"({"episode_id": "1", "skipped_steps": 3, "total_steps": 4, "gflops": 2.5})";
    const CommandResult sound = scored(good + "\n");
    INFO(sound.err);
    CHECK(sound.exit_code == 0);
    CHECK_FALSE(holds(sound.err, "--agent-log"));
    const CommandResult other = scored(
        good + "\n" + R"({"episode_id": "7", "skipped_steps": 3, "total_steps": 4, "gflops": 1})");
    CHECK(other.exit_code == 0);
    CHECK_THAT(other.err,
               contains_text("--agent-log: 1 of its 2 episodes were scored; \"7\" was not"));
    CHECK_THAT(scored("").err, contains_text("--agent-log: 0 of its 0 episodes were scored"));
    const CommandResult faulty = scored(
        good + "\n" + R"({"episode_id": "1", "skipped_steps": 5, "total_steps": 4, "gflops": 1})");
    INFO(faulty.err);
    CHECK(faulty.exit_code == 2);
    CHECK_THAT(faulty.err, contains_text("line 2"));
    CHECK_THAT(faulty.err, contains_text("skipped_steps is 5, more than total_steps, 4"));
    CHECK_THAT(faulty.err,
               contains_text("log.jsonl: the file is at fault, as shown above (1 error)"));
    CHECK(faulty.err.find("SUBMISSION REJECTED") == std::string::npos);
}
