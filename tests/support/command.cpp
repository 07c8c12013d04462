#include "support/command.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "support/support.h"

namespace havln::test {

namespace {

[[noreturn]] void become(const std::filesystem::path& program,
                         const std::vector<std::string>& arguments,
                         const std::map<std::string, std::string>& environment,
                         const std::filesystem::path& out, const std::filesystem::path& err) {
    const int input = ::open("/dev/null", O_RDONLY);
    const int output = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int errors = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) {
        argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    ::execv(program.c_str(), argv.data());
    ::_exit(127);
}

}  // namespace

std::filesystem::path binary(const std::string& name) {
    return std::filesystem::path(HAVLN_BINARY_DIR) / name;
}

CommandResult run(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                  const std::map<std::string, std::string>& environment) {
    return run_and_kill(program, arguments, environment, {});
}

CommandResult run_and_kill(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments,
                           const std::map<std::string, std::string>& environment,
                           const std::function<bool()>& kill_when) {
    const TempDir dir;
    const auto out = dir / "out", err = dir / "err";
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) become(program, arguments, environment, out, err);
    int status = 0;
    struct rusage usage = {};
    pid_t ended = 0;
    while (kill_when && (ended = ::wait4(child, &status, WNOHANG, &usage)) == 0) {
        if (kill_when()) {
            ::kill(child, SIGKILL);
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (ended == 0) ended = ::wait4(child, &status, 0, &usage);
    if (ended != child) throw std::runtime_error("wait4 failed");
    CommandResult result;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    // A program killed early enough has not opened them yet.
    if (std::filesystem::exists(out)) result.out = read_file(out);
    if (std::filesystem::exists(err)) result.err = read_file(err);
    result.peak_rss_kib = usage.ru_maxrss;
    return result;
}

}  // namespace havln::test
