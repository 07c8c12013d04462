#include "havln/data_check.h"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <string>

#include "groundtruth/faults.h"
#include "havln/scene.h"
#include "io/json_tree.h"
#include "io/sha256.h"
#include "report/data_check_report.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/data_root.h"
#include "support/toy_navmesh.h"

using namespace havln;
using havln::test::DataRoot;
using havln::test::ground_truth_fault;
using havln::test::holds;
using havln::test::make_episode;

namespace {

/// A root that can be scored in every way: one split of two episodes in one scene.
class WholeRoot : public DataRoot {
  public:
    WholeRoot() {
        write_episodes("toy", {make_episode("1"), make_episode("2")});
        write_baselines("toy", {{"1", 0}, {"2", 1}});
        write_gt_locations("toy", {{"1", {{0, 0, 0}}}, {"2", {{0, 0, 0}}}});
        write_people({ScenePeople{"scan", {}}});
        const test::ToyFloor floor{{"...", "..."}};
        test::write_toy_scene(path(), "scan", {floor}, &floor);
    }
    CheckedSplit only_split(bool deep = false) const {
        const DataCheck check = check_data_root(path(), deep);
        REQUIRE(check.splits.size() == 1);
        return check.splits.front();
    }
    void remove(const std::string& relative) const {
        REQUIRE(std::filesystem::remove_all(path() / relative) > 0);
    }
};

}  // namespace

TEST_CASE("data check: a whole data root", "[groundtruth][check]") {
    const WholeRoot root;
    for (const bool deep : {false, true}) {
        const DataCheck check = check_data_root(root.path(), deep);
        CHECK(check.sound());
        CHECK(check.people.state == FileState::kSound);
        // Published, and not this file.
        CHECK(check.people.release == ReleaseMatch::kDiffers);
        REQUIRE(check.splits.size() == 1);
        const CheckedSplit& split = check.splits.front();
        CHECK(split.name == "toy");
        CHECK(split.episode_count == 2);
        CHECK(split.scans == std::vector<std::string>{"scan"});
        CHECK(split.has_goals);
        CHECK_FALSE(split.official_ids);
        CHECK(split.episodes.path == "HA-R2R/toy/toy.json.gz");
        CHECK(split.episodes.sha256 ==
              sha256_hex(test::read_file(root / "HA-R2R/toy/toy.json.gz")));
        CHECK(split.episodes.release == ReleaseMatch::kNotPublished);
        CHECK(split.scenes_with_people == 1);
        CHECK(split.with_people.scenes_complete == 1);
        CHECK(split.without_people.scenes_complete == 1);
        CHECK(split.contact);
        CHECK(split.released);
        CHECK(split.attribution);
        CHECK(split.ndtw);
        CHECK(split.obstacles.empty());
    }
}

TEST_CASE("data check: what each missing part takes away", "[groundtruth][check]") {
    const WholeRoot root;
    SECTION("people") {
        root.remove("Multi-Human-Annotations");
        const CheckedSplit split = root.only_split();
        CHECK(split.released);
        CHECK_FALSE(split.contact);
        CHECK(split.obstacles ==
              std::vector<std::string>{"Multi-Human-Annotations/human_motion.json is missing"});
    }
    SECTION("baselines") {
        root.remove("HA-R2R-tools");
        const CheckedSplit split = root.only_split();
        CHECK_FALSE(split.released);
        CHECK_FALSE(split.contact);
        CHECK(split.baselines.state == FileState::kAbsent);
        CHECK(split.baselines.path == "HA-R2R-tools/collision_num_toy.json");
        CHECK(split.obstacles ==
              std::vector<std::string>{"HA-R2R-tools/collision_num_toy.json is missing"});
    }
    SECTION("one frame of the navmeshes") {
        root.remove("recompute_navmesh/scan/scan_077.navmesh");
        const CheckedSplit split = root.only_split();
        CHECK_FALSE(split.released);
        CHECK(split.with_people.scenes_missing == std::vector<std::string>{"scan"});
        CHECK(holds(split.obstacles.at(0), "lacks sound navmeshes of 1 of 1 scenes"));
    }
    SECTION("the navmesh without people") {
        root.remove("scene_datasets");
        const CheckedSplit split = root.only_split();
        CHECK(split.contact);
        CHECK_FALSE(split.attribution);
    }
    SECTION("reference locations") {
        root.remove("HA-R2R/toy/toy_gt.json.gz");
        const CheckedSplit split = root.only_split();
        CHECK(split.contact);
        CHECK_FALSE(split.ndtw);
    }
    CHECK(check_data_root(root.path()).sound());
}

