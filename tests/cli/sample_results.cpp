#include "cli/sample_results.h"

#include "cli/results.h"

namespace havln::test {

namespace {

EpisodeMetrics row_of(const SampleEpisode& episode, std::size_t index) {
    EpisodeMetrics row;
    row.episode_index = index;
    row.success = episode.success;
    row.distance_to_goal = episode.distance_to_goal;
    row.blocked_steps = episode.excess;
    row.spl = episode.success ? 0.5 : 0;
    row.released.collisions = row.released.excess = episode.excess;
    row.released.CR = episode.excess > 0;
    row.released.SR = episode.success && episode.excess == 0;
    return row;
}

}  // namespace

void write_sample_result(const std::filesystem::path& folder,
                         const std::vector<SampleEpisode>& episodes, const SampleRun& run) {
    Split split;
    split.name = run.split;
    std::vector<EpisodeMetrics> rows;
    for (std::size_t k = 0; k < episodes.size(); ++k) {
        Episode& episode = split.episodes.emplace_back();
        episode.episode_id = std::to_string(k + 1);
        rows.push_back(row_of(episodes[k], k));
    }
    Scorecard card;
    card.settings.profile = load_profile(run.profile);
    card.settings.reading = CollisionReading::kReleased;
    card.settings.clock = run.clock;
    card.settings.path_finder = "test";
    card.partial = run.partial;
    card.splits.push_back(
        card.settings.profile.people
            ? aggregate(run.split, rows, rows.size(), CollisionReading::kReleased, run.partial)
            : aggregate_without_people(run.split, rows, run.partial));
    cli::write_results(card, {{&split, rows}}, folder);
}

}  // namespace havln::test
