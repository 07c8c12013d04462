#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace havln {

/// SplitMix64 (Steele, Lea and Flood 2014): expands one seed into well-mixed words.
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();

  private:
    std::uint64_t state_;
};

/// The project's generator, xoshiro256** 1.0 (Blackman and Vigna 2018), seeded through SplitMix64:
/// a seed gives the same numbers on every platform and with every library. Not for secrets.
class Random {
  public:
    explicit Random(std::uint64_t seed);
    /// @pre not all words are 0.
    explicit Random(const std::array<std::uint64_t, 4>& state) : state_(state) {}

    std::uint64_t next();
    /// Uniform in [0, 1): a multiple of 2^-53.
    double uniform();
    /// Uniform in [0, bound), without bias. @pre bound > 0.
    std::uint64_t below(std::uint64_t bound);

  private:
    std::array<std::uint64_t, 4> state_;
};

/// Mixes a seed with a text, for a stream of its own per episode whatever the order.
std::uint64_t mix_seed(std::uint64_t seed, std::string_view text);

}  // namespace havln
