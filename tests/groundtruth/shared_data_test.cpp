// The released data: counts and values stated here were taken from the files with Python's json.
#include "havln/groundtruth.h"
#include "support/catch.h"
#include "support/support.h"

using havln::GroundTruth;
using havln::Split;

TEST_CASE("released splits: episode counts and ids", "[groundtruth][shared]") {
    HAVLN_NEED_SHARED("real/havln2");
    GroundTruth data(havln::test::shared("real/havln2"));
    CHECK(data.split_names() ==
          std::vector<std::string>{"mini_gt", "mini_random", "test", "val_seen", "val_unseen"});
    const auto [name, count] = GENERATE(table<std::string, std::size_t>({{"val_seen", 778},
                                                                         {"val_unseen", 1839},
                                                                         {"test", 3408},
                                                                         {"mini_gt", 102},
                                                                         {"mini_random", 200}}));
    CAPTURE(name);
    const auto split = data.split(name);
    CHECK(split->episodes.size() == count);
    CHECK(split->by_id.size() == count);
    CHECK(split->baselines.size() == count);
    CHECK(split->has_goals() == (name != "test"));
    CHECK(split->gt_locations.size() == (name == "test" ? 0 : count));
    CHECK(split->digest.size() == 64);
    const havln::SplitManifest manifest = data.manifest_of(name);
    REQUIRE(manifest.episode_ids.size() == count);
    CHECK(manifest.episode_ids.front() == split->episodes.front().episode_id);
    for (const auto& locations : split->gt_locations) CHECK_FALSE(locations.empty());
}

TEST_CASE("val_seen: its first episode, baseline and locations", "[groundtruth][shared]") {
    HAVLN_NEED_SHARED("real/havln2");
    GroundTruth data(havln::test::shared("real/havln2"));
    const auto split = data.split("val_seen");
    const havln::Episode& first = split->episodes.front();
    CHECK(first.episode_id == "1");
    CHECK(first.trajectory_id == havln::FileId{"37", true});
    CHECK(first.scan == "s8pcmisQ38h");
    CHECK(first.start_position ==
          havln::Vec3d{5.582849979400635, -1.6265579462051392, 2.817889928817749});
    CHECK(first.start_rotation_xyzw ==
          std::array<double, 4>{-0.0, 0.9659258262890683, -0.0, -0.25881904510252063});
    REQUIRE(first.goals->size() == 1);
    CHECK(first.goals->front().position ==
          havln::Vec3d{11.632800102233887, -3.1616740226745605, 1.9992599487304688});
    CHECK(first.goals->front().radius_m == 3.0);
    CHECK(first.reference_path.size() == 6);
    CHECK(first.geodesic_distance_m == 10.39185905456543);
    CHECK(first.instruction.substr(0, 36) == "Walk down the stairs, turn right, an");
    CHECK(split->baselines[*split->index_of("1")] == 1);
    CHECK(split->baselines[*split->index_of("4")] == 0);
    // The first record of the gt file.
    CHECK(split->gt_locations[*split->index_of("457")].front() ==
          havln::Vec3d{3.1888599395751953, 0.028255999088287354, 4.111730098724365});
}

TEST_CASE("released data has no people file", "[groundtruth][shared]") {
    HAVLN_NEED_SHARED("real/havln2");
    GroundTruth data(havln::test::shared("real/havln2"));
    CHECK_FALSE(data.has_people_file());
    CHECK(data.people("x8F5xyUWy9e") == nullptr);
    CHECK(data.people_digest().empty());
}

TEST_CASE("synth_shared: unpacked file, null geodesic distances", "[groundtruth][shared]") {
    HAVLN_NEED_SHARED("synth");
    GroundTruth data(havln::test::shared("synth"));
    const auto split = data.split("synth_shared");
    CHECK(split->episodes.size() == 353);
    CHECK(split->episodes_file.filename() == "synth_shared.json");
    CHECK(split->baselines.size() == 353);
    CHECK(split->gt_locations.empty());
    std::size_t unreachable = 0;
    for (const auto& episode : split->episodes) unreachable += !episode.geodesic_distance_m;
    CHECK(unreachable == 140);
}
