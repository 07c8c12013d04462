#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace havln {

/// The first character of a text.
struct Utf8Char {
    std::uint32_t code_point = 0;
    std::size_t length = 0;  ///< [bytes]; 0 where the text does not begin with UTF-8 (RFC 3629).
};

/// @pre text is not empty.
Utf8Char decode_utf8(std::string_view text);

/// @pre code_point is no surrogate and at most U+10FFFF.
void append_utf8(std::string& out, std::uint32_t code_point);

}  // namespace havln
