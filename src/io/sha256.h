#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace havln {

/// SHA-256 (FIPS 180-4) over bytes given piece by piece.
class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    void update(std::string_view bytes);
    /// Digest as 64 lower-case hex digits. Call once.
    std::string hex();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Digest of one piece, as 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

/// The same in base64 (RFC 4648), as content security policies name it.
std::string sha256_base64(std::string_view bytes);

}  // namespace havln
