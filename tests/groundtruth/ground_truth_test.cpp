#include "havln/groundtruth.h"

#include <fmt/format.h>

#include <thread>
#include <vector>

#include "groundtruth/faults.h"
#include "havln/batch.h"
#include "io/file.h"
#include "io/sha256.h"
#include "support/catch.h"
#include "support/data_root.h"

using havln::Episode;
using havln::GroundTruth;
using havln::Vec3d;
using havln::test::DataRoot;
using havln::test::ground_truth_fault;
using havln::test::holds;
using havln::test::make_episode;

namespace {

constexpr const char* kEpisodesFile = "HA-R2R/val/val.json";

/// A record of an episodes file with one member replaced, added (a new name) or left out (no
/// value).
std::string record(const std::string& name = "", const std::string& value = "") {
    std::vector<std::pair<std::string, std::string>> members = {
        {"episode_id", "1"},
        {"scene_id", "\"mp3d/scan/scan.glb\""},
        {"start_position", "[0, 0, 0]"},
        {"start_rotation", "[0, 0, 0, 1]"},
        {"goals", R"([{"position": [0, 0, -5], "radius": 3}])"}};
    bool replaced = false;
    for (auto& member : members) {
        if (member.first != name) continue;
        member.second = value;
        replaced = true;
    }
    if (!replaced && !name.empty()) members.emplace_back(name, value);
    std::string out;
    for (const auto& [key, text] : members) {
        if (!text.empty()) out += fmt::format("{}\"{}\": {}", out.empty() ? "{" : ", ", key, text);
    }
    return out + "}";
}

std::string file_of(const std::string& records) {
    return R"({"episodes": [)" + records + "]}";
}

/// What loading the split says about an episodes file of this text.
std::string fault_of_text(const std::string& text) {
    DataRoot root;
    root.write(kEpisodesFile, text);
    GroundTruth data(root.path());
    return ground_truth_fault([&] { data.split("val"); });
}

std::string fault_of_record(const std::string& name, const std::string& value) {
    return fault_of_text(file_of(record(name, value)));
}

}  // namespace

TEST_CASE("an episode reads back as it was written", "[groundtruth]") {
    DataRoot root;
    Episode written = make_episode("7", "scan_a", 4.5);
    written.trajectory_id = havln::FileId{"42", true};
    written.start_position = {0.1, -2.25, 1e-7};
    written.start_rotation_xyzw = {0, 0.5, 0, 2};  // not of unit length: kept as it is
    written.reference_path = {{0, 0, 0}, {1.5, 0, -2}, {3, 0.25, -4}};
    written.instruction = "Walk past the \"sofa\", then stop.";
    root.write_episodes("val", {written, make_episode("8")});
    GroundTruth data(root.path());
    const auto split = data.split("val");
    REQUIRE(split->episodes.size() == 2);
    const Episode& read = split->episodes[0];
    CHECK(read.episode_id == "7");
    CHECK(read.trajectory_id == havln::FileId{"42", true});
    CHECK(read.scene_id == "mp3d/scan_a/scan_a.glb");
    CHECK(read.scan == "scan_a");
    CHECK(read.start_position == written.start_position);
    CHECK(read.start_rotation_xyzw == written.start_rotation_xyzw);
    REQUIRE(read.goals->size() == 1);
    CHECK(read.goals->front().position == Vec3d{0, 0, -4.5});
    CHECK(read.goals->front().radius_m == 3);
    CHECK(read.reference_path == written.reference_path);
    CHECK(read.geodesic_distance_m == 4.5);
    CHECK(read.instruction == written.instruction);
    CHECK(split->name == "val");
    CHECK(split->index_of("8") == 1);
    CHECK_FALSE(split->index_of("9"));
    CHECK(split->has_goals());
    CHECK(split->baselines.empty());
    CHECK(split->gt_locations.empty());
    CHECK(split->baselines_file.empty());
    CHECK(split->gt_file.empty());
}

