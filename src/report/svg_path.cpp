#include "report/svg_path.h"

#include <cmath>
#include <cstdlib>

#include "io/escape.h"
#include "report/html_text.h"

namespace havln {

std::string tenths_text(std::int64_t tenths) {
    std::string text = tenths < 0 ? "-" : "";
    const std::int64_t size = std::abs(tenths);
    text += std::to_string(size / 10);
    if (size % 10 != 0) text += '.' + std::to_string(size % 10);
    return text;
}

std::string px(double value) {
    return tenths_text(std::lround(value * 10));
}

void put_svg_text(std::string& out, std::string_view classes, double x, double y,
                  std::string_view text) {
    put(out, "<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", classes, px(x), px(y),
        escape_markup(text));
}

void SvgPath::move_to(std::int64_t x, std::int64_t y) {
    pair('m', x, y);
    start_x_ = x;
    start_y_ = y;
}

void SvgPath::line_to(std::int64_t x, std::int64_t y) {
    pair('l', x, y);
}

void SvgPath::close() {
    text_ += 'z';
    command_ = 'z';
    x_ = start_x_;
    y_ = start_y_;
}

void SvgPath::pair(char command, std::int64_t x, std::int64_t y) {
    // After a move, further pairs are lines without a command of their own; a path's first move is
    // absolute whatever its case.
    const bool implied = command == 'l' && (command_ == 'm' || command_ == 'l');
    if (!implied) text_ += command;
    command_ = command;
    number(x - x_);
    number(y - y_);
    x_ = x;
    y_ = y;
}

void SvgPath::number(std::int64_t value) {
    const char last = text_.back();
    if (value >= 0 && last >= '0' && last <= '9') text_ += ' ';
    text_ += tenths_ ? tenths_text(value) : std::to_string(value);
}

}  // namespace havln
