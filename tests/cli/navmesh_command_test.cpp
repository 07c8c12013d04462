#include <fmt/format.h>

#include <string>
#include <vector>

#include "io/json_tree.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/data_root.h"
#include "support/support.h"
#include "support/toy_navmesh.h"

using namespace havln;
using namespace havln::test;

namespace {

const ToyFloor kRoom = {{"......", "......", "......"}};

/// Two sound scenes of 18 m2; in the first a person takes a square metre of frame 1.
class Tree : public DataRoot {
  public:
    Tree() {
        ToyFloor person = kRoom;
        person.rows[1][2] = '#';
        write_toy_scene(path(), "attic", {kRoom, person, kRoom});
        write_toy_scene(path(), "cellar", {kRoom});
    }

    CommandResult check(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"check", path().string()});
        return run(binary("havln-navmesh"), more);
    }
};

CommandResult info(const std::vector<std::filesystem::path>& files,
                   std::vector<std::string> more = {}) {
    more.insert(more.begin(), "info");
    for (const auto& file : files) more.push_back(file.string());
    return run(binary("havln-navmesh"), more);
}

}  // namespace

TEST_CASE("havln-navmesh: a sound tree passes with a line a scene", "[cli][navmesh]") {
    const Tree tree;
    const CommandResult result = tree.check();
    CHECK(result.exit_code == 0);
    CHECK(result.err == "");
    CHECK(result.out ==
          "PASS: 2 scenes, 240 navmeshes\n"
          "attic: 120 of 120 frames sound, 2 distinct; navigable area 17 to 18 m2, median 18 m2\n"
          "cellar: 120 of 120 frames sound, 1 distinct; navigable area 18 to 18 m2, median 18 "
          "m2\n");
    const auto inside =
        run(binary("havln-navmesh"), {"check", (tree / "recompute_navmesh").string()});
    CHECK(inside.out == result.out);
}

TEST_CASE("havln-navmesh: every fault of a tree is listed", "[cli][navmesh]") {
    Tree tree;
    ToyFloor narrow = kRoom, elsewhere = kRoom;
    narrow.rows = {"......", "##....", "######"};
    narrow.rows[0] = "######";
    elsewhere.origin = {0, 0, 1};
    const auto frame = [&](const char* name) {
        return tree / ("recompute_navmesh/attic/" + std::string(name));
    };
    std::filesystem::remove(frame("attic_005.navmesh"));
    tree.write("recompute_navmesh/attic/attic_007.navmesh", "not a navmesh at all");
    tree.write_frame("attic", 9, toy_navmesh(elsewhere));
    tree.write_frame("attic", 11, toy_navmesh(narrow));
    tree.write("recompute_navmesh/attic/attic_120.navmesh", toy_navmesh(kRoom));
    const CommandResult result = tree.check();
    CHECK(result.exit_code == 3);
    CHECK(holds(result.out, "FAULTY: 5 faults in 2 scenes\n"));
    CHECK(holds(result.out, "attic_005.navmesh: "));
    CHECK(holds(result.out, "attic_007.navmesh: not a sound navmesh: it begins with"));
    CHECK(holds(result.out, "attic_009.navmesh: its bounds are (0, 0, 1) to (6, 5, 4)"));
    CHECK(holds(result.out, "attic_011.navmesh: its navigable area is 4.00 m2"));
    CHECK(holds(result.out, "attic_120.navmesh: is none of the frames"));
    CHECK(result.err.starts_with("SCORING DATA ERROR (organizer): "));

    const JsonTree json = JsonTree::parse(tree.check({"--format", "json"}).out, "stdout");
    CHECK(json.find("verdict")->string() == "faulty");
    CHECK(json.find("faults")->array().size() == 5);
    CHECK(json.find("scenes")->array().at(0).find("frames")->integer() == 118);
    CHECK(json.find("scenes")->array().at(1).find("frames")->integer() == 120);
}

TEST_CASE("havln-navmesh: people may raise the top of the bounds", "[cli][navmesh]") {
    Tree tree;
    std::string raised = toy_navmesh(kRoom);
    // The tile's upper bound in y, 5 m; see the layout in tests/nav/hostile_test.cpp.
    const float top = 6.5f;
    raised.replace(48 + 84 + 4, sizeof top, reinterpret_cast<const char*>(&top), sizeof top);
    tree.write_frame("cellar", 3, raised);
    CHECK(tree.check().exit_code == 0);
    const float sky = 8;
    raised.replace(48 + 84 + 4, sizeof sky, reinterpret_cast<const char*>(&sky), sizeof sky);
    tree.write_frame("cellar", 3, raised);
    CHECK(tree.check().exit_code == 3);
}

