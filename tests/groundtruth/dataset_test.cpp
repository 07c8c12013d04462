// Data sets of other benchmarks: R2R-CE, RxR-CE, ObjectNav, goals as places.
#include <fmt/format.h>

#include "groundtruth/faults.h"
#include "havln/groundtruth.h"
#include "io/file.h"
#include "io/sha256.h"
#include "support/catch.h"
#include "support/data_root.h"
#include "support/toy_navmesh.h"

using havln::Dataset;
using havln::Episode;
using havln::GroundTruth;
using havln::load_split_file;
using havln::Split;
using havln::Vec3d;
using havln::test::ground_truth_fault;
using havln::test::holds;
using havln::test::TempDir;

namespace {

/// A record of ObjectNav as the HM3D files have it; `id` is JSON text, empty to leave it out.
std::string object_record(const std::string& scene, const std::string& category,
                          const std::string& id) {
    const std::string id_member = id.empty() ? "" : fmt::format(R"("episode_id": {}, )", id);
    return fmt::format(
        R"({{{}"scene_id": "hm3d/val/00800-{}/{}.basis.glb", "start_position": [1, 0, 2],
            "start_rotation": [0, 0, 0, 1], "info": {{"geodesic_distance": 5.5,
            "euclidean_distance": 4.0, "closest_goal_object_id": 90}}, "goals": [],
            "start_room": null, "shortest_paths": null, "object_category": "{}"}})",
        id_member, scene, scene, category);
}

/// A goal with one view point a metre in front of it.
std::string object_goal(const std::string& category, double x) {
    return fmt::format(
        R"({{"position": [{0}, 0.5, 0], "radius": null, "object_id": 90, "object_name": "{1}_90",
            "object_name_id": null, "object_category": "{1}", "room_id": null, "room_name": null,
            "view_points": [{{"agent_state": {{"position": [{0}, 0, 1], "rotation": [0, 0, 0, 1]}},
                             "iou": 0.25}}]}})",
        x, category);
}

std::string content_file(const std::string& scene, const std::string& records) {
    return fmt::format(
        R"({{"goals_by_category": {{"{0}.basis.glb_chair": [{1}, {2}], "{0}.basis.glb_bed": [{3}]}},
            "episodes": [{4}], "category_to_task_category_id": {{"chair": 0, "bed": 1}}}})",
        scene, object_goal("chair", 1), object_goal("chair", 2), object_goal("bed", 3), records);
}

void write_gzip(const std::filesystem::path& path, const std::string& text) {
    havln::test::write_file(path, havln::gzip(text));
}

std::vector<std::string> ids_of(const Split& split) {
    std::vector<std::string> ids;
    for (const Episode& episode : split.episodes) ids.push_back(episode.episode_id);
    return ids;
}

std::string rxr_record(const std::string& id) {
    return fmt::format(
        R"({{"episode_id": "{}", "trajectory_id": "12", "scene_id": "mp3d/s/s.glb",
            "start_position": [0, 0, 0], "start_rotation": [0, 0, 0, 1],
            "info": {{"role": "guide"}}, "goals": [{{"position": [0, 0, -5], "radius": 3.0}}],
            "instruction": {{"instruction_id": "4711", "instruction_text": "Geh.",
                "language": "en-US", "annotator_id": "8", "edit_distance": 0.1,
                "timed_instruction": [{{"end_time": NaN, "start_time": 0.5, "word": "Geh"}}]}},
            "reference_path": [[0, 0, 0], [0, 0, -5]]}})",
        id);
}

}  // namespace

TEST_CASE("R2R-CE: an episodes file with its gt file beside it", "[groundtruth][dataset]") {
    const TempDir dir;
    const std::vector<Episode> episodes = {havln::test::make_episode("1"),
                                           havln::test::make_episode("2")};
    const std::string text = havln::test::episodes_json(episodes);
    write_gzip(dir / "val_unseen/val_unseen_bertidx.json.gz", text);
    havln::test::write_file(dir / "val_unseen/val_unseen_gt.json",
                            R"({"2": {"locations": [[0, 0, 0]], "actions": [0]}})");
    for (const char* path :
         {"val_unseen", "val_unseen/", "val_unseen/val_unseen_bertidx.json.gz"}) {
        CAPTURE(path);
        const Split split = load_split_file(dir.path() / path);
        CHECK(split.name == "val_unseen");
        CHECK(ids_of(split) == std::vector<std::string>{"1", "2"});
        CHECK(split.gt_locations.at(1) == std::vector<Vec3d>{{0, 0, 0}});
        CHECK(split.gt_locations.at(0).empty());
        CHECK(split.baselines.empty());
        CHECK(split.has_goals());
    }
    CHECK(load_split_file(dir / "val_unseen", "other").name == "other");
}

