#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/common.h"
#include "havln/profile.h"

namespace havln::cli {

/// What the command line changes of a profile.
struct ProfileOverrides {
    std::optional<double> success_distance_m, turn_angle_deg, forward_step_m, dtw_threshold_m;
    std::optional<std::uint32_t> max_steps;
    std::string distance, spl_numerator;  ///< Names of DistanceKind; empty: as the profile.
    std::string dtw;                      ///< Name of DtwKind; empty: as the profile.
    bool success_inclusive = false;
};

void add_profile_options(CLI::App& app, ProfileOverrides& overrides);

/// The profile with the overrides in place. A distance kind given for success holds for SPL's
/// numerator too, unless that is given as well.
Profile apply(Profile profile, const ProfileOverrides& overrides);

}  // namespace havln::cli