TEST_CASE("havln-navmesh: a folder without scenes is wrong usage", "[cli][navmesh]") {
    const TempDir empty;
    CHECK(run(binary("havln-navmesh"), {"check", empty.path().string()}).exit_code == 2);
    CHECK(run(binary("havln-navmesh"), {"check", (empty / "nowhere").string()}).exit_code == 2);
    CHECK(run(binary("havln-navmesh"), {}).exit_code == 2);
    CHECK(run(binary("havln-navmesh"), {"--help"}).exit_code == 0);
    CHECK(holds(run(binary("havln-navmesh"), {"--version"}).out, "havln-navmesh "));
}

TEST_CASE("havln-navmesh: info shows what a file holds", "[cli][navmesh]") {
    const TempDir folder;
    ToyFloor floor = kRoom;
    floor.version = 2;
    write_file(folder / "room.navmesh", toy_navmesh(floor));
    const CommandResult text = info({folder / "room.navmesh"});
    CHECK(text.exit_code == 0);
    CHECK(holds(text.out, "format version       2\n"));
    CHECK(holds(text.out, "navigable area       18 m2\n"));
    CHECK(holds(text.out, "bounds               (0, 0, 0) to (6, 5, 3) m\n"));
    CHECK(holds(text.out, "islands              1, 1 of them walkable"));

    const CommandResult json = info({folder / "room.navmesh"}, {"--format", "json"});
    const JsonTree tree = JsonTree::parse(json.out, "stdout");
    CHECK(tree.find("schema_version")->integer() == 1);
    const JsonTree& file = tree.find("files")->array().at(0);
    CHECK(file.find("polygons")->integer() == 18);
    CHECK(file.find("navigable_area_m2")->number() == 18);
    CHECK(file.find("settings")->find("cell_size")->number() == 1);
    CHECK(file.find("fault") == nullptr);
}

TEST_CASE("havln-navmesh: info goes on after a broken file and says so", "[cli][navmesh]") {
    const TempDir folder;
    write_file(folder / "broken.navmesh", toy_navmesh(kRoom).substr(0, 300));
    write_file(folder / "room.navmesh", toy_navmesh(kRoom));
    const CommandResult result = info({folder / "broken.navmesh", folder / "room.navmesh"});
    CHECK(result.exit_code == 3);
    CHECK(holds(result.out, "FAULT                not a sound navmesh: it ends inside tile 0"));
    CHECK(holds(result.out, "navigable area       18 m2\n"));
    CHECK(result.err.starts_with("SCORING DATA ERROR (organizer): "));

    const CommandResult missing = info({folder / "broken.navmesh", folder / "none.navmesh"});
    CHECK(missing.exit_code == 2);
    CHECK(holds(missing.err, "none.navmesh"));
}

TEST_CASE("havln-navmesh: pack writes one file beside a scene's frames", "[cli][navmesh]") {
    const Tree tree;
    const auto folder = tree / "recompute_navmesh/attic";
    const CommandResult result = run(binary("havln-navmesh"), {"pack", folder.string()});
    CHECK(result.exit_code == 0);
    CHECK(result.out == (folder / "attic.navmeshpack").string() + "\n");
    CHECK(std::filesystem::exists(folder / "attic.navmeshpack"));
    const CommandResult packed = tree.check();
    CHECK(packed.exit_code == 0);
    CHECK(holds(packed.out, "attic: 120 of 120 frames sound, 2 distinct"));
    std::filesystem::remove(folder / "attic_000.navmesh");
    CHECK(run(binary("havln-navmesh"), {"pack", folder.string()}).exit_code == 3);
}

TEST_CASE("havln-navmesh: where there is a pack, its frames are checked", "[cli][navmesh]") {
    const Tree tree;
    const auto folder = tree / "recompute_navmesh/attic";
    REQUIRE(run(binary("havln-navmesh"), {"pack", folder.string()}).exit_code == 0);
    const std::string sound = tree.check().out;
    for (int frame = 0; frame < kFrameCount; ++frame) {
        std::filesystem::remove(folder / fmt::format("attic_{:03}.navmesh", frame));
    }
    CHECK(tree.check().out == sound);
    const std::string bytes = read_file(folder / "attic.navmeshpack");
    write_file(folder / "attic.navmeshpack", std::string_view(bytes).substr(0, bytes.size() - 10));
    const CommandResult cut = tree.check();
    CHECK(cut.exit_code == 3);
    CHECK(holds(cut.out, "attic.navmeshpack"));
}