TEST_CASE("start_pose rounds each component to float32", "[groundtruth]") {
    Episode episode = make_episode("1");
    episode.start_position = {0.1, 5.582849979400635, -1};
    episode.start_rotation_xyzw = {-0.0, 0.9659258262890683, 0, -0.25881904510252063};
    const havln::AgentPose pose = episode.start_pose();
    CHECK(pose.position == havln::Vec3f{0.1f, 5.58285f, -1.0f});
    CHECK(pose.rotation_xyzw == havln::Quatf{-0.0f, 0.9659258f, 0.0f, -0.25881904f});
}

TEST_CASE("an episode needs no more than id, scene and start", "[groundtruth]") {
    DataRoot root;
    root.write(kEpisodesFile, file_of(record("goals", "")));
    GroundTruth data(root.path());
    const auto split = data.split("val");
    const Episode& episode = split->episodes.front();
    REQUIRE(episode.goals != nullptr);
    CHECK(episode.goals->empty());
    CHECK_FALSE(split->has_goals());
    CHECK_FALSE(episode.geodesic_distance_m);
    CHECK_FALSE(episode.trajectory_id);
    CHECK(episode.reference_path.empty());
    CHECK(episode.instruction.empty());
}

TEST_CASE("optional members may be null", "[groundtruth]") {
    for (const char* name :
         {"trajectory_id", "goals", "reference_path", "info", "instruction", "unheard_of"}) {
        CAPTURE(name);
        CHECK(fault_of_record(name, "null") == "no error");
    }
    CHECK(fault_of_record("info", R"({"geodesic_distance": null})") == "no error");
    CHECK(fault_of_record("goals", R"([{"position": [1, 2, 3], "radius": null}])") == "no error");
}

TEST_CASE("ids: integers and strings are the same ids", "[groundtruth]") {
    DataRoot root;
    root.write(kEpisodesFile,
               file_of(record() + "," + record("episode_id", "\"2\"") + "," +
                       record("episode_id", "\"kitchen/a b\"") + "," + record("episode_id", "0")));
    root.write("HA-R2R-tools/collision_num_val.json",
               R"({"1": 4, "0": 1, "kitchen/a b": 3, "2": 0, "77": 9})");
    GroundTruth data(root.path());
    const auto split = data.split("val");
    CHECK(split->index_of("1") == 0);
    CHECK(split->index_of("2") == 1);
    CHECK(split->baselines == std::vector<std::int64_t>{4, 0, 3, 1});
    CHECK(data.manifest_of("val").episode_ids ==
          std::vector<std::string>{"1", "2", "kitchen/a b", "0"});
    CHECK_FALSE(data.manifest_of("val").human_influenced);
}

TEST_CASE("ids: what is no id is refused", "[groundtruth]") {
    CHECK(holds(fault_of_record("episode_id", "1.0"), "expected an integer"));
    CHECK(holds(fault_of_record("episode_id", "-1"), "expected an integer"));
    CHECK(holds(fault_of_record("episode_id", "9223372036854775808"), "expected an integer"));
    CHECK(fault_of_record("episode_id", "9223372036854775807") == "no error");
    CHECK(holds(fault_of_record("episode_id", "\"\""), "an empty string"));
    CHECK(holds(fault_of_record("episode_id", "null"), "found null"));
    CHECK(holds(fault_of_record("episode_id", "[1]"), "found an array"));
    CHECK(holds(fault_of_record("episode_id", "\"" + std::string(257, 'x') + "\""), "257"));
    CHECK(fault_of_record("episode_id", "\"" + std::string(256, 'x') + "\"") == "no error");
    CHECK(holds(fault_of_text(file_of(record() + "," + record("episode_id", "\"1\""))),
                "at /episodes/1: the episode id \"1\" was taken by /episodes/0"));
}

