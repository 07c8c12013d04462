#include "demo/summary.h"

#include <algorithm>

#include "io/json_writer.h"

namespace havln::demo {

DemoSummary summarise(const std::vector<Home>& homes) {
    DemoSummary summary;
    summary.scenes = homes.size();
    for (const Home& home : homes) summary.people += home.people.people.size();
    return summary;
}

DemoSummary::SplitFacts facts_of(std::string_view split, const std::vector<DemoEpisode>& episodes) {
    const auto influenced = std::ranges::count_if(
        episodes, [](const DemoEpisode& episode) { return episode.human_influenced; });
    return {std::string(split), episodes.size(), static_cast<std::uint64_t>(influenced)};
}

std::string manifest_json(const DemoSummary& summary) {
    JsonWriter json;
    json.begin_object().key("splits").begin_object();
    for (const DemoSummary::SplitFacts& split : summary.splits) {
        json.key(split.name).begin_object();
        json.member("count", split.episodes);
        json.member("human_influenced", split.human_influenced).end_object();
    }
    json.end_object().end_object();
    return json.take();
}

}  // namespace havln::demo
