#pragma once

#include <span>
#include <string>

namespace havln {

struct ArchiveMember {
    std::string name;
    std::string bytes;
};

/// A ZIP archive of these members in this order, deflated. Their time is the format's first,
/// 1980-01-01, so that equal members give equal bytes.
std::string zip_archive(std::span<const ArchiveMember> members);

}  // namespace havln
