// One prediction's rules: each with input that keeps it, breaks it and stands on its boundary.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "support/catch.h"
#include "support/submissions.h"

namespace havln {

namespace {

using test::check_val_seen;
using test::contains_text;
using test::episode_json;
using test::findings;
using test::first_of;
using test::prediction_json;

/// Check of val_seen with this first episode and good others.
ReadResult with_episode(const std::string& first) {
    return check_val_seen(
        prediction_json("val_seen", {first, episode_json("2"), episode_json("3")}));
}

ReadResult with_actions(const std::string& actions) {
    return with_episode(episode_json("1", actions));
}

std::string repeated(const std::string& action, int times, const std::string& last = "") {
    std::string list;
    for (int i = 0; i < times; ++i) list += (i > 0 ? "," : "") + action;
    return last.empty() ? list : list + "," + last;
}

const std::string kForward = "\"MOVE_FORWARD\"";
const std::string kStop = "\"STOP\"";

}  // namespace

TEST_CASE("actions: all six names are taken and kept in order", "[contract]") {
    const ReadResult result =
        with_actions(R"("MOVE_FORWARD","TURN_LEFT","TURN_RIGHT","LOOK_UP","LOOK_DOWN","STOP")");
    REQUIRE(findings(result).empty());
    const SplitSubmission& split = result.splits[0];
    const auto actions = split.actions_of(split.episodes[0]);
    REQUIRE(actions.size() == 6);
    CHECK(actions[0] == Action::kMoveForward);
    CHECK(actions[1] == Action::kTurnLeft);
    CHECK(actions[2] == Action::kTurnRight);
    CHECK(actions[3] == Action::kLookUp);
    CHECK(actions[4] == Action::kLookDown);
    CHECK(actions[5] == Action::kStop);
}

TEST_CASE("actions: the budget is 500, and only a full one may lack STOP", "[contract]") {
    CHECK(findings(with_actions(kStop)).empty());
    CHECK(findings(with_actions(repeated(kForward, 499, kStop))).empty());
    CHECK(findings(with_actions(repeated(kForward, 500))).empty());
    CHECK(findings(with_actions(repeated(kForward, 499))) == "error stop-missing");
    CHECK(findings(with_actions(repeated(kForward, 1))) == "error stop-missing");
    CHECK(findings(with_actions(repeated(kForward, 501))) == "error actions-too-long");
    CHECK(findings(with_actions(repeated(kForward, 500, kStop))) == "error actions-too-long");
    CHECK(findings(with_actions("")) == "error actions-empty");
}

TEST_CASE("actions: STOP stands once and last", "[contract]") {
    const ReadResult early = with_actions(kForward + "," + kStop + "," + kForward);
    CHECK(findings(early) == "error stop-not-last");
    const Diagnostic fault = first_of(early, DiagnosticCode::kStopNotLast);
    CHECK(fault.step == 1);
    CHECK(fault.pointer == "/episodes/0/actions/1");
    CHECK(fault.episode_id == "1");
    CHECK_THAT(fault.message, contains_text("STOP is action 2 of 3"));
    const ReadResult twice = with_actions(kStop + "," + kStop);
    CHECK(findings(twice) == "error stop-not-last");
    CHECK_THAT(first_of(twice, DiagnosticCode::kStopNotLast).message, contains_text("not 2 times"));
    CHECK(findings(with_actions(repeated(kStop, 499, kForward))) == "error stop-not-last");
}

TEST_CASE("actions: what is no name is refused with what was meant", "[contract]") {
    struct Case {
        const char* text;
        const char* hint;
    };
    for (const Case& one :
         {Case{"move_forward", "did you mean \"MOVE_FORWARD\"?"},
          Case{" TURN_LEFT ", "did you mean \"TURN_LEFT\"?"},
          Case{"Turn Right", "did you mean \"TURN_RIGHT\"?"},
          Case{"look-up", "did you mean \"LOOK_UP\"?"},
          Case{"FLY", "STOP, MOVE_FORWARD, TURN_LEFT, TURN_RIGHT, LOOK_UP, LOOK_DOWN"},
          Case{"", "the actions are STOP"}}) {
        INFO(one.text);
        const ReadResult result = with_actions(fmt::format("\"{}\",{}", one.text, kStop));
        CHECK(findings(result) == "error action-unknown");
        const Diagnostic fault = first_of(result, DiagnosticCode::kActionUnknown);
        CHECK_THAT(fault.hint, contains_text(one.hint));
        CHECK(fault.step == 0);
        CHECK(fault.episode_id == "1");
    }
    // Where STOP was meant at the end, nothing is said of its absence.
    CHECK(findings(with_actions(kForward + ",\"stop\"")) == "error action-unknown");
    CHECK(findings(with_actions(kForward + ",\"JUMP\"")) ==
          "error action-unknown, error stop-missing");
}

TEST_CASE("actions: what is no string is refused, without guessing at numbers", "[contract]") {
    for (const char* value : {"1", "0", "null", "true", "[\"STOP\"]", "{\"a\": [1]}", "1.5"}) {
        INFO(value);
        const ReadResult result = with_actions(std::string(value) + "," + kStop);
        CHECK(findings(result) == "error action-type");
        CHECK_THAT(first_of(result, DiagnosticCode::kActionType).hint,
                   contains_text("STOP, MOVE_FORWARD, TURN_LEFT, TURN_RIGHT, LOOK_UP, LOOK_DOWN"));
    }
    const ReadResult numbers = with_actions("1,1,0");
    CHECK(findings(numbers) == "error action-type");
    CHECK(numbers.diagnostics.count(DiagnosticCode::kActionType) == 3);
}

TEST_CASE("actions: those outside the profile's set are refused", "[contract]") {
    ContractRules rules = test::phase_1_rules();
    rules.allowed[static_cast<std::size_t>(Action::kLookUp)] = false;
    rules.max_actions = 2;
    test::ZipFile archive = test::good_archive();
    archive.entries[0].data =
        prediction_json("val_seen", {episode_json("1", "\"LOOK_UP\",\"STOP\""),
                                     episode_json("2", "\"LOOK_DOWN\",\"LOOK_DOWN\""),
                                     episode_json("3", repeated(kForward, 2, kStop))});
    const ReadResult result =
        read_submission_archive(archive.bytes(), "test.zip", test::small_manifest(), rules);
    CHECK(findings(result) == "error action-unknown, error actions-too-long");
    CHECK_THAT(first_of(result, DiagnosticCode::kActionUnknown).message, contains_text("profile"));
}

TEST_CASE("episode: missing fields and wrong types are named", "[contract]") {
    CHECK(findings(with_episode(R"({"actions":["STOP"]})")) ==
          "error field-missing, error episode-missing");
    CHECK(findings(with_episode(R"({"episode_id":"1"})")) == "error field-missing");
    CHECK(findings(with_episode(R"({"episode_id":"1","actions":"STOP"})")) == "error field-type");
    CHECK(findings(with_episode(R"({"episode_id":"1","actions":{}})")) == "error field-type");
    CHECK(findings(with_episode(R"({"episode_id":"1","actions":null})")) == "error field-type");
    CHECK(findings(with_episode("5")) == "error field-type, error episode-missing");
    CHECK(findings(with_episode("[{}]")) == "error field-type, error episode-missing");
    CHECK(findings(with_episode("{}")) == "error field-missing, error episode-missing");
    CHECK(with_episode("{}").diagnostics.count(DiagnosticCode::kFieldMissing) == 2);
}

TEST_CASE("episode: the keys may come in any order, and faults still name the episode",
          "[contract]") {
    CHECK(findings(with_episode(R"({"actions":["STOP"],"episode_id":"1"})")).empty());
    const ReadResult late = with_episode(R"({"actions":["HOP","STOP"],"episode_id":"1"})");
    CHECK(first_of(late, DiagnosticCode::kActionUnknown).episode_id == "1");
}

TEST_CASE("episode ids: numbers are refused and count as what they become once quoted",
          "[contract]") {
    const ReadResult number = with_episode(R"({"episode_id":1,"actions":["STOP"]})");
    CHECK(findings(number) == "error episode-id-type");
    CHECK(first_of(number, DiagnosticCode::kEpisodeIdType).hint == "quote it: \"1\"");
    CHECK(findings(with_episode(R"({"episode_id":9,"actions":["STOP"]})")) ==
          "error episode-id-type, error episode-unknown, error episode-missing");
    CHECK(findings(with_episode(R"({"episode_id":2,"actions":["STOP"]})")) ==
          "error episode-id-type, error episode-duplicate, error episode-missing");
    for (const char* value : {"null", "true", "[\"1\"]", "{}"}) {
        CHECK(findings(
                  with_episode(fmt::format(R"({{"episode_id":{},"actions":["STOP"]}})", value))) ==
              "error episode-id-type, error episode-missing");
    }
}

TEST_CASE("episode ids: padding and needless zeros are shown with what was meant", "[contract]") {
    for (const char* id : {" 1", "1 ", "01", "1.0", "\\t1", "001"}) {
        const ReadResult result = with_episode(episode_json(id));
        CHECK(findings(result) == "error episode-unknown, error episode-missing");
        CHECK_THAT(first_of(result, DiagnosticCode::kEpisodeUnknown).hint,
                   contains_text("did you mean \"1\"?"));
    }
    CHECK_THAT(first_of(with_episode(episode_json("x")), DiagnosticCode::kEpisodeUnknown).hint,
               contains_text("the ids of val_seen are 1-3"));
}

TEST_CASE("prediction: format_version is the integer 1", "[contract]") {
    const auto version = [](const std::string& value) {
        std::string json = test::good_prediction("val_seen");
        const std::string key = "\"format_version\":";
        json.replace(json.find(key) + key.size(), 1, value);
        return check_val_seen(json);
    };
    CHECK(findings(version("1")).empty());
    for (const char* value : {"2", "0", "-1", "\"1\"", "1.0", "1e0", "true", "null", "[1]", "{}",
                              "10", "11111111111111111111111"}) {
        INFO(value);
        CHECK(findings(version(value)) == "error format-version");
    }
    CHECK_THAT(first_of(version("\"1\""), DiagnosticCode::kFormatVersion).message,
               contains_text("the string \"1\", expected the integer 1"));
    CHECK(findings(version("NaN")) == "error json-syntax, error format-version");
}

TEST_CASE("prediction: missing top-level keys and a wrong type are named", "[contract]") {
    CHECK(findings(check_val_seen(R"({"split":"val_seen"})")) == "error field-missing");
    CHECK(check_val_seen(R"({"split":"val_seen"})")
              .diagnostics.count(DiagnosticCode::kFieldMissing) == 2);
    const ReadResult object =
        check_val_seen(R"({"format_version":1,"split":"val_seen","episodes":{"1":["STOP"]}})");
    CHECK(findings(object) == "error field-type");
    CHECK_THAT(first_of(object, DiagnosticCode::kFieldType).message,
               contains_text("episodes is an object, expected a list"));
    CHECK(findings(check_val_seen(R"({"format_version":1,"split":"val_seen","episodes":[]})")) ==
          "error episode-missing");
}

TEST_CASE("prediction: the split may come after the episodes", "[contract]") {
    const ReadResult good = check_val_seen(
        R"({"episodes":[{"episode_id":"1","actions":["STOP"]},)"
        R"({"episode_id":"2","actions":["STOP"]},{"episode_id":"3","actions":["STOP"]}],)"
        R"("format_version":1,"split":"val_seen"})");
    CHECK(findings(good).empty());
    const ReadResult bad =
        check_val_seen(R"({"episodes":[{"episode_id":"1","actions":["HOP"]}],"format_version":1,)"
                       R"("split":"val_seen"})");
    CHECK(findings(bad) == "error action-unknown, error stop-missing, error episode-missing");
}

TEST_CASE("prediction: an unknown key is warned of once, wherever it stands", "[contract]") {
    const std::string extra = R"(,"note":{"a":[1,2]})";
    std::vector<std::string> episodes;
    for (const char* id : {"1", "2", "3"}) {
        std::string episode = episode_json(id);
        episode.pop_back();
        episodes.push_back(episode + extra + "}");
    }
    std::string json = prediction_json("val_seen", episodes);
    json.pop_back();
    json += R"(,"meta/~data":1})";
    const ReadResult result = check_val_seen(json);
    CHECK_FALSE(result.rejected());
    CHECK(result.diagnostics.count(DiagnosticCode::kFieldUnknown) == 2);
    CHECK(result.diagnostics.kept()[0].pointer == "/episodes/0/note");
    CHECK(result.diagnostics.kept()[1].pointer == "/meta~1~0data");
}

TEST_CASE("prediction: unknown keys without end are listed up to a bound", "[contract]") {
    std::string json = test::good_prediction("val_seen");
    std::string keys;
    for (int i = 0; i < 3000; ++i) keys += fmt::format("\"k{}\":0,", i);
    json.insert(1, keys);
    const ReadResult result = check_val_seen(json);
    CHECK_FALSE(result.rejected());
    CHECK(result.diagnostics.count(DiagnosticCode::kFieldUnknown) == 1001);
}

TEST_CASE("prediction: a repeated key is refused, and its first value is taken", "[contract]") {
    std::string json = test::good_prediction("val_seen");
    json.insert(1, R"("split":"val_seen",)");
    CHECK(findings(check_val_seen(json)) == "error json-duplicate-key");
    const ReadResult inside =
        with_episode(R"({"episode_id":"1","actions":["STOP"],"actions":["HOP"]})");
    CHECK(findings(inside) == "error json-duplicate-key");
    const Diagnostic fault = first_of(inside, DiagnosticCode::kJsonDuplicateKey);
    CHECK(fault.episode_id == "1");
    CHECK(fault.pointer == "/episodes/0");
    // In what is passed over as well: readers differ in which value they would see.
    CHECK(findings(with_episode(R"({"episode_id":"1","actions":["STOP"],"x":{"a":1,"a":2}})")) ==
          "warning field-unknown, error json-duplicate-key");
}

TEST_CASE("prediction: faults of the text are errors, and those after a recovery show as well",
          "[contract]") {
    std::string json = test::good_prediction("val_seen");
    CHECK(findings(check_val_seen("\xEF\xBB\xBF" + json)) == "error json-encoding");
    json.replace(json.size() - 2, 2, ",]}");
    CHECK(findings(check_val_seen(json)) == "error json-syntax");
    // Cut off: nothing is said of episodes that may have stood in the rest.
    json = test::good_prediction("val_seen");
    json.resize(json.size() - 10);
    CHECK(findings(check_val_seen(json)) == "error json-syntax");
    json = prediction_json(
        "val_seen", {episode_json("1", "\"\xFF\",\"STOP\""), episode_json("2"), episode_json("3")});
    CHECK(findings(check_val_seen(json)) == "error json-encoding, error action-unknown");
}

TEST_CASE("prediction: places are those of the text", "[contract]") {
    const ReadResult result = check_val_seen(
        "{\n  \"format_version\": 2,\n  \"split\": \"val_seen\",\n  \"episodes\": [\n"
        "    {\"episode_id\": \"1\", \"actions\": [\"STOP\",\n      \"HOP\"]}]}\n");
    const Diagnostic version = first_of(result, DiagnosticCode::kFormatVersion);
    CHECK(version.line == 2);
    CHECK(version.column == 21);
    CHECK(version.pointer == "/format_version");
    const Diagnostic action = first_of(result, DiagnosticCode::kActionUnknown);
    CHECK(action.line == 6);
    CHECK(action.column == 7);
    CHECK(action.pointer == "/episodes/0/actions/1");
    CHECK(action.step == 1);
    CHECK(action.member == "val_seen.json");
    CHECK(action.file == "test.zip");
}

TEST_CASE("prediction: faults beyond the bound are counted, not kept", "[contract]") {
    ContractRules rules = test::phase_1_rules();
    rules.limits.max_kept_per_code = 10;
    test::ZipFile archive = test::good_archive();
    archive.entries[0].data = prediction_json(
        "val_seen",
        {episode_json("1", repeated("7", 400, kStop)), episode_json("2"), episode_json("3")});
    const ReadResult result =
        read_submission_archive(archive.bytes(), "test.zip", test::small_manifest(), rules);
    CHECK(result.diagnostics.count(DiagnosticCode::kActionType) == 400);
    CHECK(result.diagnostics.kept().size() == 10);
}

}  // namespace havln