TEST_CASE("a missing member is named with the episode's place", "[groundtruth]") {
    for (const std::string name : {"episode_id", "scene_id", "start_position", "start_rotation"}) {
        CAPTURE(name);
        const std::string fault = fault_of_text(file_of(record("", "") + "," + record(name, "")));
        if (name != "episode_id") {
            // Both records would have the id 1; the first fault met is the missing member.
            CHECK(holds(fault, "at /episodes/1: the episode has no \"" + name + "\""));
        }
        CHECK(holds(fault_of_record(name, ""),
                    "val.json: line 1, column 15, at /episodes/0: the episode has no \"" + name));
    }
    CHECK(holds(fault_of_record("goals", R"([{"radius": 3}])"),
                "at /episodes/0/goals/0: the goal has no \"position\""));
}

TEST_CASE("points: three finite numbers within bounds", "[groundtruth]") {
    const auto fault = [](const std::string& value) {
        return fault_of_record("start_position", value);
    };
    CHECK(holds(fault("[1, 2]"),
                "at /episodes/0/start_position: expected a point [x, y, z], found 2 numbers"));
    CHECK(holds(fault("[1]"), "found 1 number"));
    CHECK(holds(fault("[]"), "found 0 numbers"));
    CHECK(holds(fault("[1, 2, 3, 4]"), "found 4 numbers"));
    CHECK(holds(fault("[1, \"2\", 3]"),
                "at /episodes/0/start_position/1: expected a number, found a string"));
    CHECK(holds(fault("[1, null, 3]"), "expected a number, found null"));
    CHECK(holds(fault("[1, NaN, 3]"), "NaN is no JSON number"));
    CHECK(holds(fault("[1, -Infinity, 3]"), "-Infinity is no JSON number"));
    CHECK(holds(fault("[1, 1e999, 3]"), "outside a double's range"));
    CHECK(holds(fault("[1, 1.1e9, 3]"), "expected a coordinate within"));
    CHECK(fault("[1, -1e9, 1e9]") == "no error");
    CHECK(holds(fault("null"), "expected an array, found null"));
    CHECK(holds(fault_of_record("reference_path", "[[0, 0, 0], [1, 2]]"),
                "at /episodes/0/reference_path/1: expected a point"));
}

TEST_CASE("rotations: four numbers, not all zero", "[groundtruth]") {
    const auto fault = [](const std::string& value) {
        return fault_of_record("start_rotation", value);
    };
    CHECK(holds(fault("[0, 0, 1]"), "expected a rotation [x, y, z, w], found 3 numbers"));
    CHECK(holds(fault("[0, 0, 0, 0]"), "found one of length zero"));
    CHECK(holds(fault("[1e-200, 0, 0, 0]"), "found one of length zero"));
    CHECK(fault("[0, 0, 0, -2]") == "no error");
}

TEST_CASE("lengths: finite and not negative", "[groundtruth]") {
    CHECK(holds(fault_of_record("info", R"({"geodesic_distance": -1})"),
                "at /episodes/0/info/geodesic_distance: expected a length"));
    CHECK(holds(fault_of_record("info", R"({"geodesic_distance": Infinity})"),
                "Infinity is no JSON number; write null"));
    CHECK(holds(fault_of_record("goals", R"([{"position": [1, 2, 3], "radius": -0.5}])"),
                "at /episodes/0/goals/0/radius: expected a length"));
    CHECK(fault_of_record("info", R"({"geodesic_distance": 0})") == "no error");
}

TEST_CASE("a scene id that could leave the data root is refused", "[groundtruth]") {
    for (const char* bad :
         {"/mp3d/s/s.glb", "mp3d/../s.glb", "..", "mp3d//s.glb", "mp3d/s/", "", ".", "mp3d/./s.glb",
          "mp3d\\\\s.glb", "mp3d/s\\u0000.glb", "mp3d/.glb", "mp3d/...glb", "mp3d/s\\u001b.glb"}) {
        CAPTURE(bad);
        CHECK(holds(fault_of_record("scene_id", fmt::format("\"{}\"", bad)),
                    "at /episodes/0/scene_id: expected a scene id"));
    }
    CHECK(holds(fault_of_record("scene_id", "5"), "expected a string, found a number"));
}

