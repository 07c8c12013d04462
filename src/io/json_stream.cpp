#include "io/json_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "havln/error.h"
#include "io/escape.h"
#include "io/utf8.h"

namespace havln {

namespace {

constexpr std::uint64_t kFnvBasis = 0xcbf29ce484222325u;
constexpr std::uint64_t kFnvPrime = 0x100000001b3u;

/// Bytes that stand for themselves inside a string and need no further look: printable ASCII but
/// the quote and the backslash, and DEL.
constexpr std::array<bool, 256> kPlain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t c = 0x20; c < 0x80; ++c) plain[c] = c != '"' && c != '\\';
    return plain;
}();

constexpr bool is_digit(int c) {
    return c >= '0' && c <= '9';
}

constexpr bool is_word(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

std::string found_text(int c) {
    if (c < 0) return "the end of the file";
    if (c > 0x20 && c < 0x7f) return fmt::format("'{}'", static_cast<char>(c));
    return fmt::format("the byte 0x{:02X}", c);
}

/// What to write instead of a word that JSON does not know.
std::string word_hint(std::string_view word) {
    if (word == "True" || word == "TRUE") return "write true, in lower case";
    if (word == "False" || word == "FALSE") return "write false, in lower case";
    if (word == "None" || word == "NULL" || word == "Null" || word == "nil" ||
        word == "undefined") {
        return "write null";
    }
    return "text stands in double quotes in JSON";
}

}  // namespace

std::string_view json_token_name(JsonToken token) {
    switch (token) {
        case JsonToken::kBeginObject:
            return "an object";
        case JsonToken::kBeginArray:
            return "a list";
        case JsonToken::kString:
            return "a string";
        case JsonToken::kNumber:
            return "a number";
        case JsonToken::kTrue:
            return "true";
        case JsonToken::kFalse:
            return "false";
        case JsonToken::kNull:
            return "null";
        default:
            return "nothing";
    }
}

JsonStream::JsonStream(ByteSource& source, int max_depth, FaultSink sink, Wanted wanted)
    : source_(source),
      max_depth_(static_cast<std::size_t>(max_depth)),
      sink_(std::move(sink)),
      wanted_(std::move(wanted)) {
    HAVLN_CHECK(max_depth > 0);
    key_counts_.assign(max_depth_ + 1, 0);
}

template <typename Message>
void JsonStream::report(DiagnosticCode code, TextPlace place, Message message,
                        std::string_view hint) {
    if (wanted_ && !wanted_(code)) {
        sink_({code, {}, {}, place});
    } else {
        sink_({code, message(), std::string(hint), place});
    }
}

// Bytes -------------------------------------------------------------------------------------------

bool JsonStream::refill() {
    if (text_in_piece_) {  // The piece goes away; what points into it must not.
        buffer_.assign(text_);
        text_ = buffer_;
        text_in_piece_ = false;
    }
    const std::string_view piece = source_.next();
    base_ += static_cast<std::uint64_t>(end_ - begin_);
    begin_ = at_ = piece.data();
    end_ = begin_ + piece.size();
    return !piece.empty();
}

int JsonStream::peek() {
    if (at_ == end_ && !refill()) return -1;
    return static_cast<unsigned char>(*at_);
}

int JsonStream::skip_space() {
    for (;;) {
        while (at_ != end_) {
            const char c = *at_;
            if (c == '\n') {
                ++line_;
                line_start_ = offset() + 1;
            } else if (c != ' ' && c != '\r' && c != '\t') {
                return static_cast<unsigned char>(c);
            }
            ++at_;
        }
        if (!refill()) return -1;
    }
}

void JsonStream::start() {
    started_ = true;
    if (!refill()) return;
    if (end_ - begin_ < 4) {  // The encoding shows in four bytes; gather them from tiny pieces.
        while (head_.size() < 4 && begin_ != end_) {
            head_.append(begin_, end_);
            const std::string_view piece = source_.next();
            begin_ = piece.data();
            end_ = begin_ + piece.size();
        }
        head_.append(begin_, end_);
        begin_ = at_ = head_.data();
        end_ = begin_ + head_.size();
    }
    const TextEncoding found = detect_encoding({begin_, static_cast<std::size_t>(end_ - begin_)});
    if (found.unit_bytes > 1) {
        fail(DiagnosticCode::kJsonEncoding, {},
             fmt::format("the text is UTF-{}, not UTF-8", 8 * found.unit_bytes),
             "save the file as UTF-8 without a byte-order mark");
    } else if (found.mark_bytes > 0) {
        report(
            DiagnosticCode::kJsonEncoding, {},
            [] { return std::string("the file begins with a byte-order mark (EF BB BF)"); },
            "save the file as UTF-8 without a byte-order mark");
        at_ += found.mark_bytes;
    }
}

