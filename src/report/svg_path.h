#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace havln {

/// Builds the `d` attribute of an SVG path out of whole numbers, written relative to the point
/// before and without needless separators.
class SvgPath {
  public:
    /// @param tenths  coordinates are tenths of a unit, not units.
    explicit SvgPath(bool tenths = false) : tenths_(tenths) {}

    void move_to(std::int64_t x, std::int64_t y);
    void line_to(std::int64_t x, std::int64_t y);
    void close();

    bool empty() const { return text_.empty(); }
    const std::string& text() const { return text_; }

  private:
    void pair(char command, std::int64_t x, std::int64_t y);
    void number(std::int64_t value);

    bool tenths_;
    char command_ = 0;
    std::int64_t x_ = 0, y_ = 0, start_x_ = 0, start_y_ = 0;
    std::string text_;
};

/// A number of tenths as a decimal: -5 is "-0.5", 120 is "12".
std::string tenths_text(std::int64_t tenths);

/// A length or place on the page, rounded to a tenth of a unit.
std::string px(double value);

/// Appends a text element. @param text  is escaped.
void put_svg_text(std::string& out, std::string_view classes, double x, double y,
                  std::string_view text);

}  // namespace havln