TEST_CASE("the scan is the scene's file name without its last ending", "[groundtruth]") {
    DataRoot root;
    Episode hm3d = make_episode("1");
    hm3d.scene_id = "hm3d/val/00800-TEEsav/TEEsav.basis.glb";
    Episode plain = make_episode("2");
    plain.scene_id = "plain";
    root.write_episodes("val", {hm3d, plain});
    GroundTruth data(root.path());
    const auto split = data.split("val");
    CHECK(split->episodes[0].scan == "TEEsav.basis");
    CHECK(split->episodes[1].scan == "plain");
}

TEST_CASE("an episodes file of another shape is refused", "[groundtruth]") {
    CHECK(holds(fault_of_text("[]"), "expected an object, found an array"));
    CHECK(holds(fault_of_text("{}"), "expected an object with \"episodes\""));
    CHECK(holds(fault_of_text(R"({"episodes": {}})"), "expected an array, found an object"));
    CHECK(holds(fault_of_text(R"({"episodes": [], "episodes": []})"), "stands twice"));
    CHECK(holds(fault_of_text(file_of(record()) + "x"), "nothing may follow"));
    CHECK(holds(fault_of_text(""), "the file ends where a value was expected"));
    CHECK(fault_of_text(R"({"instruction_vocab": {"a": [1, {}]}, "episodes": [)" + record() +
                        "]}") == "no error");
    CHECK(holds(fault_of_text(R"({"episodes": []})"), "holds no episode"));
}

TEST_CASE("every truncation of an episodes file is refused, packed or not", "[groundtruth]") {
    const std::string text = file_of(record());
    for (std::size_t length = 0; length < text.size(); ++length) {
        CAPTURE(length);
        CHECK(holds(fault_of_text(text.substr(0, length)), "val.json: line 1, column "));
    }
    const std::string packed = havln::gzip(text);
    for (std::size_t length = 0; length < packed.size(); ++length) {
        CAPTURE(length);
        DataRoot root;
        root.write("HA-R2R/val/val.json.gz", packed.substr(0, length));
        GroundTruth data(root.path());
        CHECK(holds(ground_truth_fault([&] { data.split("val"); }), "val.json.gz: gzip data"));
    }
}

TEST_CASE("a corrupt gzip file is refused", "[groundtruth]") {
    std::string packed = havln::gzip(file_of(record()));
    const char* why = "val.json.gz: is no gzip data";
    SECTION("checksum") {
        packed[packed.size() - 8] ^= 1;
        why = "val.json.gz: gzip data is corrupt";
    }
    SECTION("magic") {
        packed[0] ^= 1;
    }
    SECTION("plain text under a .gz name") {
        packed = file_of(record());
    }
    DataRoot root;
    root.write("HA-R2R/val/val.json.gz", packed);
    GroundTruth data(root.path());
    CHECK(holds(ground_truth_fault([&] { data.split("val"); }), why));
}

TEST_CASE("the first of several episodes files is taken", "[groundtruth]") {
    DataRoot root;
    const auto text_with_id = [](const std::string& id) {
        return file_of(record("episode_id", id));
    };
    const auto loaded_id = [&] {
        GroundTruth data(root.path());
        return data.split("val")->episodes.front().episode_id;
    };
    root.write("HA-R2R/val/val_bertidx.json", text_with_id("4"));
    CHECK(loaded_id() == "4");
    root.write("HA-R2R/val/val.json", text_with_id("3"));
    CHECK(loaded_id() == "3");
    root.write_gzip("HA-R2R/val/val_bertidx.json.gz", text_with_id("2"));
    CHECK(loaded_id() == "2");
    root.write_gzip("HA-R2R/val/val.json.gz", text_with_id("1"));
    CHECK(loaded_id() == "1");
}

