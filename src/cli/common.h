#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "havln/error.h"

namespace havln::cli {

enum class ColorMode : std::uint8_t { kAuto, kAlways, kNever };

/// Options that every command has.
struct CommonOptions {
    bool quiet = false;
    ColorMode color = ColorMode::kAuto;

    /// Colour on stdout: as asked, else on a terminal unless NO_COLOR is set (no-color.org).
    bool color_stdout() const;
    bool color_stderr() const;
};

/// Parses the command line and runs the command.
/// @param app      named and described; its own options are added already.
/// @param common   filled before `body` runs.
/// @param body     the command; returns its exit code. An Error becomes one line on stderr and its
///                 own exit code; any other exception is an internal error, exit 4.
/// @return the process's exit code: 0 for --help and --version, 2 for wrong usage.
int run_command(CLI::App& app, CommonOptions& common, int argc, char** argv,
                const std::function<ExitCode()>& body);

/// A number between the bounds; unlike CLI::Range it refuses "nan".
CLI::Validator finite_number(double least, double most);

/// Refuses a text that is none of `names`, naming them all.
/// @return a transformer of the text to names' value as a number.
CLI::Validator choice_of(const std::map<std::string, int>& names);

/// Turns an option's text into the value of an enum.
template <typename Enum>
CLI::Validator choice(const std::map<std::string, Enum>& names) {
    std::map<std::string, int> numbers;
    for (const auto& [name, value] : names) numbers.emplace(name, static_cast<int>(value));
    return choice_of(numbers);
}

/// Leaves the first of equal texts: an option given twice means what it means once.
void drop_repeats(std::vector<std::string>& texts);

/// Writes results to stdout. @throws Error (kUsage) where stdout takes no more (disk full).
void print_result(std::string_view text);

/// One line of talk on stderr, unless --quiet. Untrusted bytes must be escaped already.
void say(const CommonOptions& common, std::string_view line);

/// A counter on stderr for long work; silent unless stderr is a terminal, and under --quiet.
/// Safe to call from several threads.
class Progress {
  public:
    Progress(const CommonOptions& common, std::string what, std::uint64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void advance(std::uint64_t by = 1);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace havln::cli
