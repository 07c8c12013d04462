#include "io/json_writer.h"

#include <limits>

#include "havln/error.h"
#include "support/catch.h"

using havln::JsonWriter;

TEST_CASE("JsonWriter: an indented document", "[io][json]") {
    JsonWriter json;
    json.begin_object().member("a", 1).member("b", "x\"\n").key("c").begin_inline_array();
    json.value(0.5).value(true).null().end_array().end_object();
    CHECK(json.take() == "{\n  \"a\": 1,\n  \"b\": \"x\\\"\\n\",\n  \"c\": [0.5, true, null]\n}\n");
}

TEST_CASE("JsonWriter: a compact document and empty containers", "[io][json]") {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object().key("a").begin_array().end_array().key("b").begin_object().end_object();
    json.key("c").begin_array().value(1).begin_array().value(-2).end_array().end_array();
    json.end_object();
    CHECK(json.take() == R"({"a":[],"b":{},"c":[1,[-2]]})");
}

TEST_CASE("JsonWriter: a missing optional writes nothing", "[io][json]") {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object();
    json.member("gone", std::optional<int>()).member("here", std::optional<int>(3)).end_object();
    CHECK(json.take() == R"({"here":3})");
}

TEST_CASE("JsonWriter: bytes that are no UTF-8 are replaced", "[io][json]") {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.value(
        "a\xff"
        "b");
    CHECK(json.take() ==
          "\"a\xef\xbf\xbd"
          "b\"");
}

TEST_CASE("number_text: shortest text that reads back", "[io][json]") {
    CHECK(havln::number_text(0.1) == "0.1");
    CHECK(havln::number_text(0.1f) == "0.1");
    CHECK(havln::number_text(-0.0) == "-0");
    CHECK(havln::number_text(1.0 / 3.0) == "0.3333333333333333");
    CHECK(havln::number_text(3.0) == "3");
    CHECK_THROWS_AS(havln::number_text(std::numeric_limits<double>::infinity()), havln::Error);
    CHECK_THROWS_AS(havln::number_text(std::numeric_limits<double>::quiet_NaN()), havln::Error);
}

TEST_CASE("JsonWriter: what a terminal would act on is escaped", "[io][json]") {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.value("\x1b[31m \x7f \xC2\x9B \xE2\x80\xAE \xC3\xA9 \xE2\x82\xAC");
    CHECK(json.take() == "\"\\u001b[31m \\u007f \\u009b \\u202e \xC3\xA9 \xE2\x82\xAC\"");
}
