#include "havln/random.h"

#include <bit>

#include "havln/error.h"

namespace havln {

std::uint64_t SplitMix64::next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

Random::Random(std::uint64_t seed) : state_{} {
    SplitMix64 words(seed);
    for (std::uint64_t& word : state_) word = words.next();
}

std::uint64_t Random::next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

double Random::uniform() {
    return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

std::uint64_t Random::below(std::uint64_t bound) {
    HAVLN_CHECK(bound > 0);
    // Numbers from the incomplete last run of `bound` values would favour the small ones.
    const std::uint64_t refuse_below = (0 - bound) % bound;
    for (;;) {
        const std::uint64_t drawn = next();
        if (drawn >= refuse_below) return drawn % bound;
    }
}

std::uint64_t mix_seed(std::uint64_t seed, std::string_view text) {
    // FNV-1a over the text, then one SplitMix64 round with the seed.
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
    return SplitMix64(seed ^ hash).next();
}

}  // namespace havln
