#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/catch.h"
#include "support/command.h"
#include "support/submissions.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

/// A folder with a manifest of the splits a (ids 1 and 2) and b (id 1).
class PackFolder {
  public:
    PackFolder() {
        write("manifest.json",
              R"({"splits": {"a": {"episode_ids": ["1", "2"]}, "b": {"episode_ids": ["1"]}}})");
    }

    void write(const std::string& name, const std::string& text) const {
        write_file(folder_ / name, text);
    }
    std::string at(const std::string& name) const { return (folder_ / name).string(); }

    /// havln-pack MORE --out submission.zip --manifest manifest.json.
    CommandResult pack(std::vector<std::string> more) const {
        more.insert(more.end(), {"--out", at("submission.zip"), "--manifest", at("manifest.json")});
        return run(binary("havln-pack"), more);
    }
    CommandResult validate(std::vector<std::string> more) const {
        more.insert(more.begin(), {at("submission.zip"), "--manifest", at("manifest.json")});
        return run(binary("havln-validate"), more);
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
            names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

  private:
    TempDir folder_;
};

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("havln-pack: shards and codes become an archive that havln-validate passes",
          "[cli][pack]") {
    const PackFolder folder;
    folder.write("one.jsonl", "{\"episode_id\": 2, \"actions\": [1, 0]}\n");
    folder.write("two.json", R"({"metadata": {"split": "a"}, "episodes": [
        {"episode_id": "1", "actions": [0]}]})");
    folder.write("b.json", R"({"1": ["STOP"]})");
    const CommandResult result = folder.pack({"a=" + folder.at("one.jsonl"), folder.at("two.json"),
                                              "b=" + folder.at("b.json"), "--split", "a", "--split",
                                              "b", "--action-codes", "0=STOP,1=MOVE_FORWARD"});
    INFO(result.out << result.err);
    CHECK(result.exit_code == 0);
    CHECK(result.out.rfind("PASS: a 2 episodes, 3 actions; b 1 episode, 1 action", 0) == 0);
    CHECK(holds(result.out, "now strings: 1\n"));
    CHECK(holds(result.out, "action codes translated: 3\n"));
    CHECK(folder.validate({"--split", "a", "--split", "b"}).exit_code == 0);
    const std::string bytes = read_file(folder.at("submission.zip"));
    CHECK(folder.files() ==
          Words{"b.json", "manifest.json", "one.jsonl", "submission.zip", "two.json"});
    // The same predictions another way round: the same bytes.
    REQUIRE(
        folder
            .pack({folder.at("two.json"), "b=" + folder.at("b.json"), "a=" + folder.at("one.jsonl"),
                   "--split", "b", "--split", "a", "--action-codes", "1=MOVE_FORWARD,0=STOP"})
            .exit_code == 0);
    CHECK(read_file(folder.at("submission.zip")) == bytes);
}

TEST_CASE("havln-pack: one required split is that of files that name none", "[cli][pack]") {
    const PackFolder folder;
    folder.write("a.jsonl", episode_json("1") + "\n" + episode_json("2"));
    CHECK(folder.pack({folder.at("a.jsonl"), "--split", "a"}).exit_code == 0);
    const CommandResult several =
        folder.pack({folder.at("a.jsonl"), "--split", "a", "--split", "b"});
    CHECK(several.exit_code == 1);
    CHECK(holds(several.out, "error[split-missing]"));
}

TEST_CASE("havln-pack: what the contract refuses is not written", "[cli][pack]") {
    const PackFolder folder;
    folder.write("a.jsonl", episode_json("1") + "\n");  // episode 2 is missing
    const CommandResult result = folder.pack({folder.at("a.jsonl"), "--split", "a"});
    CHECK(result.exit_code == 1);
    CHECK(result.out.rfind("SUBMISSION REJECTED: 1 error", 0) == 0);
    CHECK(holds(result.out, "error[episode-missing]"));
    CHECK(folder.files() == Words{"a.jsonl", "manifest.json"});

    folder.write("submission.zip", "an earlier one");
    CHECK(folder.pack({folder.at("a.jsonl"), "--split", "a"}).exit_code == 1);
    CHECK(read_file(folder.at("submission.zip")) == "an earlier one");
}

