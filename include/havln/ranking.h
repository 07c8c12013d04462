#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "havln/signature.h"

namespace havln {

/// An instant, whatever time zone it was written in.
struct Timestamp {
    std::int64_t unix_seconds = 0;
    std::string fraction;  ///< Digits after the point, without trailing zeros.
    auto operator<=>(const Timestamp&) const = default;
};

/// Reads an RFC 3339 date and time with its offset, e.g. "2026-06-01T12:00:00.5+02:00".
/// @return nothing for any other text, or a date that does not exist.
std::optional<Timestamp> parse_timestamp(std::string_view text);

/// One entry of a leaderboard.
struct RankedResult {
    std::string name;    ///< Shown; may hold any text.
    std::string source;  ///< File that it was read from.
    /// What it is ranked by, the most important first; larger is better in every place.
    std::vector<double> key;
    std::optional<Timestamp> submitted;
    std::string submitted_text;            ///< As it was written.
    std::map<std::string, double> values;  ///< Shown quantities by output name.
    bool partial = false;                  ///< Scored in part: never ranked.
    std::string problem;                   ///< Why it cannot be ranked; empty where it can.
    Signature signature;                   ///< For the ranked split alone.
    /// To the first result's signature; ranked all the same only where that was forced.
    std::vector<SignatureDifference> differences;
    std::optional<std::uint64_t> rank;  ///< Set by rank_results; absent where it has none.
};

/// Sorts entries into the official order and numbers them: by key in full precision, then the
/// earlier submission time (an entry with a time stands before one without). Entries equal in all of
/// it share a rank, and the next rank counts them all (1, 1, 3). Partial results, then those with a
/// problem or a key that is not finite, stand last without a rank, in the given order.
void rank_results(std::vector<RankedResult>& results);

}  // namespace havln
