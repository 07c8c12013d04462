#include "demo/full_set.h"

#include <array>
#include <filesystem>
#include <set>
#include <string>

#include "demo/home.h"
#include "demo/random_plan.h"
#include "demo/tree.h"
#include "havln/contract.h"
#include "havln/groundtruth.h"
#include "havln/navmesh.h"
#include "support/catch.h"
#include "support/support.h"

namespace havln::demo {

namespace {

constexpr std::array<FullSplit, 2> kSmall = {{{"val_seen", 7, 2, 6}, {"val_unseen", 5, 1, 4}}};

ReadResult read(const std::filesystem::path& root, const char* name) {
    ContractRules rules;
    rules.required_splits = {"val_seen", "val_unseen"};
    return read_submission({root / "submissions" / name}, load_manifest(root / "manifest.json"),
                           rules);
}

}  // namespace

TEST_CASE("a benchmark set is a data root with valid submissions, the same for any threads",
          "[demo][full]") {
    const test::TempDir one;
    const test::TempDir two;
    write_splits(one.path(), kSmall, 1);
    write_splits(two.path(), kSmall, 2);
    CHECK((test::files_below(one.path()) == test::files_below(two.path())));

    GroundTruth ground_truth(one.path());
    for (const FullSplit& expected : kSmall) {
        const auto split = ground_truth.split(expected.name);
        CHECK(split->episodes.size() == expected.episodes);
        CHECK(split->baselines.size() == expected.episodes);
        std::set<std::string> scans;
        for (const Episode& episode : split->episodes) scans.insert(episode.scan);
        CHECK(scans.size() == expected.scenes);
        for (const std::string& scan : scans) CHECK(ground_truth.people(scan)->people.size() == 5);
    }
    for (const char* name : {"recorded.zip", "mixed.zip", "long.zip"}) {
        INFO(name);
        const ReadResult result = read(one.path(), name);
        CHECK_FALSE(result.rejected());
        REQUIRE(result.splits.size() == 2);
        for (const SplitSubmission& split : result.splits) {
            for (const SubmittedEpisode& episode : split.episodes) {
                if (std::string(name) == "long.zip") CHECK(episode.action_count == 500);
                if (std::string(name) == "mixed.zip") CHECK(episode.action_count >= 20);
            }
        }
    }
}

TEST_CASE("every room of a random floor can be reached from every other", "[demo][full]") {
    std::vector<FloorPlan> plans;
    for (const char* scan : {"a", "b", "c", "d", "e"}) plans.push_back(random_plan(scan, 5));
    for (const Home& home : build_homes(std::move(plans), 2)) {
        INFO(home.plan.scan);
        NavMeshQuery query;
        query.bind(home.empty_scene.frame(0));
        const auto middle = [](const Room& room) {
            return to_float(
                {(room.box.x0 + room.box.x1) / 2, 0.1, (room.box.z0 + room.box.z1) / 2});
        };
        const std::vector<Room>& rooms = home.plan.floors[0].rooms;
        CHECK(rooms.size() >= 5);
        for (const Room& room : rooms) {
            INFO(room.name);
            CHECK(query.is_navigable(middle(room)));
            CHECK(query.find_path(middle(rooms.front()), middle(room)).found());
        }
        for (const Person& person : home.people.people) {
            for (const std::optional<Vec3d>& at : person.position) {
                if (at) CHECK(!room_at(home.plan, *at).empty());
            }
        }
    }
}

}  // namespace havln::demo
