#pragma once

#include <string>
#include <vector>

#include "havln/ranking.h"
#include "report/table_formats.h"

namespace havln {

/// A leaderboard of one split.
struct Leaderboard {
    std::string split;
    std::vector<std::string> columns;   ///< Output names of the shown quantities, in order.
    std::vector<RankedResult> results;  ///< Ranked.
    bool forced = false;                ///< Signatures that differ were let pass.
};

/// Entries that cannot be ranked, or whose signature differs, say so in the last column.
std::string leaderboard_table(const Leaderboard& board, TableFormat format);

/// {"schema_version": 1, "split", "forced", "results": [...]} in full precision.
std::string leaderboard_json(const Leaderboard& board);

/// How a quantity is shown to people: its short name and number of digits.
std::string shown_name(const std::string& output_name);
int shown_digits(const std::string& output_name);

}  // namespace havln
