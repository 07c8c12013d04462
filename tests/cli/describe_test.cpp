#include "cli/describe.h"

#include <string>
#include <vector>

#include "support/catch.h"
#include "support/command.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

/// A command with one option of every kind.
struct Sample {
    CLI::App app{"Does a thing.", "havln-sample"};
    std::string data, mode, out, name, hidden;
    std::vector<std::string> inputs;
    bool quiet = false;

    Sample() {
        app.add_option("INPUT", inputs, "What to read")->required()->type_name("");
        app.add_option("--data", data, "Data: the root")->required()->type_name("DIR");
        app.add_option("--mode", mode, "How [not] to do it")
            ->type_name("fast|exact")
            ->default_str("exact");
        app.add_option("-o,--out", out, "Where it's written")->type_name("FILE.zip");
        app.add_option("--name", name, "Any name")->type_name("NAME");
        app.add_flag("--quiet", quiet, "Say nothing");
        app.add_option("--hidden", hidden, "Not for people")->group("");
    }
};

/// A command with two subcommands.
struct TwoPart {
    CLI::App app{"Does two things.", "havln-sample"};
    std::string format, folder;
    std::vector<std::string> files;
    bool quiet = false;

    TwoPart() {
        app.require_subcommand(1);
        app.fallthrough();
        app.add_flag("--quiet", quiet, "Say nothing");
        CLI::App* info = app.add_subcommand("info", "Show what's there");
        info->add_option("file", files, "Files of a kind")->required()->type_name("FILE");
        info->add_option("--format", format, "How")->type_name("text|json");
        CLI::App* check = app.add_subcommand("check", "Check it: all");
        check->add_option("folder", folder, "A root")->required()->type_name("DIR");
    }
};

bool have_program(const std::string& name) {
    if (run("/bin/sh", {"-c", "command -v " + name}).exit_code == 0) return true;
    WARN("SKIPPED: " << name << " is not installed");
    return false;
}

