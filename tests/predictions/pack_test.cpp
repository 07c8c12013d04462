#include "predictions/pack.h"

#include <string>
#include <vector>

#include "havln/error.h"
#include "support/catch.h"
#include "support/submissions.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

/// Agent files in a folder of their own.
class AgentFolder {
  public:
    /// Writes the file and takes it as the next input.
    AgentFolder& file(const std::string& name, const std::string& text,
                      const std::string& split = {}) {
        write_file(folder_ / name, text);
        inputs_.push_back({folder_ / name, split});
        return *this;
    }

    PackResult pack(const PackRules& rules = {}) const {
        return collect_predictions(inputs_, small_manifest(), rules);
    }

  private:
    TempDir folder_;
    std::vector<PackInput> inputs_;
};

PackRules with_codes(const std::string& codes) {
    PackRules rules;
    rules.action_codes = parse_action_codes(codes);
    return rules;
}

/// "1: MOVE_FORWARD STOP; 2: STOP", the one split that was packed.
std::string told(const PackResult& result) {
    REQUIRE_FALSE(result.diagnostics.rejected());
    REQUIRE(result.splits.size() == 1);
    std::string text;
    for (const SubmittedEpisode& episode : result.splits[0].episodes) {
        text += (text.empty() ? "" : "; ") + episode.episode_id + ":";
        for (const Action action : result.splits[0].actions_of(episode)) {
            text += ' ' + std::string(action_name(action));
        }
    }
    return text;
}

/// The codes of all errors and warnings, each with its count.
std::string faults(const PackResult& result) {
    std::string text;
    for (const auto& [code, count] : result.diagnostics.counts()) {
        text += (text.empty() ? "" : ", ") + std::string(diagnostic_code_name(code)) + ' ' +
                std::to_string(count);
    }
    return text;
}

const Diagnostic& only(const PackResult& result) {
    REQUIRE(result.diagnostics.kept().size() == 1);
    return result.diagnostics.kept()[0];
}

constexpr const char* kCodes = "0=STOP,1=MOVE_FORWARD,2=TURN_LEFT,3=TURN_RIGHT";

}  // namespace

TEST_CASE("pack: a prediction file keeps its episodes and its split", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.json", R"({"format_version": 1, "split": "val_seen", "episodes": [
        {"episode_id": "2", "actions": ["STOP"]},
        {"episode_id": "1", "actions": ["MOVE_FORWARD", "LOOK_UP", "STOP"]}]})");
    const PackResult result = folder.pack();
    CHECK(told(result) == "1: MOVE_FORWARD LOOK_UP STOP; 2: STOP");
    CHECK(result.splits[0].split == "val_seen");
    CHECK(result.translated_actions == 0);
    CHECK(result.quoted_ids == 0);
}

TEST_CASE("pack: the earlier actions.json has its split under metadata and codes for actions",
          "[predictions][pack]") {
    AgentFolder folder;
    folder.file("actions.json", R"({"episodes": [
        {"episode_id": "1", "trajectory_id": "5732", "scene_id": "mp3d/s/s.glb",
         "actions": [1, 2, 3, 0],
         "trajectory": [{"position": [6.3, 0.1, 0.2], "heading": -0.3, "stop": false}]}],
        "metadata": {"agent_name": "A", "timestamp": "2026-04-01T16:36:54", "split": "test"}})");
    const PackResult result = folder.pack(with_codes(kCodes));
    CHECK(told(result) == "1: MOVE_FORWARD TURN_LEFT TURN_RIGHT STOP");
    CHECK(result.splits[0].split == "test");
    CHECK(result.translated_actions == 4);
    CHECK(faults(result).empty());
}

TEST_CASE("pack: codes mean what the user says, not what Habitat says", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.json", R"({"split": "test", "episodes": [
        {"episode_id": "1", "actions": [7, -1, 0]}]})");
    CHECK(told(folder.pack(with_codes("7=TURN_LEFT,-1=MOVE_FORWARD,0=STOP"))) ==
          "1: TURN_LEFT MOVE_FORWARD STOP");
}

