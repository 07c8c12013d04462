#include "report/table_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/escape.h"

namespace havln {

namespace {

/// Places that a text takes on a terminal, one per code point.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::string space(width - std::min(width, width_of(text)), ' ');
    return right ? space + text : text + space;
}

bool is_numeric(const Table& table, std::size_t column) {
    return column < table.numeric.size() && table.numeric[column];
}

std::string replaced(std::string_view text,
                     const std::vector<std::pair<char, std::string_view>>& replacements) {
    std::string out;
    for (const char c : text) {
        const auto at = std::find_if(replacements.begin(), replacements.end(),
                                     [c](const auto& pair) { return pair.first == c; });
        if (at != replacements.end()) {
            out += at->second;
        } else {
            out += c;
        }
    }
    return out;
}

std::string markdown_text(std::string_view text) {
    return replaced(escape_control(text), {{'|', "\\|"},
                                           {'\\', "\\\\"},
                                           {'<', "&lt;"},
                                           {'&', "&amp;"},
                                           {'*', "\\*"},
                                           {'_', "\\_"},
                                           {'`', "\\`"},
                                           {'[', "\\["}});
}

std::string latex_text(std::string_view text) {
    return replaced(escape_control(text), {{'&', "\\&"},
                                           {'%', "\\%"},
                                           {'$', "\\$"},
                                           {'#', "\\#"},
                                           {'_', "\\_"},
                                           {'{', "\\{"},
                                           {'}', "\\}"},
                                           {'~', "\\textasciitilde{}"},
                                           {'^', "\\textasciicircum{}"},
                                           {'\\', "\\textbackslash{}"}});
}

bool is_number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// @param text  untrusted; a terminal may be what reads the table.
std::string csv_field(std::string_view text) {
    std::string field = escape_control(text);
    const bool formula =
        !field.empty() && std::string_view("=+-@").find(field.front()) != std::string_view::npos;
    if (formula && !is_number(field)) field.insert(field.begin(), '\'');
    if (field.find_first_of(",\"") == std::string::npos) return field;
    std::string quoted = "\"";
    for (const char c : field) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string text_table(const Table& table) {
    std::vector<std::vector<std::string>> rows = {table.head};
    for (const auto& row : table.rows) {
        std::vector<std::string>& cells = rows.emplace_back();
        for (const Cell& cell : row) cells.push_back(escape_control(cell.shown));
    }
    return aligned_text(rows, table.numeric, 0);
}

std::string markdown_table(const Table& table) {
    std::string out = "|";
    for (const std::string& name : table.head) out += ' ' + markdown_text(name) + " |";
    out += "\n|";
    for (std::size_t k = 0; k < table.head.size(); ++k) {
        out += is_numeric(table, k) ? "---:|" : "---|";
    }
    for (const auto& row : table.rows) {
        out += "\n|";
        for (const Cell& cell : row) out += ' ' + markdown_text(cell.shown) + " |";
    }
    return out + '\n';
}

std::string csv_table(const Table& table) {
    std::string out;
    const auto line = [&out](const std::vector<std::string>& fields) {
        for (std::size_t k = 0; k < fields.size(); ++k) {
            if (k > 0) out += ',';
            out += csv_field(fields[k]);
        }
        out += "\r\n";
    };
    line(table.head);
    for (const auto& row : table.rows) {
        std::vector<std::string> fields;
        for (const Cell& cell : row) {
            fields.push_back(cell.exact.empty() ? cell.shown : cell.exact);
        }
        line(fields);
    }
    return out;
}

std::string latex_table(const Table& table) {
    std::string columns;
    for (std::size_t k = 0; k < table.head.size(); ++k) columns += is_numeric(table, k) ? 'r' : 'l';
    std::string out = "\\begin{tabular}{" + columns + "}\n\\toprule\n";
    const auto line = [&out](const std::vector<std::string>& cells) {
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (k > 0) out += " & ";
            out += latex_text(cells[k]);
        }
        out += " \\\\\n";
    };
    line(table.head);
    out += "\\midrule\n";
    for (const auto& row : table.rows) {
        std::vector<std::string> cells;
        for (const Cell& cell : row) cells.push_back(cell.shown);
        line(cells);
    }
    return out + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace

std::string aligned_text(const std::vector<std::vector<std::string>>& rows,
                         const std::vector<bool>& right_aligned, std::size_t indent) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        if (widths.size() < row.size()) widths.resize(row.size());
        for (std::size_t k = 0; k < row.size(); ++k) {
            widths[k] = std::max(widths[k], width_of(row[k]));
        }
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line(indent, ' ');
        for (std::size_t k = 0; k < row.size(); ++k) {
            const bool right = k < right_aligned.size() && right_aligned[k];
            if (k > 0) line += "  ";
            line += padded(row[k], widths[k], right);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

std::string render_table(const Table& table, TableFormat format) {
    switch (format) {
        case TableFormat::kText:
            return text_table(table);
        case TableFormat::kMarkdown:
            return markdown_table(table);
        case TableFormat::kCsv:
            return csv_table(table);
        case TableFormat::kLatex:
            return latex_table(table);
    }
    return text_table(table);
}

}  // namespace havln
