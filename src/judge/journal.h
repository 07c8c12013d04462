#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "havln/judge.h"
#include "io/descriptor.h"

namespace havln {

/// Ratings as they came, on the disk one by one, so that an interrupted run costs nothing twice.
/// First line: the version, model and digest of the prompt; then one line per rating.
class JudgeJournal {
  public:
    /// Opens or makes the journal and locks it. A last line without its end, as a killed run may
    /// leave, is cut off. @throws Error (kUsage) for any other damage, for a journal of another
    /// model or prompt, and where another run has it open.
    JudgeJournal(std::filesystem::path path, const JudgeModel& model);

    /// The rating of exactly this question and answer, where there is one.
    std::optional<int> rating_of(const JudgeQuestion& question) const;

    /// Returns once the rating is on the disk.
    void append(const JudgeQuestion& question, int rating);

  private:
    struct Entry {
        std::string digest;  ///< sha256 of judge_case().
        int rating = 0;
    };

    void load(const JudgeModel& model);
    void read_entries(std::string_view lines);
    void read_entry(std::string_view line, std::uint64_t number);
    void write(std::string_view bytes);
    [[noreturn]] void fail(const char* what) const;

    std::filesystem::path path_;
    Descriptor file_;
    std::map<std::string, Entry> entries_;
};

}  // namespace havln
