#include "io/escape.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

#include "io/utf8.h"

namespace havln {

namespace {

/// The entity of a markup character; empty for any other.
std::string_view entity(std::uint32_t code) {
    switch (code) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return {};
    }
}

/// XML 1.0, production Char, without the discouraged C1 controls.
bool fits_xml(std::uint32_t code) {
    if (code == '\t' || code == '\n' || code == '\r') return true;
    return code >= 0x20 && !(code >= 0x7f && code < 0xa0) && code != 0xfffe && code != 0xffff;
}

}  // namespace

bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xfeff;
}

std::string escape_control(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Utf8Char next = decode_utf8(text);
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
        } else if (!is_control(next.code_point)) {
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

std::string quote(std::string_view text, std::size_t max_bytes) {
    if (text.size() <= max_bytes) return fmt::format("\"{}\"", escape_control(text));
    std::size_t cut = max_bytes;
    // Not in the middle of a character, where its trailing bytes can tell.
    while (cut > 0 && max_bytes - cut < 3 &&
           (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) {
        --cut;
    }
    return fmt::format("\"{}...\"", escape_control(text.substr(0, cut)));
}

std::string pointer_step(std::string_view key) {
    std::string step = "/";
    for (const char c : key) {
        if (c == '~') {
            step += "~0";
        } else if (c == '/') {
            step += "~1";
        } else {
            step += c;
        }
    }
    return step;
}

std::string escape_markup(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Utf8Char next = decode_utf8(text);
        const std::size_t length = next.length == 0 ? 1 : next.length;
        if (next.length == 0 || !fits_xml(next.code_point)) {
            append_utf8(out, 0xfffd);
        } else if (const std::string_view name = entity(next.code_point); !name.empty()) {
            out += name;
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    return out;
}

}  // namespace havln
