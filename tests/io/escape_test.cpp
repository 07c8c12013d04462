#include "io/escape.h"

#include "support/catch.h"

using havln::escape_control;

TEST_CASE("escape_control: plain text and UTF-8 pass unchanged", "[io][escape]") {
    CHECK(escape_control("") == "");
    CHECK(escape_control("episode 1: größe \xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x8f\xa0") ==
          "episode 1: größe \xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x8f\xa0");
}

TEST_CASE("escape_control: terminal escapes and control bytes lose their power", "[io][escape]") {
    CHECK(escape_control("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
    CHECK(escape_control(std::string_view("a\0b", 3)) == "a\\x00b");
    CHECK(escape_control("a\nb\tc\rd") == "a\\nb\\tc\\rd");
    CHECK(escape_control("\x7f") == "\\x7f");
    CHECK(escape_control("\xc2\x9b"
                         "31m") == "\\x9b31m");  // C1 control: CSI
    CHECK(escape_control("\xe2\x80\xae"
                         "txt") == "\\u{202e}txt");  // right-to-left override
}

TEST_CASE("escape_control: bytes that are no UTF-8 are shown in hex", "[io][escape]") {
    CHECK(escape_control("\xff") == "\\xff");
    CHECK(escape_control("\xc3") == "\\xc3");                             // cut off
    CHECK(escape_control("\xc0\x80") == "\\xc0\\x80");                    // overlong
    CHECK(escape_control("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // surrogate
    CHECK(escape_control("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
    CHECK(escape_control("\xe2\x28\xa1") == "\\xe2(\\xa1");
}
