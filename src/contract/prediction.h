#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "contract/file_report.h"
#include "contract/split_check.h"
#include "havln/contract.h"
#include "havln/submission.h"
#include "io/byte_source.h"
#include "io/json_stream.h"

namespace havln {

/// Unknown keys warned of already in this submission: one warning a key is enough.
class UnknownKeys {
  public:
    enum class Answer : std::uint8_t { kKnown, kNew, kTooMany };
    /// @param level  "" for the top level, "episode" inside an episode.
    Answer note(std::string_view level, std::string_view key);

  private:
    static constexpr std::size_t kMaxKeys = 1000;  ///< Further ones are not told apart.
    std::set<std::pair<std::string, std::string>> seen_;
};

/// What a first look at a file tells: whether it is a prediction.
struct SplitSniff {
    std::optional<std::size_t> split;       ///< Known split, by position in the manifest.
    std::optional<std::string> other_name;  ///< A "split" string that is not known.
    bool is_object = false;
    bool has_split_key = false;
    std::optional<JsonFault> fault;  ///< The first fault of the text.
    TextPlace place;                 ///< Of the split's value, else of the document.
};

/// Reads as far as the first known value of the top-level key "split"; to the end where there is
/// none.
SplitSniff sniff_split(ByteSource& source, const ManifestIndex& index, int max_depth);

/// The first fault of a whole text, whatever it says.
std::optional<JsonFault> first_text_fault(ByteSource& source, int max_depth);

/// Reads one prediction as a whole and reports all of its faults.
/// @param split  its split, by position in the manifest.
/// @return the prediction; complete only where no fault was reported.
SplitSubmission read_prediction(ByteSource& source, std::size_t split, ManifestIndex& index,
                                const ContractRules& rules, UnknownKeys& unknown_keys,
                                FileReport& report, SplitSummary& summary);

}  // namespace havln
