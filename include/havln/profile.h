#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
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

/// An evaluation system as data: data/profiles/NAME.json. Printed in full with every result.
struct Profile {
    std::string name = "havln";
    std::string task;  ///< One line for people.
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
    std::vector<std::string> reported = {"SR", "NE", "CR", "TCR", "score"};
};

/// Profiles compiled in from data/profiles, by name.
std::vector<std::string> builtin_profile_names();
/// A built-in profile's name or a file's path. @throws Error (kUsage).
Profile load_profile(const std::string& name_or_file);
/// The profile as the JSON text that load_profile reads, keys in a fixed order.
std::string profile_json(const Profile& profile);

}  // namespace havln