TEST_CASE("havln-pack: the last wins only on demand, and says so even when quiet", "[cli][pack]") {
    const PackFolder folder;
    folder.write("a.jsonl", episode_json("1") + "\n" + episode_json("2") + "\n" +
                                episode_json("1", "\"TURN_LEFT\",\"STOP\"") + "\n");
    const CommandResult refused = folder.pack({folder.at("a.jsonl"), "--split", "a"});
    CHECK(refused.exit_code == 1);
    CHECK(holds(refused.out, "error[episode-duplicate] (1)"));
    CHECK(holds(refused.out, "--last-wins"));
    const CommandResult taken =
        folder.pack({folder.at("a.jsonl"), "--split", "a", "--last-wins", "--quiet"});
    CHECK(taken.exit_code == 0);
    CHECK(holds(taken.out,
                "last wins: 1 earlier prediction gave way\n  a \"1\": " + folder.at("a.jsonl") +
                    ":1:1 gave way to " + folder.at("a.jsonl") + ":3:1\n"));
    // Several in the same files stand on one line.
    const CommandResult twice =
        folder.pack({folder.at("a.jsonl"), folder.at("a.jsonl"), "--split", "a", "--last-wins"});
    CHECK(twice.exit_code == 0);
    CHECK(holds(twice.out, "last wins: 4 earlier predictions gave way\n  a 1, 1, 2, 1: 4 in " +
                               folder.at("a.jsonl") + " gave way to " + folder.at("a.jsonl") +
                               ", the first at " + folder.at("a.jsonl") + ":1:1 to " +
                               folder.at("a.jsonl") + ":3:1\n"));
}

TEST_CASE("havln-pack: a mistyped split is told from a file that is not there", "[cli][pack]") {
    const PackFolder folder;
    folder.write("x=y.jsonl", episode_json("1") + "\n" + episode_json("2") + "\n");
    folder.write("manifest.json", R"({"splits": {"val_seen": {"episode_ids": ["1", "2"]},
                                                 "test": {"count": 1}}})");
    const CommandResult near = folder.pack({"val_sen=" + folder.at("x=y.jsonl")});
    CHECK(near.exit_code == 2);
    CHECK(holds(near.err,
                "there is no split \"val_sen\"; did you mean val_seen? The splits are "
                "val_seen, test\n"));
    const CommandResult far = folder.pack({"demo=" + folder.at("x=y.jsonl")});
    CHECK(far.exit_code == 2);
    CHECK(holds(far.err, "there is no split \"demo\". The splits are val_seen, test\n"));
    // A path with '=' in it is a path, there or not.
    CHECK(folder.pack({folder.at("x=y.jsonl"), "--split", "val_seen"}).exit_code == 0);
    CHECK(holds(folder.pack({folder.at("z=y.jsonl")}).err, "z=y.jsonl: cannot be opened"));
}

TEST_CASE("havln-pack: warnings of the agent's files are shown", "[cli][pack]") {
    const PackFolder folder;
    folder.write("b.json", R"({"split": "b", "episodes": [
        {"episode_id": "1", "actions": ["STOP"], "speed": 2}]})");
    const CommandResult result = folder.pack({folder.at("b.json"), "--split", "b"});
    CHECK(result.exit_code == 0);
    CHECK(holds(result.out, "warning[field-unknown] (1)"));
}

TEST_CASE("havln-pack: wrong usage exits 2", "[cli][pack]") {
    const PackFolder folder;
    folder.write("b.json", R"({"split": "b", "1": ["STOP"]})");
    const std::string file = folder.at("b.json");
    CHECK(folder.pack({folder.at("none.json"), "--split", "b"}).exit_code == 2);
    CHECK(folder.pack({file, "--split", "unknown"}).exit_code == 2);
    CHECK(folder.pack({"a=" + file, "--split", "a"}).exit_code == 2);
    CHECK(folder.pack({file, "--split", "b", "--action-codes", "0=HALT"}).exit_code == 2);
    CHECK(run(binary("havln-pack"), {file}).exit_code == 2);
    CHECK(run(binary("havln-pack"), {file, "--out", folder.at("out.tar")}).exit_code == 2);
    CHECK(folder.files() == Words{"b.json", "manifest.json"});
}

TEST_CASE("havln-pack: a hostile file name and id reach the terminal escaped", "[cli][pack]") {
    const PackFolder folder;
    folder.write("\x1b[31m.json", "{\"split\": \"b\", \"\\u001b[2J\": [\"STOP\"]}");
    const CommandResult result = folder.pack({folder.at("\x1b[31m.json"), "--split", "b"});
    CHECK(result.exit_code == 1);
    CHECK_FALSE(holds(result.out + result.err, "\x1b["));
}
