#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "report/table_formats.h"

namespace havln::cli {

/// What commands that print tables can print.
enum class ReportFormat : std::uint8_t { kText, kMarkdown, kCsv, kLatex, kJson };

/// Adds --format text|markdown|csv|latex|json.
void add_format_option(CLI::App& app, ReportFormat& format);

/// Prints the document in the format: `table` for all but JSON.
void print_report(ReportFormat format, const std::function<std::string(TableFormat)>& table,
                  const std::function<std::string()>& json);

}  // namespace havln::cli
