#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "havln/diagnostics.h"

namespace havln {

/// One entry of an archive or folder, as far as its name and kind go.
struct NamedMember {
    std::string_view name;        ///< Raw bytes; '/' between folders.
    std::uint32_t unix_mode = 0;  ///< st_mode; 0 where unknown.
    /// A second name that some programs would extract to; must be as safe as the first.
    std::optional<std::string_view> other_name = std::nullopt;
};

/// What a list of names shows.
struct NameFindings {
    struct Fault {
        std::size_t member = 0;  ///< Index of the member that shows it (the first of several).
        Diagnostic diagnostic;   ///< Code, severity, message and hint.
    };
    std::vector<Fault> faults;
    /// By member: whether it may be a prediction: a regular file at the root, or, where all files
    /// of the archive stand in one folder, in that folder, so that its other faults show as well.
    std::vector<bool> candidate;
};

/// Checks the names of a submission's members: flat, safe, regular, unique, none reserved.
NameFindings check_names(const std::vector<NamedMember>& members);

}  // namespace havln
