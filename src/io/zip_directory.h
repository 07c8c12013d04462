#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "havln/contract.h"
#include "havln/diagnostics.h"

namespace havln {

/// One member as the central directory describes it, checked against its local header.
struct ZipDirectoryMember {
    std::string_view name;  ///< Raw bytes, in the archive's memory.
    /// Name that an Info-ZIP Unicode Path field gives it beside that; some programs extract to it.
    std::optional<std::string_view> unicode_name;
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t crc32 = 0;
    std::uint64_t compressed_bytes = 0;
    std::uint64_t inflated_bytes = 0;
    std::uint64_t local_offset = 0;  ///< Of the local header, from the archive's first byte.
    std::uint64_t end_offset = 0;    ///< Behind the data and, where there is one, its descriptor.
    std::uint32_t unix_mode = 0;     ///< High half of the external attributes.
    bool readable = true;            ///< No fault forbids to inflate it.
    std::vector<Diagnostic> faults;  ///< Code, severity, message and hint are set.
};

/// A zip archive's central directory.
struct ZipDirectory {
    std::vector<ZipDirectoryMember> members;  ///< In the directory's order.
    std::vector<Diagnostic> faults;           ///< Of the archive as a whole.
    /// Where the archive begins in the file: over 0 where something was put before it.
    std::uint64_t archive_offset = 0;
    std::uint64_t archive_bytes =
        0;                 ///< From there to the end record's comment, without its length.
    bool readable = true;  ///< False where the members cannot be told.
};

/// Reads the end-of-central-directory record, the central directory and every local header, and
/// reports what is broken, contradictory, overlapping, encrypted, in a foreign compression method
/// or beyond the limits. Nothing is inflated. The rules for names are the contract's, not here.
/// @pre `bytes` outlives the result, which points into it.
/// @see PKWARE APPNOTE.TXT 6.3.10, sections 4.3 to 4.5.
ZipDirectory read_zip_directory(std::string_view bytes, const ReadLimits& limits);

/// What a compression method is called, e.g. "Deflate64".
std::string_view zip_method_name(std::uint16_t method);

}  // namespace havln
