#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace havln::cli {

/// One option or argument of a command, as --help tells it.
struct OptionFacts {
    std::vector<std::string> names;  ///< With dashes, e.g. {"-h", "--help"}; empty: positional.
    std::string value;  ///< What it takes, e.g. "DIR"; empty for a flag. A positional's name.
    std::vector<std::string> choices;  ///< Every value that it takes, where they are few.
    std::string description;
    std::string default_value;  ///< Empty where there is none.
    bool required = false;
    bool repeatable = false;
};

/// Options and arguments in the order of --help, hidden ones left out.
std::vector<OptionFacts> describe_options(const CLI::App& app);

/// The command's man page, section 1, in man(7) macros; made of what --help says.
std::string manual_page(const CLI::App& app);

/// The shells' completion scripts for the command.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

/// What the packaging asks every command for: `--manual`, or `--completion bash|zsh|fish`, as the
/// whole command line. Nothing where it is neither.
std::optional<std::string> self_description(const CLI::App& app, int argc, const char* const* argv);

}  // namespace havln::cli
