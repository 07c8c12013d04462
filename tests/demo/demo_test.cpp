#include "havln/demo.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "demo/tree.h"
#include "havln/clock.h"
#include "havln/contract.h"
#include "havln/error.h"
#include "havln/groundtruth.h"
#include "havln/metrics.h"
#include "havln/navmesh.h"
#include "havln/profile.h"
#include "havln/score_run.h"
#include "io/json_tree.h"
#include "support/catch.h"
#include "support/support.h"

namespace havln {

using test::contains_text;

namespace {

namespace fs = std::filesystem;

/// One demo for all tests of this executable: making it takes seconds.
const fs::path& demo_root() {
    static const test::TempDir folder;
    static const fs::path root = [] {
        write_demo(folder.path(), 2);
        return folder.path();
    }();
    return root;
}

std::shared_ptr<const SceneNavMeshes> all_meshes(const std::string& scan) {
    return load_scene_navmeshes(demo_root(), scan, std::vector<bool>(kFrameCount, true), true);
}

}  // namespace

TEST_CASE("a demo's bytes do not depend on the run or on the number of threads", "[demo]") {
    const test::TempDir again;
    write_demo(again.path(), 1);
    const auto first = test::files_below(demo_root());
    const auto second = test::files_below(again.path());
    REQUIRE(first.size() == second.size());
    for (const auto& [path, bytes] : first) {
        INFO(path);
        REQUIRE(second.contains(path));
        CHECK((second.at(path) == bytes));
    }
}

TEST_CASE("a demo is a data root in the official layout", "[demo]") {
    GroundTruth ground_truth(demo_root());
    CHECK(ground_truth.split_names() == std::vector<std::string>{"demo"});
    const auto split = ground_truth.split("demo");
    CHECK(split->episodes.size() >= 60);
    CHECK(split->has_goals());
    CHECK(split->baselines.size() == split->episodes.size());
    REQUIRE(split->gt_locations.size() == split->episodes.size());

    std::set<std::string> scans;
    for (std::size_t i = 0; i < split->episodes.size(); ++i) {
        const Episode& episode = split->episodes[i];
        CHECK(episode.episode_id == std::to_string(i + 1));
        CHECK(episode.scene_id == "mp3d/" + episode.scan + "/" + episode.scan + ".glb");
        CHECK(!episode.instruction.empty());
        CHECK(episode.goals->front().radius_m == 3.0);
        CHECK(split->gt_locations[i].size() >= 2);
        scans.insert(episode.scan);
    }
    CHECK(scans.size() >= 3);
    for (const std::string& scan : scans) {
        INFO(scan);
        const auto scene = all_meshes(scan);
        CHECK(scene->without_people != nullptr);
        CHECK(scene->frames.size() == kFrameCount);
        const std::set<const NavMesh*> distinct = [&] {
            std::set<const NavMesh*> meshes;
            for (const auto& mesh : scene->frames) meshes.insert(mesh.get());
            return meshes;
        }();
        CHECK(distinct.size() > 30);
        CHECK(distinct.size() < kFrameCount);
    }

    const JsonTree manifest = JsonTree::parse(test::read_file(demo_root() / "manifest.json"), "m");
    const JsonTree& entry = *manifest.find("splits")->find("demo");
    CHECK(entry.find("count")->integer() == static_cast<std::int64_t>(split->episodes.size()));
    CHECK(entry.find("human_influenced")->integer() > 0);
    CHECK(entry.find("human_influenced")->integer() <= entry.find("count")->integer());
    for (const char* name : {"hasty.zip", "careful.zip", "faulty.zip"}) {
        CHECK(fs::exists(demo_root() / "submissions" / name));
    }
}

TEST_CASE("every demo episode starts on the mesh, away from people, and can be finished",
          "[demo]") {
    GroundTruth ground_truth(demo_root());
    const auto split = ground_truth.split("demo");
    NavMeshQuery query;
    int floor_changes = 0;
    for (std::size_t i = 0; i < split->episodes.size(); ++i) {
        const Episode& episode = split->episodes[i];
        INFO("episode " << episode.episode_id);
        const auto scene = all_meshes(episode.scan);
        const Vec3f start = to_float(episode.start_position);
        const Vec3d goal = episode.goals->front().position;

        query.bind(*scene->frames[0]);
        CHECK(query.is_navigable(start));
        query.bind(*scene->without_people);
        CHECK(query.is_navigable(start));
        const PathResult path = query.find_path(start, to_float(goal));
        REQUIRE(path.found());
        CHECK(episode.geodesic_distance_m == static_cast<double>(path.distance_m));
        CHECK(distance_m(episode.start_position, goal) >= 3.0);  // not won by staying

        CHECK(episode.reference_path.front() == episode.start_position);
        CHECK(distance_m(episode.reference_path.back(), goal) < 1e-3);
        double length = 0;
        for (std::size_t k = 1; k < episode.reference_path.size(); ++k) {
            length += distance_m(episode.reference_path[k - 1], episode.reference_path[k]);
            CHECK(distance_m(episode.reference_path[k - 1], episode.reference_path[k]) < 2.2);
        }
        CHECK(length == Approx(path.distance_m).epsilon(0.05));
        CHECK(distance_m(split->gt_locations[i].front(), episode.start_position) == 0);
        CHECK(distance_m(split->gt_locations[i].back(), goal) < 0.5);
        if (std::abs(goal.y - episode.start_position.y) > 2) ++floor_changes;
    }
    CHECK(floor_changes >= 6);
}

TEST_CASE("a demo's people stand clear of walls, cut the mesh and are absent at times", "[demo]") {
    GroundTruth ground_truth(demo_root());
    int people_count = 0;
    int absent = 0;
    int standing = 0;
    NavMeshQuery query;
    for (const char* scan : {"demo_flat", "demo_house", "demo_office"}) {
        const auto people = ground_truth.people(scan);
        const auto scene = all_meshes(scan);
        for (const Person& person : people->people) {
            ++people_count;
            std::set<std::pair<double, double>> places;
            for (std::size_t frame = 0; frame < kFrameCount; ++frame) {
                INFO(person.viewpoint << " in frame " << frame);
                const std::optional<Vec3d>& at = person.position[frame];
                if (!at) {
                    ++absent;
                    continue;
                }
                places.emplace(at->x, at->z);
                const Vec3f feet = to_float(*at);
                query.bind(*scene->without_people);
                CHECK(query.is_navigable(feet));
                // The mesh ends 0.1 m from walls; a person's radius is 0.25 m.
                CHECK(query.distance_to_closest_obstacle_m(feet) >= 0.14f);
                query.bind(*scene->frames[frame]);
                CHECK_FALSE(query.is_navigable(feet));
            }
            if (places.size() == 1) ++standing;
        }
    }
    CHECK(people_count >= 6);
    CHECK(absent > 0);
    CHECK(standing > 0);
}

namespace {

SplitSubmission submission_of(const std::string& name, const Manifest& manifest) {
    ContractRules rules;
    rules.required_splits = {"demo"};
    ReadResult read = read_submission({demo_root() / "submissions" / name}, manifest, rules);
    CHECK_FALSE(read.rejected());
    REQUIRE(read.splits.size() == 1);
    return std::move(read.splits.front());
}

SplitRun score_of(const std::string& name) {
    GroundTruth ground_truth(demo_root());
    const Manifest manifest = load_manifest(demo_root() / "manifest.json");
    const auto clock = make_constant_clock(1);
    ScoreOptions options;
    options.profile = load_profile("havln");
    options.clock = clock.get();
    options.threads = 2;
    return score_split(ground_truth, manifest, submission_of(name, manifest), options);
}

}  // namespace

TEST_CASE("on the demo minding people pays, and each agent fails in its own ways",
          "[demo][score]") {
    const SplitRun hasty = score_of("hasty.zip");
    const SplitRun careful = score_of("careful.zip");
    REQUIRE(hasty.score.other.has_value());
    REQUIRE(careful.score.other.has_value());
    for (const auto& [bad, good] : {std::pair(hasty.score.headline, careful.score.headline),
                                    std::pair(*hasty.score.other, *careful.score.other)}) {
        CHECK(good.TCR < bad.TCR);
        CHECK(good.CR < bad.CR);
        CHECK(good.score > bad.score);
    }
    // Walls far from everybody count in the released reading only.
    CHECK(hasty.score.headline.TCR < hasty.score.other->TCR);
    CHECK(careful.score.headline.TCR < careful.score.other->TCR);

    CauseCounts causes;
    int stopped_too_far = 0;
    int reached_but_hit_someone = 0;
    for (const EpisodeMetrics& row : hasty.rows) {
        REQUIRE(row.causes.has_value());
        REQUIRE(row.contact.has_value());
        causes.human += row.causes->human;
        causes.stationary += row.causes->stationary;
        causes.both += row.causes->both;
        stopped_too_far += row.distance_to_goal >= 3.0 && row.steps_taken < 500;
        reached_but_hit_someone += row.success && row.contact->excess > 0;
    }
    CHECK(causes.human > 0);
    CHECK(causes.stationary > 0);
    CHECK(causes.both > 0);
    CHECK(stopped_too_far > 0);
    CHECK(reached_but_hit_someone > 0);
    const auto ran_out = std::ranges::count_if(careful.rows, [](const EpisodeMetrics& row) {
        return row.steps_taken == 500 && !row.success;
    });
    CHECK(ran_out > 0);
}

TEST_CASE("each mistake in the demo's faulty submission is found once", "[demo]") {
    const Manifest manifest = load_manifest(demo_root() / "manifest.json");
    ContractRules rules;
    rules.required_splits = {"demo"};
    const ReadResult read =
        read_submission({demo_root() / "submissions/faulty.zip"}, manifest, rules);
    CHECK(read.rejected());
    using Code = DiagnosticCode;
    std::map<Code, std::uint64_t> expected;
    for (const Code code :
         {Code::kFormatVersion, Code::kActionUnknown, Code::kActionType, Code::kStopNotLast,
          Code::kStopMissing, Code::kActionsEmpty, Code::kActionsTooLong, Code::kEpisodeIdType,
          Code::kEpisodeDuplicate, Code::kEpisodeMissing, Code::kFieldMissing, Code::kFieldUnknown,
          Code::kEpisodeUnknown}) {
        expected[code] = 1;
    }
    CHECK(read.diagnostics.counts() == expected);
}

TEST_CASE("a folder is put in place as a whole or not at all", "[demo]") {
    const test::TempDir temp;
    const fs::path target = temp / "demo";

    SECTION("a new or an empty folder is filled") {
        if (GENERATE(false, true)) fs::create_directory(target);
        StagedFolder staged(target, false);
        test::write_file(staged.path() / "README.md", "hello");
        CHECK((!fs::exists(target) || fs::is_empty(target)));
        staged.commit();
        CHECK(test::read_file(target / "README.md") == "hello");
    }
    SECTION("what is not committed leaves nothing") {
        { const StagedFolder staged(target, false); }
        CHECK(fs::is_empty(temp.path()));
    }
    SECTION("a folder with something in it is refused, and kept") {
        fs::create_directory(target);
        test::write_file(target / "README.md", "mine");
        CHECK_THROWS_WITH(StagedFolder(target, false), contains_text("is not empty"));
        CHECK(test::read_file(target / "README.md") == "mine");
    }
    SECTION("an earlier demo is replaced where that is asked for") {
        fs::create_directories(target / "HA-R2R");
        StagedFolder staged(target, true);
        test::write_file(staged.path() / "README.md", "new");
        staged.commit();
        CHECK_FALSE(fs::exists(target / "HA-R2R"));
        CHECK(test::read_file(target / "README.md") == "new");
        CHECK(std::distance(fs::directory_iterator(temp.path()), fs::directory_iterator()) == 1);
    }
    SECTION("a folder with other things in it is never replaced") {
        fs::create_directories(target / "HA-R2R");
        test::write_file(target / "thesis.tex", "mine");
        CHECK_THROWS_WITH(StagedFolder(target, true), contains_text("thesis.tex"));
        CHECK(test::read_file(target / "thesis.tex") == "mine");
    }
    SECTION("a file in its place is refused") {
        test::write_file(target, "mine");
        CHECK_THROWS_AS(StagedFolder(target, true), Error);
        CHECK(test::read_file(target) == "mine");
    }
}

}  // namespace havln
