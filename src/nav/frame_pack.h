#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "havln/scene.h"

namespace havln::nav {

/// A scene's frames in one file, each distinct navmesh once. Little-endian:
/// "HVNP", uint32 version 1, 64 hex digits (sha256 of all that follows), uint32 frames (120),
/// uint32 meshes, uint32 mesh of each frame, uint64 size of each mesh, then the meshes' bytes as
/// their .navmesh files hold them.
struct FramePack {
    std::array<std::uint32_t, kFrameCount> mesh_of_frame{};
    std::vector<std::string_view> meshes;  ///< Into the bytes given to read_frame_pack.
};

/// @throws Error (kGroundTruth) where the bytes are no whole pack or do not have their digest.
FramePack read_frame_pack(std::string_view bytes, const std::filesystem::path& origin);

/// The pack of these 120 files' contents.
std::string write_frame_pack(const std::vector<std::string>& frames);

/// The pack beside the frames in `folder` (recompute_navmesh/SCAN), from which they are then read;
/// empty where there is none.
/// @throws Error (kGroundTruth) where a frame was written after it: it would silently not count.
std::filesystem::path frame_pack_of(const std::filesystem::path& folder, const std::string& scan);

}  // namespace havln::nav
