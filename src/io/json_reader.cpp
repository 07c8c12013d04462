#include "io/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "io/escape.h"
#include "io/utf8.h"

namespace havln {

namespace {

using Kind = JsonReader::Kind;

constexpr std::size_t kFewKeys = 16;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::optional<std::uint32_t> hex4(std::string_view text) {
    if (text.size() < 4) return std::nullopt;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + 4, value, 16);
    if (error != std::errc() || end != text.data() + 4) return std::nullopt;
    return value;
}

/// The spelling of a number that is not finite, as Python's json module writes it, at the start of
/// `text`; empty where there is none.
std::string_view non_finite_word(std::string_view text) {
    if (text.empty() || is_digit(text[0])) return {};
    for (const std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
        if (text.starts_with(word)) return word;
    }
    return {};
}

/// True for a number below 1 in absolute value, judged without computing it. @pre not zero.
bool is_below_one(std::string_view number) {
    const std::size_t mark = number.find_first_of("eE");
    const std::string_view mantissa = number.substr(0, mark);
    const std::size_t first = mantissa.find_first_of("123456789");
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    // Power of ten of the first digit that counts.
    const auto order = static_cast<double>(point) - static_cast<double>(first) - (first < point);
    if (mark == std::string_view::npos) return order < 0;
    const std::string_view exponent = number.substr(mark + 1);
    double power = 0;
    for (const char c : exponent) {
        if (is_digit(c)) power = std::min(power * 10 + (c - '0'), 1e18);
    }
    return order + (exponent.starts_with('-') ? -power : power) < 0;
}

/// The character that `\c` stands for; 0 where it stands for none.
char simple_escape(char c) {
    switch (c) {
        case '"':
        case '\\':
        case '/':
            return c;
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        default:
            return 0;
    }
}

}  // namespace

const char* json_kind_name(Kind kind) {
    static constexpr std::array kNames = {"null",     "a boolean", "a number",
                                          "a string", "an array",  "an object"};
    return kNames[static_cast<std::size_t>(kind)];
}

JsonReader::JsonReader(std::string_view text, std::filesystem::path origin, ExitCode code)
    : text_(text), origin_(std::move(origin)), code_(code) {
    if (text_.starts_with("\xEF\xBB\xBF")) {
        syntax_fault(0, "begins with a byte-order mark; save it as UTF-8 without one");
    }
}

Kind JsonReader::peek() {
    begin_value();
    if (at_ == text_.size()) {
        syntax_fault(at_, "the file ends where a value was expected; it is truncated");
    }
    const char c = text_[at_];
    if (is_digit(c)) return Kind::kNumber;
    const std::string_view rest = text_.substr(at_);
    switch (c) {
        case '{':
            return Kind::kObject;
        case '[':
            return Kind::kArray;
        case '"':
            return Kind::kString;
        case 't':
        case 'f':
            return Kind::kBoolean;
        case 'n':
            return Kind::kNull;
        case '-':
            if (!rest.starts_with("-I")) return Kind::kNumber;
            break;
        default:
            break;
    }
    if (const std::string_view word = non_finite_word(rest); !word.empty()) {
        syntax_fault(at_,
                     fmt::format("{} is no JSON number; write null, or a finite number", word));
    }
    syntax_fault(at_, fmt::format("expected a value, found {}", quote(rest.substr(0, 1))));
}

double JsonReader::number() {
    expect(Kind::kNumber);
    bool is_integer = false;
    const std::string_view digits = scan_number(is_integer);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range && is_below_one(digits)) return 0;
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
        throw fault(fmt::format("the number {} is outside a double's range", digits.substr(0, 40)));
    }
    return value;
}

std::int64_t JsonReader::integer(std::int64_t least, std::int64_t most) {
    expect(Kind::kNumber);
    bool is_integer = false;
    const std::string_view digits = scan_number(is_integer);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (!is_integer || error != std::errc() || end != digits.data() + digits.size() ||
        value < least || value > most) {
        throw fault(fmt::format("expected an integer from {} to {}, found {}", least, most,
                                digits.substr(0, 40)));
    }
    return value;
}

std::string_view JsonReader::string() {
    expect(Kind::kString);
    return scan_string();
}

bool JsonReader::boolean() {
    expect(Kind::kBoolean);
    const bool value = text_[at_] == 't';
    scan_literal(value ? "true" : "false");
    return value;
}

bool JsonReader::skip_null() {
    if (peek() != Kind::kNull) return false;
    pending_ = false;
    scan_literal("null");
    return true;
}

