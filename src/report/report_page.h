#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/svg_map.h"

namespace havln {

/// What a page of results is made of: markup, which must be escaped already, and the documents
/// that its script reads (see report_data.h).
struct ReportPage {
    std::string title;                     ///< Untrusted text is escaped here.
    std::string header, sections, footer;  ///< Markup.
    std::size_t rows = 0;                  ///< Of the table, over all sections.
    std::vector<LegendEntry> legend;       ///< Every entry that a map's legend can have.
    std::string table;                     ///< JSON, as the following.
    std::vector<std::string> maps;         ///< By section.
    std::vector<std::string> scenes;       ///< By scene number; empty where there is no map.
};

/// One HTML page that needs nothing else: styles, script and data are in it, and its policy lets
/// nothing else run or load.
std::string report_page(const ReportPage& page);

/// One line of the footer's list; nothing where the value is empty.
void put_setting(std::string& out, const char* name, const std::string& value);

}  // namespace havln