TEST_CASE("baselines: one integer for each episode", "[groundtruth]") {
    DataRoot root;
    root.write_episodes("val", {make_episode("1"), make_episode("2")});
    const auto fault = [&](std::string_view text) {
        root.write("HA-R2R-tools/collision_num_val.json", text);
        GroundTruth data(root.path());
        return ground_truth_fault([&] { data.split("val"); });
    };
    CHECK(fault(R"({"1": 0, "2": 3})") == "no error");
    CHECK(fault(R"({"1": 0, "2": 3, "other": 1})") == "no error");
    const std::string missing = fault(R"({"1": 0})");
    CHECK(holds(missing, "collision_num_val.json: has no baseline for episode \"2\""));
    CHECK(holds(missing, "val.json.gz"));
    CHECK(holds(fault(R"({"1": 0, "2": -1})"), "at /2: expected an integer from 0"));
    CHECK(holds(fault(R"({"1": 0, "2": 1.0})"), "expected an integer"));
    CHECK(holds(fault(R"({"1": 0, "2": "3"})"), "expected a number, found a string"));
    CHECK(holds(fault(R"({"1": 0, "2": 1000001})"), "expected an integer"));
    CHECK(holds(fault(R"({"1": 0, "2": 1, "1": 0})"), "the key \"1\" stands twice"));
    CHECK(holds(fault("[0, 3]"), "expected an object, found an array"));
    CHECK(holds(fault("{\n \"1\": 0,\n \"2\": x}"), "line 3, column 7, at /2: not valid JSON"));
}

TEST_CASE("gt locations: by episode, absent ones empty", "[groundtruth]") {
    DataRoot root;
    root.write_episodes("val", {make_episode("1"), make_episode("2")});
    root.write_gt_locations("val", {{"2", {{0, 0, 0}, {0, 0, -0.25}}}, {"other", {{1, 1, 1}}}});
    GroundTruth data(root.path());
    const auto split = data.split("val");
    REQUIRE(split->gt_locations.size() == 2);
    CHECK(split->gt_locations[0].empty());
    CHECK(split->gt_locations[1] == std::vector<Vec3d>{{0, 0, 0}, {0, 0, -0.25}});
    CHECK(split->gt_file.filename() == "val_gt.json.gz");
}

TEST_CASE("gt locations: broken ones are refused, actions are not read", "[groundtruth]") {
    DataRoot root;
    root.write_episodes("val", {make_episode("1")});
    const auto fault = [&](std::string_view text) {
        root.write("HA-R2R/val/val_gt.json", text);
        GroundTruth data(root.path());
        return ground_truth_fault([&] { data.split("val"); });
    };
    CHECK(fault(R"({"1": {"actions": ["anything", 99], "locations": [[0, 0, 0]]}})") == "no error");
    CHECK(holds(fault(R"({"1": {"locations": [[0, 0]]}})"),
                "val_gt.json: line 1, column 22, at /1/locations/0: expected a point"));
    CHECK(holds(fault(R"({"1": [[0, 0, 0]]})"), "expected an object, found an array"));
    CHECK(holds(fault(R"({"1": {"actions": [1, 2}})"), "not valid JSON"));
}

TEST_CASE("the data root must be a folder with HA-R2R in it", "[groundtruth]") {
    const havln::test::TempDir folder;
    const auto fault = [](const std::filesystem::path& root) {
        return ground_truth_fault([&] { GroundTruth data(root); });
    };
    CHECK(holds(fault(folder / "absent"), "absent: does not exist; expected the data root"));
    havln::test::write_file(folder / "file", "x");
    CHECK(holds(fault(folder / "file"), "file: is a file; expected the data root"));
    CHECK(holds(fault(folder.path()), "has no folder HA-R2R"));
    std::filesystem::create_directories(folder / "HA-R2R");
    CHECK(fault(folder.path()) == "no error");
    CHECK(holds(fault(folder / "HA-R2R"), "Name the folder above this one"));
    CHECK(holds(fault(folder.path() / "HA-R2R" / ""), "Name the folder above this one"));
}

