#include <fmt/format.h>

#include <string>

#include "groundtruth/faults.h"
#include "havln/groundtruth.h"
#include "io/sha256.h"
#include "support/catch.h"
#include "support/data_root.h"

using havln::GroundTruth;
using havln::kFrameCount;
using havln::Person;
using havln::ScenePeople;
using havln::Vec3d;
using havln::test::DataRoot;
using havln::test::ground_truth_fault;
using havln::test::holds;

namespace {

constexpr const char* kPeopleFile = "Multi-Human-Annotations/human_motion.json";

/// [item, item, ...]
std::string list(int count, const std::string& item) {
    std::string out = "[";
    for (int i = 0; i < count; ++i) out += (i == 0 ? "" : ", ") + item;
    return out + "]";
}

std::string fault_of_people(const std::string& text) {
    DataRoot root;
    root.write(kPeopleFile, text);
    GroundTruth data(root.path());
    return ground_truth_fault([&] { data.people("scan"); });
}

std::string fault_of_person(const std::string& members) {
    return fault_of_people(R"({"scan": {"point": )" + members + "}}");
}

}  // namespace

TEST_CASE("people read back as they were written, absent frames too", "[groundtruth][people]") {
    ScenePeople scene;
    scene.scan = "scan_a";
    Person walker;
    walker.viewpoint = "b";
    walker.category = "someone walks";
    for (std::size_t frame = 0; frame < kFrameCount; ++frame) {
        const auto t = static_cast<double>(frame);
        if (frame % 3 != 1) walker.position[frame] = Vec3d{0.1 * t, 0, -0.25 * t};
        walker.rotation_deg[frame] = {0, 3 * t, 0};
    }
    Person nobody;
    nobody.viewpoint = "a";
    scene.people = {walker, nobody};
    DataRoot root;
    root.write_people({scene});
    GroundTruth data(root.path());
    REQUIRE(data.has_people_file());
    const auto read = data.people("scan_a");
    REQUIRE(read != nullptr);
    CHECK(read->scan == "scan_a");
    REQUIRE(read->people.size() == 2);
    CHECK(read->people[0].viewpoint == "b");  // file order, not sorted
    CHECK(read->people[0].category == "someone walks");
    CHECK(read->people[0].position == walker.position);
    CHECK(read->people[0].rotation_deg == walker.rotation_deg);
    CHECK(read->people[1].position == nobody.position);
    CHECK(data.people("scan_a") == read);
}

TEST_CASE("no people file, and a scan that the file does not name", "[groundtruth][people]") {
    DataRoot root;
    GroundTruth data(root.path());
    CHECK_FALSE(data.has_people_file());
    CHECK(data.people("scan") == nullptr);
    CHECK(data.people_digest().empty());
    root.write(kPeopleFile, "{}");
    CHECK(data.has_people_file());
    REQUIRE(data.people("scan") != nullptr);
    CHECK(data.people("scan")->people.empty());
    CHECK(data.people_digest() == havln::sha256_hex("{}"));
}

TEST_CASE("people need exactly 120 frames", "[groundtruth][people]") {
    CHECK(fault_of_person(R"({"translation": )" + list(120, "null") + "}") == "no error");
    CHECK(fault_of_person(R"({"translation": )" + list(120, "[0, 0, 0]") + "}") == "no error");
    const std::string few = fault_of_person(R"({"translation": )" + list(119, "null") + "}");
    CHECK(holds(few,
                "human_motion.json: line 1, column 36, at /scan/point/translation: "
                "expected 120 positions or nulls, one for each frame, found 119"));
    CHECK(
        holds(fault_of_person(R"({"translation": )" + list(121, "[0, 0, 0]") + "}"), "found 121"));
    CHECK(holds(fault_of_person(R"({"translation": []})"), "found 0"));
    CHECK(holds(fault_of_person(R"({"translation": )" + list(120, "null") + R"(, "rotation": )" +
                                list(12, "[0, 0, 0]") + "}"),
                "at /scan/point/rotation: expected 120 rotations"));
}

TEST_CASE("broken people are refused with their place", "[groundtruth][people]") {
    CHECK(holds(fault_of_person("{}"), "at /scan/point: the person has no \"translation\""));
    CHECK(holds(fault_of_person(R"({"translation": )" + list(120, "[0, 0]") + "}"),
                "at /scan/point/translation/0: expected a point [x, y, z], found 2 numbers"));
    CHECK(holds(fault_of_person(R"({"translation": null})"), "expected an array, found null"));
    CHECK(
        holds(fault_of_person(R"({"category": 5})"), "at /scan/point/category: expected a string"));
    CHECK(holds(fault_of_people(R"({"scan": []})"), "at /scan: expected an object"));
    CHECK(holds(fault_of_people(R"({"a/b": {"~": 1}})"), "at /a~1b/~0: expected an object"));
    CHECK(holds(fault_of_people(R"({"scan": {}, "scan": {}})"), "the key \"scan\" stands twice"));
    CHECK(holds(fault_of_people("{"), "the file ends inside an object"));
}
