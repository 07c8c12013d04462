#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "havln/contract.h"

namespace havln {

/// A submission after what can be mended without guessing was mended.
struct FixResult {
    /// The check of the mended archive where it was made; else that of the submission as it came,
    /// or, where only faults of content are left, of what could be mended of it.
    ReadResult check;
    std::vector<std::string> changes;  ///< What was done, in the reader's words; untrusted text.
    std::string archive;               ///< The mended archive; empty where it was refused.

    bool refused() const { return archive.empty(); }
};

/// Makes an archive of the required splits' predictions and nothing else, named SPLIT.json. Mends:
/// one folder around all files, macOS's __MACOSX, .DS_Store and ._ files, a byte-order mark,
/// UTF-16 and UTF-32, and episode ids that are whole numbers. Refuses where anything else is wrong.
/// @throws Error (kUsage) where an input cannot be opened.
FixResult fix_submission(const std::vector<std::filesystem::path>& inputs, const Manifest& manifest,
                         const ContractRules& rules);

/// The text as UTF-8 without byte-order mark, where it is UTF-16 or UTF-32 (by its mark or by its
/// zero bytes) or has a mark. @return false where it is not valid in its encoding.
/// @param changed  set to what was done; empty where nothing was to be done.
bool to_plain_utf8(std::string& text, std::string& changed);

/// Puts episode ids that are whole numbers into quotes. @return how many.
/// @param text  JSON; where it cannot be read, what stands before the fault is mended.
std::size_t quote_number_ids(std::string& text, int max_depth);

}  // namespace havln
