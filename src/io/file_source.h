#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "io/byte_source.h"

namespace havln {

/// The bytes of a regular file on disk, read piece by piece. Where the file has more than
/// `max_bytes` by the time it is read, that is the source's fault (archive-too-large).
/// @throws Error (kUsage) where it cannot be opened; the source's next() where it cannot be read.
std::unique_ptr<ByteSource> open_file_source(const std::filesystem::path& path,
                                             std::uint64_t max_bytes);

}  // namespace havln
