#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace havln {

/// True for anything that stands there, a dangling link too, and where that cannot be told: reading
/// it then tells what is wrong.
bool stands(const std::filesystem::path& path);

/// True for a folder; false where it cannot be told.
bool is_folder(const std::filesystem::path& path);

/// More than any file that is read as a whole has, inflated or not; a bomb ends here.
inline constexpr std::uint64_t kMaxFileBytes = 512ull << 20;

/// The whole content of a regular file.
/// @param max_bytes  a larger file is refused.
/// @throws Error (kUsage) saying why it cannot be read. The caller on the organiser's side turns
///         that into kGroundTruth by calling read_ground_truth_file.
std::string read_whole_file(const std::filesystem::path& path,
                            std::uint64_t max_bytes = kMaxFileBytes);

/// The same for a file of the data root: every fault is kGroundTruth.
std::string read_ground_truth_file(const std::filesystem::path& path,
                                   std::uint64_t max_bytes = kMaxFileBytes);

/// Inflates a gzip stream (all members). @throws Error (kGroundTruth) naming `origin` on a corrupt,
/// truncated or over-large stream, or on bytes after its end that are no gzip member.
std::string gunzip(std::string_view compressed, const std::filesystem::path& origin,
                   std::uint64_t max_bytes = kMaxFileBytes);

/// Compresses to one gzip member without name or time, so that equal input gives equal bytes.
std::string gzip(std::string_view bytes);

/// Reads a ground-truth file and, where its name ends in ".gz", inflates it.
std::string read_maybe_gzip(const std::filesystem::path& path);

/// Writes a file as a whole or not at all: beside its place, then renamed. A file that stood there
/// is replaced, a link's target rather than the link; devices and pipes take the bytes as they are.
/// @throws Error (kUsage) where it cannot be written; nothing is left then.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Creates the folder and its parents. @throws Error (kUsage).
void make_folder(const std::filesystem::path& path);

}  // namespace havln
