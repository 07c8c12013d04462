#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "havln/actions.h"

namespace havln {

/// How far the agent is from success.
enum class DistanceKind : std::uint8_t {
    kEuclidean,           ///< Straight line to the nearest goal.
    kGeodesic,            ///< Shortest path on the navmesh to the nearest goal.
    kGeodesicViewPoints,  ///< Shortest path to the nearest view point of any goal.
};

enum class DtwKind : std::uint8_t { kExact, kFastDtw };

/// "euclidean", "geodesic", "geodesic_view_points".
const char* distance_kind_name(DistanceKind kind);
/// "exact", "fastdtw".
const char* dtw_kind_name(DtwKind kind);

/// What a benchmark's published recipe card defines otherwise than its code. Computed only when
/// asked for, beside the benchmark's own metrics and under names that end in "_card".
struct CardRecipe {
    double success_distance_m = 1.0;
    bool success_inclusive = true;
    bool use_goal_radius = false;  ///< Threshold from the goal's own radius where it has one.
    /// Path lengths count nodes (positions without immediate repeats) instead of metres; SPL's
    /// numerator counts those of the recorded reference locations.
    bool path_in_nodes = false;
    bool soft_spl_may_be_negative = false;  ///< Progress 1 - d/d0 is not clamped at 0.
    /// Split level only: mean success * mean(path length / shortest path), which is no SPL.
    bool spl_is_product_of_means = false;
    bool operator==(const CardRecipe&) const = default;
};

/// An evaluation system as data: data/profiles/NAME.json. Printed in full with every result.
struct Profile {
    std::string name = "havln";
    std::string task = "HA-VLN challenge, HA-R2R";  ///< One line for people.
    double forward_step_m = 0.25;
    double turn_angle_deg = 15;
    double look_angle_deg = 30;
    std::array<bool, kActionCount> actions = {true, true, true, true, true, true};
    std::uint32_t max_steps = 500;
    DistanceKind distance = DistanceKind::kEuclidean;
    double success_distance_m = 3.0;
    bool success_inclusive = false;  ///< true: d <= threshold; false: d < threshold.
    bool use_goal_radius = false;    ///< Threshold from the goal's own radius where it has one.
    bool stop_required = true;       ///< Success needs STOP.
    DistanceKind spl_numerator = DistanceKind::kEuclidean;
    DtwKind dtw = DtwKind::kExact;
    double dtw_threshold_m = 3.0;
    bool people = true;  ///< Frames of people, collisions against baselines, composite score.
    std::string primary = "score";
    /// Output names of metrics, in the order in which tables show them.
    std::vector<std::string> reported = {"SR", "NE", "CR", "TCR", "score"};
    std::optional<CardRecipe> card;
    bool operator==(const Profile&) const = default;
};

/// Profiles compiled in from data/profiles, by name.
std::vector<std::string> builtin_profile_names();

/// A built-in profile's name, or the path of a profile file (every key of the built-in ones is
/// required, no other is allowed, every value is checked).
/// @throws Error (kUsage) that names the file, the key, what was found and what is expected.
Profile load_profile(const std::string& name_or_file);

/// The same from the text of a profile file. @param origin  names it in messages.
Profile parse_profile(std::string_view text, const std::filesystem::path& origin);

/// The profile as the JSON text that load_profile reads, keys in a fixed order.
std::string profile_json(const Profile& profile);

/// A key on which two profiles differ: its value in `profile` as JSON text, e.g.
/// {"success_distance_m", "1"}. `name` and `task` do not count.
struct ProfileDifference {
    std::string key, value;
};
std::vector<ProfileDifference> profile_differences(const Profile& profile, const Profile& base);

/// The profile in a signature: its name when it is the built-in one; the name and what differs,
/// "vln-ce+distance=euclidean"; or, where no built-in has the name, "NAME@" and the first 12 hex
/// digits of the sha256 of profile_json.
std::string profile_signature(const Profile& profile);

}  // namespace havln
