#include "io/json_stream.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.h"
#include "support/catch.h"

namespace havln {

using test::contains_text;

namespace {

/// What a text gave: tokens in short ("{ k:a n:1 }") and the faults with their places.
struct Outcome {
    std::string tokens;
    std::vector<JsonFault> faults;
    std::vector<TextPlace> places;

    std::string fault_codes() const {
        std::string codes;
        for (const JsonFault& fault : faults) {
            codes +=
                fmt::format("{}{} {}:{}", codes.empty() ? "" : ", ",
                            diagnostic_code_name(fault.code), fault.place.line, fault.place.column);
        }
        return codes;
    }
};

Outcome read(std::string_view text, std::size_t piece_bytes = 1u << 16, int max_depth = 64) {
    Outcome outcome;
    MemorySource source(text, piece_bytes);
    JsonStream stream(source, max_depth,
                      [&](JsonFault fault) { outcome.faults.push_back(std::move(fault)); });
    for (;;) {
        const JsonToken token = stream.next();
        outcome.places.push_back(stream.place());
        static constexpr std::string_view kShort[] = {
            "{", "}", "[", "]", "k:", "s:", "n:", "t", "f", "0", "END", "FAILED"};
        outcome.tokens += kShort[static_cast<std::size_t>(token)];
        if (token == JsonToken::kKey || token == JsonToken::kString ||
            token == JsonToken::kNumber) {
            outcome.tokens += stream.text();
        }
        if (token == JsonToken::kEnd || token == JsonToken::kFailed) return outcome;
        outcome.tokens += ' ';
    }
}

}  // namespace

TEST_CASE("json stream: a document gives its tokens in order", "[io][json]") {
    const Outcome outcome = read(R"( {"a" : [1, -2.5e3, "x\ty", true, false, null, {}, []]} )");
    CHECK(outcome.tokens == "{ k:a [ n:1 n:-2.5e3 s:x\ty t f 0 { } [ ] ] } END");
    CHECK(outcome.faults.empty());
}

TEST_CASE("json stream: places are lines and byte columns, whatever ends the lines", "[io][json]") {
    // "é" has two bytes: the 7 stands in byte column 10.
    const Outcome outcome = read("{\n  \"a\":\r\n\t[1,\n\"\xC3\xA9\",   7]}");
    REQUIRE(outcome.tokens == "{ k:a [ n:1 s:\xC3\xA9 n:7 ] } END");
    CHECK(outcome.places[0] == TextPlace{1, 1});
    CHECK(outcome.places[1] == TextPlace{2, 3});
    CHECK(outcome.places[2] == TextPlace{3, 2});
    CHECK(outcome.places[3] == TextPlace{3, 3});
    CHECK(outcome.places[4] == TextPlace{4, 1});
    CHECK(outcome.places[5] == TextPlace{4, 9});
}

TEST_CASE("json stream: how the bytes are cut into pieces changes nothing", "[io][json]") {
    const std::string text =
        "\xEF\xBB\xBF{\"k\\u00e9y\": \"\xF0\x9F\x98\x80\\ud83d\\ude00 \\u0041\", \"n\": [-0.5e-10, "
        "123456789, true],\n \"\xFF\": \"\\ud800x\", \"n\": NaN,}";
    const Outcome whole = read(text);
    CHECK(whole.fault_codes() ==
          "json-encoding 1:1, json-encoding 2:3, json-encoding 2:8, json-duplicate-key 2:18, "
          "json-syntax 2:23, json-syntax 2:27");
    for (std::size_t piece_bytes = 1; piece_bytes < text.size(); ++piece_bytes) {
        INFO(piece_bytes);
        const Outcome cut = read(text, piece_bytes);
        CHECK(cut.tokens == whole.tokens);
        CHECK(cut.fault_codes() == whole.fault_codes());
    }
}

TEST_CASE("json stream: every fault has its code and its place", "[io][json]") {
    struct Case {
        const char* text;
        const char* faults;
        const char* message;  ///< Part of the first fault's message.
    };
    const Case cases[] = {
        {"", "json-syntax 1:1", "expected a value, found the end of the file"},
        {"  \n ", "json-syntax 2:2", "expected a value, found the end of the file"},
        {"{\"a\" 1}", "json-syntax 1:6", "expected ':' after the key, found '1'"},
        {"{\"a\":1 \"b\":2}", "json-syntax 1:8", "expected ',' or '}', found '\"'"},
        {"[1 2]", "json-syntax 1:4", "expected ',' or ']', found '2'"},
        {"{a:1}", "json-syntax 1:2", "expected a key in double quotes or '}', found 'a'"},
        {"{'a':1}", "json-syntax 1:2", "expected a key in double quotes"},
        {"['a']", "json-syntax 1:2", "expected a value, found '''"},
        {"[1", "json-syntax 1:3", "found the end of the file"},
        {"{\"a\":[1}", "json-syntax 1:8", "expected ',' or ']', found '}'"},
        {"{} {}", "json-syntax 1:4", "expected the end of the file, found '{'"},
        {"[1,]", "json-syntax 1:4", "a comma stands before ']'"},
        {"{\"a\":1,}", "json-syntax 1:8", "a comma stands before '}'"},
        {"[,1]", "json-syntax 1:2", "expected a value, found ','"},
        {"[1,,2]", "json-syntax 1:4", "expected a value, found ','"},
        {"[True]", "json-syntax 1:2", "expected a value, found True"},
        {"[None]", "json-syntax 1:2", "expected a value, found None"},
        {"[NaN]", "json-syntax 1:2", "NaN is not JSON"},
        {"[Infinity]", "json-syntax 1:2", "Infinity is not JSON"},
        {"[-Infinity]", "json-syntax 1:2", "Infinity is not JSON"},
        {"[-true]", "json-syntax 1:2", "expected a value, found true"},
        {"[01]", "json-syntax 1:2", "needless zero"},
        {"[1.]", "json-syntax 1:4", "expected a digit after the point"},
        {"[.5]", "json-syntax 1:2", "expected a value, found '.'"},
        {"[+1]", "json-syntax 1:2", "expected a value, found '+'"},
        {"[1e]", "json-syntax 1:4", "expected a digit of the exponent"},
        {"[-]", "json-syntax 1:3", "expected a digit"},
        {"[1e999]", "json-syntax 1:2", "the number 1e999 is out of range"},
        {"[-1e999]", "json-syntax 1:2", "out of range"},
        {"[\"a", "json-syntax 1:2", "the file ends inside a string"},
        {"[\"a\nb\"]", "json-syntax 1:4", "the line ends inside a string"},
        {"[\"a\tb\"]", "json-syntax 1:4", "the control byte 0x09 stands bare"},
        {"[\"\\x\"]", "json-syntax 1:3", "a backslash before 'x' means nothing"},
        {"[\"\\u12G4\"]", "json-syntax 1:7", "four hexadecimal digits"},
        {"[\"\\ud800\"]", "json-encoding 1:3", "half of a surrogate pair"},
        {"[\"\\udc00\"]", "json-encoding 1:3", "half of a surrogate pair"},
        {"[\"\\ud800\\n\"]", "json-encoding 1:3", "\\ud800 is half"},
        {"[\"\\ud800\\ud800\"]", "json-encoding 1:3, json-encoding 1:9", "half"},
        {"[\"\xC3\"]", "json-encoding 1:3", "the byte 0xC3 begins no UTF-8 character"},
        {"[\"\x80\"]", "json-encoding 1:3", "the byte 0x80"},
        {"[\"\xC0\xAF\"]", "json-encoding 1:3", "the byte 0xC0"},
        {"[\"\xED\xA0\x80\"]", "json-encoding 1:3", "the byte 0xED"},
        {"[\"\xF4\x90\x80\x80\"]", "json-encoding 1:3", "the byte 0xF4"},
        {"[\xC3\xA9]", "json-syntax 1:2", "expected a value, found the byte 0xC3"},
        {"\xEF\xBB\xBF[]", "json-encoding 1:1", "byte-order mark"},
        {"{\"a\":1,\n \"a\":2}", "json-duplicate-key 2:2",
         "the key \"a\" stands twice in one object, first at line 1, column 2"},
        {"{\"a\":1, \"\\u0061\":2}", "json-duplicate-key 1:9", "stands twice"},
    };
    for (const Case& one : cases) {
        INFO(one.text);
        const Outcome outcome = read(one.text);
        CHECK(outcome.fault_codes() == one.faults);
        REQUIRE_FALSE(outcome.faults.empty());
        CHECK_THAT(outcome.faults[0].message, contains_text(one.message));
    }
}

TEST_CASE("json stream: texts that are right are not faulted", "[io][json]") {
    for (const char* text :
         {"0", "-0", "\"\"", "[]", "{}", "null", "[1e308]", "[1e-999]", "[0e999]", "[-0.0]",
          "[1.7976931348623157e308]", "[123456789012345678901234567890]",
          "[\"\\ud83d\\ude00\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\x7F\xC2\x80\xF4\x8F\xBF\xBF\"]",
          "{\"a\":{\"a\":{\"a\":1}}}", "[{\"a\":1},{\"a\":2}]"}) {
        INFO(text);
        CHECK(read(text).fault_codes().empty());
    }
}

TEST_CASE("json stream: a number is out of range just where a double ends", "[io][json]") {
    // The largest double is 1.797693134862315708...e308; 1.7976931348623159e308 rounds beyond it.
    CHECK(read("1.7976931348623158e308").faults.empty());
    CHECK(read("1.7976931348623159e308").faults.size() == 1);
    CHECK(read("0.17976931348623158e309").faults.empty());
    CHECK(read("0.00017976931348623159e312").faults.size() == 1);
    const std::string big = "1" + std::string(308, '0');  // 1e308
    CHECK(read(big).faults.empty());
    CHECK(read(big + "0").faults.size() == 1);
    const std::string tiny = "0." + std::string(5000, '0') + "1e5000";  // 0.1
    CHECK(read(tiny).faults.empty());
    CHECK(read(tiny + "0").faults.size() == 1);  // 1e44999
}

TEST_CASE("json stream: other encodings are named by their first bytes", "[io][json]") {
    using namespace std::string_view_literals;
    const std::pair<std::string_view, const char*> cases[] = {
        {"\xFF\xFE{\0}\0"sv, "UTF-16"},
        {"\xFE\xFF\0{\0}"sv, "UTF-16"},
        {"{\0}\0"sv, "UTF-16"},
        {"\0{\0}"sv, "UTF-16"},
        {"\xFF\xFE\0\0{\0\0\0"sv, "UTF-32"},
        {"\0\0\xFE\xFF\0\0\0{"sv, "UTF-32"},
        {"{\0\0\0}\0\0\0"sv, "UTF-32"},
        {"\0\0\0{\0\0\0}"sv, "UTF-32"},
    };
    for (const auto& [text, name] : cases) {
        for (const std::size_t piece_bytes : {1u, 3u, 1000u}) {
            const Outcome outcome = read(text, piece_bytes);
            CHECK(outcome.tokens == "FAILED");
            REQUIRE(outcome.fault_codes() == "json-encoding 1:1");
            CHECK_THAT(outcome.faults[0].message, contains_text(name));
        }
    }
}

TEST_CASE("json stream: nesting is read to the limit and not beyond", "[io][json]") {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    CHECK(read(nested(64)).faults.empty());
    CHECK(read(nested(65)).fault_codes() == "json-too-deep 1:65");
    CHECK(read(nested(3), 1000, 2).fault_codes() == "json-too-deep 1:3");
}

TEST_CASE("json stream: long strings are cut, counted and compared whole", "[io][json]") {
    const std::string one(5000, 'x');
    const std::string text = "{\"" + one + "a\":\"" + one + "\",\"" + one + "b\":1}";
    for (const std::size_t piece_bytes : {7u, 100'000u}) {
        MemorySource source(text, piece_bytes);
        std::size_t faults = 0;
        JsonStream stream(source, 64, [&](const JsonFault&) { ++faults; });
        REQUIRE(stream.next() == JsonToken::kBeginObject);
        REQUIRE(stream.next() == JsonToken::kKey);
        CHECK(stream.text() == one.substr(0, JsonStream::kMaxTextBytes));
        CHECK(stream.text_is_cut());
        CHECK(stream.text_bytes() == 5001);
        REQUIRE(stream.next() == JsonToken::kString);
        CHECK(stream.text_is_cut());
        // The second key differs from the first in its last byte only: no duplicate.
        REQUIRE(stream.next() == JsonToken::kKey);
        REQUIRE(stream.next() == JsonToken::kNumber);
        CHECK_FALSE(stream.text_is_cut());
        REQUIRE(stream.next() == JsonToken::kEndObject);
        REQUIRE(stream.next() == JsonToken::kEnd);
        CHECK(faults == 0);
    }
}

TEST_CASE("json stream: keys are compared up to a bound in each object", "[io][json]") {
    const auto object = [](std::size_t keys, std::size_t again) {
        std::string text = "{";
        for (std::size_t i = 0; i < keys; ++i) text += fmt::format("\"{}\":0,", i);
        return text + fmt::format("\"{}\":0}}", again);
    };
    constexpr std::size_t kBound = JsonStream::kMaxKeysPerObject;
    CHECK(read(object(10, 3)).faults.size() == 1);
    // The first keys are still known when very many have come.
    CHECK(read(object(2 * kBound, kBound - 1)).faults.size() == 1);
    CHECK(read(object(2 * kBound, kBound)).faults.empty());
}

TEST_CASE("json stream: skipping a value goes to its end", "[io][json]") {
    const std::string text = R"({"a": {"b": [1, {"c": []}]}, "d": 2})";
    MemorySource source(text);
    JsonStream stream(source, 64, [](const JsonFault&) { FAIL("no fault expected"); });
    REQUIRE(stream.next() == JsonToken::kBeginObject);
    REQUIRE(stream.next() == JsonToken::kKey);
    stream.skip_value(stream.next());
    REQUIRE(stream.next() == JsonToken::kKey);
    CHECK(stream.text() == "d");
    stream.skip_value(stream.next());
    CHECK(stream.next() == JsonToken::kEndObject);
}

}  // namespace havln