void JsonReader::skip() {
    begin_value();
    if (const std::string_view word = non_finite_word(text_.substr(at_)); !word.empty()) {
        pending_ = false;
        at_ += word.size();
        return;
    }
    switch (peek()) {
        case Kind::kNull:
            skip_null();
            return;
        case Kind::kBoolean:
            boolean();
            return;
        case Kind::kString:
            string();
            return;
        case Kind::kNumber: {
            bool is_integer = false;
            pending_ = false;
            scan_number(is_integer);
            return;
        }
        case Kind::kArray:
            array([&](std::size_t) { skip(); });
            return;
        case Kind::kObject: {
            // Not object(): the names of members that nobody reads are not worth remembering.
            const std::size_t start = open('{');
            while (next_key()) {
                skip();
                levels_[depth_ - 1].keys.clear();
            }
            value_start_ = start;
            return;
        }
    }
}

void JsonReader::finish() {
    HAVLN_CHECK(depth_ == 0 && !pending_);
    skip_space();
    if (at_ != text_.size()) {
        syntax_fault(at_, "the JSON document has ended; nothing may follow it");
    }
}

Error JsonReader::fault(const std::string& detail) const {
    return error_at(value_start_, detail);
}

std::size_t JsonReader::open(char bracket) {
    expect(bracket == '{' ? Kind::kObject : Kind::kArray);
    if (depth_ == kMaxDepth) {
        syntax_fault(at_, fmt::format("nested deeper than {} levels", kMaxDepth));
    }
    const std::size_t start = at_++;
    if (levels_.size() == depth_) levels_.emplace_back();
    Level& level = levels_[depth_++];
    level.is_array = bracket == '[';
    level.first = true;
    level.index = 0;
    level.key = {};
    level.keys.clear();
    if (!level.key_set.empty()) level.key_set.clear();
    return start;
}

std::optional<std::string_view> JsonReader::next_key() {
    HAVLN_CHECK(!pending_ && depth_ > 0);
    Level& level = levels_[depth_ - 1];
    skip_space();
    if (at_ < text_.size() && text_[at_] == '}') {
        ++at_;
        --depth_;
        return std::nullopt;
    }
    if (!level.first) {
        if (at_ == text_.size()) syntax_fault(at_, "the file ends inside an object; truncated");
        if (text_[at_] != ',') syntax_fault(at_, "expected ',' or '}' after a member");
        ++at_;
        skip_space();
    }
    level.first = false;
    if (at_ == text_.size()) syntax_fault(at_, "the file ends inside an object; truncated");
    if (text_[at_] != '"') syntax_fault(at_, "expected a member's name in double quotes");
    value_start_ = at_;
    level.key = {};
    const std::string_view key = scan_string();
    note_key(level, key);
    level.key = key;
    skip_space();
    if (at_ == text_.size()) syntax_fault(at_, "the file ends inside an object; truncated");
    if (text_[at_] != ':') syntax_fault(at_, "expected ':' after a member's name");
    ++at_;
    pending_ = true;
    return key;
}

bool JsonReader::next_item() {
    HAVLN_CHECK(!pending_ && depth_ > 0);
    Level& level = levels_[depth_ - 1];
    skip_space();
    if (at_ < text_.size() && text_[at_] == ']') {
        ++at_;
        --depth_;
        return false;
    }
    if (!level.first) {
        if (at_ == text_.size()) syntax_fault(at_, "the file ends inside an array; truncated");
        if (text_[at_] != ',') syntax_fault(at_, "expected ',' or ']' after an item");
        ++at_;
        ++level.index;
    }
    level.first = false;
    pending_ = true;
    return true;
}

void JsonReader::note_key(Level& level, std::string_view key) {
    bool repeated = false;
    if (level.key_set.empty() && level.keys.size() < kFewKeys) {
        repeated = std::find(level.keys.begin(), level.keys.end(), key) != level.keys.end();
        level.keys.push_back(key);
    } else {
        if (level.key_set.empty()) level.key_set.insert(level.keys.begin(), level.keys.end());
        repeated = !level.key_set.insert(key).second;
    }
    if (repeated) {
        throw fault(fmt::format("the key {} stands twice in one object", quote(key)));
    }
}

void JsonReader::begin_value() {
    HAVLN_CHECK(pending_);
    skip_space();
    value_start_ = at_;
}

void JsonReader::expect(Kind kind) {
    const Kind found = peek();
    if (found != kind) {
        throw fault(
            fmt::format("expected {}, found {}", json_kind_name(kind), json_kind_name(found)));
    }
    pending_ = false;
}

void JsonReader::skip_space() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
        ++at_;
    }
}

