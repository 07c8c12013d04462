#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace havln {

/// One record of a CSV file by column name.
struct CsvRecord {
    std::size_t line = 0;  ///< Where it begins, 1-based.
    std::map<std::string, std::string> fields;
};

/// Reads a CSV file (RFC 4180: commas, quotes doubled inside quotes, lines end in LF or CRLF) whose
/// first line names the columns. Empty lines are passed over.
/// @throws Error (kUsage) naming the line where a record has more or fewer fields than the head, a
///         quote is not closed or stands inside a bare field, a column is named twice, or the file
///         has no head.
std::vector<CsvRecord> parse_csv(std::string_view text, const std::filesystem::path& origin);

}  // namespace havln
