#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace havln::test {

/// One member of an archive to be written, right or wrong. What is not set is right.
struct ZipEntry {
    std::string name;
    std::string data;
    std::uint16_t method = 8;  ///< 0 and 8 are written for real; others only claim to be.
    std::uint16_t flags = 0;
    std::uint32_t unix_mode = 0100644;
    std::uint8_t host = 3;             ///< 3: Unix; 0: MS-DOS.
    bool descriptor = false;           ///< Sizes behind the data, zeros in the local header.
    bool descriptor_signature = true;  ///< The optional "PK\7\8" before it.
    bool zip64 = false;                ///< Sizes in zip64 extra fields.
    std::string extra;                 ///< Further extra field, in both headers.
    std::string gap_before;            ///< Bytes before the local header.

    std::optional<std::string> packed;  ///< Instead of the compressed data.
    std::optional<std::uint32_t> crc32, inflated_bytes, compressed_bytes;  ///< In both headers.
    std::optional<std::string> local_name;
    std::optional<std::uint16_t> local_method, local_flags;
    std::optional<std::uint32_t> local_crc32, local_inflated_bytes, local_compressed_bytes;
    std::optional<std::uint32_t> descriptor_crc32;
    std::optional<std::uint32_t> local_offset;  ///< In the directory.
};

/// An ordinary file.
inline ZipEntry plain_entry(std::string name, std::string data = "hello") {
    ZipEntry entry;
    entry.name = std::move(name);
    entry.data = std::move(data);
    return entry;
}

/// An archive, written byte by byte without any zip library, so that it can be wrong anywhere.
struct ZipFile {
    std::vector<ZipEntry> entries;
    std::string comment, before, after;  ///< `before` shifts no offset: they count from behind it.
    bool zip64_end = false;
    std::optional<std::uint16_t> counted_entries;
    std::optional<std::uint32_t> directory_offset, directory_bytes;
    std::optional<std::uint16_t> comment_bytes, disk;

    std::string bytes() const;
};

/// Raw deflate stream of the data, as zip members have it.
std::string deflate_raw(std::string_view data);

}  // namespace havln::test
