#include "havln/demo.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <utility>

#include "demo/data_root.h"
#include "demo/episodes.h"
#include "demo/readme.h"
#include "demo/summary.h"
#include "havln/batch.h"
#include "havln/error.h"
#include "io/embedded.h"
#include "io/json_writer.h"
#include "io/zip_writer.h"

namespace havln {

extern const EmbeddedFile demo_plans[];
extern const std::size_t demo_plans_count;

namespace {

using demo::DemoEpisode;
using demo::Home;
using demo::Prediction;

constexpr std::uint64_t kSeed = 1;
constexpr const char* kSplit = "demo";

using Agent = std::function<std::vector<Action>(const Home&, const demo::Task&)>;

std::vector<Prediction> predictions_of(const Agent& agent, const std::vector<Home>& homes,
                                       const std::vector<DemoEpisode>& episodes, unsigned threads) {
    std::vector<Prediction> predictions(episodes.size());
    for_each_parallel(episodes.size(), threads, [&](std::size_t i) {
        predictions[i] = {std::to_string(i + 1), agent(homes[episodes[i].home], episodes[i].task)};
    });
    return predictions;
}

std::string submission(const std::vector<Prediction>& predictions) {
    const std::array<ArchiveMember, 1> members = {
        {{"demo.json", demo::prediction_json(kSplit, predictions)}}};
    return zip_archive(members);
}

/// An episode as raw JSON, so that it can be wrong.
struct RawEpisode {
    std::string id;
    std::string key = "actions";
    std::vector<std::string> actions;
};

RawEpisode raw_episode(const Prediction& good) {
    RawEpisode raw;
    raw.id = fmt::format("\"{}\"", good.episode_id);
    for (const Action action : good.actions) {
        raw.actions.push_back(fmt::format("\"{}\"", action_name(action)));
    }
    return raw;
}

/// Puts in the mistakes that participants make, each in an episode of its own. README.md in the
/// data root lists them in the same order.
void spoil(std::vector<RawEpisode>& episodes) {
    HAVLN_CHECK(episodes.size() > 11);
    episodes[1].actions[1] = std::string("\"move_forward\"");
    episodes[2].actions[1] = std::string("1");
    episodes[3].actions.insert(episodes[3].actions.begin() + 3, "\"STOP\"");
    episodes[4].actions.pop_back();
    episodes[5].actions.clear();
    episodes[6].actions.assign(501, "\"TURN_LEFT\"");
    episodes[7].id = std::string("8");
    episodes[8].id = std::string("\"10\"");
    episodes[10].key = std::string("action");
    episodes.push_back(episodes[0]);
    episodes.back().id = std::string("\"9999\"");
}

std::string faulty_submission(const std::vector<Prediction>& good) {
    std::vector<RawEpisode> episodes;
    for (const Prediction& prediction : good) episodes.push_back(raw_episode(prediction));
    spoil(episodes);
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object().member("format_version", "1").member("split", kSplit);
    json.key("episodes").begin_array();
    for (const RawEpisode& episode : episodes) {
        json.begin_object().key("episode_id").raw(episode.id).key(episode.key);
        json.begin_inline_array();
        for (const std::string& action : episode.actions) json.raw(action);
        json.end_array().end_object();
    }
    json.end_array().end_object();
    const std::array<ArchiveMember, 1> members = {{{"demo.json", json.take()}}};
    return zip_archive(members);
}

std::vector<demo::FloorPlan> builtin_plans() {
    std::vector<demo::FloorPlan> plans;
    for (std::size_t i = 0; i < demo_plans_count; ++i) {
        plans.push_back(
            demo::parse_floor_plan(demo_plans[i].bytes, std::string(demo_plans[i].name)));
    }
    return plans;
}

}  // namespace

DemoSummary write_demo(const std::filesystem::path& root, unsigned threads) {
    const std::vector<Home> homes = demo::build_homes(builtin_plans(), threads);
    demo::EpisodeSettings settings;
    settings.seed = kSeed;
    const std::vector<DemoEpisode> episodes =
        demo::make_split(homes, std::vector(homes.size(), settings), threads);
    const std::vector<Prediction> hasty =
        predictions_of(demo::walk_hastily, homes, episodes, threads);
    const std::vector<Prediction> careful =
        predictions_of(demo::walk_carefully, homes, episodes, threads);

    DemoSummary summary = demo::summarise(homes);
    summary.splits = {demo::facts_of(kSplit, episodes)};
    summary.submissions = {"hasty.zip", "careful.zip", "faulty.zip"};
    const demo::DataRoot data(root);
    data.write_scenes(homes, threads);
    data.write_split(kSplit, homes, episodes);
    data.write("submissions/hasty.zip", submission(hasty));
    data.write("submissions/careful.zip", submission(careful));
    data.write("submissions/faulty.zip", faulty_submission(hasty));
    data.write("manifest.json", demo::manifest_json(summary));
    data.write("README.md", demo::demo_readme(summary, homes));
    return summary;
}

}  // namespace havln