TEST_CASE("a split that is not there is named with those that are", "[groundtruth]") {
    DataRoot root;
    GroundTruth data(root.path());
    CHECK(data.split_names().empty());
    CHECK(
        holds(ground_truth_fault([&] { data.split("val"); }), "has no split \"val\"; it has none"));
    root.write_episodes("b", {make_episode("1")});
    root.write_episodes("a", {make_episode("1")});
    root.write("HA-R2R/c/other.json", "{}");  // a folder without episodes is no split
    root.write("HA-R2R/d.json", "{}");
    CHECK(data.split_names() == std::vector<std::string>{"a", "b"});
    CHECK(holds(ground_truth_fault([&] { data.split("val"); }), "it has a, b"));
    CHECK(holds(ground_truth_fault([&] { data.split("c"); }),
                "holds no episodes; expected one of c.json.gz, c_bertidx.json.gz"));
    for (const char* bad : {"", "..", "../a", "/etc", "a/b", "a\\b"}) {
        CAPTURE(bad);
        try {
            data.split(bad);
            FAIL("accepted");
        } catch (const havln::Error& error) {
            CHECK(error.code() == havln::ExitCode::kUsage);
        }
    }
}

TEST_CASE("a file of the data root that cannot be read is named", "[groundtruth]") {
    DataRoot root;
    GroundTruth data(root.path());
    std::filesystem::create_directories(root / "HA-R2R/val/val.json.gz");
    CHECK(holds(ground_truth_fault([&] { data.split("val"); }), "val.json.gz: is a folder"));
    std::filesystem::create_directories(root / "HA-R2R/link");
    std::filesystem::create_symlink("nowhere", root / "HA-R2R/link/link.json.gz");
    CHECK(holds(ground_truth_fault([&] { data.split("link"); }), "link.json.gz: cannot be opened"));
}

TEST_CASE("a failed load is tried again", "[groundtruth]") {
    DataRoot root;
    root.write(kEpisodesFile, "{");
    GroundTruth data(root.path());
    CHECK(ground_truth_fault([&] { data.split("val"); }) != "no error");
    root.write(kEpisodesFile, file_of(record()));
    CHECK(data.split("val")->episodes.size() == 1);
}

TEST_CASE("the digest names the files and follows every byte of them", "[groundtruth]") {
    DataRoot root;
    const std::string episodes = file_of(record());
    root.write(kEpisodesFile, episodes);
    const auto digest = [&] { return GroundTruth(root.path()).split("val")->digest; };
    CHECK(digest() == havln::sha256_hex(havln::sha256_hex(episodes) + "  episodes\n"));
    root.write("HA-R2R-tools/collision_num_val.json", R"({"1": 2})");
    const std::string with_baselines =
        havln::sha256_hex(havln::sha256_hex(episodes) + "  episodes\n" +
                          havln::sha256_hex(R"({"1": 2})") + "  baselines\n");
    CHECK(digest() == with_baselines);
    root.write("HA-R2R/val/val_gt.json", "{}");
    CHECK(digest() != with_baselines);
}

TEST_CASE("threads share one loaded split", "[groundtruth]") {
    DataRoot root;
    root.write_episodes("a", {make_episode("1")});
    root.write_episodes("b", {make_episode("1")});
    GroundTruth data(root.path());
    std::vector<std::shared_ptr<const havln::Split>> loaded(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        threads.emplace_back([&, i] { loaded[i] = data.split(i % 2 == 0 ? "a" : "b"); });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 2; i < loaded.size(); ++i) CHECK(loaded[i] == loaded[i - 2]);
    CHECK(loaded[0] != loaded[1]);
}

