#pragma once

#include <optional>
#include <string_view>

#include "havln/diagnostics.h"

namespace havln {

/// The bytes of one file of a submission, handed out piece by piece, once.
class ByteSource {
  public:
    virtual ~ByteSource() = default;
    ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    /// The next piece, valid until the next call; empty at the end or after a fault.
    virtual std::string_view next() = 0;

    /// What ended the bytes early, or showed at their end: a wrong checksum, a lying size.
    /// Code, message and hint are set, the place is the caller's to add.
    virtual const std::optional<Diagnostic>& fault() const { return fault_; }

  protected:
    std::optional<Diagnostic> fault_;
};

/// Bytes in memory, in pieces of a chosen size. @pre the bytes outlive the source.
class MemorySource : public ByteSource {
  public:
    explicit MemorySource(std::string_view bytes, std::size_t piece_bytes = 1u << 16)
        : rest_(bytes), piece_bytes_(piece_bytes) {}

    std::string_view next() override {
        const std::string_view piece = rest_.substr(0, piece_bytes_);
        rest_.remove_prefix(piece.size());
        return piece;
    }

  private:
    std::string_view rest_;
    std::size_t piece_bytes_;
};

}  // namespace havln
