#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace havln {

/// Whether a terminal or an editor acts on the character instead of showing it: C0 and C1 controls,
/// DEL, line and paragraph separators, direction marks and overrides, U+FEFF.
bool is_control(std::uint32_t code_point);

/// Untrusted text made safe for a terminal or a log: control bytes (C0, DEL), bytes that are not
/// UTF-8, C1 controls and bidirectional overrides become \xNN or \u{NNNN}; a line break becomes \n.
std::string escape_control(std::string_view text);

/// The same in double quotes, for messages; "..." stands for what is beyond `max_bytes`.
std::string quote(std::string_view text, std::size_t max_bytes = 80);

/// One step of a JSON pointer (RFC 6901): '/' and the key, with ~ and / in it written ~0 and ~1.
std::string pointer_step(std::string_view key);

/// Untrusted text as text or attribute value of HTML and XML 1.0: & < > " ' become entities, and
/// what XML cannot hold (control characters but tab and line breaks, bytes that are not UTF-8,
/// U+FFFE, U+FFFF) becomes U+FFFD.
std::string escape_markup(std::string_view text);

}  // namespace havln