/// What bash offers for the last of these words.
std::vector<std::string> bash_offers(const std::string& script, const std::string& words) {
    const TempDir dir;
    write_file(dir / "completion", script);
    write_file(dir / "file one", "");
    std::filesystem::create_directory(dir / "folder");
    const CommandResult result =
        run("/bin/bash", {"-c", "cd '" + dir.path().string() +
                                    "'; source ./completion; COMP_WORDS=(havln-sample " + words +
                                    "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _havln_sample; "
                                    "printf '%s\\n' \"${COMPREPLY[@]}\" | sort"});
    CHECK(result.err.empty());
    std::vector<std::string> offers;
    std::string line;
    for (const char c : result.out) {
        if (c != '\n') {
            line += c;
        } else if (!line.empty()) {
            offers.push_back(std::move(line));
            line.clear();
        }
    }
    return offers;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("describe: options come with what they take", "[cli][describe]") {
    const Sample sample;
    const std::vector<cli::OptionFacts> options = cli::describe_options(sample.app);
    REQUIRE(options.size() == 7);  // --help and the six that are not hidden
    CHECK(options[0].names == Words{"-h", "--help"});
    CHECK(options[0].value.empty());
    CHECK(options[1].names.empty());
    CHECK(options[1].value == "INPUT");
    CHECK(options[1].required);
    CHECK(options[1].repeatable);
    CHECK(options[3].choices == Words{"fast", "exact"});
    CHECK(options[3].default_value == "exact");
    CHECK(options[4].names == Words{"-o", "--out"});
    CHECK(options[4].value == "FILE.zip");
    CHECK_FALSE(options[4].repeatable);
}

TEST_CASE("describe: the man page holds what --help says, as man(7) text", "[cli][describe]") {
    const Sample sample;
    const std::string page = cli::manual_page(sample.app);
    CHECK(holds(page, ".SH NAME\nhavln\\-sample \\- Does a thing\n"));
    CHECK(holds(page, "[\\fIOPTIONS\\fR] \\fIINPUT\\fR ... \\fB\\-\\-data\\fR \\fIDIR\\fR\n"));
    CHECK(holds(page, "\\fB\\-o\\fR, \\fB\\-\\-out\\fR \\fIFILE.zip\\fR\nWhere it's written\n"));
    CHECK(holds(page, "How [not] to do it (default: exact)"));
    CHECK_FALSE(holds(page, "hidden"));
}

TEST_CASE("describe: groff reads the man page without a warning", "[cli][describe]") {
    if (!have_program("groff")) return;
    const Sample sample;
    const TempDir dir;
    write_file(dir / "page.1", cli::manual_page(sample.app));
    const CommandResult result =
        run("/bin/sh", {"-c", "groff -man -Tutf8 -ww '" + (dir / "page.1").string() + "'"});
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    CHECK(holds(result.out, "exact"));
}

TEST_CASE("describe: bash completes names, choices, folders and files", "[cli][describe]") {
    if (!have_program("bash")) return;
    const Sample sample;
    const std::string script = cli::bash_completion(sample.app);
    CHECK(bash_offers(script, "--m") == Words{"--mode"});
    CHECK(bash_offers(script, "-") ==
          Words{"--data", "--help", "--mode", "--name", "--out", "--quiet", "-h", "-o"});
    CHECK(bash_offers(script, "--mode ''") == Words{"exact", "fast"});
    CHECK(bash_offers(script, "--mode f") == Words{"fast"});
    CHECK(bash_offers(script, "--data f") == Words{"folder"});
    CHECK(bash_offers(script, "--out f") == Words{"file one", "folder"});
    CHECK(bash_offers(script, "f") == Words{"file one", "folder"});
    CHECK(bash_offers(script, "--name f").empty());
}

TEST_CASE("describe: the man page tells each subcommand's options", "[cli][describe]") {
    const TwoPart sample;
    const std::string page = cli::manual_page(sample.app);
    CHECK(holds(page,
                ".B havln\\-sample info\n[\\fIOPTIONS\\fR] \\fIFILE\\fR ...\n.br\n"
                ".B havln\\-sample check\n[\\fIOPTIONS\\fR] \\fIDIR\\fR\n"));
    CHECK(holds(page, ".SS \\fBinfo\\fR \\fIFILE\\fR ...\nShow what's there\n"));
    CHECK(holds(page, "\\fB\\-\\-format\\fR \\fItext|json\\fR\nHow\n"));
    CHECK(holds(page, ".SS \\fBcheck\\fR \\fIDIR\\fR\nCheck it: all\n"));
    const std::size_t common = page.find(".SH OPTIONS");
    CHECK(page.find("\\-\\-quiet") > common);
    CHECK(page.find("\\-\\-help") > common);
    CHECK(page.find("\\-\\-format") < common);
    if (!have_program("groff")) return;
    const TempDir dir;
    write_file(dir / "page.1", page);
    const CommandResult result =
        run("/bin/sh", {"-c", "groff -man -Tutf8 -ww '" + (dir / "page.1").string() + "'"});
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
}

TEST_CASE("describe: bash completes subcommands and what each takes", "[cli][describe]") {
    if (!have_program("bash")) return;
    const TwoPart sample;
    const std::string script = cli::bash_completion(sample.app);
    CHECK(bash_offers(script, "''") == Words{"check", "info"});
    CHECK(bash_offers(script, "in") == Words{"info"});
    CHECK(bash_offers(script, "-") == Words{"--help", "--quiet", "-h"});
    CHECK(bash_offers(script, "info -") == Words{"--format", "--help", "--quiet", "-h"});
    CHECK(bash_offers(script, "--quiet info --format ''") == Words{"json", "text"});
    CHECK(bash_offers(script, "info f") == Words{"file one", "folder"});
    CHECK(bash_offers(script, "check -") == Words{"--help", "--quiet", "-h"});
    CHECK(bash_offers(script, "check f") == Words{"folder"});
}

TEST_CASE("describe: zsh and fish know subcommands", "[cli][describe]") {
    const TwoPart sample;
    const std::string zsh = cli::zsh_completion(sample.app);
    CHECK(holds(zsh, "'info:Show what'\\''s there'"));
    CHECK(holds(zsh, "'check:Check it\\: all'"));
    CHECK(holds(zsh,
                "    info) _arguments -s \\\n      '*:FILE:_files' \\\n"
                "      '--format[How]:text|json:(text json)' \\\n"));
    CHECK(holds(zsh, "    check) _arguments -s \\\n      ':DIR:_files -/' \\\n"));
    const std::string fish = cli::fish_completion(sample.app);
    CHECK(holds(fish,
                "complete -c havln-sample -n __fish_use_subcommand -f -a info -d "
                "'Show what\\'s there'\n"));
    CHECK(holds(fish,
                "complete -c havln-sample -n '__fish_seen_subcommand_from info' -l format "
                "-x -a 'text json' -d 'How'\n"));
    const TempDir dir;
    if (have_program("zsh")) {
        write_file(dir / "script", zsh);
        CHECK(run("/bin/sh", {"-c", "zsh -n '" + (dir / "script").string() + "'"}).err.empty());
    }
    if (have_program("fish")) {
        write_file(dir / "script", fish);
        const CommandResult result =
            run("/bin/sh", {"-c", "HOME='" + dir.path().string() +
                                      "' fish --no-config -c 'source " + (dir / "script").string() +
                                      "; complete -C \"havln-sample info --format \"'"});
        INFO(result.err);
        CHECK(result.out == "json\tHow\ntext\tHow\n");
    }
}

TEST_CASE("describe: words in capitals are no choices, and say what may stand there",
          "[cli][describe]") {
    CLI::App app("Does a thing.", "havln-sample");
    std::string profile, recipe, codes, fix;
    std::vector<std::string> folders;
    app.add_option("--profile", profile, "P")->type_name("NAME|FILE");
    app.add_option("--recipe", recipe, "R")->type_name("card");
    app.add_option("--codes", codes, "C")->type_name("CODE=NAME,...");
    app.add_option("--fix", fix, "F")->type_name("OUT.zip");
    app.add_option("--codabench", folders, "B")->type_name("INPUT OUTPUT")->expected(2);
    const std::vector<cli::OptionFacts> options = cli::describe_options(app);
    CHECK(options[1].choices.empty());
    CHECK(options[2].choices == Words{"card"});
    if (!have_program("bash")) return;
    const std::string script = cli::bash_completion(app);
    CHECK(bash_offers(script, "--profile f") == Words{"file one", "folder"});
    CHECK(bash_offers(script, "--recipe ''") == Words{"card"});
    CHECK(bash_offers(script, "--codes f").empty());
    CHECK(bash_offers(script, "--fix f") == Words{"file one", "folder"});
    CHECK(bash_offers(script, "--codabench f") == Words{"folder"});
}

TEST_CASE("describe: every command's man page and completions are sound", "[cli][describe]") {
    const TempDir dir;
    for (const char* name :
         {"havln-validate", "havln-score", "havln-demo", "havln-merge", "havln-navmesh",
          "havln-plot", "havln-rank", "havln-compare", "havln-pack"}) {
        INFO(name);
        const std::string manual = run(binary(name), {"--manual"}).out;
        const std::string help = run(binary(name), {"--help"}).out;
        CHECK(holds(manual, ".SH OPTIONS"));
        for (const char* shell : {"bash", "zsh", "fish"}) {
            const std::string script = run(binary(name), {"--completion", shell}).out;
            write_file(dir / shell, script);
            // Each option of --help is offered.
            for (std::size_t at = help.find("\n  --"); at != std::string::npos;
                 at = help.find("\n  --", at + 1)) {
                const std::size_t end = help.find_first_of(" ,\n", at + 3);
                const std::string option = help.substr(at + 5, end - at - 5);
                INFO(shell << " " << option);
                CHECK(holds(script, option));
            }
            if (!have_program(shell)) continue;
            const CommandResult checked =
                run("/bin/sh", {"-c", std::string(shell) + " -n '" + (dir / shell).string() + "'"});
            CHECK(checked.exit_code == 0);
            CHECK(checked.err.empty());
        }
        if (!have_program("groff")) continue;
        write_file(dir / "page.1", manual);
        CHECK(run("/bin/sh", {"-c", "groff -man -Tutf8 -ww '" + (dir / "page.1").string() + "'"})
                  .err.empty());
    }
}

TEST_CASE("describe: zsh's specifications are escaped", "[cli][describe]") {
    const Sample sample;
    const std::string script = cli::zsh_completion(sample.app);
    CHECK(holds(script, "'--mode[How \\[not\\] to do it]:fast|exact:(fast exact)'"));
    CHECK(holds(script, "'--data[Data\\: the root]:DIR:_files -/'"));
    CHECK(holds(script, "'-o[Where it'\\''s written]:FILE.zip:_files'"));
    CHECK(holds(script, "'*:INPUT:_files'"));
    if (!have_program("zsh")) return;
    const TempDir dir;
    write_file(dir / "script", script);
    const CommandResult result =
        run("/bin/sh", {"-c", "zsh -n '" + (dir / "script").string() + "'"});
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
}

TEST_CASE("describe: fish offers the choices", "[cli][describe]") {
    if (!have_program("fish")) return;
    const Sample sample;
    const TempDir dir;
    write_file(dir / "script", cli::fish_completion(sample.app));
    const CommandResult result =
        run("/bin/sh",
            {"-c", "HOME='" + dir.path().string() + "' fish --no-config -c 'source " +
                       (dir / "script").string() + "; complete -C \"havln-sample --mode \"'"});
    INFO(result.err);
    CHECK(result.exit_code == 0);
    CHECK(result.out == "exact\tHow [not] to do it\nfast\tHow [not] to do it\n");
}

TEST_CASE("describe: commands describe themselves on request only", "[cli][describe]") {
    const auto command = binary("havln-validate");
    CHECK(holds(run(command, {"--manual"}).out, ".TH HAVLN-VALIDATE 1"));
    CHECK(holds(run(command, {"--completion", "bash"}).out, "complete -o filenames"));
    CHECK(run(command, {"--completion", "tcsh"}).exit_code == 2);
    CHECK(run(command, {"--manual", "file.zip"}).exit_code == 2);
    CHECK_FALSE(holds(run(command, {"--help"}).out, "--manual"));
}
