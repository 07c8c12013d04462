#include <string>
#include <vector>

#include "cli/sample_results.h"
#include "io/json_tree.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

CommandResult compare(const std::vector<std::string>& arguments) {
    return run(binary("havln-compare"), arguments);
}

const JsonTree& at(const JsonTree& tree, std::initializer_list<const char*> path) {
    const JsonTree* place = &tree;
    for (const char* key : path) {
        place = place->find(key);
        INFO(key);
        REQUIRE(place != nullptr);
    }
    return *place;
}

/// Five episodes; B succeeds in the first four, where A fails by collisions.
const std::vector<SampleEpisode> kA = {
    {true, 1, 1}, {true, 2, 1}, {true, 1, 1}, {true, 4, 1}, {true, 0, 1}};
const std::vector<SampleEpisode> kB = {
    {true, 0, 1}, {true, 0, 1}, {true, 0, 1}, {true, 0, 1}, {true, 0, 1}};

}  // namespace

TEST_CASE("havln-compare: a result with itself differs by 0 with p = 1", "[cli][compare]") {
    const TempDir dir;
    write_sample_result(dir / "a", kA);
    const CommandResult result = compare({dir / "a", dir / "a", "--format", "json"});
    CHECK(result.exit_code == 0);
    const JsonTree json = JsonTree::parse(result.out, "stdout");
    const JsonTree& split = at(at(json, {"comparisons"}).array()[0], {"splits", "val_unseen"});
    CHECK(at(split, {"tied"}).integer() == 5);
    CHECK(at(split, {"effects"}).array().empty());
    for (const auto& [name, d] : at(split, {"components"}).object()) {
        INFO(name);
        CHECK(at(d, {"difference"}).number() == 0);
        CHECK(at(d, {"p_value"}).number() == 1);
        CHECK(at(d, {"interval"}).array()[0].number() == 0);
        CHECK(at(d, {"interval"}).array()[1].number() == 0);
    }
}

TEST_CASE("havln-compare: differences, exact p-values and effects", "[cli][compare]") {
    const TempDir dir;
    write_sample_result(dir / "a", kA);
    write_sample_result(dir / "b", kB);
    const CommandResult result = compare({dir / "a", dir / "b", "--format", "json"});
    CHECK(result.exit_code == 0);
    const JsonTree json = JsonTree::parse(result.out, "stdout");
    const JsonTree& split = at(at(json, {"comparisons"}).array()[0], {"splits", "val_unseen"});
    CHECK(at(split, {"exact"}).boolean());
    CHECK(at(split, {"won"}).integer() == 4);
    CHECK(at(split, {"gained"}).integer() == 4);
    CHECK(at(split, {"tied"}).integer() == 1);
    const JsonTree& SR = at(split, {"components", "SR"});
    CHECK(at(SR, {"a"}).number() == 0.2);
    CHECK(at(SR, {"b"}).number() == 1);
    // All four on one side: 2 of 16 assignments.
    CHECK(at(SR, {"p_value"}).number() == 0.125);
    CHECK(at(split, {"components", "NE", "p_value"}).number() == 1);
    CHECK(at(at(split, {"effects"}).array()[0], {"episode_id"}).string() == "4");

    const CommandResult text = compare({dir / "a", dir / "b", "--top", "1"});
    CHECK_THAT(text.out, contains_text("B is better in 4 episodes, worse in 0, equal in 1"));
    CHECK_THAT(text.out, contains_text("1 of 4 episodes that differ:\n"));
    CHECK_THAT(text.out, contains_text("SR           0.2000   1.0000   +0.8000"));
    for (const char* format : {"markdown", "csv", "latex"}) {
        CHECK(compare({dir / "a", dir / "b", "--format", format}).exit_code == 0);
    }
    CHECK(compare({dir / "a", dir / "b"}).out == compare({dir / "a", dir / "b"}).out);
}

