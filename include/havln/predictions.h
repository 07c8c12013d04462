#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "havln/actions.h"
#include "havln/agent_log.h"
#include "havln/contract.h"
#include "havln/diagnostics.h"
#include "havln/geometry.h"
#include "havln/groundtruth.h"
#include "havln/replay.h"

namespace havln {

// What agents of other benchmarks hand in. Faults of content are diagnostics, all of them in one
// run; a file that cannot be opened is an Error (kUsage). Files may be gzip-compressed (".gz").

/// One episode as the agent logged it: where it was, not what it did.
struct PredictedPath {
    std::string episode_id;
    std::vector<Vec3d> positions;  ///< The start first [m], world frame; at least one.
    bool stopped = false;          ///< STOP was called at the end.
};

struct PathPredictions {
    std::vector<PredictedPath> paths;  ///< In file order; complete only where not rejected.
    DiagnosticLog diagnostics;

    bool rejected() const { return diagnostics.rejected(); }
};

/// Reads positions, to be scored without a replay, in any of these forms:
/// - VLN-CE's inference output {EPISODE_ID: [{"position": [x, y, z], "heading": rad,
///   "stop": bool}, ...]}: the start state, then one state after each action.
/// - VLN-CE's reference files {EPISODE_ID: {"locations": [[x, y, z], ...], "actions": [...]}}; the
///   agent stopped where the last action is 0, or where no actions are given.
/// - RxR-Habitat's JSON Lines (".jsonl") {"instruction_id": n, "path": [[x, y, z], ...]}: positions
///   that changed; every path ends in STOP, as that benchmark takes it.
/// Every episode of the split must stand exactly once.
/// @param rules  max_actions bounds the steps of a path.
/// @see jacobkrantz/VLN-CE, base_il_trainer.py, inference().
PathPredictions read_path_predictions(const std::filesystem::path& file, const Split& split,
                                      const ContractRules& rules);

/// A path as the replay would have traced it: positions in float32, nothing collided.
Trace trace_of(const PredictedPath& path);

/// What integer codes stand for.
using ActionCodes = std::map<std::int64_t, Action>;

/// VLN-CE's codes: 0 STOP, 1 MOVE_FORWARD, 2 TURN_LEFT, 3 TURN_RIGHT.
ActionCodes default_action_codes();

/// "0=STOP,1=MOVE_FORWARD,...": every code and every action at most once. @throws Error (kUsage).
ActionCodes parse_action_codes(const std::string& text);

/// Reads {EPISODE_ID: [action, ...]} or {EPISODE_ID: {"actions": [action, ...]}}, or JSON Lines
/// (".jsonl") of {"episode_id": id, "actions": [...]}: each action a name or an integer code.
/// The rules of the challenge hold for the lists; ids may be numbers here.
/// @param ids  the episodes that must stand there, each exactly once.
ReadResult read_action_lists(const std::filesystem::path& file, const SplitManifest& ids,
                             const ContractRules& rules, const ActionCodes& codes);

/// What an agent says of its own work.
struct AgentLog {
    std::map<std::string, AgentLogTotals> episodes;  ///< By episode id; its lines summed.
    DiagnosticLog diagnostics;
    bool rejected() const { return diagnostics.rejected(); }
};

/// Reads JSON Lines {"episode_id": id, "skipped_steps": n, "total_steps": n, "gflops": x}, with
/// skipped_steps <= total_steps in every line. Other keys are ignored.
/// @param split  where given, every id must be one of its episodes'.
AgentLog read_agent_log(const std::filesystem::path& file, const Split* split = nullptr);

/// A judge's ratings, 1 to 5, by question id.
struct Ratings {
    std::map<std::string, int> by_question;
    DiagnosticLog diagnostics;
    bool rejected() const { return diagnostics.rejected(); }
};

/// Reads {QUESTION_ID: 1..5}.
Ratings read_ratings(const std::filesystem::path& file);

}  // namespace havln
