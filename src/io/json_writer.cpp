#include "io/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "havln/error.h"
#include "io/escape.h"
#include "io/utf8.h"

namespace havln {

namespace {

template <typename Float>
std::string shortest(Float value) {
    HAVLN_CHECK(std::isfinite(value));
    char buffer[64];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
    HAVLN_CHECK(error == std::errc());
    return {buffer, end};
}

/// What JSON allows but a terminal acts on (DEL, C1 controls, direction marks) as \u escapes.
/// @param json  valid UTF-8.
std::string without_controls(std::string json) {
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x7f; };
    if (std::all_of(json.begin(), json.end(), is_ascii)) return json;
    std::string out;
    for (std::string_view rest = json; !rest.empty();) {
        const Utf8Char next = decode_utf8(rest);
        if (next.code_point >= 0x7f && is_control(next.code_point)) {
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", next.code_point);
        } else {
            out += rest.substr(0, next.length);
        }
        rest.remove_prefix(next.length);
    }
    return out;
}

}  // namespace

std::string number_text(double value) {
    return shortest(value);
}
std::string number_text(float value) {
    return shortest(value);
}

JsonWriter& JsonWriter::begin_inline_array() {
    open('[');
    levels_.back().inline_items = true;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    value(name);
    out_ += style_ == Style::kIndented ? ": " : ":";
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; };
    if (std::all_of(text.begin(), text.end(), is_plain)) {  // Nearly every text is.
        before_item();
        out_.append(1, '"').append(text).append(1, '"');
        return *this;
    }
    using Json = nlohmann::json;
    return raw(without_controls(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)));
}

JsonWriter& JsonWriter::value(bool flag) {
    return raw(flag ? "true" : "false");
}
JsonWriter& JsonWriter::value(double number) {
    return raw(number_text(number));
}
JsonWriter& JsonWriter::value(float number) {
    return raw(number_text(number));
}
JsonWriter& JsonWriter::null() {
    return raw("null");
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    before_item();
    out_ += json;
    return *this;
}

std::string JsonWriter::take() {
    HAVLN_CHECK(levels_.empty() && !after_key_);
    if (style_ == Style::kIndented) out_ += '\n';
    return std::exchange(out_, {});
}

JsonWriter& JsonWriter::open(char bracket) {
    before_item();
    const bool parent_inline = !levels_.empty() && levels_.back().inline_items;
    out_ += bracket;
    levels_.push_back({true, parent_inline});
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    HAVLN_CHECK(!levels_.empty());
    const Level level = levels_.back();
    levels_.pop_back();
    if (!level.empty && !level.inline_items) new_line();
    out_ += bracket;
    return *this;
}

void JsonWriter::before_item() {
    if (std::exchange(after_key_, false) || levels_.empty()) return;
    Level& level = levels_.back();
    if (!std::exchange(level.empty, false)) {
        out_ += ',';
        if (level.inline_items && style_ == Style::kIndented) out_ += ' ';
    }
    if (!level.inline_items) new_line();
}

void JsonWriter::new_line() {
    if (style_ == Style::kCompact) return;
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
}

}  // namespace havln
