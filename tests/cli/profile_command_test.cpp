#include <cmath>
#include <map>
#include <string>

#include "io/json_tree.h"
#include "io/json_writer.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/data_root.h"
#include "support/reference.h"
#include "support/support.h"
#include "support/toy_navmesh.h"

using namespace havln;
using namespace havln::test;

namespace {

CommandResult score(const std::vector<std::string>& arguments) {
    return run(binary("havln-score"), arguments);
}

JsonTree rows_of(const std::filesystem::path& out) {
    return JsonTree::parse(read_file(out / "episode_metrics.json"), "rows");
}

/// A flat floor; episodes "1" and "2" want to go 5 m ahead.
class ToyDataset : public DataRoot {
  public:
    ToyDataset() {
        ToyFloor floor;
        floor.rows.assign(12, ".........");
        floor.origin = {-4.5f, 0, -10};
        write_toy_scene(path(), "scan", {floor}, &floor);
        write_episodes("toy", {make_episode("1"), make_episode("2")});
        write_gt_locations("toy", {{"1", {{0, 0, 0}, {0, 0, -5}}}, {"2", {{0, 0, 0}, {0, 0, -5}}}});
    }
};

std::string list_of(const char* action, int count, const char* last) {
    std::string text = "[";
    for (int i = 0; i < count; ++i) text += std::string(action) + ", ";
    return text + last + "]";
}

}  // namespace

TEST_CASE(
    "havln-score --profile vln-ce with straight-line success equals the reference's geodesic SPL and nDTW",
    "[cli][profile][golden]") {
    HAVLN_NEED_SHARED("vectors");
    const JsonTree reference = read_shared_json("vectors/mini_gt_static.metrics.json");
    std::map<std::string, const JsonTree*> expected;
    for (const JsonTree& row : reference.find("episodes")->array()) {
        expected[row.find("episode_id")->string()] = &row;
    }
    for (const char* dtw : {"exact", "fastdtw"}) {
        INFO(dtw);
        const TempDir out;
        const CommandResult result =
            score({shared("vectors/mini_gt.json").string(), "--data",
                   shared("real/havln2").string(), "--split", "mini_gt", "--profile", "vln-ce",
                   "--distance", "euclidean", "--spl-numerator", "geodesic", "--frames-per-action",
                   "0", "--dtw", dtw, "--out", out.path().string()});
        INFO(result.err);
        REQUIRE(result.exit_code == 0);
        const JsonTree rows = rows_of(out.path());
        REQUIRE(rows.array().size() == expected.size());
        const char* ndtw = std::string(dtw) == "exact" ? "ndtw" : "ndtw_fast";
        for (const JsonTree& row : rows.array()) {
            const JsonTree& golden = *expected.at(row.find("episode_id")->string());
            CHECK(row.find("spl")->number() ==
                  Approx(golden.find("spl_geodesic")->number()).epsilon(1e-6).margin(1e-12));
            CHECK(row.find("ndtw")->number() ==
                  Approx(golden.find(ndtw)->number()).epsilon(1e-9).margin(1e-12));
        }
    }
}

TEST_CASE("havln-score --predictions positions: the recorded locations themselves",
          "[cli][profile][golden]") {
    HAVLN_NEED_SHARED("real/havln2/HA-R2R/val_unseen");
    // Counted below from the files alone: recorded paths that end within 3 m of the goal.
    for (const std::string split : {"val_seen", "val_unseen"}) {
        INFO(split);
        const std::string folder = "real/havln2/HA-R2R/" + split + "/";
        const JsonTree episodes = read_shared_json(folder + split + ".json.gz");
        const JsonTree gt = read_shared_json(folder + split + "_gt.json.gz");
        std::size_t near = 0;
        JsonWriter predictions(JsonWriter::Style::kCompact);
        predictions.begin_object();
        for (const JsonTree& episode : episodes.find("episodes")->array()) {
            const std::string id = std::to_string(episode.find("episode_id")->integer());
            const auto& locations = gt.find(id)->find("locations")->array();
            const auto& goal = episode.find("goals")->array()[0].find("position")->array();
            double square = 0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const double d = static_cast<double>(
                                     static_cast<float>(locations.back().array()[axis].number())) -
                                 goal[axis].number();
                square += d * d;
            }
            if (std::sqrt(square) < 3.0) ++near;
            predictions.key(id).begin_array();
            for (std::size_t i = 0; i < locations.size(); ++i) {
                predictions.begin_object().key("position").begin_array();
                for (const JsonTree& c : locations[i].array()) predictions.value(c.number());
                predictions.end_array().member("heading", 0.0);
                predictions.member("stop", i + 1 == locations.size()).end_object();
            }
            predictions.end_array();
        }
        predictions.end_object();
        const TempDir out;
        write_file(out / "paths.json", predictions.take());
        const CommandResult result =
            score({(out / "paths.json").string(), "--predictions", "positions", "--data",
                   shared("real/havln2").string(), "--split", split, "--profile", "vln-ce",
                   "--distance", "euclidean", "--out", out.path().string()});
        INFO(result.err);
        REQUIRE(result.exit_code == 0);
        std::size_t successes = 0;
        const JsonTree rows = rows_of(out.path());
        for (const JsonTree& row : rows.array()) {
            if (row.find("success")->number() == 1) ++successes;
            CHECK(row.find("ndtw")->number() == Approx(1).epsilon(1e-6));
        }
        CHECK(successes == near);
        CHECK(rows.array().size() == (split == "val_seen" ? 778u : 1839u));
        CHECK(near > rows.array().size() / 2);
    }
}

