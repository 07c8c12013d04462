#include <algorithm>
#include <array>
#include <cmath>

#include "havln/scorecard.h"
#include "support/catch.h"

using namespace havln;

TEST_CASE("composite: hand-worked values", "[score]") {
    SECTION("perfect: every episode succeeds at the goal without a collision") {
        const ScoreComponents c = complete({.SR = 1, .NE = 0, .CR = 0, .TCR = 0});
        CHECK(c.navigation == Approx(1.0).epsilon(1e-12));
        CHECK(c.social == Approx(1.0).epsilon(1e-12));
        CHECK(c.score == Approx(100.0).epsilon(1e-12));
    }
    SECTION("SR 1/2, NE 3 m, CR 1/3, TCR 1") {
        // Navigation = 0.8/2 + 0.2 * 3/6 = 1/2. Social = 0.75 * 2/3 + 0.25/2 = 5/8.
        // Score = 100 * 1/2 * (0.7 + 0.3 * 5/8) = 50 * 71/80 = 355/8.
        const ScoreComponents c = complete({.SR = 0.5, .NE = 3, .CR = 1.0 / 3, .TCR = 1});
        CHECK(c.navigation == Approx(1.0 / 2).epsilon(1e-12));
        CHECK(c.social == Approx(5.0 / 8).epsilon(1e-12));
        CHECK(c.score == Approx(355.0 / 8).epsilon(1e-12));
    }
    SECTION("no success, NE 12 m, every episode collides, TCR 4") {
        // Navigation = 0.2 * 3/15 = 1/25. Social = 0.25/5 = 1/20.
        // Score = 4 * (7/10 + 3/200) = 143/50.
        const ScoreComponents c = complete({.SR = 0, .NE = 12, .CR = 1, .TCR = 4});
        CHECK(c.navigation == Approx(1.0 / 25).epsilon(1e-12));
        CHECK(c.social == Approx(1.0 / 20).epsilon(1e-12));
        CHECK(c.score == Approx(143.0 / 50).epsilon(1e-12));
    }
    SECTION("nothing clamps CR: with 2 collided episodes for 1 human-influenced one CR is 2") {
        // Social = -0.75 + 0.25/2 = -5/8; Score = 100 * 1 * (0.7 - 3/16) = 51.25.
        const ScoreComponents c = complete({.SR = 1, .NE = 0, .CR = 2, .TCR = 1});
        CHECK(c.social == Approx(-5.0 / 8).epsilon(1e-12));
        CHECK(c.score == Approx(51.25).epsilon(1e-12));
    }
}

TEST_CASE("composite: the published runs lie in the intervals of their rounded components",
          "[score]") {
    struct Run {
        double SR, NE, CR, TCR, score;
    };
    // The organisers' CMA baseline, documentation and toolkit, val_seen and val_unseen.
    constexpr std::array<Run, 4> kRuns = {{{0.165, 6.230, 0.638, 13.271, 15.469585},
                                           {0.114, 6.502, 0.689, 22.352, 11.944822},
                                           {0.180, 6.223, 0.623, 13.726, 16.509450},
                                           {0.129, 6.387, 0.684, 17.536, 12.945387}}};
    constexpr double kHalf = 0.0005;
    for (const Run& run : kRuns) {
        // Score grows with SR and falls with NE, CR and TCR.
        const auto score = [&](double shift) {
            return complete({.SR = run.SR + shift,
                             .NE = run.NE - shift,
                             .CR = run.CR - shift,
                             .TCR = run.TCR - shift})
                .score;
        };
        INFO("published " << run.score);
        CHECK(score(-kHalf) <= run.score);
        CHECK(run.score <= score(kHalf));
        CHECK(score(kHalf) - score(-kHalf) < 0.12);
    }
}

TEST_CASE("tie-break key: larger is better in every place, and no zero is negative", "[score]") {
    const auto key = tie_break_key(complete({.SR = 0.25, .NE = 2, .CR = 0.5, .TCR = 0}));
    CHECK(key[1] == 0.25);
    CHECK(key[2] == -2);
    CHECK(key[3] == -0.5);
    CHECK(key[4] == 0);
    CHECK_FALSE(std::signbit(key[4]));
    CHECK(key[0] == complete({.SR = 0.25, .NE = 2, .CR = 0.5, .TCR = 0}).score);
}
