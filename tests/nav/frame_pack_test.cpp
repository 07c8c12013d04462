#include "nav/frame_pack.h"

#include <chrono>

#include "havln/error.h"
#include "io/sha256.h"
#include "support/catch.h"
#include "support/support.h"
#include "support/toy_navmesh.h"

namespace havln::test {

namespace {

std::vector<std::string> two_meshes() {
    std::vector<std::string> frames(kFrameCount, toy_navmesh({{"...", "..."}}));
    frames[7] = frames[119] = toy_navmesh({{"..#", "..."}});
    return frames;
}

std::string fault_of(std::string_view bytes) {
    try {
        nav::read_frame_pack(bytes, "scan.navmeshpack");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kGroundTruth);
        return error.what();
    }
    return "none";
}

/// The pack with its digest made right again after a change of what follows it.
std::string with_digest(std::string pack) {
    return pack.substr(0, 8) + sha256_hex(std::string_view(pack).substr(72)) + pack.substr(72);
}

}  // namespace

TEST_CASE("frame pack: read gives what was written, each mesh once", "[nav][pack]") {
    const auto frames = two_meshes();
    const std::string bytes = nav::write_frame_pack(frames);
    const nav::FramePack pack = nav::read_frame_pack(bytes, "scan.navmeshpack");
    REQUIRE(pack.meshes.size() == 2);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        CHECK(pack.meshes[pack.mesh_of_frame[i]] == frames[i]);
    }
}

TEST_CASE("frame pack: every truncation and every flipped byte is refused", "[nav][pack]") {
    const std::string bytes = nav::write_frame_pack(two_meshes());
    for (std::size_t size = 0; size < bytes.size(); size += 13) {
        CHECK(fault_of(bytes.substr(0, size)) != "none");
    }
    for (std::size_t at = 0; at < bytes.size(); at += 11) {
        std::string flipped = bytes;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x40);
        CHECK(fault_of(flipped) != "none");
    }
}

TEST_CASE("frame pack: counts, indices and sizes are checked behind a right digest too",
          "[nav][pack]") {
    const std::string bytes = nav::write_frame_pack(two_meshes());
    const auto changed = [&](std::size_t at, char value) {
        std::string pack = bytes;
        pack[at] = value;
        return fault_of(with_digest(pack));
    };
    CHECK(fault_of(with_digest(bytes)) == "none");
    CHECK(changed(72, 119).find("119 frames") != std::string::npos);
    CHECK(changed(76, 0).find("0 meshes") != std::string::npos);
    CHECK(changed(76, 121).find("121 meshes") != std::string::npos);
    CHECK(changed(80, 2).find("names mesh 2 of 2") != std::string::npos);
    CHECK(changed(80 + 4 * 120 + 7, 1).find("ends within a mesh") != std::string::npos);
    CHECK(fault_of(with_digest(bytes + "x")).find("goes on after") != std::string::npos);
}

TEST_CASE("frame pack: a scene loads from its pack as from its files", "[nav][pack]") {
    const TempDir root;
    const ToyFloor open = {{"...", "..."}}, blocked = {{"..#", "..."}};
    std::vector<ToyFloor> floors(kFrameCount, open);
    floors[7] = blocked;
    write_toy_scene(root.path(), "scan", floors);
    const std::vector<bool> all(kFrameCount, true);
    const auto from_files = load_scene_navmeshes(root.path(), "scan", all, false);
    const auto pack = pack_scene_frames(root / "recompute_navmesh/scan");
    CHECK(pack.filename() == "scan.navmeshpack");
    for (int i = 0; i < kFrameCount; ++i) {
        char name[64];
        std::snprintf(name, sizeof name, "recompute_navmesh/scan/scan_%03d.navmesh", i);
        std::filesystem::remove(root / name);
    }
    const auto from_pack = load_scene_navmeshes(root.path(), "scan", all, false);
    for (int i = 0; i < kFrameCount; ++i) {
        CHECK(from_pack->frame(i).stats().polys == from_files->frame(i).stats().polys);
    }
    CHECK(&from_pack->frame(0) == &from_pack->frame(119));
    CHECK(&from_pack->frame(0) != &from_pack->frame(7));
}

TEST_CASE("frame pack: one that is older than a frame is refused", "[nav][pack]") {
    const TempDir root;
    const ToyFloor open = {{"...", "..."}};
    write_toy_scene(root.path(), "scan", {open});
    const auto pack = pack_scene_frames(root / "recompute_navmesh/scan");
    const std::vector<bool> all(kFrameCount, true);
    CHECK_NOTHROW(load_scene_navmeshes(root.path(), "scan", all, false));
    const auto newer = std::filesystem::last_write_time(pack) + std::chrono::seconds(10);
    std::filesystem::last_write_time(root / "recompute_navmesh/scan/scan_050.navmesh", newer);
    CHECK_THROWS_AS(load_scene_navmeshes(root.path(), "scan", all, false), Error);
}

}  // namespace havln::test