TEST_CASE("pack: codes without a meaning are refused", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.json", R"({"split": "test", "episodes": [
        {"episode_id": "4", "actions": ["MOVE_FORWARD", 0]}]})");
    const PackResult unexplained = folder.pack();
    CHECK(faults(unexplained) == "action-type 1");
    CHECK(only(unexplained).episode_id == "4");
    CHECK(only(unexplained).line == 2u);
    CHECK(only(unexplained).pointer == "/episodes/0/actions/1");
    CHECK(only(unexplained).hint.find("--action-codes") != std::string::npos);
    const PackResult unknown = folder.pack(with_codes("1=STOP"));
    CHECK(faults(unknown) == "action-unknown 1");
    CHECK(only(unknown).hint.find("1=STOP") != std::string::npos);
}

TEST_CASE("pack: what is neither name nor whole number is no action", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.json", R"({"split": "test", "episodes": [{"episode_id": "1",
        "actions": ["stop", 1.0, null, true, [1], {"a": 1}, "1"]}]})");
    const PackResult result = folder.pack(with_codes(kCodes));
    CHECK(result.diagnostics.rejected());
    CHECK(faults(result) == "action-unknown 2, action-type 5");
}

TEST_CASE("pack: episodes may stand under their ids", "[predictions][pack]") {
    for (const std::string text :
         {R"({"split": "test", "2": ["STOP"], "1": ["MOVE_FORWARD", "STOP"]})",
          R"({"episodes": {"1": ["MOVE_FORWARD", "STOP"], "2": ["STOP"]}, "split": "test"})"}) {
        AgentFolder folder;
        folder.file("a.json", text);
        CHECK(told(folder.pack()) == "1: MOVE_FORWARD STOP; 2: STOP");
    }
}

TEST_CASE("pack: a bare list takes the split that the user names", "[predictions][pack]") {
    const std::string list = "[" + episode_json("1") + "," + episode_json("3") + "]";
    AgentFolder by_file;
    by_file.file("a.json", list, "val_seen");
    CHECK(told(by_file.pack()) == "1: STOP; 3: STOP");
    AgentFolder by_default;
    by_default.file("a.json", list);
    PackRules rules;
    rules.default_split = "val_unseen";
    const PackResult result = by_default.pack(rules);
    CHECK(told(result) == "1: STOP; 3: STOP");
    CHECK(result.splits[0].split == "val_unseen");
    const PackResult nameless = by_default.pack();
    CHECK(faults(nameless) == "split-missing 1");
    CHECK(nameless.diagnostics.rejected());
}

TEST_CASE("pack: JSON Lines hold one episode a line, of any split", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.jsonl",
                "{\"episode_id\": 2, \"split\": \"val_seen\", \"actions\": [1, 0]}\r\n"
                "\n"
                "{\"episode_id\": \"1\", \"actions\": [0], \"split\": \"val_unseen\"}\n"
                "{\"split\": \"val_seen\", \"actions\": [0], \"episode_id\": 1}");
    const PackResult result = folder.pack(with_codes(kCodes));
    REQUIRE_FALSE(result.diagnostics.rejected());
    REQUIRE(result.splits.size() == 2);
    CHECK(result.splits[0].split == "val_seen");
    CHECK(result.splits[0].episodes.size() == 2);
    CHECK(result.splits[0].episodes[0].episode_id == "1");
    CHECK(result.splits[1].split == "val_unseen");
    CHECK(result.quoted_ids == 2);
    CHECK(result.translated_actions == 4);
}

TEST_CASE("pack: faults of JSON Lines are found on their line", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.jsonl",
                "{\"episode_id\": \"1\", \"actions\": [\"STOP\"]}\n"
                "{\"episode_id\": \"2\", \"actions\": [\"STOP\"\n"
                "{\"episode_id\": \"3\"}\n"
                "7\n"
                "{\"episode_id\": \"4\", \"actions\": [\"RUN\"]}\n",
                "test");
    const PackResult result = folder.pack();
    CHECK(faults(result) == "json-syntax 1, field-missing 1, field-type 1, action-unknown 1");
    std::vector<std::uint64_t> lines;
    for (const Diagnostic& diagnostic : result.diagnostics.kept()) {
        lines.push_back(diagnostic.line.value_or(0));
    }
    CHECK(lines == std::vector<std::uint64_t>{2, 3, 4, 5});
}

