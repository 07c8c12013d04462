#include <filesystem>
#include <string>

#include "support/catch.h"
#include "support/command.h"
#include "support/support.h"

namespace havln {

using test::contains_text;

TEST_CASE("havln-demo makes its folder and says what to try next", "[demo][cli]") {
    const test::TempDir temp;
    const auto folder = temp / "my demo";
    const test::CommandResult made = test::run(test::binary("havln-demo"), {folder.string()});
    CHECK(made.exit_code == 0);
    CHECK(made.err.empty());
    CHECK_THAT(made.out, contains_text("'" + folder.string() + "'/submissions/careful.zip"));
    CHECK(std::filesystem::exists(folder / "manifest.json"));

    SECTION("the validate command that it prints passes") {
        const test::CommandResult valid =
            test::run(test::binary("havln-validate"),
                      {"--manifest", (folder / "manifest.json").string(), "--split", "demo",
                       (folder / "submissions/careful.zip").string()});
        CHECK(valid.exit_code == 0);
        CHECK_THAT(valid.out, contains_text("PASS: demo 72 episodes"));
    }
    SECTION("it is not replaced by accident") {
        const test::CommandResult again = test::run(test::binary("havln-demo"), {folder.string()});
        CHECK(again.exit_code == 2);
        CHECK(again.out.empty());
        CHECK_THAT(again.err, contains_text("is not empty") && contains_text("--force"));
    }
}

TEST_CASE("havln-demo refuses what it cannot or must not replace", "[demo][cli]") {
    const test::TempDir temp;
    test::write_file(temp / "file", "mine");
    test::write_file(temp / "thesis.tex", "mine");
    const auto exit_code = [](const std::vector<std::string>& arguments) {
        return test::run(test::binary("havln-demo"), arguments).exit_code;
    };
    CHECK(exit_code({(temp / "file").string()}) == 2);
    CHECK(exit_code({"--force", temp.path().string()}) == 2);
    CHECK(exit_code({(temp / "file" / "below").string()}) == 2);
    CHECK(exit_code({}) == 2);
    CHECK(exit_code({"--jobs", "0", (temp / "new").string()}) == 2);
    CHECK(test::read_file(temp / "thesis.tex") == "mine");
    CHECK_FALSE(std::filesystem::exists(temp / "new"));
}

}  // namespace havln
