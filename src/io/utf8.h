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

/// How a JSON text is encoded, judged by its first four bytes.
struct TextEncoding {
    std::size_t unit_bytes = 1;  ///< 1: UTF-8; 2: UTF-16; 4: UTF-32.
    bool big_endian = false;
    std::size_t mark_bytes = 0;  ///< Length of the byte-order mark.
};

/// By the mark, else by the zero bytes that the first two characters, which are ASCII in a JSON
/// text, leave (RFC 4627, section 3).
TextEncoding detect_encoding(std::string_view head);

}  // namespace havln
