#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace havln {

/// A parsed JSON value, for ground truth, profiles, manifests and results: files that are read as
/// a whole. Numbers keep whether they were written as integers. Object members keep file order.
/// (Participants' files are never read into a tree; see io/json_stream.h.)
class JsonTree {
  public:
    using Array = std::vector<JsonTree>;
    using Object = std::vector<std::pair<std::string, JsonTree>>;
    using Value = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double,
                               std::string, Array, Object>;

    JsonTree() = default;
    explicit JsonTree(Value value) : value_(std::move(value)) {}

    /// Parses one document. Refuses duplicate keys, depth over 64 and anything after the document.
    /// @throws Error (`code`) naming `origin` with line and column.
    static JsonTree parse(std::string_view text, const std::filesystem::path& origin,
                          int exit_code = 3);

    bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
    bool is_object() const { return std::holds_alternative<Object>(value_); }
    bool is_array() const { return std::holds_alternative<Array>(value_); }
    bool is_string() const { return std::holds_alternative<std::string>(value_); }
    bool is_bool() const { return std::holds_alternative<bool>(value_); }
    bool is_integer() const;
    bool is_number() const { return is_integer() || std::holds_alternative<double>(value_); }

    /// @pre the value is of that kind (checked).
    const Object& object() const;
    const Array& array() const;
    const std::string& string() const;
    bool boolean() const;
    double number() const;         ///< Any number, as double.
    std::int64_t integer() const;  ///< @pre is_integer() and it fits.

    /// Member of an object; null where this is no object or lacks it.
    const JsonTree* find(std::string_view key) const;

    /// "null", "boolean", "integer", "number", "string", "array" or "object".
    const char* kind() const;

  private:
    Value value_ = nullptr;
};

}  // namespace havln
