#pragma once

#include <cmath>
#include <limits>

namespace havln {

/// The distance to what cannot be reached.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Point or vector in Habitat's world frame (y up, -z forward, right-handed) [m], as Habitat's
/// simulator holds it.
struct Vec3f {
    float x = 0, y = 0, z = 0;
    bool operator==(const Vec3f&) const = default;
};

/// The same in double, as dataset files give it and as metrics compute with it.
struct Vec3d {
    double x = 0, y = 0, z = 0;
    bool operator==(const Vec3d&) const = default;
};

/// Rotation world_from_agent, components in file order x, y, z, w. Not necessarily of unit length.
struct Quatf {
    float x = 0, y = 0, z = 0, w = 1;
    bool operator==(const Quatf&) const = default;
};

inline Vec3d to_double(const Vec3f& v) {
    return {v.x, v.y, v.z};
}
inline Vec3f to_float(const Vec3d& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// Euclidean distance [m] in double; squares summed x, y, z from left to right.
inline double distance_m(const Vec3d& a, const Vec3d& b) {
    const double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return std::sqrt(dx * dx + dy * dy + dz * dz);
}

}  // namespace havln
