#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "havln/groundtruth.h"
#include "io/json_reader.h"

namespace havln {

/// Bound on every coordinate of a ground-truth file [m]: far beyond any scene, and small enough
/// that squares and sums of it stay finite in float32.
inline constexpr double kMaxCoordinate_m = 1e9;

/// [x, y, z], each finite and within kMaxCoordinate_m.
Vec3d read_point(JsonReader& reader);

/// An array of points; null reads as none.
std::vector<Vec3d> read_points(JsonReader& reader);

/// A rotation [x, y, z, w] that is not (nearly) zero; any other length is taken as it is.
std::array<double, 4> read_rotation(JsonReader& reader);

/// A number >= 0 [m], at most kMaxCoordinate_m.
double read_length(JsonReader& reader);

/// An integer >= 0 or a non-empty string of at most 256 bytes.
FileId read_id(JsonReader& reader);

/// Text that may name one file or folder: not empty, no separator, no control byte, not "." or
/// "..", at most 200 bytes.
bool is_plain_name(std::string_view name);

}  // namespace havln