TEST_CASE("pack: JSON Lines under the name .json are told to be renamed", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.json", episode_json("1") + "\n" + episode_json("2") + "\n", "test");
    const PackResult result = folder.pack();
    REQUIRE(result.diagnostics.rejected());
    CHECK(result.diagnostics.kept()[0].hint.find(".jsonl") != std::string::npos);
}

TEST_CASE("pack: an episode that comes twice is refused, within and across files",
          "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.jsonl", episode_json("1") + "\n" + episode_json("2"), "test")
        .file("b.jsonl", "\n" + episode_json("2", "\"TURN_LEFT\",\"STOP\""), "test")
        .file("c.json", R"({"split": "test", "1": ["STOP"], "3": ["STOP"]})");
    const PackResult result = folder.pack();
    CHECK(faults(result) == "episode-duplicate 2");
    const Diagnostic& first = result.diagnostics.kept()[0];
    CHECK(first.episode_id == "2");
    CHECK(first.line == 2u);
    CHECK(first.file.find("b.jsonl") != std::string::npos);
    CHECK(first.message.find("a.jsonl, line 2") != std::string::npos);
}

TEST_CASE("pack: the last wins only on demand, and every loser is named", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.jsonl", episode_json("1") + "\n" + episode_json("2"), "test")
        .file("b.jsonl", "\n" + episode_json("2", "\"TURN_LEFT\",\"STOP\""), "test")
        .file("c.json", R"({"split": "test", "2": ["TURN_RIGHT", "STOP"]})");
    PackRules rules;
    rules.last_wins = true;
    const PackResult result = folder.pack(rules);
    CHECK(told(result) == "1: STOP; 2: TURN_RIGHT STOP");
    REQUIRE(result.replaced.size() == 2);
    CHECK(result.replaced[0].split == "test");
    CHECK(result.replaced[0].episode_id == "2");
    CHECK(result.replaced[0].dropped.file.find("a.jsonl") != std::string::npos);
    CHECK(result.replaced[0].dropped.line == 2);
    CHECK(result.replaced[0].kept.file.find("b.jsonl") != std::string::npos);
    CHECK(result.replaced[1].dropped.line == 2);
    CHECK(result.replaced[1].kept.line == 1);
}

TEST_CASE("pack: the same id in two splits is two episodes", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.json", prediction_json("val_seen", {episode_json("1")}))
        .file("b.json", prediction_json("val_unseen", {episode_json("1")}));
    CHECK(folder.pack().splits.size() == 2);
}

TEST_CASE("pack: splits that contradict one another are refused", "[predictions][pack]") {
    AgentFolder two_names;
    two_names.file("a.json", R"({"split": "test", "metadata": {"split": "val_seen"},
        "episodes": [{"episode_id": "1", "actions": ["STOP"]}]})");
    CHECK(faults(two_names.pack()) == "split-duplicate 1");

    AgentFolder unknown;
    unknown.file("a.jsonl",
                 "{\"episode_id\": \"1\", \"split\": \"train\", \"actions\": []}\n"
                 "{\"episode_id\": \"2\", \"split\": \"train\", \"actions\": []}\n");
    const PackResult result = unknown.pack();
    CHECK(faults(result) == "split-unrecognised 1");
    CHECK(result.diagnostics.rejected());

    AgentFolder other;
    other.file("a.json", good_prediction("val_seen"), "test");
    try {
        other.pack();
        FAIL("a file of val_seen was taken for test");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kUsage);
        CHECK(std::string(error.what()).find("val_seen") != std::string::npos);
    }
}

TEST_CASE("pack: unknown keys are left out with a warning, each once", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.json", R"({"split": "test", "comment": 1, "episodes": [
        {"episode_id": "1", "actions": ["STOP"], "confidence": 0.5, "trajectory": [{"a": [1]}]},
        {"episode_id": "2", "actions": ["STOP"], "confidence": 0.5}]})");
    const PackResult result = folder.pack();
    CHECK(faults(result) == "field-unknown 2");
    CHECK(told(result) == "1: STOP; 2: STOP");
}

