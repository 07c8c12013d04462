#include "havln/random.h"

#include <array>
#include <cmath>

#include "havln/error.h"
#include "support/catch.h"

using havln::Random;
using havln::SplitMix64;

TEST_CASE("SplitMix64 gives the published sequence for seed 1234567", "[score][random]") {
    SplitMix64 words(1234567);  // values as Rosetta Code's task "Pseudo-random numbers/Splitmix64"
    CHECK(words.next() == 6457827717110365317u);
    CHECK(words.next() == 3203168211198807973u);
    CHECK(words.next() == 9817491932198370423u);
    CHECK(words.next() == 4593380528125082431u);
    CHECK(words.next() == 16408922859458223821u);
}

TEST_CASE("Random gives xoshiro256**'s published sequence for the state 1, 2, 3, 4",
          "[score][random]") {
    Random random(std::array<std::uint64_t, 4>{1, 2, 3, 4});  // values as in rand_xoshiro's tests
    for (const std::uint64_t expected :
         {std::uint64_t{11520}, std::uint64_t{0}, std::uint64_t{1509978240},
          std::uint64_t{1215971899390074240}, std::uint64_t{1216172134540287360},
          std::uint64_t{607988272756665600}, std::uint64_t{16172922978634559625u},
          std::uint64_t{8476171486693032832}, std::uint64_t{10595114339597558777u},
          std::uint64_t{2904607092377533576}}) {
        CHECK(random.next() == expected);
    }
}

TEST_CASE("Random: uniform numbers lie from 0 up to below 1 and spread evenly", "[score][random]") {
    Random random(7);
    std::array<int, 10> bins{};
    constexpr int kDraws = 100000;
    for (int i = 0; i < kDraws; ++i) {
        const double x = random.uniform();
        REQUIRE(x >= 0);
        REQUIRE(x < 1);
        ++bins[static_cast<std::size_t>(x * 10)];
    }
    // Binomial(100000, 0.1) has a standard deviation of sqrt(9000), about 95: six of them.
    for (const int bin : bins) CHECK(std::abs(bin - kDraws / 10) < 6 * 95);
}

TEST_CASE("Random: below stays below and refuses 0", "[score][random]") {
    Random random(3);
    std::array<int, 3> seen{};
    for (int i = 0; i < 3000; ++i) ++seen[random.below(3)];
    for (const int count : seen) CHECK(std::abs(count - 1000) < 6 * 26);  // sd sqrt(3000*2/9)
    CHECK(random.below(1) == 0);
    CHECK_THROWS_AS(random.below(0), havln::Error);
}

TEST_CASE("mix_seed separates texts and seeds", "[score][random]") {
    CHECK(havln::mix_seed(1, "a") != havln::mix_seed(1, "b"));
    CHECK(havln::mix_seed(1, "a") != havln::mix_seed(2, "a"));
    CHECK(havln::mix_seed(1, "a") == havln::mix_seed(1, "a"));
}