void JsonStream::drain() {
    text_in_piece_ = false;
    text_ = {};
    while (refill()) {
    }
}

// Grammar -----------------------------------------------------------------------------------------

JsonToken JsonStream::next() {
    if (!started_) start();
    text_in_piece_ = false;
    if (state_ == State::kEnded) return JsonToken::kEnd;
    if (state_ == State::kFailed) return JsonToken::kFailed;
    for (;;) {
        const int c = skip_space();
        place_ = here();
        token_offset_ = offset();
        switch (state_) {
            case State::kBeforeValue:
                return value(c);
            case State::kBeforeFirstItem:
                return c == ']' ? close(c) : value(c);
            case State::kBeforeFirstKey:
                if (c == '}') return close(c);
                if (c == '"') return key();
                return fail_expected("a key in double quotes or '}'", c);
            case State::kBeforeItem:
                if (c == ']') break;
                return value(c);
            case State::kBeforeKey:
                if (c == '}') break;
                if (c == '"') return key();
                return fail_expected("a key in double quotes", c);
            case State::kAfterItem:
                if (c == ']') return close(c);
                if (c != ',') return fail_expected("',' or ']'", c);
                ++at_;
                state_ = State::kBeforeItem;
                continue;
            case State::kAfterMember:
                if (c == '}') return close(c);
                if (c != ',') return fail_expected("',' or '}'", c);
                ++at_;
                state_ = State::kBeforeKey;
                continue;
            case State::kAfterDocument:
                if (c >= 0) return fail_expected("the end of the file", c);
                if (ended_early()) return fail(DiagnosticCode::kJsonSyntax, place_, {});
                state_ = State::kEnded;
                return JsonToken::kEnd;
            case State::kEnded:
            case State::kFailed:
                HAVLN_CHECK(false);  // next() does not come here after the end
        }
        report(
            DiagnosticCode::kJsonSyntax, place_,
            [&] { return fmt::format("a comma stands before '{}'", static_cast<char>(c)); },
            "remove the comma after the last item");
        return close(c);
    }
}

JsonToken JsonStream::value(int c) {
    switch (c) {
        case '"':
            ++at_;
            if (!string()) return JsonToken::kFailed;
            state_ = after_value();
            return JsonToken::kString;
        case '{':
            return open(true);
        case '[':
            return open(false);
        case '-':
            return number();
        default:
            if (is_digit(c)) return number();
            if (is_word(c)) return literal(false);
            return fail_expected("a value", c, c == '\'' ? "JSON uses double quotes" : "");
    }
}

JsonToken JsonStream::open(bool is_object) {
    if (is_object_.size() >= max_depth_) {
        return fail(DiagnosticCode::kJsonTooDeep, place_,
                    fmt::format("nested deeper than {} levels", max_depth_),
                    "a prediction needs four levels; remove what is nested so deeply");
    }
    ++at_;
    is_object_.push_back(is_object);
    state_ = is_object ? State::kBeforeFirstKey : State::kBeforeFirstItem;
    return is_object ? JsonToken::kBeginObject : JsonToken::kBeginArray;
}

JsonToken JsonStream::close(int c) {
    ++at_;
    const std::size_t depth = is_object_.size();
    if (c == '}') {
        if (key_counts_[depth] > 0) {
            seen_keys_.erase(seen_keys_.lower_bound({depth, 0}), seen_keys_.end());
            key_counts_[depth] = 0;
        }
    }
    is_object_.pop_back();
    state_ = after_value();
    return c == '}' ? JsonToken::kEndObject : JsonToken::kEndArray;
}

JsonStream::State JsonStream::after_value() const {
    if (is_object_.empty()) return State::kAfterDocument;
    return is_object_.back() ? State::kAfterMember : State::kAfterItem;
}

