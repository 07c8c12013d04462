// Damaged files: every fault is a diagnostic, none an exception.
#include <string>

#include "havln/predictions.h"
#include "support/catch.h"
#include "support/damage.h"
#include "support/data_root.h"

using namespace havln;

namespace {

Split two_episodes() {
    Split split;
    split.name = "toy";
    for (const char* id : {"1", "2"}) {
        split.by_id.emplace(id, split.episodes.size());
        split.episodes.push_back(test::make_episode(id));
        split.episodes.back().instruction_id = id;
    }
    return split;
}

/// Reads damaged copies of a sound file with `read`, which tells whether it was rejected.
template <typename Read>
void check_damaged(const std::string& name, const std::string& sound, std::uint64_t seed,
                   Read read) {
    const test::TempDir dir;
    Random random(seed);
    test::write_file(dir / name, sound);
    REQUIRE_FALSE(read(dir / name));
    int accepted = 0;
    for (int i = 0; i < 1500; ++i) {
        test::write_file(dir / name, test::damaged(sound, random));
        accepted += read(dir / name) ? 0 : 1;
    }
    CHECK(accepted > 10);
    CHECK(accepted < 1490);
}

}  // namespace

TEST_CASE("damaged predictions are read or rejected", "[predictions][damage]") {
    const Split split = two_episodes();
    const auto paths = [&](const std::filesystem::path& file) {
        const PathPredictions read = read_path_predictions(file, split, {});
        if (!read.rejected()) {
            CHECK(read.paths.size() == 2);
            for (const PredictedPath& path : read.paths) CHECK_FALSE(path.positions.empty());
        }
        return read.rejected();
    };
    check_damaged("paths.json",
                  R"({"1": [{"position": [0, 0, 0], "heading": 0.5, "stop": false},
                            {"position": [1, 0, 0], "heading": 0.5, "stop": true}],
                      "2": {"locations": [[1, 2, 3]], "actions": [0]}})",
                  1, paths);
    check_damaged("paths.jsonl",
                  "{\"instruction_id\": 1, \"path\": [[0, 0, 0]]}\n"
                  "{\"instruction_id\": 2, \"path\": [[0, 0, 0], [1, 2, 3]]}\n",
                  2, paths);
    const auto lists = [](const std::filesystem::path& file) {
        const ReadResult read =
            read_action_lists(file, {"toy", {"1", "2"}, {}}, {}, default_action_codes());
        if (!read.rejected()) CHECK(read.splits.front().episodes.size() == 2);
        return read.rejected();
    };
    check_damaged("lists.json", R"({"1": ["MOVE_FORWARD", 2, 0], "2": {"actions": [3, 3, 0]}})", 3,
                  lists);
    check_damaged("lists.jsonl",
                  "{\"episode_id\": 1, \"actions\": [1, 0]}\n{\"episode_id\": \"2\", "
                  "\"actions\": [\"STOP\"], \"more\": {}}\n",
                  4, lists);
}

TEST_CASE("damaged agent logs and ratings are read or rejected", "[predictions][damage]") {
    check_damaged(
        "log.jsonl",
        "{\"episode_id\": 1, \"skipped_steps\": 12, \"total_steps\": 40, \"gflops\": 1.5}\n"
        "{\"episode_id\": \"2\", \"skipped_steps\": 0, \"total_steps\": 3, \"gflops\": 1e3}\n",
        5, [](const std::filesystem::path& file) { return read_agent_log(file).rejected(); });
    check_damaged("ratings.json", R"({"q1": 1, "q2": 5, "some question": 3})", 6,
                  [](const std::filesystem::path& file) { return read_ratings(file).rejected(); });
}
