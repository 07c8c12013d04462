#include "io/utf8.h"

#include <array>

#include "havln/error.h"

namespace havln {

Utf8Char decode_utf8(std::string_view text) {
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

void append_utf8(std::string& out, std::uint32_t code_point) {
    HAVLN_CHECK(code_point <= 0x10ffff && (code_point < 0xd800 || code_point > 0xdfff));
    const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    const auto trail = [&](unsigned shift) { put(0x80u | ((code_point >> shift) & 0x3fu)); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xc0u | (code_point >> 6));
        trail(0);
    } else if (code_point < 0x10000) {
        put(0xe0u | (code_point >> 12));
        trail(6);
        trail(0);
    } else {
        put(0xf0u | (code_point >> 18));
        trail(12);
        trail(6);
        trail(0);
    }
}

TextEncoding detect_encoding(std::string_view head) {
    using namespace std::string_view_literals;
    if (head.starts_with("\x00\x00\xFE\xFF"sv)) return {4, true, 4};
    if (head.starts_with("\xFF\xFE\x00\x00"sv)) return {4, false, 4};
    if (head.starts_with("\xFE\xFF"sv)) return {2, true, 2};
    if (head.starts_with("\xFF\xFE"sv)) return {2, false, 2};
    if (head.starts_with("\xEF\xBB\xBF"sv)) return {1, false, 3};
    if (head.size() < 4) return {};
    const std::array<bool, 4> zero = {head[0] == 0, head[1] == 0, head[2] == 0, head[3] == 0};
    if (zero == std::array{true, true, true, false}) return {4, true, 0};
    if (zero == std::array{false, true, true, true}) return {4, false, 0};
    if (zero == std::array{true, false, true, false}) return {2, true, 0};
    if (zero == std::array{false, true, false, true}) return {2, false, 0};
    return {};
}

}  // namespace havln