JsonToken JsonStream::key() {
    ++at_;
    hashing_ = true;
    const bool read = string();
    hashing_ = false;
    if (!read) return JsonToken::kFailed;
    check_repeated();
    const int c = skip_space();
    if (c != ':') return fail_expected("':' after the key", c);
    ++at_;
    state_ = State::kBeforeValue;
    return JsonToken::kKey;
}

void JsonStream::check_repeated() {
    const std::size_t depth = is_object_.size();
    const std::pair<std::size_t, std::uint64_t> entry{depth, hash_};
    const auto found = seen_keys_.lower_bound(entry);
    if (found != seen_keys_.end() && found->first == entry) {
        report(
            DiagnosticCode::kJsonDuplicateKey, place_,
            [&] {
                return fmt::format(
                    "the key {} stands twice in one object, first at line {}, column {}",
                    quote(text_), found->second.line, found->second.column);
            },
            "keep one of the two");
    } else if (key_counts_[depth] < kMaxKeysPerObject) {
        ++key_counts_[depth];
        seen_keys_.emplace_hint(found, entry, place_);
    }
}

void JsonStream::skip_value(JsonToken first) {
    if (first != JsonToken::kBeginObject && first != JsonToken::kBeginArray) return;
    const std::size_t outside = is_object_.size() - 1;
    while (is_object_.size() > outside) {
        if (next() == JsonToken::kFailed) return;
    }
}

// Literals and numbers ----------------------------------------------------------------------------

JsonToken JsonStream::literal(bool after_minus) {
    clear_text();
    for (int c = peek(); is_word(c); c = peek()) {
        if (buffer_.size() < 32) buffer_ += static_cast<char>(c);
        ++at_;
    }
    const std::string_view word = buffer_;
    JsonToken token = JsonToken::kNumber;
    if (word == "true" && !after_minus) {
        token = JsonToken::kTrue;
    } else if (word == "false" && !after_minus) {
        token = JsonToken::kFalse;
    } else if (word == "null" && !after_minus) {
        token = JsonToken::kNull;
    } else if (word == "NaN" || word == "nan" || word == "Infinity" || word == "inf") {
        report(
            DiagnosticCode::kJsonSyntax, place_,
            [&] { return fmt::format("{} is not JSON", word); },
            "JSON has no NaN and no infinity; write a number, or null");
        text_bytes_ = word.size();
        finish_text();
    } else {
        return fail(DiagnosticCode::kJsonSyntax, place_,
                    fmt::format("expected a value, found {}", word), word_hint(word));
    }
    state_ = after_value();
    return token;
}

std::size_t JsonStream::digits() {
    std::size_t count = 0;
    for (int c = peek(); is_digit(c); c = peek()) {
        const char* run = at_;
        while (at_ != end_ && is_digit(*at_)) ++at_;
        append({run, static_cast<std::size_t>(at_ - run)});
        count += static_cast<std::size_t>(at_ - run);
    }
    return count;
}

JsonToken JsonStream::number() {
    clear_text();
    const auto take = [this] {
        append({at_, 1});
        ++at_;
    };
    if (peek() == '-') take();
    if (is_word(peek()) && !is_digit(peek())) return literal(true);
    const bool leading_zero = peek() == '0';
    std::size_t int_digits = digits();
    if (int_digits == 0) return fail_expected("a digit", peek());
    if (leading_zero && int_digits > 1) {
        return fail(DiagnosticCode::kJsonSyntax, place_, "a number begins with a needless zero",
                    "remove the zero, or quote the number where an id is meant");
    }
    if (leading_zero) int_digits = 0;
    std::size_t fraction_zeros = 0;
    if (peek() == '.') {
        take();
        if (!is_digit(peek())) return fail_expected("a digit after the point", peek());
        for (; int_digits == 0 && peek() == '0'; ++fraction_zeros) take();
        digits();
    }
    std::int64_t exponent = 0;
    if (peek() == 'e' || peek() == 'E') {
        take();
        const bool negative = peek() == '-';
        if (negative || peek() == '+') take();
        if (!is_digit(peek())) return fail_expected("a digit of the exponent", peek());
        for (; is_digit(peek()); take()) {
            exponent = std::min<std::int64_t>(10 * exponent + (peek() - '0'), 1'000'000'000'000);
        }
        if (negative) exponent = -exponent;
    }
    finish_text();
    check_range(int_digits, fraction_zeros, exponent);
    state_ = after_value();
    return JsonToken::kNumber;
}

