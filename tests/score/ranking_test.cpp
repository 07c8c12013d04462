#include "havln/ranking.h"

#include <limits>
#include <string>
#include <vector>

#include "havln/random.h"
#include "havln/scorecard.h"
#include "support/catch.h"

using namespace havln;

namespace {

RankedResult entry(const std::string& name, const ScoreComponents& c,
                   const std::string& submitted = "") {
    RankedResult result;
    result.name = name;
    const auto key = tie_break_key(c);
    result.key.assign(key.begin(), key.end());
    result.submitted = parse_timestamp(submitted);
    return result;
}

/// "1 a, 2 b, - c" in leaderboard order.
std::string board(std::vector<RankedResult> results) {
    rank_results(results);
    std::string text;
    for (const RankedResult& r : results) {
        if (!text.empty()) text += ", ";
        text += (r.rank ? std::to_string(*r.rank) : std::string("-")) + ' ' + r.name;
    }
    return text;
}

/// Same in all but what the caller changes. The score is set by hand, so that ties of every depth
/// can be made.
constexpr ScoreComponents kBase = {.SR = 0.5, .NE = 4, .CR = 0.25, .TCR = 2, .score = 40};

ScoreComponents with(double ScoreComponents::*part, double value) {
    ScoreComponents c = kBase;
    c.*part = value;
    return c;
}

}  // namespace

TEST_CASE("ranking: ties are broken in the official order, one key after the other", "[ranking]") {
    const RankedResult base = entry("base", kBase, "2026-06-01T12:00:00Z");
    const std::string early = "2026-05-01T00:00:00Z", late = "2026-07-01T00:00:00Z";
    // Each better entry wins on its key although it was submitted later.
    CHECK(board({base, entry("x", with(&ScoreComponents::score, 40.000001), late)}) ==
          "1 x, 2 base");
    CHECK(board({base, entry("x", with(&ScoreComponents::SR, 0.51), late)}) == "1 x, 2 base");
    CHECK(board({base, entry("x", with(&ScoreComponents::NE, 3.9), late)}) == "1 x, 2 base");
    CHECK(board({base, entry("x", with(&ScoreComponents::CR, 0.24), late)}) == "1 x, 2 base");
    CHECK(board({base, entry("x", with(&ScoreComponents::TCR, 1.9), late)}) == "1 x, 2 base");
    CHECK(board({base, entry("x", kBase, early)}) == "1 x, 2 base");
    CHECK(board({base, entry("x", kBase, late)}) == "1 base, 2 x");
    // An earlier key outweighs all the later ones.
    ScoreComponents mixed = {.SR = 0.9, .NE = 1, .CR = 0, .TCR = 0, .score = 39};
    CHECK(board({entry("x", mixed, early), base}) == "1 base, 2 x");
    mixed = {.SR = 0.5, .NE = 4.1, .CR = 0, .TCR = 0, .score = 40};
    CHECK(board({entry("x", mixed, early), base}) == "1 base, 2 x");
    // Full precision: the next double is better.
    CHECK(board({base, entry("x", with(&ScoreComponents::score, std::nextafter(40.0, 41.0)))}) ==
          "1 x, 2 base");
}

TEST_CASE("ranking: entries equal in every key share a rank", "[ranking]") {
    const std::string noon = "2026-06-01T12:00:00Z", same_noon = "2026-06-01T14:00:00.000+02:00";
    CHECK(board({entry("a", kBase, noon), entry("b", kBase, same_noon),
                 entry("c", with(&ScoreComponents::score, 30))}) == "1 a, 1 b, 3 c");
    CHECK(board({entry("a", kBase), entry("b", kBase), entry("c", kBase)}) == "1 a, 1 b, 1 c");
    // Without a time an entry cannot have been the earlier one.
    CHECK(board({entry("a", kBase), entry("b", kBase, noon)}) == "1 b, 2 a");
}

