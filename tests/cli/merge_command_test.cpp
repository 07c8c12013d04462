#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "havln/shard.h"
#include "io/sha256.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/data_root.h"
#include "support/support.h"
#include "support/toy_navmesh.h"

using namespace havln;
using namespace havln::test;

namespace {

constexpr int kScenes = 5;

/// Five scenes of three episodes; every walk has another length.
class FiveScenes : public DataRoot {
  public:
    FiveScenes() {
        ToyFloor floor;
        floor.rows.assign(12, ".........");
        floor.origin = {-4.5f, 0, -10};
        std::vector<Episode> episodes;
        std::map<std::string, int> baselines;
        std::string predictions;
        for (int i = 1; i <= 3 * kScenes; ++i) {
            const std::string id = std::to_string(i), scan = "scan" + std::to_string(i % kScenes);
            episodes.push_back(make_episode(id, scan));
            baselines[id] = i % 2;
            std::string actions;
            for (int k = 0; k < 3 * i; ++k) actions += "\"MOVE_FORWARD\",";
            predictions += (i > 1 ? "," : "") + (R"({"episode_id": ")" + id) +
                           R"(", "actions": [)" + actions + "\"STOP\"]}";
        }
        for (int i = 0; i < kScenes; ++i) {
            write_toy_scene(path(), "scan" + std::to_string(i), {floor}, &floor);
        }
        write_episodes("toy", episodes);
        write_baselines("toy", baselines);
        write("toy.json",
              R"({"format_version": 1, "split": "toy", "episodes": [)" + predictions + "]}");
    }

