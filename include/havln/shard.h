#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "havln/groundtruth.h"
#include "havln/metrics.h"
#include "havln/scorecard.h"
#include "havln/statistics.h"

namespace havln {

/// One part of a run that is spread over processes or machines: part `index` of `count`.
struct ShardKey {
    std::uint32_t index = 1;  ///< 1-based.
    std::uint32_t count = 1;
    bool is_whole() const { return count == 1; }
    bool operator==(const ShardKey&) const = default;
};

inline constexpr std::uint32_t kMaxShards = 10'000;

/// "2/7". Nothing for any other text, and for 0/N, N+1/N and more than kMaxShards shards.
std::optional<ShardKey> parse_shard_key(std::string_view text);

/// Of `episodes`, those of the shard: the split's scans, sorted by name, are dealt out in turn, so
/// that a scene's navmeshes are loaded by one shard only, and whatever part of the split is scored.
std::vector<std::size_t> episodes_of_shard(const Split& split,
                                           const std::vector<std::size_t>& episodes,
                                           const ShardKey& shard);

/// One split's part of a shard, with all that merging needs of the ground truth.
struct ShardSplit {
    std::string name;
    std::uint64_t split_episodes = 0;     ///< Of the whole split.
    std::uint64_t selected_episodes = 0;  ///< Of all shards together.
    std::uint64_t human_influenced = 0;   ///< CR's denominator of all shards together.
    bool partial = false;
    std::string ground_truth_digest;
    std::vector<Episode> episodes;     ///< By row: id, trajectory_id, scene_id and scan only.
    std::vector<EpisodeMetrics> rows;  ///< In ascending episode_index.
};

/// What one process of a sharded run leaves for havln-merge.
struct Shard {
    ShardKey key;
    std::string version;
    RunSettings settings;
    bool pool = false;
    std::optional<ResamplingOptions> bootstrap;  ///< Intervals that merging is to compute.
    std::vector<ShardSplit> splits;
};

/// A run put together again: what a single process would have had.
struct MergedRun {
    Scorecard card;
    std::vector<std::shared_ptr<const Split>> splits;  ///< Ids and scenes only, at their indices.
    std::vector<std::vector<EpisodeMetrics>> rows;     ///< By split.
};

/// Puts all shards of one run together, in any order.
/// @param names  of the shards, for messages.
/// @throws Error (kUsage): a shard that is missing, doubled or of another run (the differing
///         settings are listed), episodes that are missing or doubled.
MergedRun merge_shards(std::span<const Shard> shards, std::span<const std::filesystem::path> names);

/// A split's aggregates from its rows, by the profile: with pooling and intervals as asked for.
/// @param split  gives scene and trajectory of each row by its episode_index.
SplitScore score_of_rows(const Split& split, std::span<const EpisodeMetrics> rows,
                         std::uint64_t human_influenced, bool partial, const Profile& profile,
                         CollisionReading reading, bool pool,
                         const std::optional<ResamplingOptions>& bootstrap);

}  // namespace havln
