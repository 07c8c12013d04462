#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "havln/data_check.h"

namespace havln {

/// What a data root holds and what it is good for, for people. Untrusted text is escaped.
std::string data_check_text(const DataCheck& check);

/// The same as JSON, schema_version 1. Absent facts are left out.
std::string data_check_json(const DataCheck& check);

/// What the contact reading misses where human_motion.json does not name scans of a split, for a
/// warning: the scans are named, of `scans` with their episodes out of `all_episodes`. Escaped.
/// @pre `scans` is not empty.
std::string scans_without_people_text(const std::map<std::string, std::size_t>& scans,
                                      std::size_t all_episodes);

}  // namespace havln
