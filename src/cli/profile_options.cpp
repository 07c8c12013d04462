#include "cli/profile_options.h"

#include <array>

namespace havln::cli {

namespace {

constexpr const char* kChangesGroup = "Changes to the profile (shown in the signature)";
constexpr std::array kDistances = {DistanceKind::kEuclidean, DistanceKind::kGeodesic,
                                   DistanceKind::kGeodesicViewPoints};

DistanceKind distance_kind(const std::string& name) {
    for (const DistanceKind kind : kDistances) {
        if (name == distance_kind_name(kind)) return kind;
    }
    throw usage_error({}, name + ": no such distance");
}

void add_distance(CLI::App& app, const std::string& name, std::string& into,
                  const std::string& description) {
    std::vector<std::string> names;
    for (const DistanceKind kind : kDistances) names.emplace_back(distance_kind_name(kind));
    app.add_option(name, into, description)
        ->check(CLI::IsMember(names).description(""))
        ->type_name("euclidean|geodesic|geodesic_view_points")
        ->group(kChangesGroup);
}

}  // namespace

void add_profile_options(CLI::App& app, ProfileOverrides& overrides) {
    const auto number = [&](const char* name, std::optional<double>& into, const char* unit,
                            const char* description) {
        app.add_option(name, into, description)
            ->check(finite_number(1e-6, 1e6))
            ->type_name(unit)
            ->group(kChangesGroup);
    };
    number("--success-distance", overrides.success_distance_m, "METRES",
           "Distance to the goal that counts as success");
    app.add_flag("--success-inclusive", overrides.success_inclusive,
                 "That very distance is a success too")
        ->group(kChangesGroup);
    add_distance(app, "--distance", overrides.distance, "How the distance to the goal is measured");
    add_distance(app, "--spl-numerator", overrides.spl_numerator,
                 "How SPL's shortest distance is measured (default: as --distance)");
    number("--forward-step", overrides.forward_step_m, "METRES", "Length of MOVE_FORWARD");
    number("--turn-angle", overrides.turn_angle_deg, "DEGREES", "Angle of TURN_LEFT, TURN_RIGHT");
    app.add_option("--max-steps", overrides.max_steps, "Step budget of an episode")
        ->check(CLI::Range(1, 1'000'000).description(""))
        ->type_name("N")
        ->group(kChangesGroup);
    app.add_option("--dtw", overrides.dtw, "How nDTW warps time")
        ->check(CLI::IsMember({"exact", "fastdtw"}).description(""))
        ->type_name("exact|fastdtw")
        ->group(kChangesGroup);
    number("--dtw-threshold", overrides.dtw_threshold_m, "METRES", "nDTW's distance threshold");
}

Profile apply(Profile profile, const ProfileOverrides& overrides) {
    const auto set = [](auto& into, const auto& value) {
        if (value) into = *value;
    };
    set(profile.success_distance_m, overrides.success_distance_m);
    set(profile.turn_angle_deg, overrides.turn_angle_deg);
    set(profile.forward_step_m, overrides.forward_step_m);
    set(profile.dtw_threshold_m, overrides.dtw_threshold_m);
    set(profile.max_steps, overrides.max_steps);
    if (overrides.success_inclusive) profile.success_inclusive = true;
    if (!overrides.distance.empty()) {
        profile.distance = distance_kind(overrides.distance);
        profile.spl_numerator = profile.distance;
    }
    if (!overrides.spl_numerator.empty()) {
        profile.spl_numerator = distance_kind(overrides.spl_numerator);
    }
    if (!overrides.dtw.empty()) {
        profile.dtw =
            overrides.dtw == dtw_kind_name(DtwKind::kExact) ? DtwKind::kExact : DtwKind::kFastDtw;
    }
    return profile;
}

}  // namespace havln::cli
