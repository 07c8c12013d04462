#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/action_check.h"
#include "contract/file_report.h"
#include "havln/geometry.h"
#include "io/byte_source.h"
#include "io/json_stream.h"

namespace havln {

/// Reads one JSON document of a participant's file value by value. What is not as expected is
/// reported with its place, passed over, and reading goes on.
class ValueReader {
  public:
    /// @param first_line  line of the file on which `text` begins.
    /// @pre text and report outlive the reader.
    ValueReader(std::string_view text, FileReport& report, std::uint64_t first_line = 1);

    /// Calls on_member(key) for each member of the value that comes; each call reads one value.
    /// @return false where it is no object (reported, with `expected`).
    bool object(std::string_view expected,
                const std::function<void(const std::string&)>& on_member);
    /// The same for the items of an array.
    bool array(std::string_view expected, const std::function<void(std::uint64_t)>& on_item);

    /// [x, y, z] within the bounds of the ground truth's coordinates.
    std::optional<Vec3d> point();
    std::optional<double> number(double least, double most);
    std::optional<std::int64_t> integer(std::int64_t least, std::int64_t most);
    std::optional<bool> boolean();
    /// A string, or an integer as its decimal text; not empty, at most 256 bytes.
    std::optional<std::string> id();
    void skip();

    /// What comes, without reading it.
    JsonToken peek();
    /// Text of the value that comes: a string or a number.
    std::string_view text() const { return json_.text(); }
    /// Place of the value that was read or peeked last.
    TextPlace place() const;
    /// JSON pointer of the member or item that is being read.
    std::string pointer() const;
    /// The text could not be read to its end; reported.
    bool failed() const { return failed_; }

    /// Reports a fault at the value that was read or peeked last.
    void fault(DiagnosticCode code, const std::function<std::string()>& message,
               std::string_view hint = {});
    void fault_at(TextPlace at, DiagnosticCode code, const std::function<std::string()>& message,
                  std::string_view hint = {}, std::optional<std::uint64_t> step = {});
    /// Reports a fault of a list of actions that is the value being read.
    void fault_of_list(const ActionListFault& fault, const ActionListFacts& facts,
                       std::uint32_t max_actions);
    /// Reports the member as missing from the object just read.
    void missing(TextPlace object, std::string_view key);
    /// Reports the value that comes as of the wrong kind, and passes over it.
    void wrong_kind(std::string_view expected);

    /// Faults from here on belong to this episode.
    void set_episode(std::optional<std::string> id) { episode_id_ = std::move(id); }

    /// Passes over the rest. @return false where the document was followed by more.
    void finish();

  private:
    struct Step {
        bool is_index = false;
        std::uint64_t index = 0;
        std::string key;
    };
    Step& push();
    JsonToken take();

    MemorySource source_;
    FileReport& report_;
    std::uint64_t first_line_;
    JsonStream json_;
    std::optional<JsonToken> peeked_;
    std::optional<std::string> episode_id_;
    std::vector<Step> steps_;
    std::size_t depth_ = 0;  ///< Steps in use; the others keep their memory.
    bool failed_ = false;
};

/// The text of a participant's file, inflated where it ends in ".gz".
/// @throws Error (kUsage) where it cannot be read.
std::string read_prediction_text(const std::filesystem::path& file, std::uint64_t max_bytes);

/// Whether the file holds one document a line: its name ends in ".jsonl" or ".jsonl.gz".
bool is_json_lines(const std::filesystem::path& file);

/// Calls on_line(line, number) for every line that is not blank; numbers count from 1.
void for_each_line(std::string_view text,
                   const std::function<void(std::string_view, std::uint64_t)>& on_line);

}  // namespace havln
