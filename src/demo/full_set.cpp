#include "demo/full_set.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>

#include "demo/data_root.h"
#include "demo/episodes.h"
#include "demo/random_plan.h"
#include "demo/readme.h"
#include "demo/summary.h"
#include "havln/error.h"
#include "havln/random.h"
#include "io/zip_writer.h"

namespace havln {

namespace demo {

namespace {

constexpr std::uint64_t kSeed = 2;
constexpr std::size_t kMaxActions = 500;
constexpr std::uint64_t kLeastMixed = 20;

/// The challenge's splits of phase 1; scenes in the proportion of Matterport's.
constexpr std::array<FullSplit, 2> kPhase1 = {
    {{"val_seen", 778, 49, 682}, {"val_unseen", 1839, 11, 1593}}};

std::vector<Home> random_homes(std::span<const FullSplit> splits, unsigned threads) {
    std::size_t scenes = 0;
    for (const FullSplit& split : splits) scenes += split.scenes;
    std::vector<FloorPlan> plans;
    for (std::size_t i = 0; i < scenes; ++i) {
        plans.push_back(random_plan(fmt::format("full_{:02}", i), kSeed));
    }
    return build_homes(std::move(plans), threads);
}

std::vector<EpisodeSettings> shares(const FullSplit& split) {
    std::vector<EpisodeSettings> per_home(split.scenes);
    for (std::size_t i = 0; i < split.scenes; ++i) {
        per_home[i].seed = kSeed;
        per_home[i].count =
            split.episodes / split.scenes + (i < split.episodes % split.scenes ? 1 : 0);
        per_home[i].texts = {3};
    }
    return per_home;
}

/// What a lost agent does: mostly forward, many turns, a few looks.
Action any_action(Random& random) {
    const std::uint64_t dice = random.below(100);
    if (dice < 62) return Action::kMoveForward;
    if (dice < 79) return Action::kTurnLeft;
    if (dice < 96) return Action::kTurnRight;
    return dice < 98 ? Action::kLookUp : Action::kLookDown;
}

/// The predictions of one split for the three submissions.
struct Walks {
    std::vector<Prediction> recorded, mixed, long_walks;
};

Walks walks_of(const FullSplit& split, const std::vector<DemoEpisode>& episodes) {
    Walks walks;
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        const std::string id = std::to_string(i + 1);
        walks.recorded.push_back({id, episodes[i].reference_actions});
        Random random(mix_seed(kSeed, fmt::format("{}/{}", split.name, id)));
        std::vector<Action> actions = episodes[i].reference_actions;
        actions.pop_back();  // goes on where the reference stops
        while (actions.size() < kMaxActions) actions.push_back(any_action(random));
        walks.long_walks.push_back({id, actions});
        actions.resize(kLeastMixed + random.below(kMaxActions - kLeastMixed + 1));
        if (actions.size() < kMaxActions) actions.back() = Action::kStop;
        walks.mixed.push_back({id, std::move(actions)});
    }
    return walks;
}

}  // namespace

DemoSummary write_splits(const std::filesystem::path& root, std::span<const FullSplit> splits,
                         unsigned threads) {
    const std::vector<Home> homes = random_homes(splits, threads);
    const DataRoot data(root);
    data.write_scenes(homes, threads);
    DemoSummary summary = summarise(homes);
    std::vector<ArchiveMember> recorded, mixed, long_walks;
    std::span<const Home> left = homes;
    for (const FullSplit& split : splits) {
        const std::span<const Home> scenes = left.first(split.scenes);
        left = left.subspan(split.scenes);
        const std::vector<DemoEpisode> episodes = make_split(scenes, shares(split), threads);
        data.write_split(split.name, scenes, episodes);
        summary.splits.push_back({split.name, episodes.size(), split.human_influenced});
        const Walks walks = walks_of(split, episodes);
        const std::string member = std::string(split.name) + ".json";
        recorded.push_back({member, prediction_json(split.name, walks.recorded)});
        mixed.push_back({member, prediction_json(split.name, walks.mixed)});
        long_walks.push_back({member, prediction_json(split.name, walks.long_walks)});
    }
    summary.submissions = {"recorded.zip", "mixed.zip", "long.zip"};
    data.write("submissions/recorded.zip", zip_archive(recorded));
    data.write("submissions/mixed.zip", zip_archive(mixed));
    data.write("submissions/long.zip", zip_archive(long_walks));
    data.write("manifest.json", manifest_json(summary));
    data.write("README.md", full_set_readme(summary));
    return summary;
}

}  // namespace demo

DemoSummary write_full_set(const std::filesystem::path& root, unsigned threads, std::size_t scale) {
    HAVLN_CHECK(scale >= 1);
    auto splits = demo::kPhase1;
    for (demo::FullSplit& split : splits) {
        split.episodes *= scale;
        split.scenes *= scale;
        split.human_influenced *= scale;
    }
    return demo::write_splits(root, splits, threads);
}

}  // namespace havln
