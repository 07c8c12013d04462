#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace havln {

/// Process exit codes of every havln command.
enum class ExitCode : int {
    kDone = 0,
    kRejected = 1,     ///< The submission breaks the contract.
    kUsage = 2,        ///< Wrong usage, or a file named by the user cannot be opened.
    kGroundTruth = 3,  ///< Ground truth or host data at fault (the organiser's side).
    kInternal = 4,     ///< A bug of ours.
};

/// A fault that ends the run. Faults in a participant's content are Diagnostics, never an Error.
class Error : public std::runtime_error {
  public:
    /// @param path    the file or folder at fault; empty where none is.
    /// @param detail  what was found, what was expected and how to mend it, in one line.
    Error(ExitCode code, std::filesystem::path path, std::string detail);

    ExitCode code() const { return code_; }
    const std::filesystem::path& path() const { return path_; }
    const std::string& detail() const { return detail_; }

  private:
    ExitCode code_;
    std::filesystem::path path_;
    std::string detail_;
};

/// Ground truth or host data at fault: exit 3. what() reads "PATH: DETAIL".
[[nodiscard]] Error ground_truth_error(const std::filesystem::path& path, std::string detail);

/// Wrong usage, or a file that cannot be opened or written: exit 2. what() reads "PATH: DETAIL".
[[nodiscard]] Error usage_error(const std::filesystem::path& path, std::string detail);

/// Throws an internal Error (exit 4) naming the place and the broken expectation.
[[noreturn]] void fail_check(const char* expectation, const char* file, int line);

}  // namespace havln

/// An invariant of our own; broken only by a bug of ours.
#define HAVLN_CHECK(expectation) \
    ((expectation) ? void() : ::havln::fail_check(#expectation, __FILE__, __LINE__))
