#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "havln/actions.h"
#include "havln/replay.h"
#include "io/json_tree.h"

namespace havln::test {

/// A JSON file of the reference data, inflated where its name ends in ".gz".
JsonTree read_shared_json(std::string_view relative);

/// The number as float32; printed with nine digits, as the references are, it round-trips.
float to_float32(const JsonTree& number);
/// [x, y, z].
Vec3f to_point(const JsonTree& array);

/// True where both have the same bits, so that -0 differs from 0 and a NaN equals itself.
bool same_bits(float a, float b);
bool same_bits(const Vec3f& a, const Vec3f& b);
/// "[x, y, z]" with all digits, for messages.
std::string show(const Vec3f& v);

/// What Habitat's own path finder yields for one episode.
struct ReferenceTrace {
    std::string episode_id;
    std::vector<Vec3f> positions;        ///< {actions + 1}
    std::vector<std::uint8_t> collided;  ///< {actions}
};
/// All lines of a reference trace (.jsonl.gz).
std::vector<ReferenceTrace> read_reference_traces(std::string_view relative);

/// One episode to replay: start from the data root's split, actions from a submission.
struct ReplayCase {
    std::string episode_id;
    std::string scan;
    AgentPose start;
    std::vector<Action> actions;
};
/// Episodes in the submission's order.
/// @param episodes_file    HA-R2R/<split>/<split>.json.gz of a reference data root.
/// @param submission_file  a reference prediction file.
std::vector<ReplayCase> read_replay_cases(std::string_view episodes_file,
                                          std::string_view submission_file);

}  // namespace havln::test
