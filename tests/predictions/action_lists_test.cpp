#include <string>

#include "havln/error.h"
#include "havln/predictions.h"
#include "predictions/faults.h"
#include "support/catch.h"
#include "support/support.h"

using namespace havln;
using havln::test::Faults;
using havln::test::faults_of;

namespace {

/// Reads a file's text as the action lists of a split of episodes "1" and "2".
ReadResult read(const std::string& text, const std::string& name = "actions.json",
                const ActionCodes& codes = default_action_codes(),
                std::uint32_t max_actions = 500) {
    const test::TempDir dir;
    test::write_file(dir / name, text);
    ContractRules rules;
    rules.max_actions = max_actions;
    rules.allowed[static_cast<std::size_t>(Action::kLookUp)] = false;
    return read_action_lists(dir / name, {"toy", {"1", "2"}, {}}, rules, codes);
}

/// Faults of both episodes' lists, the second sound.
Faults faults_with(const std::string& first, std::uint32_t max_actions = 500) {
    return faults_of(
        read(R"({"1": )" + first + R"(, "2": [0]})", "a.json", default_action_codes(), max_actions)
            .diagnostics);
}

std::vector<Action> actions_of(const ReadResult& result, std::size_t episode) {
    const SplitSubmission& split = result.splits.front();
    const auto actions = split.actions_of(split.episodes.at(episode));
    return {actions.begin(), actions.end()};
}

}  // namespace

TEST_CASE("action lists: names, codes and records", "[predictions][actions]") {
    const ReadResult result =
        read(R"({"2": ["TURN_LEFT", 1, "STOP"], "1": {"locations": [], "actions": [3, 0]}})");
    REQUIRE_FALSE(result.rejected());
    REQUIRE(result.splits.size() == 1);
    CHECK(result.splits[0].split == "toy");
    CHECK(result.splits[0].episodes[0].episode_id == "2");
    CHECK(actions_of(result, 0) ==
          std::vector{Action::kTurnLeft, Action::kMoveForward, Action::kStop});
    CHECK(actions_of(result, 1) == std::vector{Action::kTurnRight, Action::kStop});
    CHECK(result.summaries[0].episodes == 2);
    CHECK(result.summaries[0].actions == 5);
}

TEST_CASE("action lists: JSON Lines", "[predictions][actions]") {
    const ReadResult result = read(
        "{\"episode_id\": 2, \"actions\": [0]}\n"
        "{\"actions\": [1, 0], \"episode_id\": \"1\"}\n",
        "a.jsonl");
    REQUIRE_FALSE(result.rejected());
    CHECK(result.splits[0].episodes[0].episode_id == "2");
    CHECK(actions_of(result, 1) == std::vector{Action::kMoveForward, Action::kStop});
    const ReadResult bad = read(
        "{\"episode_id\": null, \"actions\": [0]}\n{\"episode_id\": 1}\n"
        "{\"actions\": [0]}\n[]\n{",
        "a.jsonl");
    const Faults faults = faults_of(bad.diagnostics);
    REQUIRE(faults.size() == 6);
    CHECK(faults[0] ==
          "episode-id-type /episode_id: expected an id, a string or an integer, found null");
    CHECK(faults[1] == "field-missing : the key \"actions\" is missing");
    CHECK(faults[2] == "field-missing : the key \"episode_id\" is missing");
    CHECK(faults[3] ==
          "field-type : expected an object {\"episode_id\": \"1\", \"actions\": [...]}, "
          "found a list");
    CHECK(bad.diagnostics.kept()[4].code == DiagnosticCode::kJsonSyntax);
    CHECK(faults[5] == "episode-missing : 1 of the 2 episodes of toy is missing: 2");
    CHECK(bad.diagnostics.kept()[4].line == 5);
    CHECK(bad.splits[0].episodes.size() == 1);
}

TEST_CASE("action lists: what is no action", "[predictions][actions]") {
    CHECK(faults_with(R"(["JUMP", 7, 1.0, null, "LOOK_UP", 0])") ==
          Faults{"action-unknown /1/0: \"JUMP\" is no action",
                 "action-unknown /1/1: 7 is no action code",
                 "action-unknown /1/2: 1.0 is no action code",
                 "action-type /1/3: an action is null, expected a name or a code",
                 "action-unknown /1/4: LOOK_UP is not among this profile's actions"});
}

TEST_CASE("action lists: faults of actions name step and episode", "[predictions][actions]") {
    const ReadResult result = read(R"({"1": [1, "JUMP", 0], "2": [1, 0, 1]})");
    REQUIRE(result.diagnostics.kept().size() == 2);
    CHECK(result.diagnostics.kept()[0].step == 1);
    CHECK(result.diagnostics.kept()[0].episode_id == "1");
    CHECK(result.diagnostics.kept()[1].step == 1);
    CHECK(result.diagnostics.kept()[1].pointer == "/2/1");
    CHECK(result.diagnostics.kept()[1].episode_id == "2");
}

TEST_CASE("action lists: the challenge's rules hold", "[predictions][actions]") {
    CHECK(faults_with("[]") == Faults{"actions-empty /1: the list of actions is empty"});
    CHECK(faults_with("[1, 1]") == Faults{"stop-missing /1: 2 actions without STOP at the end"});
    CHECK(faults_with("[1, 1]", 2).empty());  // the budget is used up
    CHECK(faults_with("[1, 0]", 2).empty());
    CHECK(faults_with("[1, 1, 0]", 2) ==
          Faults{"actions-too-long /1: 3 actions; at most 2 are allowed"});
    CHECK(faults_with("[0, 1]") ==
          Faults{"stop-not-last /1/0: STOP is action 1 of 2; it must be the last"});
    CHECK(faults_with("[0, 0]") ==
          Faults{"stop-not-last /1/0: STOP is action 1 of 2; it must be the last "
                 "and stand once, not 2 times"});
    CHECK(faults_with("5") == Faults{"field-type /1: expected a list of actions, found 5"});
    CHECK(faults_with("{}") == Faults{"field-missing /1: the key \"actions\" is missing"});
}

TEST_CASE("action lists: broken text at every length", "[predictions][actions]") {
    const std::string whole = R"({"1": ["MOVE_FORWARD", 0], "2": {"actions": [0]}})";
    REQUIRE_FALSE(read(whole).rejected());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK(read(whole.substr(0, size)).rejected());
    }
}

TEST_CASE("action codes from the command line", "[predictions][actions]") {
    CHECK(parse_action_codes("0=STOP,1=MOVE_FORWARD,2=TURN_LEFT,3=TURN_RIGHT") ==
          default_action_codes());
    CHECK(parse_action_codes("-1=STOP") == ActionCodes{{-1, Action::kStop}});
    const ReadResult result =
        read(R"({"1": [9, 5], "2": ["STOP"]})", "a.json", parse_action_codes("5=STOP,9=TURN_LEFT"));
    REQUIRE_FALSE(result.rejected());
    CHECK(actions_of(result, 0) == std::vector{Action::kTurnLeft, Action::kStop});
    for (const char* bad :
         {"", "0", "0=", "=STOP", "0=stop", "x=STOP", "0=STOP,0=TURN_LEFT", "0=STOP,1=STOP",
          "0=STOP,,", "0 =STOP", "0=STOP;1=TURN_LEFT", "99999999999999999999=STOP"}) {
        CAPTURE(bad);
        try {
            parse_action_codes(bad);
            FAIL("accepted");
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::kUsage);
        }
    }
}
