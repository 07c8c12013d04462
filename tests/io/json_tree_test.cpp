#include "io/json_tree.h"

#include <string>

#include "havln/error.h"
#include "support/catch.h"

using havln::JsonTree;

namespace {

std::string fault_of(std::string_view text) {
    try {
        JsonTree::parse(text, "file.json");
    } catch (const havln::Error& error) {
        CHECK(error.code() == havln::ExitCode::kGroundTruth);
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("JsonTree: kinds and values", "[io][json]") {
    const JsonTree tree = JsonTree::parse(
        R"({"i": -7, "u": 18446744073709551615, "d": 0.5, "s": "t", "b": true, "n": null, "a": [1, 2]})",
        "file.json");
    CHECK(tree.find("i")->integer() == -7);
    CHECK(tree.find("i")->number() == -7.0);
    CHECK(tree.find("u")->is_integer());
    CHECK_THROWS_AS(tree.find("u")->integer(), havln::Error);  // does not fit
    CHECK_FALSE(tree.find("d")->is_integer());
    CHECK(tree.find("d")->number() == 0.5);
    CHECK(tree.find("s")->string() == "t");
    CHECK(tree.find("b")->boolean());
    CHECK(tree.find("n")->is_null());
    CHECK(tree.find("a")->array().size() == 2);
    CHECK(tree.find("absent") == nullptr);
    CHECK(tree.object().front().first == "i");
    CHECK(std::string(tree.find("a")->kind()) == "array");
}

TEST_CASE("JsonTree: faults name file, line and column", "[io][json]") {
    CHECK(fault_of("{\n \"a\": 1,\n}").rfind("file.json: line 3, column 1: not valid JSON", 0) ==
          0);
    CHECK(fault_of("").find("not valid JSON") != std::string::npos);
    CHECK(fault_of("[1] x").find("not valid JSON") != std::string::npos);
    CHECK(fault_of("[NaN]").find("not valid JSON") != std::string::npos);
    CHECK(fault_of("[1e999]").find("not valid JSON") != std::string::npos);
}

TEST_CASE("JsonTree: a key that stands twice is refused, in small and in large objects",
          "[io][json]") {
    CHECK(fault_of(R"({"a": 1, "a": 2})").find("\"a\" stands twice") != std::string::npos);
    std::string large = "{";
    for (int i = 0; i < 100; ++i) large += "\"k" + std::to_string(i) + "\": 0, ";
    CHECK(fault_of(large + "\"k3\": 1}").find("\"k3\" stands twice") != std::string::npos);
    CHECK(fault_of(large + "\"k17\": 1}").find("\"k17\" stands twice") != std::string::npos);
    CHECK(fault_of(large + "\"other\": 1}") == "none");
}

TEST_CASE("JsonTree: depth 64 is read, depth 65 refused", "[io][json]") {
    const auto nested = [](int depth) {
        return std::string(static_cast<std::size_t>(depth), '[') +
               std::string(static_cast<std::size_t>(depth), ']');
    };
    CHECK(fault_of(nested(64)) == "none");
    CHECK(fault_of(nested(65)).find("deeper than 64") != std::string::npos);
    CHECK(fault_of(nested(100000)).find("deeper than 64") != std::string::npos);
}
