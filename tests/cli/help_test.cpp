#include <filesystem>
#include <string>

#include "support/catch.h"
#include "support/command.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

constexpr const char* kCommands[] = {"havln-validate", "havln-score",   "havln-demo",
                                     "havln-merge",    "havln-navmesh", "havln-plot",
                                     "havln-rank",     "havln-compare", "havln-pack"};

/// Runs a shell command line on the program: "$0" stands for it.
CommandResult shell(const std::string& line, const char* command) {
    return run("/bin/sh", {"-c", line, binary(command).string()});
}

}  // namespace

TEST_CASE("help: in the reader's words, not the option parser's", "[cli][help]") {
    for (const char* name : kCommands) {
        const CommandResult help = run(binary(name), {"--help"});
        INFO(help.out);
        CHECK(help.exit_code == 0);
        CHECK(help.err.empty());
        CHECK(holds(help.out, std::string("Usage: ") + name));
        for (const char* jargon :
             {"UINT", "TEXT", "INT in", "INT:", "FLOAT", "x)", " x 2", "BOOLEAN"}) {
            INFO(jargon);
            CHECK(!holds(help.out, jargon));
        }
    }
    CHECK(holds(run(binary("havln-compare"), {"--help"}).out, "[OPTIONS] RESULT..."));
}

TEST_CASE("help: a stdout that takes nothing is told by the exit code", "[cli][help]") {
    if (!std::filesystem::exists("/dev/full")) {
        WARN("SKIPPED: there is no /dev/full");
        return;
    }
    for (const char* option : {"--help", "--version", "--manual"}) {
        INFO(option);
        const CommandResult full =
            shell(std::string("\"$0\" ") + option + " >/dev/full", "havln-score");
        CHECK(full.exit_code == 2);
        CHECK(holds(full.err, "stdout cannot be written"));
        CHECK(shell(std::string("\"$0\" ") + option + " >/dev/null", "havln-score").exit_code == 0);
    }
}

TEST_CASE("compare: one result alone has nothing to be compared with", "[cli][help]") {
    const CommandResult one = run(binary("havln-compare"), {"a"});
    CHECK(one.exit_code == 2);
    CHECK(holds(one.err, "RESULT"));
}
