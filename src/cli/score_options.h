#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/common.h"
#include "cli/profile_options.h"
#include "havln/metrics.h"
#include "havln/score_run.h"
#include "havln/statistics.h"

namespace havln::cli {

enum class ScoreFormat : std::uint8_t { kText, kJson };

/// What the predictions are.
enum class PredictionKind : std::uint8_t {
    kChallenge,    ///< The challenge's JSON, zipped or not.
    kActionLists,  ///< {"episode_id": [action, ...]}, names or codes.
    kPositions,    ///< {"episode_id": [{"position": ...}, ...]}: scored without a replay.
};

/// What the command line of havln-score says, checked but for what needs the data.
struct ScoreCommand {
    CommonOptions common;
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path data;     ///< Data root; or the two below.
    std::filesystem::path dataset;  ///< Episodes file of another benchmark.
    std::filesystem::path scenes_folder;
    std::string profile = "havln";
    ProfileOverrides overrides;
    bool list_profiles = false, show_profile = false;
    std::string recipe;  ///< "card" or empty.
    bool pool = false;
    PredictionKind predictions = PredictionKind::kChallenge;
    std::string action_codes;
    std::filesystem::path agent_log, ratings;
    std::vector<std::string> splits;
    std::string episodes;  ///< "1,5,10-20".
    std::string scenes;    ///< "SCAN,SCAN".
    CollisionReading reading = CollisionReading::kContact;
    std::optional<double> frames_per_action;
    std::string clock;                ///< "jitter:..." or "file:..."; empty: frames_per_action.
    std::string clock_sweep;          ///< "FROM:TO:STEPS"; empty: none.
    std::uint64_t clock_samples = 0;  ///< 0: none.
    std::uint64_t bootstrap = 0;      ///< Resamples; 0: none.
    std::uint64_t seed = ResamplingOptions().seed;
    std::filesystem::path manifest;
    bool sliding = true;
    std::vector<std::string> human_influenced;  ///< "SPLIT=N".
    ShardKey shard;
    unsigned threads = 0;  ///< 0: the processors available.
    std::filesystem::path out, trace, rows, report;
    std::vector<std::filesystem::path> codabench;  ///< INPUT and OUTPUT, or empty.
    ScoreFormat format = ScoreFormat::kText;
};

void add_score_options(CLI::App& app, ScoreCommand& command);

/// Frames per action from FROM to TO in STEPS even steps, both ends included, of "FROM:TO:STEPS".
/// @throws Error (kUsage).
std::vector<double> parse_clock_sweep(const std::string& text);

/// "1,5,10-20" as ids: "1", "5", "10", ..., "20"; anything that is no range stands for itself.
/// @throws Error (kUsage) for a range that falls or holds more than a million ids.
std::vector<std::string> parse_id_list(std::string_view option, const std::string& text);

/// {"val_seen": 682} from "val_seen=682". @throws Error (kUsage).
std::map<std::string, std::uint64_t> parse_human_influenced(const std::vector<std::string>& items);

}  // namespace havln::cli
