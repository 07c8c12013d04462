#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "havln/diagnostics.h"
#include "io/json_stream.h"

namespace havln {

/// The diagnostics of one file of a submission: adds what all of them share.
class FileReport {
  public:
    /// @param file    archive, or file on disk, as the user named it.
    /// @param member  of the archive.
    /// @pre `log` outlives the report.
    FileReport(DiagnosticLog& log, std::string file, std::optional<std::string> member)
        : log_(log), file_(std::move(file)), member_(std::move(member)) {}

    /// Whether one more fault of that code will be kept.
    bool wants(DiagnosticCode code) const {
        return log_.wants(code) && pending_.size() < kMaxPending;
    }

    /// Adds one fault. `make` gives its Diagnostic and is called only where it will be kept, so
    /// that millions of faults cost no text.
    template <typename Make>
    void add(DiagnosticCode code, Make make) {
        if (!wants(code)) {
            log_.tally(code, default_severity(code));
            return;
        }
        Diagnostic diagnostic = make();
        diagnostic.code = code;
        diagnostic.severity = default_severity(code);
        add(std::move(diagnostic));
    }

    /// Adds one fault, complete but for file and member.
    void add(Diagnostic diagnostic);

    /// From here on faults belong to one episode: they are held back until its id is known.
    void begin_episode(std::uint64_t index);
    void set_episode_id(std::string_view id) { episode_id_ = id; }
    void end_episode();

    /// JSON pointer of the episode that is being read; empty outside.
    std::string episode_pointer() const;

  private:
    static constexpr std::size_t kMaxPending = 1000;

    DiagnosticLog& log_;
    std::string file_;
    std::optional<std::string> member_;
    std::optional<std::uint64_t> episode_index_;
    std::optional<std::string> episode_id_;
    std::vector<Diagnostic> pending_;
};

/// A diagnostic with text and a place in the file.
Diagnostic diagnostic_at(TextPlace place, std::string pointer, std::string message,
                         std::string hint);

}  // namespace havln
