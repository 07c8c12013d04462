#include "io/json_reader.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/escape.h"
#include "support/catch.h"

using havln::JsonReader;

namespace {

std::string fault_of(std::string_view text) {
    try {
        JsonReader reader(text, "file.json");
        reader.skip();
        reader.finish();
    } catch (const havln::Error& error) {
        CHECK(error.code() == havln::ExitCode::kGroundTruth);
        return error.detail();
    }
    return "none";
}

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::string string_of(std::string_view text) {
    JsonReader reader(text, "file.json");
    return std::string(reader.string());
}

double number_of(std::string_view text) {
    JsonReader reader(text, "file.json");
    const double value = reader.number();
    reader.finish();
    return value;
}

}  // namespace

TEST_CASE("JsonReader: a document read member by member", "[io][json]") {
    JsonReader reader(R"( {"a": [1, 2.5, -3e2], "skipped": {"x": [[], {}]}, "s": "t", "n": null,
                          "b": [true, false]} )",
                      "file.json");
    std::vector<double> numbers;
    std::vector<bool> flags;
    std::string text;
    bool null = false;
    reader.object([&](std::string_view key) {
        if (key == "a") {
            CHECK(reader.array([&](std::size_t i) {
                CHECK(i == numbers.size());
                numbers.push_back(reader.number());
            }) == 3);
        } else if (key == "s") {
            text = reader.string();
        } else if (key == "n") {
            null = reader.skip_null();
        } else if (key == "b") {
            CHECK_FALSE(reader.skip_null());
            reader.array([&](std::size_t) { flags.push_back(reader.boolean()); });
        } else {
            CHECK(key == "skipped");
            reader.skip();
        }
    });
    reader.finish();
    CHECK(numbers == std::vector<double>{1, 2.5, -300});
    CHECK(text == "t");
    CHECK(null);
    CHECK(flags == std::vector<bool>{true, false});
}