TEST_CASE("data check: a scan that human_motion.json does not name draws a warning",
          "[groundtruth][check]") {
    WholeRoot root;
    root.write_people({ScenePeople{"another", {}}});
    const DataCheck check = check_data_root(root.path());
    CHECK(check.sound());  // a scan may have no people
    CHECK(check.splits.at(0).contact);
    CHECK(check.splits.at(0).scans_without_people ==
          std::map<std::string, std::size_t>{{"scan", 2}});
    const std::string text = data_check_text(check);
    CHECK(holds(text, "everything that is present is sound; 1 warning, see below\n"));
    CHECK(
        holds(text, "warning: human_motion.json names nobody in 1 scan (2 of 2 episodes): scan; "));
    const JsonTree json = JsonTree::parse(data_check_json(check), "report.json");
    CHECK(json.find("splits")->find("toy")->find("warnings")->array().size() == 1);

    root.write_people({ScenePeople{"scan", {}}});  // named and empty: meant so
    const DataCheck meant = check_data_root(root.path());
    CHECK(meant.splits.at(0).scans_without_people.empty());
    CHECK_FALSE(holds(data_check_text(meant), "warning"));
    std::filesystem::remove(root / "Multi-Human-Annotations/human_motion.json");
    CHECK_FALSE(holds(data_check_text(check_data_root(root.path())), "warning"));
}

TEST_CASE("data check: a pack stands for a scene's frames", "[groundtruth][check]") {
    const WholeRoot root;
    const std::filesystem::path folder = root / "recompute_navmesh/scan";
    const std::filesystem::path pack = pack_scene_frames(folder);
    SECTION("without the frames") {
        for (int frame = 0; frame < kFrameCount; ++frame) {
            root.remove(fmt::format("recompute_navmesh/scan/scan_{:03}.navmesh", frame));
        }
        for (const bool deep : {false, true}) {
            const CheckedSplit split = root.only_split(deep);
            CHECK(split.contact);
            CHECK(split.with_people.scenes_complete == 1);
            CHECK(split.with_people.scenes_packed == 1);
            CHECK(split.with_people.scenes_missing.empty());
        }
        CHECK(holds(data_check_text(check_data_root(root.path())), "1 of 1 scene, 1 packed\n"));
    }
    SECTION("older than a frame, which havln-score refuses") {
        std::filesystem::last_write_time(
            folder / "scan_003.navmesh",
            std::filesystem::last_write_time(pack) + std::chrono::seconds(2));
        const CheckedSplit split = root.only_split();
        CHECK_FALSE(split.released);
        REQUIRE(split.with_people.faults.size() == 1);
        CHECK(holds(split.with_people.faults[0],
                    "recompute_navmesh/scan/scan.navmeshpack: is older than scan_003.navmesh"));
    }
    SECTION("damaged") {
        std::filesystem::resize_file(pack, std::filesystem::file_size(pack) - 1);
        CHECK(root.only_split(false).released);
        const CheckedSplit split = root.only_split(true);
        CHECK_FALSE(split.released);
        REQUIRE(split.with_people.faults.size() == 1);
        CHECK(holds(split.with_people.faults[0], "recompute_navmesh/scan/scan.navmeshpack: "));
    }
}

TEST_CASE("data check: every broken file is named, one does not hide another",
          "[groundtruth][check]") {
    WholeRoot root;
    root.write("HA-R2R-tools/collision_num_toy.json", R"({"1": 0})");
    root.write_gt_locations("toy", {{"1", {{0, 0, 0}}}});
    root.write("Multi-Human-Annotations/human_motion.json", "[]");
    root.write("scene_datasets/mp3d/scan/scan.navmesh", "MSET");
    root.write("recompute_navmesh/scan/scan_005.navmesh", "");
    const DataCheck check = check_data_root(root.path(), true);
    CHECK_FALSE(check.sound());
    CHECK(holds(check.people.fault, "expected an object, found an array"));
    const CheckedSplit& split = check.splits.at(0);
    CHECK(split.baselines.state == FileState::kBroken);
    CHECK(holds(split.baselines.fault, "no baseline for episode \"2\""));
    CHECK(split.gt.state == FileState::kSound);
    CHECK_FALSE(split.ndtw);  // episode 2 has none
    REQUIRE(split.with_people.faults.size() == 1);
    CHECK(holds(split.with_people.faults[0], "recompute_navmesh/scan/scan_005.navmesh: "));
    REQUIRE(split.without_people.faults.size() == 1);
    CHECK_FALSE(split.released);
    CHECK(split.obstacles.size() == 3);
    // A look at the names alone does not find broken navmeshes.
    CHECK(root.only_split(false).with_people.faults.empty());

    root.write("HA-R2R/toy/toy.json.gz", "no gzip");
    const CheckedSplit broken = root.only_split();
    CHECK(broken.episodes.state == FileState::kBroken);
    CHECK(holds(broken.episodes.fault, "is no gzip data; compress it, or name it without .gz"));
    CHECK(broken.obstacles.at(0) == "HA-R2R/toy/toy.json.gz is broken");
}