TEST_CASE("havln-score --predictions actions: names, codes and a map of one's own give one result",
          "[cli][profile]") {
    const ToyDataset root;
    write_file(root / "names.json",
               R"({"1": )" + list_of("\"MOVE_FORWARD\"", 20, "\"STOP\"") + R"(, "2": ["STOP"]})");
    write_file(root / "codes.json", R"({"1": )" + list_of("1", 20, "0") + R"(, "2": [0]})");
    write_file(root / "own.json", R"({"1": )" + list_of("7", 20, "9") + R"(, "2": [9]})");
    const auto with = [&](const char* file, std::vector<std::string> more) {
        std::vector<std::string> arguments = {
            (root / file).string(),  "--predictions", "actions", "--data",
            root.path().string(),    "--profile",     "vln-ce",  "--out",
            (root / "out").string(), "--quiet"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return score(arguments);
    };
    const CommandResult names = with("names.json", {});
    INFO(names.out + names.err);
    REQUIRE(names.exit_code == 0);
    const JsonTree rows = rows_of(root / "out");
    // 5 m along a straight floor: on the goal, by the shortest way.
    CHECK(rows.array()[0].find("success")->number() == 1);
    CHECK(rows.array()[0].find("spl")->number() == Approx(1).epsilon(1e-6));
    CHECK(rows.array()[0].find("ndtw")->number() < 1);  // 21 positions against 2
    CHECK(rows.array()[1].find("success")->number() == 0);
    CHECK(rows.array()[1].find("distance_to_goal")->number() == Approx(5).epsilon(1e-6));
    CHECK(with("codes.json", {}).out == names.out);
    CHECK(with("own.json", {"--action-codes", "7=MOVE_FORWARD,9=STOP"}).out == names.out);
    CHECK(with("own.json", {}).exit_code == 1);  // 7 and 9 are no codes of VLN-CE
    CHECK(with("names.json", {"--action-codes", "1=HOP"}).exit_code == 2);
}

TEST_CASE("havln-score --success-distance and the rest show in the signature", "[cli][profile]") {
    const ToyDataset root;
    write_file(root / "a.json", R"({"1": ["STOP"], "2": ["STOP"]})");
    const CommandResult result = score({(root / "a.json").string(), "--predictions", "actions",
                                        "--data", root.path().string(), "--profile", "vln-ce",
                                        "--success-distance", "5.5", "--max-steps", "100"});
    REQUIRE(result.exit_code == 0);
    CHECK(result.out.find("profile:vln-ce+") != std::string::npos);
    CHECK(result.out.find("success_distance_m=5.5") != std::string::npos);
    CHECK(result.out.find("max_steps=100") != std::string::npos);
}

TEST_CASE("havln-score --list-profiles and --show-profile need no data", "[cli][profile]") {
    const CommandResult list = score({"--list-profiles"});
    CHECK(list.exit_code == 0);
    for (const char* name : {"havln", "vln-ce", "hm3d-objectnav", "bsc-nav"}) {
        CHECK(list.out.find(name) != std::string::npos);
        const CommandResult shown = score({"--show-profile", "--profile", name});
        REQUIRE(shown.exit_code == 0);
        CHECK(JsonTree::parse(shown.out, name).find("name")->string() == name);
        // What is shown can be given back as a file.
        const TempDir dir;
        write_file(dir / "profile.json", shown.out);
        CHECK(score({"--show-profile", "--profile", (dir / "profile.json").string()}).out ==
              shown.out);
    }
    CHECK(score({"--show-profile", "--profile", "nothing"}).exit_code == 2);
}

TEST_CASE("profiles: contradictions on the command line exit 2", "[cli][profile]") {
    const ToyDataset root;
    write_file(root / "a.json", R"({"1": ["STOP"], "2": ["STOP"]})");
    const std::string file = (root / "a.json").string(), data = root.path().string();
    CHECK(score({file, "--data", data, "--dataset", data}).exit_code == 2);
    CHECK(score({file}).exit_code == 2);
    CHECK(score({file, "--data", data, "--predictions", "positions"}).exit_code == 2);
    CHECK(score({file, "--dataset", data}).exit_code == 2);  // havln counts people
    CHECK(score({file, "--data", data, "--success-distance", "nan"}).exit_code == 2);
    CHECK(score({file, "--data", data, "--distance", "manhattan"}).exit_code == 2);
    CHECK(score({file, "--data", data, "--recipe", "card"}).exit_code == 2);  // havln has none
}
