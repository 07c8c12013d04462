#pragma once

#include <string>
#include <string_view>

namespace havln {

/// Untrusted text made safe for a terminal or a log: control bytes (C0, DEL), bytes that are not
/// UTF-8, C1 controls and bidirectional overrides become \xNN or \u{NNNN}; a line break becomes \n.
std::string escape_control(std::string_view text);

}  // namespace havln
