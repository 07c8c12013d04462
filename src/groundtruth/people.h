#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "havln/scene.h"

namespace havln {

using PeopleByScan = std::map<std::string, std::shared_ptr<const ScenePeople>, std::less<>>;

/// Reads human_motion.json: {scan: {viewpoint: {category, translation, rotation, ...}}}.
/// @throws Error (kGroundTruth) with the place in the file.
PeopleByScan read_people(std::string_view json, const std::filesystem::path& origin);

}  // namespace havln