TEST_CASE("havln-compare: several results are each compared with the first", "[cli][compare]") {
    const TempDir dir;
    write_sample_result(dir / "a", kA);
    write_sample_result(dir / "b", kB);
    const CommandResult result = compare({dir / "a", dir / "b", dir / "a", "--format", "json"});
    const JsonTree json = JsonTree::parse(result.out, "stdout");
    REQUIRE(at(json, {"comparisons"}).array().size() == 2);
}

TEST_CASE("havln-compare: profiles without people compare their reported means", "[cli][compare]") {
    const TempDir dir;
    write_sample_result(dir / "a", {{true, 0, 1}, {false, 0, 5}}, {.profile = "vln-ce"});
    write_sample_result(dir / "b", {{true, 0, 1}, {true, 0, 2}}, {.profile = "vln-ce"});
    const CommandResult result = compare({dir / "a", dir / "b", "--format", "json"});
    CHECK(result.exit_code == 0);
    const JsonTree json = JsonTree::parse(result.out, "stdout");
    const JsonTree& split = at(at(json, {"comparisons"}).array()[0], {"splits", "val_unseen"});
    CHECK(at(split, {"components", "success", "difference"}).number() == 0.5);
    CHECK(at(split, {"components", "distance_to_goal", "difference"}).number() == -1.5);
    CHECK(at(split, {"effect_on"}).string() == "success");
    CHECK(split.find("components")->find("score") == nullptr);
}

TEST_CASE("havln-compare: what does not compare is refused unless forced", "[cli][compare]") {
    const TempDir dir;
    write_sample_result(dir / "a", kA);
    write_sample_result(dir / "clock", kB, {.clock = "frames-per-action=0"});
    const CommandResult refused = compare({dir / "a", dir / "clock"});
    CHECK(refused.exit_code == 2);
    CHECK(refused.out.empty());
    CHECK_THAT(refused.err, contains_text("clock: frames-per-action=1 / frames-per-action=0"));
    const CommandResult forced = compare({dir / "a", dir / "clock", "--force"});
    CHECK(forced.exit_code == 0);
    CHECK_THAT(forced.out, contains_text("\nForced: their signatures differ in clock"));

    write_sample_result(dir / "short", {kB[0], kB[1]});
    CHECK(compare({dir / "a", dir / "short"}).exit_code == 2);
    const CommandResult some = compare({dir / "a", dir / "short", "--force"});
    CHECK(some.exit_code == 0);
    CHECK_THAT(some.out, contains_text("3 episodes are in one of them only"));
    CHECK_THAT(some.out, contains_text("val_unseen: 2 episodes\n"));

    write_sample_result(dir / "vln", kA, {.profile = "vln-ce"});
    CHECK(compare({dir / "a", dir / "vln", "--force"}).exit_code == 2);
    write_sample_result(dir / "other", kA, {.split = "val_seen"});
    CHECK(compare({dir / "a", dir / "other"}).exit_code == 2);
}

TEST_CASE("havln-compare: files at fault are refused with the place", "[cli][compare]") {
    const TempDir dir;
    write_sample_result(dir / "a", kA);
    const auto refused = [&](const std::string& episodes, const std::string& message) {
        write_sample_result(dir / "x", kB);
        write_file(dir / "x/episode_metrics.json", episodes);
        const CommandResult result = compare({dir / "a", dir / "x"});
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, contains_text(message));
    };
    refused("[]", "found 0 episodes, but score_summary.json beside it says 5");
    refused("{}", "document: found object, expected an array");
    refused("[1]", "/0: found integer, expected an object");
    refused("[{\"split\": \"val_unseen\"}]", "/0/episode_id: is missing");
    refused(
        "[{\"split\": \"s\", \"episode_id\": \"1\"}, {\"split\": \"s\", \"episode_id\": \"1\"}]",
        "/1/episode_id: \"1\" stands twice in split s");
    std::string text = read_file(dir / "a/episode_metrics.json");
    text.replace(text.find("\"TCR\": 1"), 8, "\"TCR\": -1");
    refused(text, "episode \"1\": TCR is -1, expected a whole number");
    CHECK(compare({dir / "a"}).exit_code == 2);
    CHECK(compare({dir / "a", dir / "nothing"}).exit_code == 2);
}