TEST_CASE("data check: the challenge's splits are held against its manifest",
          "[groundtruth][check]") {
    DataRoot root;
    root.write_episodes("val_seen", {make_episode("1")});
    CHECK(check_data_root(root.path()).splits.at(0).official_ids == false);
    std::vector<Episode> all;
    for (int id = 778; id >= 1; --id) all.push_back(make_episode(std::to_string(id)));
    root.write_episodes("val_seen", all);  // the order is free
    CHECK(check_data_root(root.path()).splits.at(0).official_ids == true);
}

TEST_CASE("data check: a split without goals is validated only", "[groundtruth][check]") {
    WholeRoot root;
    Episode episode = make_episode("1");
    episode.goals = std::make_shared<const std::vector<Goal>>();
    root.write_episodes("toy", {episode});
    const CheckedSplit split = root.only_split();
    CHECK_FALSE(split.released);
    CHECK(split.obstacles.at(0) == "its episodes have no goals: it can be validated, not scored");
}

TEST_CASE("data check: a split without episodes is broken", "[groundtruth][check]") {
    WholeRoot root;
    root.write_episodes("toy", {});
    const DataCheck check = check_data_root(root.path());
    CHECK_FALSE(check.sound());
    CHECK(check.splits.at(0).episodes.state == FileState::kBroken);
    CHECK(holds(check.splits.at(0).episodes.fault, "holds no episode"));
    CHECK_FALSE(check.splits.at(0).released);
}

TEST_CASE("data check: reports", "[groundtruth][check]") {
    const WholeRoot root;
    const std::string text = data_check_text(check_data_root(root.path()));
    CHECK(holds(text, "everything that is present is sound"));
    CHECK(holds(text, "toy: 2 episodes, 1 scene\n"));
    CHECK(holds(text, "scored by      contact, released; with nDTW; with causes of blocked steps"));
    CHECK(holds(text, "human_motion.json, differs from the released file"));
    const JsonTree json =
        JsonTree::parse(data_check_json(check_data_root(root.path())), "report.json");
    CHECK(json.find("schema_version")->integer() == 1);
    CHECK(json.find("sound")->boolean());
    CHECK_FALSE(json.find("people_file")->find("as_released")->boolean());
    const JsonTree* split = json.find("splits")->find("toy");
    CHECK(split->find("episodes")->integer() == 2);
    CHECK(split->find("readings")->array().size() == 2);
    CHECK(split->find("official_ids") == nullptr);
}

TEST_CASE("havln-check-data: exit codes and formats", "[groundtruth][check][cli]") {
    WholeRoot root;
    const auto command = [&](std::vector<std::string> arguments) {
        return test::run(test::binary("havln-check-data"), arguments);
    };
    const auto good = command({root.path().string(), "--deep"});
    CHECK(good.exit_code == 0);
    CHECK(holds(good.out, "toy: 2 episodes"));
    CHECK(good.err.empty());
    const auto json = command({root.path().string(), "--format", "json"});
    CHECK(json.exit_code == 0);
    CHECK(JsonTree::parse(json.out, "stdout").find("sound")->boolean());
    root.write("Multi-Human-Annotations/human_motion.json", "{");
    const auto broken = command({root.path().string()});
    CHECK(broken.exit_code == 3);
    CHECK(holds(broken.out, "BROKEN"));
    const auto absent = command({(root / "absent").string()});
    CHECK(absent.exit_code == 3);
    CHECK(absent.out.empty());
    CHECK(holds(absent.err, "SCORING DATA ERROR (organizer): "));
    CHECK(command({}).exit_code == 2);
}

TEST_CASE("data check: the released baselines are recognised", "[groundtruth][check][shared]") {
    HAVLN_NEED_SHARED("real/havln2");
    const DataCheck check = check_data_root(test::shared("real/havln2"));
    CHECK(check.sound());
    for (const CheckedSplit& split : check.splits) {
        CAPTURE(split.name);
        const bool published = split.name == "val_seen" || split.name == "val_unseen";
        CHECK(split.baselines.release ==
              (published ? ReleaseMatch::kEqual : ReleaseMatch::kNotPublished));
        const bool official = published || split.name == "test";
        CHECK(split.official_ids == (official ? std::optional(true) : std::nullopt));
        CHECK(split.released == split.name.starts_with("mini_"));
        CHECK_FALSE(split.contact);
    }
}