/// Reports a number beyond the range of double. It is 0.d1d2... times ten to the `magnitude`;
/// only at 309 do the digits decide: the largest double is 0.1797... times ten to the 309.
void JsonStream::check_range(std::size_t int_digits, std::size_t fraction_zeros,
                             std::int64_t exponent) {
    const auto magnitude = exponent + static_cast<std::int64_t>(int_digits) -
                           static_cast<std::int64_t>(fraction_zeros);
    if (magnitude < 309) return;
    std::string scaled = "0.";
    bool zero = true;
    for (const char c : text_) {
        if (c == 'e' || c == 'E') break;
        if (!is_digit(c) || (zero && c == '0')) continue;
        zero = false;
        if (scaled.size() < 42) scaled += c;
    }
    if (zero && !text_is_cut()) return;
    scaled += "e309";
    double ignored = 0;
    const auto read = std::from_chars(scaled.data(), scaled.data() + scaled.size(), ignored);
    if (magnitude > 309 || read.ec == std::errc::result_out_of_range) {
        report(
            DiagnosticCode::kJsonSyntax, place_,
            [&] {
                return fmt::format("the number {}{} is out of range", text_.substr(0, 40),
                                   text_bytes_ > 40 ? "..." : "");
            },
            "numbers lie between -1.8e308 and 1.8e308");
    }
}

// Strings -----------------------------------------------------------------------------------------

bool JsonStream::string() {
    // Nearly every string is short, plain and whole in its piece: no copy then.
    const char* run = at_;
    const char* const end = end_;
    while (run != end && kPlain[static_cast<unsigned char>(*run)]) ++run;
    const auto size = static_cast<std::size_t>(run - at_);
    if (run == end || *run != '"' || size > kMaxTextBytes) return string_slow();
    text_ = {at_, size};
    text_bytes_ = size;
    text_in_piece_ = true;
    at_ = run + 1;
    if (hashing_) {
        hash_ = kFnvBasis;
        for (const char c : text_) {
            hash_ = (hash_ ^ static_cast<unsigned char>(c)) * kFnvPrime;
        }
    }
    return true;
}

bool JsonStream::string_slow() {
    clear_text();
    bad_utf8_reported_ = false;
    for (;;) {
        const char* run = at_;
        while (at_ != end_ && kPlain[static_cast<unsigned char>(*at_)]) ++at_;
        if (at_ != run) append({run, static_cast<std::size_t>(at_ - run)});
        const int c = peek();
        if (c < 0) {
            fail(DiagnosticCode::kJsonSyntax, place_, "the file ends inside a string",
                 "close the string with a double quote");
            return false;
        }
        if (kPlain[static_cast<std::size_t>(c)]) continue;
        if (c == '"') {
            ++at_;
            finish_text();
            return true;
        }
        if (c == '\\') {
            const TextPlace place = here();
            ++at_;
            if (!escape(place)) return false;
        } else if (c >= 0x80) {
            multi_byte();
        } else if (!control_byte(c)) {
            return false;
        }
    }
}

bool JsonStream::control_byte(int c) {
    const TextPlace place = here();
    if (c == '\n' || c == '\r') {
        fail(DiagnosticCode::kJsonSyntax, place, "the line ends inside a string",
             "close the string with a double quote, or write the line break as \\n");
        return false;
    }
    report(
        DiagnosticCode::kJsonSyntax, place,
        [&] { return fmt::format("the control byte 0x{:02X} stands bare inside a string", c); },
        "write it as an escape: \\t, or \\u and four hexadecimal digits");
    append({at_, 1});
    ++at_;
    return true;
}

/// What stands after a backslash; `place` is the backslash's.
bool JsonStream::escape(TextPlace place) {
    static constexpr std::string_view kNames = "\"\\/bfnrt";
    static constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    const int c = peek();
    if (c == 'u') {
        ++at_;
        return unicode_escape(place);
    }
    const std::size_t which = c < 0 ? std::string_view::npos : kNames.find(static_cast<char>(c));
    if (which == std::string_view::npos) {
        fail(DiagnosticCode::kJsonSyntax, place,
             c < 0 ? "the file ends inside a string"
                   : fmt::format("a backslash before {} means nothing in JSON", found_text(c)),
             "write a backslash as \\\\");
        return false;
    }
    ++at_;
    append(kMeant.substr(which, 1));
    return true;
}

