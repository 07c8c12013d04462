#pragma once

#include <filesystem>
#include <string>

#include "havln/shard.h"

namespace havln {

/// The shard as one JSON document; read_shard gives back every bit of it.
std::string shard_json(const Shard& shard);

/// @throws Error (kUsage) naming the file and the place where it is no whole shard of this schema.
Shard read_shard(const std::filesystem::path& file);

}  // namespace havln