TEST_CASE("JsonReader: strings with escapes", "[io][json]") {
    CHECK(string_of(R"("plain")") == "plain");
    CHECK(string_of(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
    CHECK(string_of(R"("\u0041\u00e4\u20ac\ud83d\ude00!")") == "A\u00e4\u20ac\U0001F600!");
    CHECK(string_of("\"\u00e4\u20ac\U0001F600\"") == "\u00e4\u20ac\U0001F600");
    CHECK(string_of(R"("\u0000")") == std::string(1, '\0'));
    for (const char* bad : {R"("\x")", R"("\u12")", R"("\u12g4")", R"("\u+123")", R"("\ud83d")",
                            R"("\ud83d\u0041")", R"("\ude00")", R"("\)", R"("\")", R"("a)"}) {
        CAPTURE(bad);
        CHECK(holds(fault_of(bad), "not valid JSON"));
    }
    CHECK(holds(fault_of("\"a\nb\""), "control byte 0x0a"));
    CHECK(holds(fault_of("\"\xff\""),
                "line 1, column 2: not valid JSON: a string is not valid UTF-8"));
    CHECK(holds(fault_of("\"\xc3\""), "not valid UTF-8"));
    CHECK(holds(fault_of("\"\xed\xa0\x80\""), "not valid UTF-8"));
}

TEST_CASE("JsonReader: numbers as RFC 8259 spells them", "[io][json]") {
    CHECK(number_of("0") == 0);
    CHECK(number_of("-0.0") == 0);
    CHECK(std::signbit(number_of("-0.0")));
    CHECK(number_of("0.1") == 0.1);
    CHECK(number_of("1E+2") == 100);
    CHECK(number_of("5e-324") == 5e-324);
    CHECK(number_of("1e-400") == 0);
    CHECK(number_of("-12.5e-99999999999999999999") == 0);
    CHECK(number_of("0." + std::string(400, '0') + "1") == 0);
    CHECK(number_of("0." + std::string(400, '0') + "1e401") == 1);
    CHECK(number_of("1" + std::string(400, '0') + "e-400") == 1);
    CHECK(number_of("1.7976931348623157e308") == 1.7976931348623157e308);
    CHECK(number_of("5.582849979400635") == 5.582849979400635);
    for (const char* bad : {"01", "-01", "1.", ".5", "-", "+1", "1e", "1e+", "0x1", "1.e1", "--1",
                            "-inf", "nan", "inf", "NaNs", "1 2", "1,"}) {
        CAPTURE(bad);
        CHECK(holds(fault_of(bad), "not valid JSON"));
    }
    CHECK_THROWS_AS(number_of("1e309"), havln::Error);
    CHECK_THROWS_AS(number_of("-1e999999999999"), havln::Error);
    CHECK_THROWS_AS(number_of("1" + std::string(400, '0')), havln::Error);
    CHECK_THROWS_AS(number_of("0.001e400"), havln::Error);
}

TEST_CASE("JsonReader: NaN and infinities are skipped, never read", "[io][json]") {
    for (const char* word : {"NaN", "Infinity", "-Infinity"}) {
        CAPTURE(word);
        CHECK(fault_of(word) == "none");
        CHECK(fault_of(std::string("{\"a\": [1, ") + word + "]}") == "none");
        CHECK_THROWS_AS(number_of(word), havln::Error);
    }
}

TEST_CASE("JsonReader: integers within bounds", "[io][json]") {
    const auto integer = [](std::string_view text) {
        JsonReader reader(text, "file.json");
        return reader.integer(-5, 10);
    };
    CHECK(integer("-5") == -5);
    CHECK(integer("10") == 10);
    for (const char* bad : {"-6", "11", "1.0", "1e0", "99999999999999999999", "\"1\"", "null"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(integer(bad), havln::Error);
    }
    JsonReader least("-9223372036854775808", "file.json");
    CHECK(least.integer() == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("JsonReader: documents that are no JSON", "[io][json]") {
    for (const char* bad : {"",
                            " ",
                            "{",
                            "[",
                            "]",
                            "}",
                            "{]",
                            "[}",
                            "[1",
                            "[1,",
                            "[1,]",
                            "[,1]",
                            "[1 2]",
                            "{\"a\"",
                            "{\"a\":",
                            "{\"a\":1",
                            "{\"a\":1,",
                            "{\"a\":1,}",
                            "{,}",
                            "{a:1}",
                            "{1:1}",
                            "{\"a\" 1}",
                            "{\"a\":1 \"b\":2}",
                            "tru",
                            "True",
                            "nul",
                            "nulls",
                            "falsey",
                            "[] []",
                            "'a'",
                            "[1]//",
                            "/**/1",
                            "\v1",
                            "\xef\xbb\xbf{}",
                            "\xef"}) {
        CAPTURE(bad);
        CHECK(holds(fault_of(bad), "not valid JSON"));
    }
    CHECK(fault_of("\t\r\n [ ] \n") == "none");
}

TEST_CASE("JsonReader: depth 64 is read, depth 65 refused", "[io][json]") {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    CHECK(fault_of(nested(64)) == "none");
    CHECK(holds(fault_of(nested(65)), "nested deeper than 64 levels"));
    CHECK(holds(fault_of(std::string(1000000, '[')), "nested deeper than 64 levels"));
}

TEST_CASE("JsonReader: a key twice in an object that is read is refused", "[io][json]") {
    const auto read = [](const std::string& text) -> std::string {
        try {
            JsonReader reader(text, "file.json");
            reader.object([&](std::string_view) { reader.skip(); });
        } catch (const havln::Error& error) {
            return error.detail();
        }
        return "none";
    };
    std::string large = "{";
    for (int i = 0; i < 100; ++i) large += "\"k" + std::to_string(i) + "\": {\"k1\": 0}, ";
    CHECK(read(large + "\"other\": 1}") == "none");
    for (const char* key : {"\"k3\"", "\"k17\"", "\"k99\"", R"("\u006b3")"}) {
        CAPTURE(key);
        CHECK(holds(read(large + key + ": 1}"), "stands twice"));
    }
    // Nobody looks into what is skipped.
    CHECK(fault_of(R"({"a": 1, "a": 2})") == "none");
}

TEST_CASE("JsonReader: faults name line, column and pointer", "[io][json]") {
    CHECK(fault_of("{\n  \"a\": [0, {\"b/c~\": [1,\n 2, x]}]}") ==
          "line 3, column 5, at /a/1/b~1c~0/2: not valid JSON: expected a value, found \"x\"");
    CHECK(holds(fault_of("[1, 2"), "line 1, column 6, at /1: "));

    JsonReader reader(R"({"list": [10, 20]})", "file.json");
    reader.object([&](std::string_view) {
        reader.array([&](std::size_t) { reader.number(); });
        CHECK(std::string(reader.fault("odd").what()) ==
              "file.json: line 1, column 10, at /list: odd");
    });
    CHECK(reader.fault("odd").detail() == "line 1, column 1: odd");
}

TEST_CASE("quote: cut at a character, made harmless", "[io][escape]") {
    CHECK(havln::quote("a\x1b") == "\"a\\x1b\"");
    CHECK(havln::quote("abcdef", 3) == "\"abc...\"");
    CHECK(havln::quote("ab\u20acdef", 3) == "\"ab...\"");
    CHECK(havln::quote("ab\u20acdef", 5) == "\"ab\u20ac...\"");
    CHECK(havln::quote("", 3) == "\"\"");
}
