#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "havln/diagnostics.h"
#include "io/byte_source.h"
#include "io/zip_directory.h"

struct zip;  // libzip's zip_t

namespace havln {

/// Inflates the members of an archive in memory, piece by piece, with libzip.
class ZipReader {
  public:
    /// @pre `bytes` and `directory`, which was read from them, outlive the reader.
    ZipReader(std::string_view bytes, const ZipDirectory& directory);
    ~ZipReader();
    ZipReader(const ZipReader&) = delete;
    ZipReader& operator=(const ZipReader&) = delete;

    /// Why libzip cannot read the archive, or sees another directory than we do: then nothing in it
    /// is to be trusted and open() must not be called.
    const std::optional<Diagnostic>& fault() const { return fault_; }

    /// The member's inflated bytes, never more than its declared size. A member may be opened more
    /// than once, one after the other. @pre the member is readable.
    std::unique_ptr<ByteSource> open(std::size_t index) const;

  private:
    void compare();

    const ZipDirectory& directory_;
    ::zip* archive_ = nullptr;
    std::optional<Diagnostic> fault_;
};

}  // namespace havln
