// Damaged files: each is loaded or refused by an Error of the ground truth; nothing else happens.
#include <functional>
#include <string>

#include "groundtruth/episodes.h"
#include "groundtruth/people.h"
#include "havln/error.h"
#include "havln/random.h"
#include "support/catch.h"
#include "support/damage.h"
#include "support/data_root.h"

using namespace havln;

namespace {

struct Outcomes {
    int loaded = 0, refused = 0;
};

/// Reads damaged copies of a sound text.
Outcomes read_damaged(const std::string& sound, std::uint64_t seed,
                      const std::function<void(const std::string&)>& read) {
    REQUIRE_NOTHROW(read(sound));
    Outcomes outcomes;
    Random random(seed);
    for (int i = 0; i < 3000; ++i) {
        const std::string text = test::damaged(sound, random);
        try {
            read(text);
            ++outcomes.loaded;
        } catch (const Error& error) {
            CAPTURE(text);
            CHECK(error.code() == ExitCode::kGroundTruth);
            CHECK(error.path() == "file.json");
            ++outcomes.refused;
        }
    }
    return outcomes;
}

Split two_episodes() {
    Split split;
    for (const char* id : {"1", "2"}) {
        split.by_id.emplace(id, split.episodes.size());
        split.episodes.push_back(test::make_episode(id));
    }
    return split;
}

}  // namespace

TEST_CASE("damaged episodes files are loaded or refused", "[groundtruth][damage]") {
    Episode episode = test::make_episode("1");
    episode.trajectory_id = FileId{"5", true};
    episode.instruction = "Go.";
    const Outcomes outcomes = read_damaged(
        test::episodes_json({episode, test::make_episode("2")}), 1, [](const std::string& text) {
            GoalsByCategory goals;
            for (const Episode& read : read_episodes(text, "file.json", goals)) {
                CHECK_FALSE(read.episode_id.empty());
                CHECK(read.goals != nullptr);
                CHECK(read.scan.find('/') == std::string::npos);
            }
        });
    CHECK(outcomes.loaded > 100);
    CHECK(outcomes.refused > 1000);
}

TEST_CASE("damaged ObjectNav files are loaded or refused", "[groundtruth][damage]") {
    const std::string sound =
        R"({"goals_by_category": {"s.glb_bed": [{"position": [1, 2, 3], "radius": null,
            "object_category": "bed", "view_points": [{"agent_state": {"position": [1, 0, 3],
            "rotation": [0, 0, 0, 1]}, "iou": 0.5}]}]}, "episodes": [{"episode_id": "0",
            "scene_id": "hm3d/s.glb", "start_position": [0, 0, 0], "start_rotation": [0, 0, 0, 1],
            "goals": [], "object_category": "bed"}]})";
    const Outcomes outcomes = read_damaged(sound, 2, [](const std::string& text) {
        GoalsByCategory goals;
        read_episodes(text, "file.json", goals);
    });
    CHECK(outcomes.loaded > 100);
    CHECK(outcomes.refused > 1000);
}

TEST_CASE("damaged baselines are loaded or refused", "[groundtruth][damage]") {
    const Outcomes outcomes =
        read_damaged(R"({"1": 0, "2": 13, "300": 2})", 3, [](const std::string& text) {
            Split split = two_episodes();
            read_baselines(text, "file.json", split);
            REQUIRE(split.baselines.size() == 2);
            for (const std::int64_t baseline : split.baselines) CHECK(baseline >= 0);
        });
    CHECK(outcomes.loaded > 100);
    CHECK(outcomes.refused > 1000);
}

TEST_CASE("damaged reference locations are loaded or refused", "[groundtruth][damage]") {
    const Outcomes outcomes = read_damaged(
        R"({"1": {"locations": [[0, 0.5, -1], [1e1, 2, 3]], "actions": [1, 0]}, "2": {}})", 4,
        [](const std::string& text) {
            Split split = two_episodes();
            read_gt_locations(text, "file.json", split);
            REQUIRE(split.gt_locations.size() == 2);
        });
    CHECK(outcomes.loaded > 100);
    CHECK(outcomes.refused > 1000);
}

TEST_CASE("damaged people are loaded or refused", "[groundtruth][damage]") {
    Person person;
    person.viewpoint = "p";
    person.category = "c";
    for (std::size_t frame = 0; frame < kFrameCount; frame += 2) {
        person.position[frame] = Vec3d{0, 0, 0};
    }
    const Outcomes outcomes =
        read_damaged(test::people_json({ScenePeople{"scan", {person}}}), 5,
                     [](const std::string& text) { read_people(text, "file.json"); });
    CHECK(outcomes.loaded > 10);
    CHECK(outcomes.refused > 1000);
}