std::string_view JsonReader::scan_string() {
    const std::size_t begin = ++at_;
    bool plain = true;
    bool ascii = true;
    for (; at_ < text_.size(); ++at_) {
        const auto c = static_cast<unsigned char>(text_[at_]);
        if (c == '"') break;
        if (c < 0x20) {
            syntax_fault(at_, fmt::format("a string holds the control byte 0x{:02x}; escape it",
                                          static_cast<unsigned>(c)));
        }
        if (c == '\\') {
            plain = false;
            ++at_;
        }
        if (c >= 0x80) ascii = false;
    }
    if (at_ >= text_.size()) {
        syntax_fault(text_.size(), "the file ends inside a string; it is truncated");
    }
    const std::size_t end = at_++;
    if (!ascii) check_utf8(begin, end);
    return plain ? text_.substr(begin, end - begin) : resolve_escapes(begin, end);
}

std::string_view JsonReader::resolve_escapes(std::size_t begin, std::size_t end) {
    std::string out;
    out.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
        if (text_[i] != '\\') {
            out.push_back(text_[i]);
            continue;
        }
        const std::size_t escape = i++;
        if (const char simple = simple_escape(text_[i]); simple != 0) {
            out.push_back(simple);
            continue;
        }
        const std::string_view inside = text_.substr(0, end);
        std::optional<std::uint32_t> code;
        if (text_[i] == 'u') code = hex4(inside.substr(i + 1));
        if (!code) syntax_fault(escape, "a string holds an unknown escape sequence");
        i += 4;
        if (*code >= 0xD800 && *code <= 0xDBFF && inside.substr(i + 1).starts_with("\\u")) {
            const std::optional<std::uint32_t> low = hex4(inside.substr(i + 3));
            if (low && *low >= 0xDC00 && *low <= 0xDFFF) {
                code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
                i += 6;
            }
        }
        if (*code >= 0xD800 && *code <= 0xDFFF) {
            syntax_fault(escape, "a string holds half of a surrogate pair");
        }
        append_utf8(out, *code);
    }
    return resolved_.emplace_back(std::move(out));
}

std::string_view JsonReader::scan_number(bool& is_integer) {
    const std::size_t begin = at_;
    const auto digits = [&] {
        const std::size_t first = at_;
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
        if (at_ == first) {
            syntax_fault(at_, at_ == text_.size() ? "the file ends inside a number; truncated"
                                                  : "expected a digit in a number");
        }
    };
    if (text_[at_] == '-') ++at_;
    const bool leading_zero = at_ < text_.size() && text_[at_] == '0';
    const std::size_t first_digit = at_;
    digits();
    if (leading_zero && at_ - first_digit > 1) {
        syntax_fault(first_digit, "a number begins with a needless zero");
    }
    is_integer = true;
    if (at_ < text_.size() && text_[at_] == '.') {
        is_integer = false;
        ++at_;
        digits();
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
        is_integer = false;
        ++at_;
        if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
        digits();
    }
    return text_.substr(begin, at_ - begin);
}

void JsonReader::scan_literal(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) {
        syntax_fault(
            at_, fmt::format("expected {}, found {}", word, quote(text_.substr(at_, word.size()))));
    }
    at_ += word.size();
}

void JsonReader::check_utf8(std::size_t begin, std::size_t end) const {
    std::size_t i = begin;
    while (i < end) {
        const std::size_t length = decode_utf8(text_.substr(i, end - i)).length;
        if (length == 0) {
            syntax_fault(i,
                         fmt::format("a string is not valid UTF-8 (byte 0x{:02x})",
                                     static_cast<unsigned>(static_cast<unsigned char>(text_[i]))));
        }
        i += length;
    }
}

std::string JsonReader::pointer() const {
    std::string out;
    for (std::size_t i = 0; i < depth_; ++i) {
        const Level& level = levels_[i];
        if (level.first) break;  // opened, nothing read in it yet
        if (level.is_array) {
            out += fmt::format("/{}", level.index);
            continue;
        }
        if (level.key.data() == nullptr) break;  // the name itself is at fault
        // Long or odd names are shown shortened: the pointer is for people.
        const std::string shown = quote(level.key);
        out += pointer_step(std::string_view(shown).substr(1, shown.size() - 2));
    }
    return out;
}

Error JsonReader::error_at(std::size_t at, const std::string& detail) const {
    const std::string_view before = text_.substr(0, at);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t newline = before.rfind('\n');
    const std::size_t column = at - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
    const std::string where = pointer();
    return {code_, origin_,
            fmt::format("line {}, column {}{}{}: {}", line, column, where.empty() ? "" : ", at ",
                        where, detail)};
}

void JsonReader::syntax_fault(std::size_t at, const std::string& detail) const {
    throw error_at(at, "not valid JSON: " + detail);
}

}  // namespace havln
