#pragma once

#include <string>
#include <string_view>

namespace havln {

/// A file of data/report, compiled in. @pre it exists.
std::string_view asset(std::string_view name);

/// map.css with its variables replaced by their values, for programs without CSS variables.
std::string plain_map_css();

/// Replaces each var(--name) by the value that the sheet's first rule, ":root", gives it, and
/// drops that rule. A variable that it does not give stays as it is.
std::string resolve_css_variables(std::string_view css);

}  // namespace havln
