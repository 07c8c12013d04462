#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace havln {

enum class TableFormat : std::uint8_t { kText, kMarkdown, kCsv, kLatex };

/// What stands in one place of a table. Text may hold any bytes; the writers escape it.
struct Cell {
    std::string shown;
    std::string exact = {};  ///< For CSV; empty: as shown.
};

struct Table {
    std::vector<std::string> head;
    std::vector<bool> numeric;  ///< By column: aligned to the right.
    std::vector<std::vector<Cell>> rows;
};

/// The table in one format, newline at the end: aligned text, a Markdown table, CSV (RFC 4180,
/// exact values; text that a spreadsheet would take for a formula gets an apostrophe in front) or a
/// LaTeX tabular with booktabs rules.
std::string render_table(const Table& table, TableFormat format);

/// Rows of cells as aligned text; columns are two spaces apart, `indent` spaces from the left.
std::string aligned_text(const std::vector<std::vector<std::string>>& rows,
                         const std::vector<bool>& right_aligned, std::size_t indent);

}  // namespace havln
