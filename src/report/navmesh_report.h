#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "havln/navmesh.h"
#include "havln/navmesh_check.h"

namespace havln {

/// One file that havln-navmesh info was asked about.
struct NavMeshInfo {
    std::filesystem::path path;
    std::optional<NavMeshStats> stats;        ///< Nothing where the file is at fault.
    std::optional<NavMeshSettings> settings;  ///< Version 2 files only.
    std::string fault;                        ///< Empty where there is none.
};

/// A few lines a file. Untrusted text is escaped.
std::string navmesh_info_text(const std::vector<NavMeshInfo>& files);
/// {"schema_version": 1, "tool", "files": [{"path", facts or "fault"}]}.
std::string navmesh_info_json(const std::vector<NavMeshInfo>& files);

/// A line a scene, then every fault; begins with "PASS:" or "FAULTY:".
std::string navmesh_check_text(const NavMeshTreeCheck& check);
/// {"schema_version": 1, "tool", "verdict": "pass"|"faulty", "scenes": [...], "faults": [...]}.
std::string navmesh_check_json(const NavMeshTreeCheck& check);

}  // namespace havln
