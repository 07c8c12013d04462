#pragma once

#include <filesystem>
#include <string>

#include "havln/shard.h"

namespace havln {

/// The shard as one JSON document that ends with the digest of its content; read_shard gives back
/// every bit of it.
std::string shard_json(const Shard& shard);

/// @throws Error (kUsage) naming the file and the place where it is no whole shard of this schema,
/// or where a byte of it was changed.
Shard read_shard(const std::filesystem::path& file);

}  // namespace havln
