#include "io/escape.h"

#include "support/catch.h"

using havln::escape_control;
using havln::escape_markup;

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

TEST_CASE("pointer_step: the examples of RFC 6901", "[io][escape]") {
    using havln::pointer_step;
    CHECK(pointer_step("foo") == "/foo");
    CHECK(pointer_step("") == "/");
    CHECK(pointer_step("a/b") == "/a~1b");
    CHECK(pointer_step("m~n") == "/m~0n");
    CHECK(pointer_step("~1") == "/~01");
}

TEST_CASE("escape_markup: markup characters become entities", "[io][escape]") {
    CHECK(escape_markup("</script><b a='1' c=\"2\">&amp;") ==
          "&lt;/script&gt;&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;");
    CHECK(escape_markup("größe \xe4\xb8\xad\n\t\r") == "größe \xe4\xb8\xad\n\t\r");
}

TEST_CASE("escape_markup: what XML 1.0 cannot hold is replaced", "[io][escape]") {
    CHECK(escape_markup(std::string_view("a\0b\x1b", 4)) ==
          "a\xef\xbf\xbd"
          "b\xef\xbf\xbd");
    CHECK(escape_markup("\xff\xc3") == "\xef\xbf\xbd\xef\xbf\xbd");
    CHECK(escape_markup("\xef\xbf\xbe") == "\xef\xbf\xbd");  // U+FFFE
    CHECK(escape_markup("\xc2\x85") == "\xef\xbf\xbd");      // C1 control: NEL
}