TEST_CASE("RxR-CE: guide by default, follower when named, languages and ids",
          "[groundtruth][dataset]") {
    const TempDir dir;
    write_gzip(dir / "val_seen/val_seen_guide.json.gz",
               R"({"episodes": [)" + rxr_record("100a") + "]}");
    write_gzip(dir / "val_seen/val_seen_follower.json.gz",
               R"({"episodes": [)" + rxr_record("200b") + "]}");
    write_gzip(dir / "val_seen/val_seen_guide_gt.json.gz",
               R"({"100a": {"locations": [[1, 2, 3]], "actions": [4, 0], "forward_steps": 1}})");
    const Split guide = load_split_file(dir / "val_seen");
    CHECK(guide.name == "val_seen");
    REQUIRE(ids_of(guide) == std::vector<std::string>{"100a"});
    const Episode& episode = guide.episodes.front();
    CHECK(episode.instruction_id == "4711");
    CHECK(episode.language == "en-US");
    CHECK(episode.role == "guide");
    CHECK(episode.instruction == "Geh.");
    CHECK(episode.trajectory_id == havln::FileId{"12", false});
    CHECK(guide.gt_locations.at(0) == std::vector<Vec3d>{{1, 2, 3}});
    const Split follower = load_split_file(dir / "val_seen/val_seen_follower.json.gz");
    CHECK(follower.name == "val_seen");
    CHECK(ids_of(follower) == std::vector<std::string>{"200b"});
    CHECK(follower.gt_locations.empty());
}

TEST_CASE("ObjectNav: goals by category, shared, with view points", "[groundtruth][dataset]") {
    const TempDir dir;
    write_gzip(dir / "val/val.json.gz", R"({"episodes": [], "category_to_task_category_id": {}})");
    write_gzip(dir / "val/content/sceneB.json.gz",
               content_file("sceneB", object_record("sceneB", "bed", "\"0\"")));
    write_gzip(dir / "val/content/sceneA.json.gz",
               content_file("sceneA", object_record("sceneA", "chair", "\"0\"") + "," +
                                          object_record("sceneA", "chair", "\"1\"")));
    havln::test::write_file(dir / "val/content/.hidden.json", "broken");
    havln::test::write_file(dir / "val/content/notes.txt", "broken");
    for (const char* path : {"val", "val/val.json.gz", "val/content"}) {
        CAPTURE(path);
        const Split split = load_split_file(dir / path);
        CHECK(split.name == "val");
        // Both files number from 0, so the scene goes in front; files sorted by name.
        REQUIRE(ids_of(split) == std::vector<std::string>{"sceneA/0", "sceneA/1", "sceneB/0"});
        CHECK(split.index_of("sceneB/0") == 2);
        const Episode& first = split.episodes[0];
        CHECK(first.scan == "sceneA.basis");
        CHECK(first.object_category == "chair");
        CHECK(first.geodesic_distance_m == 5.5);
        REQUIRE(first.goals->size() == 2);
        CHECK(first.goals->at(0).position == Vec3d{1, 0.5, 0});
        CHECK(first.goals->at(0).view_points == std::vector<Vec3d>{{1, 0, 1}});
        CHECK(first.goals->at(1).view_points == std::vector<Vec3d>{{2, 0, 1}});
        CHECK(first.goals->at(0).category == "chair");
        CHECK(first.goals->at(0).radius_m == 0);
        CHECK(split.episodes[1].goals == first.goals);  // one list, not two
        CHECK(split.episodes[2].goals->at(0).position == Vec3d{3, 0.5, 0});
        CHECK(split.has_goals());
    }
}

TEST_CASE("ObjectNav: one content file alone keeps plain ids", "[groundtruth][dataset]") {
    const TempDir dir;
    const auto ids = [&](const std::string& first, const std::string& second) {
        write_gzip(dir / "one.json.gz", content_file("s", object_record("s", "bed", first) + "," +
                                                              object_record("s", "chair", second)));
        return ids_of(load_split_file(dir / "one.json.gz"));
    };
    CHECK(ids("\"a\"", "7") == std::vector<std::string>{"a", "7"});
    // Habitat numbers them by place; needed where ids are absent or repeated.
    CHECK(ids("", "") == std::vector<std::string>{"0", "1"});
    CHECK(ids("\"5\"", "") == std::vector<std::string>{"0", "1"});
    CHECK(ids("\"0\"", "\"0\"") == std::vector<std::string>{"0", "1"});
}