TEST_CASE("ranking: partial results, problems and values that are not finite never win",
          "[ranking]") {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    RankedResult partial = entry("partial", with(&ScoreComponents::score, 99));
    partial.partial = true;
    RankedResult broken = entry("broken", with(&ScoreComponents::score, 99));
    broken.problem = "score is missing";
    RankedResult empty;
    empty.name = "empty";
    CHECK(board({entry("nan", with(&ScoreComponents::score, kNan)),
                 entry("inf", with(&ScoreComponents::score, kInfinity)), broken, partial, empty,
                 entry("nan2", with(&ScoreComponents::TCR, kNan)), entry("good", kBase)}) ==
          "1 good, - partial, - nan, - inf, - broken, - empty, - nan2");
}

TEST_CASE("ranking: the order of the entries does not matter", "[ranking]") {
    Random random(9);
    std::vector<RankedResult> entries;
    for (int k = 0; k < 30; ++k) {
        const ScoreComponents c = {.SR = static_cast<double>(random.below(2)),
                                   .NE = static_cast<double>(random.below(2)),
                                   .CR = static_cast<double>(random.below(2)),
                                   .TCR = static_cast<double>(random.below(2)),
                                   .score = static_cast<double>(random.below(3))};
        entries.push_back(entry("e" + std::to_string(k), c));
    }
    const auto ranks = [](std::vector<RankedResult> list) {
        rank_results(list);
        std::map<std::string, std::uint64_t> by_name;
        for (const RankedResult& r : list) by_name[r.name] = *r.rank;
        return by_name;
    };
    const auto expected = ranks(entries);
    for (int round = 0; round < 20; ++round) {
        for (std::size_t k = entries.size(); k > 1; --k) {
            std::swap(entries[k - 1], entries[random.below(k)]);
        }
        CHECK(ranks(entries) == expected);
    }
}

TEST_CASE("timestamps: RFC 3339 instants", "[ranking]") {
    CHECK(parse_timestamp("1970-01-01T00:00:00Z")->unix_seconds == 0);
    CHECK(parse_timestamp("2000-02-29t23:59:59z")->unix_seconds == 951868799);
    CHECK(parse_timestamp("1969-12-31T23:59:59Z")->unix_seconds == -1);
    CHECK(parse_timestamp("2026-06-01T12:00:00+05:30") == parse_timestamp("2026-06-01T06:30:00Z"));
    CHECK(parse_timestamp("2026-06-01 12:00:00-01:00") == parse_timestamp("2026-06-01T13:00:00Z"));
    CHECK(parse_timestamp("2026-06-01T12:00:00.50Z") == parse_timestamp("2026-06-01T12:00:00.5Z"));
    CHECK(parse_timestamp("2026-06-01T12:00:00.5Z") < parse_timestamp("2026-06-01T12:00:00.51Z"));
    CHECK(parse_timestamp("2026-06-01T12:00:00Z") < parse_timestamp("2026-06-01T12:00:00.001Z"));
    CHECK(parse_timestamp("2016-12-31T23:59:60Z").has_value());
    for (const char* text : {"",
                             "2026-06-01",
                             "2026-06-01T12:00:00",
                             "2026-06-01T12:00Z",
                             "2026-02-30T12:00:00Z",
                             "2025-02-29T12:00:00Z",
                             "2026-13-01T12:00:00Z",
                             "2026-00-10T12:00:00Z",
                             "2026-06-01T24:00:00Z",
                             "2026-06-01T12:60:00Z",
                             "2026-06-01T12:00:61Z",
                             "2026-06-01T12:00:00.Z",
                             "2026-06-01T12:00:00+2:00",
                             "2026-06-01T12:00:00+02:60",
                             "2026-06-01T12:00:00Z ",
                             " 2026-06-01T12:00:00Z",
                             "26-06-01T12:00:00Z",
                             "2026-06-01T12:00:00ZZ",
                             "+026-06-01T12:00:00Z",
                             "1780315200"}) {
        INFO('"' << text << '"');
        CHECK_FALSE(parse_timestamp(text).has_value());
    }
}
