#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace havln::test {

/// What a finished process left behind.
struct CommandResult {
    int exit_code = -1;  ///< 128 + signal number where a signal ended it.
    std::string out, err;
    long peak_rss_kib = 0;
};

/// Path of a built havln executable, e.g. binary("havln-score").
std::filesystem::path binary(const std::string& name);

/// Runs a program with stdin from /dev/null and collects what it prints.
/// @param environment  set on top of the test's own.
CommandResult run(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                  const std::map<std::string, std::string>& environment = {});

/// The same, but kills the program (SIGKILL) as soon as `kill_when` holds.
CommandResult run_and_kill(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments,
                           const std::map<std::string, std::string>& environment,
                           const std::function<bool()>& kill_when);

}  // namespace havln::test
