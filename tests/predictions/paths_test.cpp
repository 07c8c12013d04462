#include <string>

#include "havln/error.h"
#include "havln/metrics.h"
#include "havln/predictions.h"
#include "io/file.h"
#include "predictions/faults.h"
#include "support/catch.h"
#include "support/data_root.h"

using namespace havln;
using havln::test::Faults;
using havln::test::faults_of;

namespace {

/// Reads a file's text as the prediction for a split of episodes "1" and "2".
class Reading {
  public:
    explicit Reading(const std::string& text, const std::string& name = "paths.json",
                     std::uint32_t max_actions = 500) {
        Split split;
        split.name = "toy";
        for (const char* id : {"1", "2"}) {
            split.by_id.emplace(id, split.episodes.size());
            split.episodes.push_back(test::make_episode(id));
            split.episodes.back().instruction_id = std::string("10") + id;
        }
        const test::TempDir dir;
        test::write_file(dir / name, name.ends_with(".gz") ? gzip(text) : text);
        ContractRules rules;
        rules.max_actions = max_actions;
        result = read_path_predictions(dir / name, split, rules);
    }
    PathPredictions result;
    Faults faults() const { return faults_of(result.diagnostics); }
};

std::string state(const std::string& position, const std::string& stop = "false") {
    return R"({"position": )" + position + R"(, "heading": 0.5, "stop": )" + stop + "}";
}

/// Both episodes, the second sound.
std::string states(const std::string& first) {
    return R"({"1": )" + first + R"(, "2": [)" + state("[0, 0, 0]") + "]}";
}

}  // namespace

TEST_CASE("VLN-CE inference output: positions and whether the agent stopped", "[predictions]") {
    const std::string text = R"({"2": [)" + state("[0, 0.5, 0]") + "," + state("[0, 0.5, -0.25]") +
                             "," + state("[0, 0.5, -0.25]", "true") + R"(], "1": [)" +
                             state("[1, 2, 3]") + "]}";
    for (const char* name : {"p.json", "p.json.gz"}) {
        const Reading read(text, name);
        CHECK(read.faults().empty());
        REQUIRE(read.result.paths.size() == 2);
        CHECK(read.result.paths[0].episode_id == "2");
        CHECK(read.result.paths[0].positions ==
              std::vector<Vec3d>{{0, 0.5, 0}, {0, 0.5, -0.25}, {0, 0.5, -0.25}});
        CHECK(read.result.paths[0].stopped);
        CHECK_FALSE(read.result.paths[1].stopped);
    }
}

TEST_CASE("a path as a trace", "[predictions]") {
    const Trace trace = trace_of({"1", {{0, 0, 0}, {0.1, 0, 0}}, true});
    CHECK(trace.positions == std::vector<Vec3f>{{0, 0, 0}, {0.1f, 0, 0}});
    CHECK(trace.rotations_xyzw.size() == 2);
    CHECK(trace.steps() == 1);
    CHECK(trace.collided == std::vector<std::uint8_t>{0});
    CHECK(trace.frames == std::vector<std::uint16_t>{0});
    CHECK(trace.stopped);
}

TEST_CASE("VLN-CE reference files serve as predictions", "[predictions]") {
    const Reading read(
        R"({"1": {"locations": [[0, 0, 0], [0, 0, -0.25]], "actions": [2, 1, 0], "forward_steps": 1},
            "2": {"actions": [1, 1], "locations": [[0, 0, 0]]}})");
    CHECK(read.faults().empty());
    REQUIRE(read.result.paths.size() == 2);
    CHECK(read.result.paths[0].positions == std::vector<Vec3d>{{0, 0, 0}, {0, 0, -0.25}});
    CHECK(read.result.paths[0].stopped);
    CHECK_FALSE(read.result.paths[1].stopped);
    CHECK(Reading(R"({"1": {"locations": [[0, 0, 0]]}, "2": {"locations": [[0, 0, 0]]}})")
              .result.paths[0]
              .stopped);
}

TEST_CASE("RxR-Habitat's JSON Lines go by instruction", "[predictions]") {
    const Reading read(
        "{\"instruction_id\": 102, \"path\": [[0, 0, 0], [1, 0, 0]]}\n\n"
        "{\"path\": [[5, 0, 0]], \"instruction_id\": \"101\"}\n",
        "p.jsonl");
    CHECK(read.faults().empty());
    REQUIRE(read.result.paths.size() == 2);
    CHECK(read.result.paths[0].episode_id == "2");
    CHECK(read.result.paths[0].positions.size() == 2);
    CHECK(read.result.paths[0].stopped);
    CHECK(read.result.paths[1].episode_id == "1");
    const Reading bad("{\"instruction_id\": 102, \"path\": []}\n{\"instruction_id\": 7}\nx\n",
                      "p.jsonl");
    CHECK(bad.faults().size() == 5);
    CHECK(bad.result.diagnostics.count(DiagnosticCode::kActionsEmpty) == 1);
    CHECK(bad.result.diagnostics.count(DiagnosticCode::kEpisodeUnknown) == 1);
    CHECK(bad.result.diagnostics.count(DiagnosticCode::kFieldMissing) == 1);
    CHECK(bad.result.diagnostics.count(DiagnosticCode::kJsonSyntax) == 1);
    CHECK(bad.result.diagnostics.count(DiagnosticCode::kEpisodeMissing) == 1);
    CHECK(bad.result.diagnostics.kept()[1].line == 2);
    CHECK(bad.result.diagnostics.kept()[3].line == 3);
}

