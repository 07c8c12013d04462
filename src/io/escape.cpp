#include "io/escape.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace havln {

namespace {

struct Decoded {
    std::uint32_t code_point = 0;
    std::size_t length = 0;  ///< 0: not UTF-8.
};

Decoded decode(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead >= 0xf5 || text.size() < length) return {};
    std::uint32_t code = lead & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {};
        code = (code << 6) | (byte(i) & 0x3fu);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {};
    return {code, length};
}

bool is_dangerous(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xfeff;
}

}  // namespace

std::string escape_control(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Decoded next = decode(text);
        if (next.length == 0) {
            fmt::format_to(std::back_inserter(out), "\\x{:02x}",
                           static_cast<unsigned char>(text.front()));
            text.remove_prefix(1);
            continue;
        }
        if (next.code_point == '\n') {
            out += "\\n";
        } else if (next.code_point == '\t') {
            out += "\\t";
        } else if (next.code_point == '\r') {
            out += "\\r";
        } else if (!is_dangerous(next.code_point)) {
            out += text.substr(0, next.length);
        } else if (next.code_point < 0x100) {
            fmt::format_to(std::back_inserter(out), "\\x{:02x}", next.code_point);
        } else {
            fmt::format_to(std::back_inserter(out), "\\u{{{:04x}}}", next.code_point);
        }
        text.remove_prefix(next.length);
    }
    return out;
}

}  // namespace havln
