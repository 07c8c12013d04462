#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace havln {

/// A double as the shortest decimal text that reads back to the same double, independent of the
/// locale: "0.1", "3", "1e+300". @pre value is finite.
std::string number_text(double value);
/// The same for float32.
std::string number_text(float value);

/// Writes one JSON document into a string, in the order of the calls. Strings that are not valid
/// UTF-8 have their bad bytes replaced by U+FFFD; control characters (see is_control) are escaped.
/// @pre doubles are finite: JSON has no NaN or Infinity (checked).
class JsonWriter {
  public:
    enum class Style : std::uint8_t { kCompact, kIndented };
    explicit JsonWriter(Style style = Style::kIndented) : style_(style) {}

    JsonWriter& begin_object() { return open('{'); }
    JsonWriter& end_object() { return close('}'); }
    JsonWriter& begin_array() { return open('['); }
    JsonWriter& end_array() { return close(']'); }
    /// An array that stays on one line even in indented style, e.g. a point.
    JsonWriter& begin_inline_array();

    JsonWriter& key(std::string_view name);

    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(bool flag);
    JsonWriter& value(double number);
    JsonWriter& value(float number);
    JsonWriter& null();
    template <std::integral T>
    requires(!std::same_as<T, bool>) JsonWriter& value(T number) {
        return raw(std::to_string(number));
    }

    /// key and value in one call; a missing optional writes neither.
    template <typename T>
    JsonWriter& member(std::string_view name, const T& item) {
        key(name);
        return value(item);
    }
    template <typename T>
    JsonWriter& member(std::string_view name, const std::optional<T>& item) {
        return item ? member(name, *item) : *this;
    }

    /// Text that is JSON already, as one value.
    JsonWriter& raw(std::string_view json);

    /// The document; a final newline in indented style.
    std::string take();

  private:
    struct Level {
        bool empty = true;
        bool inline_items = false;
    };
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void before_item();
    void new_line();

    Style style_;
    std::string out_;
    std::vector<Level> levels_;
    bool after_key_ = false;
};

}  // namespace havln
