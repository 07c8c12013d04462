#include "io/csv.h"

#include <string>

#include "havln/error.h"
#include "support/catch.h"

using namespace havln;
using namespace havln::test;

namespace {

std::string refusal(std::string_view text) {
    try {
        parse_csv(text, "t.csv");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kUsage);
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("csv: records by column name", "[io][csv]") {
    const auto records = parse_csv(
        "\xEF\xBB\xBFname,time\r\n\"Doe, \"\"J\"\"\",\r\n\r\n\"two\nlines\",x\nlast,y", "t.csv");
    REQUIRE(records.size() == 3);
    CHECK(records[0].fields.at("name") == "Doe, \"J\"");
    CHECK(records[0].fields.at("time").empty());
    CHECK(records[0].line == 2);
    CHECK(records[1].fields.at("name") == "two\nlines");
    CHECK(records[1].line == 4);
    CHECK(records[2].fields.at("time") == "y");
    CHECK(records[2].line == 6);
    CHECK(parse_csv("a,b\n", "t.csv").empty());
}

TEST_CASE("csv: faults name their line", "[io][csv]") {
    CHECK_THAT(refusal(""), contains_text("line 1: the file is empty"));
    CHECK_THAT(refusal("a,a\n"), contains_text("column \"a\" is named twice"));
    CHECK_THAT(refusal("a,b\n1,2\n1\n"), contains_text("line 3: found 1 fields, expected 2"));
    CHECK_THAT(refusal("a,b\n1,2,3\n"), contains_text("line 2: found 3 fields, expected 2"));
    CHECK_THAT(refusal("a,b\n\"1,2\n3,4\n"), contains_text("line 2: a quote that is not closed"));
    CHECK_THAT(refusal("a,b\nx\"1\",2\n"), contains_text("line 2: a quote inside a field"));
    CHECK_THAT(refusal("a,b\n\"1\"x,2\n"), contains_text("line 2: expected a comma"));
    CHECK_THAT(refusal("a,b\r1,2\n"), contains_text("line 1: expected a comma"));
}
