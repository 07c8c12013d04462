#pragma once

#include "havln/profile.h"
#include "io/json_fields.h"
#include "io/json_writer.h"

namespace havln {

/// The profile as one JSON value, keys as in data/profiles.
void write_profile(JsonWriter& json, const Profile& profile);

/// Reads what write_profile wrote, as load_profile does. @throws Error (kUsage).
Profile read_profile(const JsonFields& fields);

}  // namespace havln
