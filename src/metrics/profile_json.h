#pragma once

#include "havln/profile.h"
#include "io/json_writer.h"

namespace havln {

/// The profile as one JSON value, keys as in data/profiles.
void write_profile(JsonWriter& json, const Profile& profile);

}  // namespace havln
