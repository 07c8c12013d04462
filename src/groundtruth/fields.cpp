#include "groundtruth/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/escape.h"

namespace havln {

namespace {

constexpr std::size_t kMaxIdBytes = 256;
constexpr std::size_t kMaxNameBytes = 200;

double read_coordinate(JsonReader& reader) {
    const double value = reader.number();
    if (std::abs(value) > kMaxCoordinate_m) {
        throw reader.fault(
            fmt::format("expected a coordinate within {} m, found {}", kMaxCoordinate_m, value));
    }
    return value;
}

template <std::size_t N>
std::array<double, N> read_numbers(JsonReader& reader, std::string_view shape) {
    std::array<double, N> out = {};
    const std::size_t count = reader.array([&](std::size_t i) {
        const double value = read_coordinate(reader);
        if (i < N) out[i] = value;
    });
    if (count != N) {
        throw reader.fault(
            fmt::format("expected {}, found {} number{}", shape, count, count == 1 ? "" : "s"));
    }
    return out;
}

}  // namespace

Vec3d read_point(JsonReader& reader) {
    const auto [x, y, z] = read_numbers<3>(reader, "a point [x, y, z]");
    return {x, y, z};
}

std::vector<Vec3d> read_points(JsonReader& reader) {
    std::vector<Vec3d> points;
    if (reader.skip_null()) return points;
    reader.array([&](std::size_t) { points.push_back(read_point(reader)); });
    return points;
}

std::array<double, 4> read_rotation(JsonReader& reader) {
    const std::array<double, 4> xyzw = read_numbers<4>(reader, "a rotation [x, y, z, w]");
    const auto [x, y, z, w] = xyzw;
    // The first turn divides by this length.
    if (std::sqrt(x * x + y * y + z * z + w * w) < 1e-6) {
        throw reader.fault("expected a rotation [x, y, z, w], found one of length zero");
    }
    return xyzw;
}

double read_length(JsonReader& reader) {
    const double value = reader.number();
    if (value < 0 || value > kMaxCoordinate_m) {
        throw reader.fault(
            fmt::format("expected a length from 0 to {} m, found {}", kMaxCoordinate_m, value));
    }
    return value;
}

FileId read_id(JsonReader& reader) {
    if (reader.peek() == JsonReader::Kind::kNumber) {
        return {std::to_string(reader.integer(0)), true};
    }
    if (reader.peek() != JsonReader::Kind::kString) {
        const JsonReader::Kind found = reader.peek();
        reader.skip();
        throw reader.fault(
            fmt::format("expected an id, an integer or a string, found {}", json_kind_name(found)));
    }
    const std::string_view text = reader.string();
    if (text.empty()) throw reader.fault("expected an id, found an empty string");
    if (text.size() > kMaxIdBytes) {
        throw reader.fault(
            fmt::format("expected an id of at most {} bytes, found {}", kMaxIdBytes, text.size()));
    }
    return {std::string(text), false};
}

bool is_plain_name(std::string_view name) {
    return !name.empty() && name.size() <= kMaxNameBytes && name != "." && name != ".." &&
           std::none_of(name.begin(), name.end(), [](char c) {
               return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
           });
}

}  // namespace havln
