#include "havln/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "havln/error.h"

namespace havln {

namespace {

std::optional<std::uint32_t> to_number(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::vector<Pooling> pool_rows(const Split& split, std::span<const EpisodeMetrics> rows,
                               const CollisionReading* reading) {
    std::vector<std::string> scenes, trajectories;
    for (const EpisodeMetrics& row : rows) {
        const Episode& episode = split.episodes[row.episode_index];
        scenes.push_back(episode.scan);
        trajectories.push_back(episode.trajectory_id ? episode.trajectory_id->text : "");
    }
    return {pool("scene", rows, scenes, reading), pool("trajectory", rows, trajectories, reading)};
}

/// The signature of a shard's run: everything that must agree, in one comparable form.
Signature run_signature(const Shard& shard) {
    Scorecard card;
    card.settings = shard.settings;
    for (const ShardSplit& split : shard.splits) {
        SplitScore& score = card.splits.emplace_back();
        score.split = split.name;
        score.episodes = split.selected_episodes;
        score.human_influenced = split.human_influenced;
        score.ground_truth_digest = split.ground_truth_digest;
        card.partial = card.partial || split.partial;
    }
    Signature signature = make_signature(card);
    signature.set("version", shard.version);
    signature.set("shards", std::to_string(shard.key.count));
    signature.set("pool", shard.pool ? "yes" : "no");
    signature.set("bootstrap", shard.bootstrap ? fmt::format("{},{}", shard.bootstrap->samples,
                                                             shard.bootstrap->seed)
                                               : "no");
    return signature;
}

void check_same_run(std::span<const Shard> shards, std::span<const std::filesystem::path> names) {
    const Signature first = run_signature(shards.front());
    for (std::size_t i = 1; i < shards.size(); ++i) {
        const Signature other = run_signature(shards[i]);
        auto differences = signature_differences(first, other);
        // Shards of one run are of one submission too, which results of two runs need not be.
        const std::string *a = first.find(kSubmissionKey), *b = other.find(kSubmissionKey);
        if (a != nullptr && b != nullptr && *a != *b) {
            differences.push_back({std::string(kSubmissionKey), *a, *b});
        }
        if (differences.empty()) continue;
        throw usage_error(names[i], fmt::format("is no shard of the same run as {}: {}",
                                                names.front().string(), describe(differences)));
    }
}

void check_complete(std::span<const Shard> shards, std::span<const std::filesystem::path> names) {
    const std::uint32_t count = shards.front().key.count;
    std::map<std::uint32_t, std::size_t> by_index;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        const auto [at, is_new] = by_index.emplace(shards[i].key.index, i);
        if (!is_new) {
            throw usage_error(names[i], fmt::format("is shard {}/{}, as is {}", at->first, count,
                                                    names[at->second].string()));
        }
    }
    std::string missing;
    for (std::uint32_t index = 1; index <= count; ++index) {
        if (!by_index.contains(index)) {
            missing += fmt::format("{}{}/{}", missing.empty() ? "" : ", ", index, count);
        }
    }
    if (!missing.empty()) {
        throw usage_error({}, "shards are missing: " + missing + "; run them, then merge again");
    }
}

struct MergedSplit {
    std::shared_ptr<const Split> split;
    std::vector<EpisodeMetrics> rows;
};

MergedSplit merge_split(std::span<const Shard> shards, std::size_t which) {
    const ShardSplit& like = shards.front().splits[which];
    auto split = std::make_shared<Split>();
    split->name = like.name;
    split->digest = like.ground_truth_digest;
    split->episodes.resize(like.split_episodes);
    MergedSplit merged;
    for (const Shard& shard : shards) {
        const ShardSplit& part = shard.splits[which];
        for (std::size_t i = 0; i < part.rows.size(); ++i) {
            split->episodes[part.rows[i].episode_index] = part.episodes[i];
            merged.rows.push_back(part.rows[i]);
        }
    }
    const auto index_of = [](const EpisodeMetrics& row) { return row.episode_index; };
    std::ranges::sort(merged.rows, {}, index_of);
    const bool doubled = std::ranges::adjacent_find(merged.rows, {}, index_of) != merged.rows.end();
    if (doubled || merged.rows.size() != like.selected_episodes) {
        throw usage_error(
            {}, fmt::format("split {}: the shards hold {} episodes{}; the run has {}", like.name,
                            merged.rows.size(), doubled ? ", some of them twice" : "",
                            like.selected_episodes));
    }
    merged.split = std::move(split);
    return merged;
}

}  // namespace

std::optional<ShardKey> parse_shard_key(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == text.npos) return std::nullopt;
    const auto index = to_number(text.substr(0, slash)), count = to_number(text.substr(slash + 1));
    if (!index || !count || *index < 1 || *index > *count || *count > kMaxShards) {
        return std::nullopt;
    }
    return ShardKey{*index, *count};
}

std::vector<std::size_t> episodes_of_shard(const Split& split,
                                           const std::vector<std::size_t>& episodes,
                                           const ShardKey& shard) {
    std::set<std::string_view> scans;
    for (const Episode& episode : split.episodes) scans.insert(episode.scan);
    std::set<std::string_view> own;
    std::uint32_t turn = 0;
    for (const std::string_view scan : scans) {
        if (turn++ % shard.count == shard.index - 1) own.insert(scan);
    }
    std::vector<std::size_t> chosen;
    for (const std::size_t index : episodes) {
        if (own.contains(split.episodes[index].scan)) chosen.push_back(index);
    }
    return chosen;
}

MergedRun merge_shards(std::span<const Shard> shards,
                       std::span<const std::filesystem::path> names) {
    HAVLN_CHECK(!shards.empty() && shards.size() == names.size());
    check_same_run(shards, names);
    check_complete(shards, names);
    const Shard& like = shards.front();
    MergedRun merged;
    merged.card.settings = like.settings;
    for (std::size_t which = 0; which < like.splits.size(); ++which) {
        MergedSplit split = merge_split(shards, which);
        const ShardSplit& part = like.splits[which];
        merged.card.splits.push_back(
            score_of_rows(*split.split, split.rows, part.human_influenced, part.partial,
                          like.settings.profile, like.settings.reading, like.pool, like.bootstrap));
        merged.card.partial = merged.card.partial || part.partial;
        merged.splits.push_back(std::move(split.split));
        merged.rows.push_back(std::move(split.rows));
    }
    return merged;
}

SplitScore score_of_rows(const Split& split, std::span<const EpisodeMetrics> rows,
                         std::uint64_t human_influenced, bool partial, const Profile& profile,
                         CollisionReading reading, bool pool,
                         const std::optional<ResamplingOptions>& bootstrap_options) {
    SplitScore score = profile.people
                           ? aggregate(split.name, rows, human_influenced, reading, partial)
                           : aggregate_without_people(split.name, rows, partial);
    if (pool) score.pooling = pool_rows(split, rows, profile.people ? &reading : nullptr);
    if (bootstrap_options) {
        score.bootstrap =
            profile.people
                ? bootstrap(score_rows(rows, reading), score.human_influenced, *bootstrap_options)
                : bootstrap_means(rows, profile.reported, *bootstrap_options);
    }
    score.ground_truth_digest = split.digest;
    return score;
}

}  // namespace havln