TEST_CASE("ObjectNav: distinct ids over all files stay as they are", "[groundtruth][dataset]") {
    const TempDir dir;
    write_gzip(dir / "val/val.json.gz", R"({"episodes": []})");
    write_gzip(dir / "val/content/a.json.gz", content_file("a", object_record("a", "bed", "1")));
    write_gzip(dir / "val/content/b.json.gz", content_file("b", object_record("b", "bed", "2")));
    CHECK(ids_of(load_split_file(dir / "val")) == std::vector<std::string>{"1", "2"});
    const std::string main_sha = havln::sha256_hex(havln::test::read_file(dir / "val/val.json.gz"));
    const std::string a = havln::sha256_hex(havln::test::read_file(dir / "val/content/a.json.gz"));
    const std::string b = havln::sha256_hex(havln::test::read_file(dir / "val/content/b.json.gz"));
    CHECK(load_split_file(dir / "val").digest ==
          havln::sha256_hex(main_sha + "  episodes\n" + a + "  content/a.json.gz\n" + b +
                            "  content/b.json.gz\n"));
}

TEST_CASE("ObjectNav: a category without goals is named", "[groundtruth][dataset]") {
    const TempDir dir;
    havln::test::write_file(
        dir / "one.json",
        content_file("s", object_record("s", "bed", "1") + "," + object_record("s", "sofa", "2")));
    CHECK(holds(ground_truth_fault([&] { load_split_file(dir / "one.json"); }),
                "one.json: /episodes/1 looks for \"sofa\", but \"goals_by_category\" has no goals "
                "under \"s.basis.glb_sofa\""));
    havln::test::write_file(dir / "two.json",
                            R"({"episodes": [)" + object_record("s", "bed", "1") + "]}");
    CHECK(holds(ground_truth_fault([&] { load_split_file(dir / "two.json"); }),
                "/episodes/0 looks for \"bed\""));
}

TEST_CASE("ObjectNav: broken goals are refused with their place", "[groundtruth][dataset]") {
    const TempDir dir;
    const auto fault = [&](const std::string& goal) {
        havln::test::write_file(dir / "one.json", R"({"goals_by_category": {"s.glb_bed": [)" +
                                                      goal + R"(]}, "episodes": []})");
        return ground_truth_fault([&] { load_split_file(dir / "one.json"); });
    };
    const std::string at = "at /goals_by_category/s.glb_bed/0";
    CHECK(holds(fault(R"({"object_category": "bed"})"), at + ": the goal has no \"position\""));
    CHECK(holds(fault(R"({})"), at + ": the goal has no \"position\""));
    CHECK(holds(fault(R"({"position": [0, 0, 0], "view_points": [{"iou": 1}]})"),
                at + "/view_points/0: the view point has no \"agent_state\""));
    CHECK(holds(fault(R"({"position": [0, 0, 0], "view_points": [{"agent_state": {}}]})"),
                at + "/view_points/0: the view point has no \"agent_state\""));
    CHECK(holds(
        fault(R"({"position": [0, 0, 0], "view_points": [{"agent_state": {"position": [0]}}]})"),
        at + "/view_points/0/agent_state/position: expected a point"));
    // Null is no fault; what is left is that the file has no episode.
    CHECK(holds(fault(R"({"position": [0, 0, 0], "view_points": null})"), "holds no episode"));
}

TEST_CASE("goals as places or as categories, as BSC-Nav has both", "[groundtruth][dataset]") {
    const TempDir dir;
    const auto record = [](const std::string& goals) {
        return R"({"episode_id": 1, "scene_id": "mp3d/s/s.glb", "start_position": [0, 0, 0],
                   "start_rotation": [0, 0, 0, 1], "goals": )" +
               goals + "}";
    };
    const auto write = [&](const std::string& goals) {
        havln::test::write_file(
            dir / "goals.json",
            R"({"episodes": [)" + record(goals) + R"(], "goals_by_category": {"s.glb_bed": [)" +
                object_goal("bed", 3) + R"(], "s.glb_chair": [)" + object_goal("chair", 4) + "]}}");
        return load_split_file(dir / "goals.json").episodes.front();
    };
    const Episode place = write(R"([{"position": [7, 0, 0], "radius": 1.0}])");
    CHECK(place.goals->at(0).position == Vec3d{7, 0, 0});
    CHECK(place.goals->at(0).radius_m == 1);
    CHECK(place.object_category.empty());
    const Episode category = write(R"([{"object_category": "bed"}])");
    CHECK(category.object_category == "bed");
    CHECK(category.goals->at(0).position == Vec3d{3, 0.5, 0});
    const Episode several = write(R"([{"object_category": "bed"}, {"object_category": "chair"}])");
    REQUIRE(several.goals->size() == 2);
    CHECK(several.goals->at(1).position == Vec3d{4, 0.5, 0});
    // Files from before goals_by_category carry the goals in each episode.
    const Episode inline_goals =
        write(R"([{"position": [7, 0, 0], "object_category": "bed", "view_points": []}])");
    CHECK(inline_goals.object_category == "bed");
    CHECK(inline_goals.goals->at(0).position == Vec3d{7, 0, 0});
    CHECK(holds(ground_truth_fault(
                    [&] { write(R"([{"object_category": "bed"}, {"position": [1, 2, 3]}])"); }),
                "/episodes/0/goals: some goals have a \"position\""));
}