std::optional<std::uint32_t> JsonStream::hex4() {
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i) {
        const int c = peek();
        std::uint32_t digit = 0;
        if (is_digit(c)) {
            digit = static_cast<std::uint32_t>(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            digit = static_cast<std::uint32_t>(c - 'a' + 10);
        } else if (c >= 'A' && c <= 'F') {
            digit = static_cast<std::uint32_t>(c - 'A' + 10);
        } else {
            fail_expected("four hexadecimal digits after \\u", c);
            return std::nullopt;
        }
        code = 16 * code + digit;
        ++at_;
    }
    return code;
}

bool JsonStream::unicode_escape(TextPlace place) {
    std::optional<std::uint32_t> code = hex4();
    if (!code) return false;
    const auto lone = [&] {
        report(
            DiagnosticCode::kJsonEncoding, place,
            [&] {
                return fmt::format("\\u{:04x} is half of a surrogate pair and stands alone", *code);
            },
            "write the character itself in UTF-8, or both halves");
        append_code_point(0xFFFD);
    };
    while (*code >= 0xD800 && *code <= 0xDBFF) {
        if (peek() != '\\') {
            lone();
            return true;
        }
        const TextPlace low_place = here();
        ++at_;
        if (peek() != 'u') {
            lone();
            return escape(low_place);
        }
        ++at_;
        const std::optional<std::uint32_t> low = hex4();
        if (!low) return false;
        if (*low >= 0xDC00 && *low <= 0xDFFF) {
            append_code_point(0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00));
            return true;
        }
        lone();
        code = low;
        place = low_place;
    }
    if (*code >= 0xDC00 && *code <= 0xDFFF) {
        lone();
    } else {
        append_code_point(*code);
    }
    return true;
}

/// One character of two to four bytes (RFC 3629, section 4). What is none is reported once for the
/// string and kept as it came.
void JsonStream::multi_byte() {
    const TextPlace place = here();
    const auto lead = static_cast<std::uint32_t>(peek());
    append({at_, 1});
    ++at_;
    int rest = 0;
    int low = 0x80;
    int high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        rest = 1;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        rest = 2;
        if (lead == 0xE0) low = 0xA0;   // No longer form than needed.
        if (lead == 0xED) high = 0x9F;  // No surrogates.
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        rest = 3;
        if (lead == 0xF0) low = 0x90;
        if (lead == 0xF4) high = 0x8F;  // Not beyond U+10FFFF.
    }
    bool good = rest > 0;
    for (; good && rest > 0; --rest) {
        const int c = peek();
        good = c >= low && c <= high;
        if (!good) break;
        append({at_, 1});
        ++at_;
        low = 0x80;
        high = 0xBF;
    }
    if (good || bad_utf8_reported_) return;
    bad_utf8_reported_ = true;
    report(
        DiagnosticCode::kJsonEncoding, place,
        [&] { return fmt::format("the byte 0x{:02X} begins no UTF-8 character", lead); },
        "save the file as UTF-8");
}

// Text --------------------------------------------------------------------------------------------

void JsonStream::clear_text() {
    buffer_.clear();
    text_ = {};
    text_bytes_ = 0;
    text_in_piece_ = false;
    hash_ = kFnvBasis;
}

void JsonStream::append(std::string_view piece) {
    text_bytes_ += piece.size();
    if (buffer_.size() < kMaxTextBytes) {
        buffer_ += piece.substr(0, kMaxTextBytes - buffer_.size());
    }
    if (hashing_) {
        for (const char c : piece) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * kFnvPrime;
    }
}

void JsonStream::append_code_point(std::uint32_t code) {
    std::string bytes;
    append_utf8(bytes, code);
    append(bytes);
}

// Faults ------------------------------------------------------------------------------------------

JsonToken JsonStream::fail(DiagnosticCode code, TextPlace place, std::string message,
                           std::string hint) {
    state_ = State::kFailed;
    // Where the bytes stopped early, the text's end is no fault of the text.
    if (!ended_early()) sink_({code, std::move(message), std::move(hint), place});
    return JsonToken::kFailed;
}

JsonToken JsonStream::fail_expected(std::string_view expected, int found, std::string hint) {
    return fail(DiagnosticCode::kJsonSyntax, here(),
                fmt::format("expected {}, found {}", expected, found_text(found)), std::move(hint));
}

}  // namespace havln
