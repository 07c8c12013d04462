#include "havln/demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

#include "cli/common.h"
#include "io/escape.h"

namespace havln::cli {

namespace {

struct DemoCommand {
    CommonOptions common;
    std::filesystem::path folder;
    bool force = false;
    bool full = false;
    std::size_t scale = 1;
    unsigned threads = 0;
};

/// The path as a shell takes it: quoted unless all plain.
std::string shell_word(const std::string& text) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '/' || c == '.' || c == '_' || c == '-';
    };
    if (!text.empty() && std::ranges::all_of(text, plain)) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

std::string next_steps(const DemoCommand& command, const DemoSummary& summary) {
    const std::string dir = shell_word(escape_control(command.folder.string()));
    std::string text = fmt::format("{}: {} scenes, {} people", dir, summary.scenes, summary.people);
    for (const DemoSummary::SplitFacts& split : summary.splits) {
        text += fmt::format(", split {} of {} episodes ({} human-influenced)", split.name,
                            split.episodes, split.human_influenced);
    }
    text += "\n\nTry:\n";
    if (command.full) {
        for (const std::string& name : summary.submissions) {
            text += fmt::format("  havln-score {0}/submissions/{1} --data {0}\n", dir, name);
        }
        return text;
    }
    const DemoSummary::SplitFacts& split = summary.splits.front();
    for (const char* name : {"careful.zip", "faulty.zip"}) {
        text += fmt::format(
            "  havln-validate --manifest {0}/manifest.json --split {1} {0}/submissions/{2}\n", dir,
            split.name, name);
    }
    for (const char* name : {"hasty.zip", "careful.zip"}) {
        text +=
            fmt::format("  havln-score {0}/submissions/{1} --data {0} --human-influenced {2}={3}\n",
                        dir, name, split.name, split.human_influenced);
    }
    return text +
           fmt::format("{}/README.md explains the scenes, the agents and the mistakes.\n", dir);
}

ExitCode run(const DemoCommand& command) {
    const unsigned threads =
        command.threads != 0 ? command.threads : std::max(1u, std::thread::hardware_concurrency());
    StagedFolder staged(command.folder, command.force);
    const DemoSummary summary = command.full ? write_full_set(staged.path(), threads, command.scale)
                                             : write_demo(staged.path(), threads);
    staged.commit();
    print_result(next_steps(command, summary));
    return ExitCode::kDone;
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app(
        "Makes a small synthetic data root in the official layout, with submissions to validate "
        "and score.",
        "havln-demo");
    DemoCommand command;
    app.add_option("DIR", command.folder, "Folder to make")->required()->type_name("");
    app.add_flag("--force", command.force, "Replace an earlier demo in DIR");
    auto* const full = app.add_flag(
        "--full", command.full,
        "Make a data root of the size of the challenge's phase 1 instead, for benchmarks");
    app.add_option("--scale", command.scale, "With --full: that many times the scenes and episodes")
        ->needs(full)
        ->check(CLI::Range(1u, 100u).description(""))
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--jobs", command.threads, "Threads; the result is the same for any number")
        ->check(CLI::Range(1u, 1024u).description(""))
        ->type_name("N");
    return run_command(app, command.common, argc, argv, [&] { return run(command); });
}
