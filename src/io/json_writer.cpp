#include "io/json_writer.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "havln/error.h"

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
    using Json = nlohmann::json;
    return raw(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
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
