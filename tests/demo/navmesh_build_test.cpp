#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "havln/error.h"
#include "havln/navmesh_build.h"
#include "support/catch.h"
#include "support/support.h"

namespace havln {

using test::contains_text;

namespace {

/// Reads "v x y z" and "f a b c" lines, indices from 1.
class ObjReader {
  public:
    explicit ObjReader(std::string_view text) : text_(text) {}

    void append_to(TriangleSoup& soup) {
        const std::size_t base = soup.vertices.size();
        while (!text_.empty()) {
            const char kind = text_.front();
            text_.remove_prefix(1);
            if (kind == 'v') {
                Vec3f v;
                for (float* c : {&v.x, &v.y, &v.z}) *c = number<float>();
                soup.vertices.push_back(v);
            } else if (kind == 'f') {
                std::array<std::uint32_t, 3> triangle;
                for (std::uint32_t& index : triangle) {
                    index = static_cast<std::uint32_t>(base + number<std::uint32_t>() - 1);
                }
                soup.triangles.push_back(triangle);
            }
            text_.remove_prefix(std::min(text_.find('\n'), text_.size() - 1) + 1);
        }
    }

  private:
    template <typename T>
    T number() {
        while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
        T value = {};
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        REQUIRE(error == std::errc());
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return value;
    }

    std::string_view text_;
};

TriangleSoup read_obj(const std::filesystem::path& path) {
    TriangleSoup soup;
    const std::string text = test::read_file(path);
    ObjReader(text).append_to(soup);
    return soup;
}

/// A flat square of side 2 * half at height y, facing up.
void add_square(TriangleSoup& soup, float x, float y, float z, float half) {
    const auto base = static_cast<std::uint32_t>(soup.vertices.size());
    for (const auto& [dx, dz] : {std::pair(-half, half), std::pair(half, half),
                                 std::pair(half, -half), std::pair(-half, -half)}) {
        soup.vertices.push_back({x + dx, y, z + dz});
    }
    soup.triangles.push_back({base, base + 1, base + 2});
    soup.triangles.push_back({base, base + 2, base + 3});
}

std::string failure(const TriangleSoup& soup, const NavMeshSettings& settings) {
    try {
        build_navmesh(soup, settings, "scene.obj");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kGroundTruth);
        return error.what();
    }
    return "built";
}

}  // namespace

TEST_CASE("navmeshes equal those of Habitat's own builder byte for byte", "[demo][build]") {
    HAVLN_NEED_SHARED("synth/geometry");
    const auto geometry = test::shared("synth/geometry");
    int scenes = 0;
    int frames = 0;
    for (const auto& entry : std::filesystem::directory_iterator(geometry)) {
        const std::string scan = entry.path().filename().string();
        if (!scan.starts_with("syn_")) continue;
        INFO(scan);
        ++scenes;
        const TriangleSoup scene = read_obj(entry.path() / (scan + ".obj"));
        const auto alone = test::shared("synth/scene_datasets/mp3d") / scan / (scan + ".navmesh");
        CHECK(build_navmesh(scene, default_navmesh_settings(), alone) == test::read_file(alone));
        for (int frame = 0; frame < 120; ++frame) {
            const std::string number = std::to_string(1000 + frame).substr(1);
            const auto people = entry.path() / ("people_" + number + ".obj");
            if (!std::filesystem::exists(people)) break;
            INFO("frame " << number);
            ++frames;
            TriangleSoup soup = scene;
            ObjReader(test::read_file(people)).append_to(soup);
            const auto expected =
                test::shared("synth/recompute_navmesh") / scan / (scan + "_" + number + ".navmesh");
            CHECK(build_navmesh(soup, default_navmesh_settings(), expected) ==
                  test::read_file(expected));
        }
    }
    CHECK(scenes == 6);
    CHECK(frames == 8 + 8 + 4 + 8 + 8 + 120);
}

TEST_CASE("a built square is smaller than its floor by the agent's radius", "[demo][build]") {
    TriangleSoup soup;
    add_square(soup, 0, 0, 0, 1);
    const auto mesh =
        NavMesh::from_bytes(build_navmesh(soup, default_navmesh_settings(), "square"), "square");
    const NavMeshStats stats = mesh->stats();
    CHECK(stats.polys == 1);
    CHECK(stats.islands == 1);
    // 40 cells of 0.05 m each way; the ledge filter takes the outer ring of cells, the agent's
    // radius two more: 34 cells remain.
    CHECK(stats.navigable_area_m2 == Approx(1.7 * 1.7).margin(1e-4));
}

TEST_CASE("hopeless triangles and settings are refused with a reason", "[demo][build]") {
    const NavMeshSettings defaults = default_navmesh_settings();
    TriangleSoup square;
    add_square(square, 0, 0, 0, 1);

    SECTION("no triangles") {
        CHECK(failure({}, defaults) ==
              "scene.obj: no navmesh can be built: there are no triangles");
    }
    SECTION("an index out of range") {
        square.triangles[1][2] = 4;
        CHECK_THAT(failure(square, defaults), contains_text("a vertex that is not"));
    }
    SECTION("a vertex that is no number") {
        square.vertices[2].y = std::numeric_limits<float>::quiet_NaN();
        CHECK_THAT(failure(square, defaults), contains_text("not finite"));
        square.vertices[2].y = std::numeric_limits<float>::infinity();
        CHECK_THAT(failure(square, defaults), contains_text("not finite"));
    }
    SECTION("too wide for a grid") {
        square.vertices[0].x = -9e4f;
        square.vertices[0].z = 9e4f;
        CHECK_THAT(failure(square, defaults), contains_text("16,000,000 cells"));
    }
    SECTION("too high for a span") {
        square.vertices[0].y = 2000;
        CHECK_THAT(failure(square, defaults), contains_text("8,191 cells"));
    }
    SECTION("facing down") {
        for (auto& triangle : square.triangles) std::swap(triangle[0], triangle[1]);
        CHECK_THAT(failure(square, defaults), contains_text("nothing is left"));
    }
    SECTION("settings that are no numbers") {
        NavMeshSettings settings = defaults;
        settings.cell_size_m = std::numeric_limits<float>::quiet_NaN();
        CHECK_THAT(failure(square, settings), contains_text("cell size"));
        settings = defaults;
        settings.verts_per_poly = 7;
        CHECK_THAT(failure(square, settings), contains_text("vertices per polygon"));
    }
}

}  // namespace havln