TEST_CASE("a data set that is not there is named", "[groundtruth][dataset]") {
    const TempDir dir;
    const auto fault = [&](const std::string& path) {
        return ground_truth_fault([&] { load_split_file(dir / path); });
    };
    CHECK(holds(fault("absent.json"), "absent.json: does not exist; expected an episodes file"));
    std::filesystem::create_directories(dir / "val");
    CHECK(holds(fault("val"),
                "holds no episodes; expected one of val.json.gz, "
                "val_bertidx.json.gz, val_guide.json.gz, val.json"));
    havln::test::write_file(dir / "x.json", "{");
    CHECK(holds(fault("x.json"), "x.json: line 1, column 2: not valid JSON"));
    CHECK_THROWS_AS(load_split_file(dir / "x.json", "../x"), havln::Error);
}

TEST_CASE("a data set stands in for a data root", "[groundtruth][dataset]") {
    const TempDir dir;
    Episode episode = havln::test::make_episode("1");
    episode.scene_id = "data/scene_datasets/hm3d/val/00800-X/X.basis.glb";
    havln::test::write_file(dir / "val.json", havln::test::episodes_json({episode}));
    const havln::test::ToyFloor floor{{"...", "..."}};
    havln::test::write_file(dir / "scenes/hm3d/val/00800-X/X.basis.navmesh",
                            havln::test::toy_navmesh(floor));
    GroundTruth data(Dataset{dir / "val.json", dir / "scenes", ""});
    CHECK(data.split_names() == std::vector<std::string>{"val"});
    CHECK_FALSE(data.has_people_file());
    CHECK(data.people("X.basis") == nullptr);
    CHECK(data.split("val") == data.split("val"));
    const auto scene = data.load_navmeshes("X.basis", {}, true);
    REQUIRE(scene->without_people != nullptr);
    CHECK(&scene->frame(0) == scene->without_people.get());
    CHECK(&scene->frame(119) == scene->without_people.get());
    CHECK(scene->without_people->stats().polys == 6);
    CHECK(holds(ground_truth_fault([&] { data.split("other"); }), "has no split \"other\""));
    CHECK(holds(ground_truth_fault(
                    [&] { data.load_navmeshes("X.basis", std::vector<bool>(120, true), false); }),
                "has no people"));
    GroundTruth no_scenes(Dataset{dir / "val.json", "", "named"});
    CHECK(no_scenes.split_names() == std::vector<std::string>{"named"});
    CHECK_THROWS_AS(no_scenes.load_navmeshes("X.basis", {}, true), havln::Error);
    GroundTruth no_mesh(Dataset{dir / "val.json", dir / "elsewhere", ""});
    CHECK(holds(ground_truth_fault([&] { no_mesh.load_navmeshes("X.basis", {}, true); }),
                "elsewhere/hm3d/val/00800-X/X.basis.navmesh"));
}

TEST_CASE("navmeshes of a data root", "[groundtruth]") {
    havln::test::DataRoot root;
    const havln::test::ToyFloor open{{"...", "..."}};
    const havln::test::ToyFloor blocked{{"...", ".#."}};
    havln::test::write_toy_scene(root.path(), "scan", {open, blocked}, &open);
    GroundTruth data(root.path());
    std::vector<bool> frames(120, false);
    frames[0] = frames[1] = frames[119] = true;
    const auto scene = data.load_navmeshes("scan", frames, true);
    CHECK(scene->frame(0).stats().polys == 6);
    CHECK(scene->frame(1).stats().polys == 5);
    CHECK(&scene->frame(119) == &scene->frame(1));
    CHECK(scene->without_people->stats().polys == 6);
    CHECK_THROWS_AS(scene->frame(2), havln::Error);
    CHECK(holds(ground_truth_fault([&] { data.load_navmeshes("../scan", frames, true); }),
                "no plain folder name"));
    CHECK(holds(ground_truth_fault([&] { data.load_navmeshes("other", frames, true); }),
                "other_000.navmesh"));
}