    std::vector<std::string> scoring(const std::string& out, std::vector<std::string> more) const {
        std::vector<std::string> arguments = {(*this / "toy.json").string(),
                                              "--data",
                                              path().string(),
                                              "--collisions",
                                              "released",
                                              "--pool",
                                              "--bootstrap",
                                              "50",
                                              "--out",
                                              (*this / out).string(),
                                              "--quiet"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

    CommandResult score(const std::string& out, std::vector<std::string> more = {}) const {
        return run(binary("havln-score"), scoring(out, std::move(more)));
    }

    std::string shard(int index, int count) const {
        return (*this / ("shards" + std::to_string(count) + "/shard-" + std::to_string(index) +
                         "-of-" + std::to_string(count) + ".json"))
            .string();
    }

    void score_shard(int index, int count, std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--shard", std::to_string(index) + "/" + std::to_string(count)});
        REQUIRE(score("shards" + std::to_string(count), more).exit_code == 0);
    }

    CommandResult merge(std::vector<std::string> shards) const {
        shards.insert(shards.end(), {"--out", (*this / "merged").string(), "--rows",
                                     (*this / "merged.csv").string()});
        return run(binary("havln-merge"), shards);
    }
};

/// A shard's text with the digest of what it now holds.
std::string signed_again(std::string text) {
    const std::size_t digest = text.rfind(",\"sha256\"");
    REQUIRE(digest != std::string::npos);
    text.erase(digest);
    return text + ",\"sha256\":\"" + sha256_hex(text + "}") + "\"}\n";
}

}  // namespace

TEST_CASE("havln-merge: 2, 3 and 7 shards give the single run's bytes, in any order",
          "[cli][merge]") {
    const FiveScenes root;
    const CommandResult single = root.score("single", {"--rows", (root / "single.csv").string()});
    REQUIRE(single.exit_code == 0);
    for (const int count : {2, 3, 7}) {
        INFO(count);
        std::vector<std::string> files;
        for (int i = 1; i <= count; ++i) {
            root.score_shard(i, count, {"--jobs", std::to_string(i)});
            files.insert(files.begin(), root.shard(i, count));
        }
        root.score_shard(1, count);  // run again: the same file
        const CommandResult merged = root.merge(files);
        INFO(merged.err);
        REQUIRE(merged.exit_code == 0);
        CHECK(merged.out == single.out);
        for (const char* file : {"score_summary.json", "episode_metrics.json"}) {
            CHECK(read_file(root / "merged" / file) == read_file(root / "single" / file));
        }
        CHECK(read_file(root / "merged.csv") == read_file(root / "single.csv"));
        std::filesystem::remove(root / "merged.csv");
        const std::string first = read_file(files.front());
        std::vector<std::string> onto_shard = files;
        onto_shard.insert(onto_shard.end(), {"--rows", files.front()});
        CHECK(run(binary("havln-merge"), onto_shard).exit_code == 2);
        CHECK(read_file(files.front()) == first);
    }
}

TEST_CASE("havln-merge: gaps, doubles and other runs are refused and named", "[cli][merge]") {
    const FiveScenes root;
    for (int i = 1; i <= 3; ++i) root.score_shard(i, 3);
    const auto refused = [&](const std::vector<std::string>& shards, const std::string& word) {
        const CommandResult result = root.merge(shards);
        INFO(result.err);
        CHECK(result.exit_code == 2);
        CHECK(holds(result.err, word));
        CHECK_FALSE(std::filesystem::exists(root / "merged"));
        CHECK_FALSE(std::filesystem::exists(root / "merged.csv"));
    };
    refused({root.shard(1, 3), root.shard(3, 3)}, "2/3");
    refused({root.shard(1, 3), root.shard(2, 3), root.shard(2, 3), root.shard(3, 3)}, "shard 2/3");
    root.score_shard(1, 2);
    refused({root.shard(1, 3), root.shard(2, 3), root.shard(1, 2)}, "shards");
    root.score_shard(3, 3, {"--frames-per-action", "2"});
    refused({root.shard(1, 3), root.shard(2, 3), root.shard(3, 3)}, "frames-per-action=2");
}

TEST_CASE("havln-merge: a shard that was cut short or tampered with is refused", "[cli][merge]") {
    const FiveScenes root;
    root.score_shard(1, 1 + 1);
    root.score_shard(2, 2);
    const std::string whole = read_file(root.shard(2, 2));
    for (std::size_t size = 0; size < whole.size(); size += whole.size() / 40) {
        write_file(root.shard(2, 2), whole.substr(0, size));
        CHECK(root.merge({root.shard(1, 2), root.shard(2, 2)}).exit_code == 2);
    }
    std::string episodes_gone = whole;
    const std::size_t first = episodes_gone.find("{\"episode_id\"");
    const std::size_t second = episodes_gone.find("{\"episode_id\"", first + 1);
    episodes_gone.erase(first, second - first);
    write_file(root.shard(2, 2), episodes_gone);
    CHECK(holds(root.merge({root.shard(1, 2), root.shard(2, 2)}).err,
                "does not end with the sha256 of its content"));
    for (std::size_t at = 0; at < whole.size(); at += 61) {
        INFO(at);
        std::string flipped = whole;
        flipped[at] ^= 1;
        write_file(root.shard(2, 2), flipped);
        CHECK(root.merge({root.shard(1, 2), root.shard(2, 2)}).exit_code == 2);
    }
    // With a digest of its own it still lacks episodes.
    write_file(root.shard(2, 2), signed_again(episodes_gone));
    const CommandResult result = root.merge({root.shard(1, 2), root.shard(2, 2)});
    CHECK(result.exit_code == 2);
    CHECK(holds(result.err, "episodes"));
    write_file(root.shard(2, 2), "{}");
    CHECK(root.merge({root.shard(1, 2), root.shard(2, 2)}).exit_code == 2);
    CHECK(run(binary("havln-merge"), {}).exit_code == 2);
    CHECK(root.merge({(root / "absent").string()}).exit_code == 2);
}

TEST_CASE("havln-merge: a killed shard leaves nothing, or the whole file", "[cli][merge]") {
    const FiveScenes root;
    REQUIRE(root.score("single").exit_code == 0);
    root.score_shard(2, 2);
    const auto folder = root / "shards2";
    const std::string own = "shard-1-of-2.json";
    // While it works, when a file of any name first stands there, and never.
    const auto files_there = [&] {
        return std::distance(std::filesystem::directory_iterator(folder), {});
    };
    const std::vector<std::function<bool()>> moments = {
        [polls = 0]() mutable { return ++polls == 3; }, [&] { return files_there() > 1; },
        [] { return false; }};
    int whole = 0;
    for (const auto& moment : moments) {
        std::filesystem::remove(folder / own);
        run_and_kill(binary("havln-score"), root.scoring("shards2", {"--shard", "1/2"}), {},
                     moment);
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const std::string name = entry.path().filename().string();
            if (name.starts_with("shard-")) found.push_back(entry.path().string());
        }
        const CommandResult merged = root.merge(found);
        if (found.size() == 1) {
            CHECK(merged.exit_code == 2);
            continue;
        }
        ++whole;
        CHECK(merged.exit_code == 0);
        CHECK(read_file(root / "merged/score_summary.json") ==
              read_file(root / "single/score_summary.json"));
    }
    CHECK(whole >= 1);  // the one that nobody killed
}

TEST_CASE("havln-score --shard: needs --out and goes with no clock study or trace",
          "[cli][merge]") {
    const FiveScenes root;
    CHECK(root.score("x", {"--shard", "1/2", "--clock-samples", "3"}).exit_code == 2);
    CHECK(root.score("x", {"--shard", "1/2", "--trace", (root / "t").string()}).exit_code == 2);
    const CommandResult rows = root.score("x", {"--shard", "1/2", "--rows", (root / "r").string()});
    CHECK(rows.exit_code == 2);
    CHECK(holds(rows.err, "havln-merge --rows"));
    for (const char* text : {"0/2", "3/2", "1", "1/", "/2", "1/2/3", "a/b", "1/20000", "-1/2"}) {
        INFO(text);
        CHECK(root.score("x", {"--shard", text}).exit_code == 2);
        CHECK_FALSE(parse_shard_key(text));
    }
    CHECK(run(binary("havln-score"),
              {(root / "toy.json").string(), "--data", root.path().string(), "--shard", "1/2"})
              .exit_code == 2);
}