TEST_CASE("splits may be loaded in pieces, in any order or in part", "[groundtruth]") {
    DataRoot root;
    root.write_episodes("small", {make_episode("1")});
    root.write_episodes("large", {make_episode("1"), make_episode("2")});
    root.write_gt_locations("large", {{"2", {{0, 0, 0}, {0, 0, -0.25}}}});
    const std::vector<std::string> names = {"small", "absent", "large", "../a"};
    const std::string digest = GroundTruth(root.path()).split("large")->digest;
    const std::vector<std::size_t> order = GENERATE(
        values<std::vector<std::size_t>>({{}, {0}, {1}, {2}, {0, 1, 2}, {2, 1, 0}, {1, 1, 0, 1}}));
    CAPTURE(order);
    GroundTruth data(root.path());
    const auto pieces = data.loading_pieces(names);
    REQUIRE(pieces.size() == 3);  // of large: all, and the text of its gt file; of small: all
    for (const std::size_t piece : order) pieces[piece]();
    const auto large = data.split("large");
    CHECK(large->digest == digest);
    CHECK(large->gt_locations[1] == std::vector<Vec3d>{{0, 0, 0}, {0, 0, -0.25}});
    CHECK(data.split("small")->episodes.size() == 1);
}

TEST_CASE("the larger split is the first piece, and a piece is loaded once", "[groundtruth]") {
    DataRoot root;
    root.write_episodes("small", {make_episode("1")});
    root.write_episodes("large", {make_episode("1"), make_episode("2")});
    GroundTruth data(root.path());
    const auto pieces = data.loading_pieces(std::vector<std::string>{"small", "large"});
    REQUIRE(pieces.size() == 2);
    pieces[0]();
    root.write_episodes("large", {make_episode("3")});
    root.write_episodes("small", {make_episode("3")});
    CHECK(data.split("large")->episodes.front().episode_id == "1");
    CHECK(data.split("small")->episodes.front().episode_id == "3");
}

TEST_CASE("a piece that is broken does not hide the split's own fault", "[groundtruth]") {
    DataRoot root;
    root.write_episodes("val", {make_episode("1")});
    root.write("HA-R2R/val/val_gt.json.gz", "no gzip");
    GroundTruth data(root.path());
    const auto pieces = data.loading_pieces(std::vector<std::string>{"val"});
    REQUIRE(pieces.size() == 2);
    const auto fault = ground_truth_fault(pieces[1]);
    CHECK(holds(fault, "val_gt.json.gz"));
    CHECK(ground_truth_fault([&] { data.split("val"); }) == fault);
    root.write_gt_locations("val", {{"1", {{0, 0, 0}}}});
    CHECK(data.split("val")->gt_locations[0].size() == 1);
}

TEST_CASE("loading ahead says nothing of faults and leaves them to whoever asks", "[groundtruth]") {
    const unsigned threads = GENERATE(1u, 2u, 7u);
    DataRoot root;
    root.write_episodes("good", {make_episode("1")});
    root.write("HA-R2R/bad/bad.json", "{");
    root.write("Multi-Human-Annotations/human_motion.json", "[");
    GroundTruth data(root.path());
    const std::vector<std::string> names = {"bad", "absent", "good"};
    {
        const havln::LoadAhead ahead(data, names, threads);
        CHECK(data.split("good")->episodes.size() == 1);
    }
    CHECK(holds(ground_truth_fault([&] { data.split("bad"); }), "bad.json"));
    CHECK(holds(ground_truth_fault([&] { data.people_digest(); }), "human_motion.json"));
    root.write("Multi-Human-Annotations/human_motion.json", "{}");
    CHECK(data.people_digest() == havln::sha256_hex("{}"));
}