TEST_CASE("pack: damaged and foreign files are faults, not crashes", "[predictions][pack]") {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "json-syntax 1"},
        {"7", "field-type 1"},
        {"{}", "split-missing 1"},
        {"[]", "split-missing 1"},
        {R"({"split": "test", "episodes": 3})", "field-type 1"},
        {R"({"split": 3, "episodes": []})", "field-type 1"},
        {R"({"split": "test", "episodes": [3, []]})", "field-type 2"},
        {R"({"split": "test", "episodes": [{"episode_id": 1.5, "actions": []}]})",
         "episode-id-type 1"},
        {R"({"split": "test", "episodes": [{"episode_id": "1", "actions": "STOP"}]})",
         "field-type 1"},
        {"{\"split\": \"test\", \"episodes\": [{\"episode_id\": \"1\", \"actions\": [\"STOP\"]",
         "json-syntax 1"},
        {R"({"split": "test", "1": ["STOP"]} x)", "json-syntax 1"},
        {R"({"split": "test", "1": ["STOP"], "1": ["STOP"]})",
         "json-duplicate-key 1, episode-duplicate 1"},
    };
    for (const auto& [text, expected] : cases) {
        INFO(text);
        AgentFolder folder;
        folder.file("a.json", text);
        const PackResult result = folder.pack();
        CHECK(faults(result) == expected);
        CHECK(result.diagnostics.rejected());
    }
}

TEST_CASE("pack: every prefix of a file is refused or says the same", "[predictions][pack]") {
    const std::string whole =
        R"({"split":"test","episodes":[{"episode_id":"1","actions":["STOP"]},{"episode_id":2,"actions":[1,0]}]})";
    for (std::size_t length = 0; length < whole.size(); ++length) {
        AgentFolder folder;
        folder.file("a.json", whole.substr(0, length));
        CHECK(folder.pack(with_codes(kCodes)).diagnostics.rejected());
    }
    AgentFolder folder;
    folder.file("a.json", whole);
    CHECK(told(folder.pack(with_codes(kCodes))) == "1: STOP; 2: MOVE_FORWARD STOP");
}

TEST_CASE("pack: a nested bomb ends at the depth limit", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.json", R"({"split": "test", "comment": )" + std::string(100'000, '['));
    CHECK(faults(folder.pack()).find("json-too-deep 1") != std::string::npos);
}

TEST_CASE("pack: the archive's bytes do not tell in which order things came",
          "[predictions][pack]") {
    AgentFolder one;
    one.file("a.json", good_prediction("val_unseen")).file("b.json", good_prediction("val_seen"));
    AgentFolder shards;
    shards.file("z.jsonl", episode_json("3") + "\n" + episode_json("1"), "val_seen")
        .file("y.json", R"({"5": ["STOP"], "4": ["STOP"], "2": ["STOP"]})", "val_unseen")
        .file("x.json", "[" + episode_json("2") + "]", "val_seen")
        .file("w.json", "[" + episode_json("1") + "," + episode_json("3") + "]", "val_unseen");
    const std::string bytes = submission_archive(one.pack().splits);
    CHECK(bytes == submission_archive(shards.pack().splits));
    const ReadResult checked = check(bytes);
    CHECK_FALSE(checked.rejected());
    CHECK(checked.diagnostics.warnings() == 0);
    CHECK(checked.splits.size() == 2);
}

TEST_CASE("pack: a prediction file has one episode a line", "[predictions][pack]") {
    AgentFolder folder;
    folder.file("a.json", R"({"split": "test", "2": ["STOP"], "1": ["MOVE_FORWARD", "STOP"]})");
    CHECK(prediction_file(folder.pack().splits[0]) ==
          "{\"format_version\":1,\"split\":\"test\",\"episodes\":[\n"
          "{\"episode_id\":\"1\",\"actions\":[\"MOVE_FORWARD\",\"STOP\"]},\n"
          "{\"episode_id\":\"2\",\"actions\":[\"STOP\"]}\n"
          "]}\n");
}
