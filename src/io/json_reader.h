#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "havln/error.h"

namespace havln {

/// Reads one JSON document (RFC 8259) forwards, value by value, straight into the caller's types:
/// no tree, no copy of what is skipped, and every fault knows its line, column and JSON pointer.
/// Made for the large ground-truth files, of which most bytes are never needed.
///
/// Strict: UTF-8 only, no byte-order mark, no NaN or Infinity, numbers within a double's range, no
/// key twice in an object that is read. Values that are skipped are checked for syntax only, and
/// may be NaN or infinite: released files hold such where nobody reads (word times of RxR-CE).
/// Every function throws Error (the code given) at the first fault.
class JsonReader {
  public:
    enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

    static constexpr std::size_t kMaxDepth = 64;

    /// @param text    must outlive the reader, as must every view that the reader hands out.
    /// @param origin  the file's path, for messages.
    JsonReader(std::string_view text, std::filesystem::path origin,
               ExitCode code = ExitCode::kGroundTruth);
    JsonReader(const JsonReader&) = delete;
    JsonReader& operator=(const JsonReader&) = delete;

    /// Kind of the value that comes next, judged by its first byte.
    Kind peek();

    /// Reads an object: calls on_member(std::string_view key) for every member, in file order;
    /// each call must read, or skip, exactly that member's value. The key lives as long as text.
    template <typename OnMember>
    void object(OnMember&& on_member) {
        const std::size_t start = open('{');
        while (const std::optional<std::string_view> key = next_key()) on_member(*key);
        value_start_ = start;
    }

    /// Reads an array: calls on_item(std::size_t index) for every item, in the same manner.
    /// @return the number of items.
    template <typename OnItem>
    std::size_t array(OnItem&& on_item) {
        const std::size_t start = open('[');
        std::size_t count = 0;
        while (next_item()) on_item(count++);
        value_start_ = start;
        return count;
    }

    double number();
    /// A number without fraction and exponent, between the bounds (inclusive).
    std::int64_t integer(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                         std::int64_t most = std::numeric_limits<std::int64_t>::max());
    /// Text with escapes resolved; lives as long as text and reader.
    std::string_view string();
    bool boolean();
    /// True, and the value read, where the next one is null.
    bool skip_null();
    void skip();

    /// @throws Error where anything but white space follows the document.
    void finish();

    /// An error about the value read last (an object or array right after it was read): names
    /// line, column and pointer, then `detail`.
    [[nodiscard]] Error fault(const std::string& detail) const;

    const std::filesystem::path& origin() const { return origin_; }

  private:
    struct Level {
        bool is_array = false;
        bool first = true;
        std::size_t index = 0;               ///< Of the item being read.
        std::string_view key;                ///< Of the member being read.
        std::vector<std::string_view> keys;  ///< While they are few.
        std::set<std::string_view> key_set;  ///< Once they are many.
    };

    std::size_t open(char bracket);
    std::optional<std::string_view> next_key();
    bool next_item();
    void note_key(Level& level, std::string_view key);
    void expect(Kind kind);
    void begin_value();
    void skip_space();
    std::string_view scan_string();
    std::string_view resolve_escapes(std::size_t begin, std::size_t end);
    std::string_view scan_number(bool& is_integer);
    void scan_literal(std::string_view word);
    void check_utf8(std::size_t begin, std::size_t end) const;
    std::string pointer() const;
    [[noreturn]] void syntax_fault(std::size_t at, const std::string& detail) const;
    Error error_at(std::size_t at, const std::string& detail) const;

    std::string_view text_;
    std::filesystem::path origin_;
    ExitCode code_;
    std::size_t at_ = 0;
    std::size_t value_start_ = 0;
    bool pending_ = true;  ///< A value must be read next.
    std::vector<Level> levels_;
    std::size_t depth_ = 0;  ///< Levels in use; the others keep their memory.
    std::deque<std::string> resolved_;
};

/// "null", "a boolean", "a number", "a string", "an array" or "an object".
const char* json_kind_name(JsonReader::Kind kind);

}  // namespace havln
