#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "havln/diagnostics.h"
#include "io/byte_source.h"

namespace havln {

/// A place in a text file.
struct TextPlace {
    std::uint64_t line = 1;    ///< 1-based; lines end with LF.
    std::uint64_t column = 1;  ///< 1-based, in bytes.
    bool operator==(const TextPlace&) const = default;
};

enum class JsonToken : std::uint8_t {
    kBeginObject,
    kEndObject,
    kBeginArray,
    kEndArray,
    kKey,
    kString,
    kNumber,
    kTrue,
    kFalse,
    kNull,
    kEnd,     ///< The document is over and nothing follows it.
    kFailed,  ///< The text cannot be read on, or the bytes stopped; already reported.
};

/// "an object", "a string", ... for messages.
std::string_view json_token_name(JsonToken token);

/// A fault of the text itself. Code is one of the json-* codes.
struct JsonFault {
    DiagnosticCode code = DiagnosticCode::kJsonSyntax;
    std::string message;
    std::string hint;
    TextPlace place;
};

/// Reads JSON (RFC 8259) token by token, in one pass, in memory that does not grow with the text:
/// no tree, no whole text, at most kMaxTextBytes of any string. Every fault is reported with its
/// place; after those that leave no doubt about what was meant (a byte-order mark, bytes that are
/// not UTF-8, NaN, a trailing comma, a repeated key) reading goes on, so that one run shows all.
///
/// Repeated keys are looked for among the first kMaxKeysPerObject keys of each object, by 64-bit
/// hash; so an object of millions of keys costs no more memory than one of kMaxKeysPerObject.
class JsonStream {
  public:
    static constexpr std::size_t kMaxTextBytes = 1024;
    static constexpr std::size_t kMaxKeysPerObject = 4096;

    using FaultSink = std::function<void(JsonFault)>;
    /// Whether the texts of one more fault of that code will be read.
    using Wanted = std::function<bool(DiagnosticCode)>;

    /// @param max_depth  deepest nesting that is read; an array in an object counts two.
    /// @param sink       gets every fault.
    /// @param wanted     where given and false, the sink gets a fault of that code without message
    ///                   and hint, which costs less: a text may hold millions of faults.
    /// @pre `source` outlives the stream.
    JsonStream(ByteSource& source, int max_depth, FaultSink sink, Wanted wanted = {});

    /// The next token. After kEnd and kFailed the same again.
    JsonToken next();

    /// Where the last token begins.
    TextPlace place() const { return place_; }

    /// The same as an offset in the file [bytes].
    std::uint64_t token_offset() const { return token_offset_; }

    /// Text of the last key or string, escapes resolved, or of the last number, as written;
    /// cut to kMaxTextBytes. Valid until the next call of next().
    std::string_view text() const { return text_; }
    /// Whether text() is cut.
    bool text_is_cut() const { return text_bytes_ > text_.size(); }
    /// Whole length of the text that text() shows the begin of [bytes].
    std::uint64_t text_bytes() const { return text_bytes_; }

    /// Passes over the value that `first`, just returned by next(), begins.
    void skip_value(JsonToken first);

    /// Reads the source to its end, so that it can tell what is wrong with its last bytes.
    void drain();

  private:
    enum class State : std::uint8_t {
        kBeforeValue,      ///< Of the document or of a member.
        kBeforeFirstItem,  ///< After '['.
        kBeforeItem,       ///< After ',' in an array.
        kAfterItem,
        kBeforeFirstKey,  ///< After '{'.
        kBeforeKey,       ///< After ',' in an object.
        kAfterMember,
        kAfterDocument,
        kEnded,
        kFailed,
    };

    // Bytes.
    bool refill();
    int peek();
    int skip_space();
    std::uint64_t offset() const { return base_ + static_cast<std::uint64_t>(at_ - begin_); }
    TextPlace here() const { return {line_, offset() - line_start_ + 1}; }
    void start();

    // Tokens.
    JsonToken value(int c);
    JsonToken key();
    JsonToken separator(int c, char closing, State next_state);
    JsonToken open(bool is_object);
    JsonToken close(int c);
    JsonToken literal(bool after_minus);
    JsonToken number();
    bool string();
    bool string_slow();
    bool escape(TextPlace place);
    bool unicode_escape(TextPlace place);
    std::optional<std::uint32_t> hex4();
    void multi_byte();
    bool control_byte(int c);
    std::size_t digits();
    void check_range(std::size_t int_digits, std::size_t fraction_zeros, std::int64_t exponent);
    void check_repeated();
    State after_value() const;

    // Text of the current token.
    void clear_text();
    void append(std::string_view piece);
    void append_code_point(std::uint32_t code);
    void finish_text() { text_ = buffer_; }

    // Faults.
    /// A fault after which reading goes on. `message` is called where its text is wanted.
    template <typename Message>
    void report(DiagnosticCode code, TextPlace place, Message message, std::string_view hint);
    JsonToken fail(DiagnosticCode code, TextPlace place, std::string message,
                   std::string hint = {});
    JsonToken fail_expected(std::string_view expected, int found, std::string hint = {});
    bool ended_early() const { return source_.fault().has_value(); }

    ByteSource& source_;
    std::size_t max_depth_;
    FaultSink sink_;
    Wanted wanted_;

    const char* begin_ = nullptr;
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    std::uint64_t base_ = 0;  ///< Offset in the file of begin_.
    std::uint64_t line_ = 1;
    std::uint64_t line_start_ = 0;  ///< Offset of the line's first byte.
    std::string head_;              ///< First bytes, where the first pieces are tiny.
    bool started_ = false;

    State state_ = State::kBeforeValue;
    std::vector<bool> is_object_;  ///< Of each open container.
    /// Keys of the open objects: (depth, hash) to where the key stood first.
    std::map<std::pair<std::size_t, std::uint64_t>, TextPlace> seen_keys_;
    std::vector<std::size_t> key_counts_;  ///< By depth.

    TextPlace place_;
    std::uint64_t token_offset_ = 0;
    std::string_view text_;
    std::string buffer_;
    std::uint64_t text_bytes_ = 0;
    std::uint64_t hash_ = 0;
    bool hashing_ = false;
    bool text_in_piece_ = false;      ///< text_ points into the source's piece.
    bool bad_utf8_reported_ = false;  ///< In the current string.
};

}  // namespace havln