TEST_CASE("paths: faults are all reported, with their place", "[predictions]") {
    const Reading read(states("[" + state("[0, 0]") + "," + state("[0, \"x\", 0]") + "," +
                              R"({"position": [0, 0, 0]}, {"stop": 1}, 5])"));
    CHECK(read.faults() ==
          Faults{"field-type /1/0/position: expected a position [x, y, z], found 2 items",
                 "field-type /1/1/position/1: expected a number, found the string \"x\"",
                 "field-missing /1/2: the key \"stop\" is missing",
                 "field-type /1/3/stop: expected true or false, found 1",
                 "field-missing /1/3: the key \"position\" is missing",
                 "field-type /1/4: expected a state, found 5"});
    CHECK(read.result.rejected());
    for (const Diagnostic& fault : read.result.diagnostics.kept()) {
        CHECK(fault.episode_id == "1");
        CHECK(fault.line == 1);
    }
}

TEST_CASE("paths: numbers that are none, or out of bounds", "[predictions]") {
    CHECK(Reading(states("[" + state("[0, 1e999, 0]") + "]")).result.rejected());
    CHECK(Reading(states("[" + state("[0, NaN, 0]") + "]")).result.rejected());
    CHECK(Reading(states("[" + state("[0, 1.1e9, 0]") + "]")).result.rejected());
    CHECK_FALSE(Reading(states("[" + state("[0, -1e9, 0]") + "]")).result.rejected());
}

TEST_CASE("paths: empty, too long, and stopped early", "[predictions]") {
    CHECK(Reading(states("[]")).faults() == Faults{"actions-empty /1: the path is empty"});
    std::string list;
    for (int i = 0; i < 4; ++i) list += (i > 0 ? "," : "") + state("[0, 0, 0]");
    CHECK(Reading(states("[" + list + "]"), "p.json", 3).faults().empty());  // 3 steps
    CHECK(Reading(states("[" + list + "]"), "p.json", 2).faults() ==
          Faults{"actions-too-long /1: 3 steps; at most 2 are allowed"});
    CHECK(Reading(states("[" + state("[0, 0, 0]", "true") + "," + state("[0, 0, 0]", "true") + "]"))
              .faults() ==
          Faults{"stop-not-last /1: the agent stopped in state 1 of 2; nothing may follow"});
}

TEST_CASE("paths: every episode once, none besides", "[predictions]") {
    const std::string one = "[" + state("[0, 0, 0]") + "]";
    CHECK(Reading(R"({"1": )" + one + "}").faults() ==
          Faults{"episode-missing : 1 of the 2 episodes of toy is missing: 2"});
    const Reading unknown(R"({"1": )" + one + R"(, "2": )" + one + R"(, "3": )" + one + "}");
    CHECK(unknown.result.diagnostics.count(DiagnosticCode::kEpisodeUnknown) == 1);
    CHECK(unknown.result.paths.size() == 2);
    const Reading twice(R"({"1": )" + one + R"(, "2": )" + one + R"(, "1": )" + one + "}");
    CHECK(twice.result.diagnostics.count(DiagnosticCode::kEpisodeDuplicate) == 1);
    CHECK(twice.result.paths.size() == 2);
}

TEST_CASE("paths: text that is no prediction", "[predictions]") {
    CHECK(Reading("").result.rejected());
    CHECK(Reading("[]").faults().front().starts_with("field-type : expected an object"));
    CHECK(Reading("5").result.rejected());
    const std::string whole = states("[" + state("[0, 0, 0]") + "]");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK(Reading(whole.substr(0, size)).result.rejected());
    }
    CHECK(Reading(whole + "x").result.rejected());
    CHECK(Reading(std::string(100000, '[')).result.rejected());
    CHECK(Reading(R"({"1": )" + std::string(100000, '[')).result.rejected());
}

TEST_CASE("paths: a file that cannot be opened", "[predictions]") {
    const test::TempDir dir;
    const Split split;
    try {
        read_path_predictions(dir / "absent.json", split, {});
        FAIL("opened");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kUsage);
    }
    test::write_file(dir / "bad.json.gz", "no gzip");
    try {
        read_path_predictions(dir / "bad.json.gz", split, {});
        FAIL("opened");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kUsage);
    }
}

TEST_CASE("released reference files, scored by position: nDTW is 1 throughout",
          "[predictions][shared]") {
    HAVLN_NEED_SHARED("real/havln2");
    GroundTruth data(test::shared("real/havln2"));
    const auto [name, count, within] = GENERATE(table<std::string, std::size_t, std::size_t>(
        {{"val_seen", 778, 778}, {"val_unseen", 1839, 1839}}));
    CAPTURE(name);
    const auto split = data.split(name);
    const PathPredictions read = read_path_predictions(split->gt_file, *split, {});
    REQUIRE_FALSE(read.rejected());
    REQUIRE(read.paths.size() == count);
    std::size_t successes = 0;
    for (const PredictedPath& path : read.paths) {
        const std::size_t index = *split->index_of(path.episode_id);
        CHECK(path.stopped);
        CHECK(ndtw(path.positions, split->gt_locations[index], 3.0, DtwKind::kExact) == 1.0);
        const Vec3d& goal = split->episodes[index].goals->front().position;
        successes += distance_m(path.positions.back(), goal) < 3.0 ? 1 : 0;
    }
    // Counted in Python over the same files: math.dist(locations[-1], goal) < 3.
    CHECK(successes == within);
}
