#include "havln/profile.h"

#include <string>

#include "havln/error.h"
#include "support/catch.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

/// The havln profile's text with one piece replaced.
std::string edited(const std::string& from, const std::string& to) {
    std::string text = profile_json(load_profile("havln"));
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

/// The message of the refusal, which must be a usage error.
std::string refusal(const std::string& text) {
    const TempDir dir;
    write_file(dir / "p.json", text);
    try {
        load_profile((dir / "p.json").string());
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kUsage);
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("profile: the built-in ones are the four systems, as the benchmarks' code has them",
          "[profile]") {
    CHECK(builtin_profile_names() ==
          std::vector<std::string>{"havln", "vln-ce", "hm3d-objectnav", "bsc-nav"});

    const Profile havln = load_profile("havln");
    CHECK(havln.people);
    CHECK(havln.distance == DistanceKind::kEuclidean);
    CHECK(havln.spl_numerator == DistanceKind::kEuclidean);
    CHECK(havln.success_distance_m == 3.0);
    CHECK_FALSE(havln.success_inclusive);
    CHECK(havln.turn_angle_deg == 15);
    CHECK(havln.look_angle_deg == 30);
    CHECK(havln.primary == "score");
    CHECK_FALSE(havln.card.has_value());
    Profile defaults;
    defaults.task = havln.task;
    CHECK(havln == defaults);

    const Profile vln_ce = load_profile("vln-ce");
    CHECK_FALSE(vln_ce.people);
    CHECK(vln_ce.distance == DistanceKind::kGeodesic);
    CHECK(vln_ce.success_distance_m == 3.0);
    CHECK_FALSE(vln_ce.actions[static_cast<std::size_t>(Action::kLookUp)]);
    CHECK(vln_ce.actions[static_cast<std::size_t>(Action::kTurnRight)]);
    REQUIRE(vln_ce.card.has_value());
    CHECK(vln_ce.card->path_in_nodes);

    const Profile objectnav = load_profile("hm3d-objectnav");
    CHECK(objectnav.distance == DistanceKind::kGeodesicViewPoints);
    CHECK(objectnav.success_distance_m == 0.1);
    CHECK(objectnav.turn_angle_deg == 30);
    CHECK(objectnav.primary == "spl");

    const Profile bsc = load_profile("bsc-nav");
    CHECK(bsc.success_distance_m == 1.0);
    CHECK_FALSE(bsc.success_inclusive);
    CHECK(bsc.card->success_inclusive);
    CHECK(bsc.card->spl_is_product_of_means);
}

TEST_CASE("profile: what is printed reads back equal", "[profile]") {
    const TempDir dir;
    for (const std::string& name : builtin_profile_names()) {
        const Profile profile = load_profile(name);
        write_file(dir / "copy.json", profile_json(profile));
        CHECK(load_profile((dir / "copy.json").string()) == profile);
    }
}

TEST_CASE("profile: the signature names every change to a built-in one", "[profile]") {
    Profile profile = load_profile("vln-ce");
    CHECK(profile_signature(profile) == "vln-ce");
    profile.distance = DistanceKind::kEuclidean;
    profile.success_distance_m = 1;
    profile.task = "text for people moves no number";
    CHECK(profile_signature(profile) == "vln-ce+distance=euclidean+success_distance_m=1");
    profile.name = "mine";
    const std::string mine = profile_signature(profile);
    CHECK(mine.size() == std::string("mine@").size() + 12);
    profile.success_inclusive = true;
    CHECK(profile_signature(profile) != mine);
}

TEST_CASE("profile: a file at fault is refused with its place and what is expected", "[profile]") {
    struct Fault {
        const char *from, *to, *message;
    };
    const Fault faults[] = {
        {"\"max_steps\": 500", "\"max_steps\": 0", "/max_steps: found 0, expected an integer"},
        {"\"max_steps\": 500", "\"max_steps\": 1.5", "/max_steps: found number"},
        {"\"max_steps\": 500", "\"max_steps\": 18446744073709551615", "/max_steps: found"},
        {"\"max_steps\": 500,", "", "/max_steps: is missing"},
        {"\"max_steps\": 500", "\"max_steps\": 500, \"max_step\": 1", "/max_step: is no key"},
        {"\"max_steps\": 500", "\"max_steps\": 500, \"max_steps\": 500", "max_steps"},
        {"\"success_distance_m\": 3", "\"success_distance_m\": -3",
         "/success_distance_m: found -3"},
        {"\"success_distance_m\": 3", "\"success_distance_m\": \"3\"", "found string"},
        {"\"success_distance_m\": 3", "\"success_distance_m\": 1e999", "p.json"},
        {"\"people\": true", "\"people\": 1", "/people: found integer, expected true or false"},
        {"\"people\": true", "\"people\": false", "needs \"people\": true"},
        {"\"euclidean\"", "\"manhattan\"", "expected one of euclidean, geodesic"},
        {"\"exact\"", "\"Exact\"", "expected one of exact, fastdtw"},
        {"\"STOP\",", "", "/actions: lacks STOP"},
        {"\"STOP\",", "\"STOP\",\"STOP\",", "/actions: holds STOP twice"},
        {"\"STOP\",", "\"STOP\",\"JUMP\",", "\"JUMP\" is no action"},
        {"\"STOP\",", "\"STOP\",7,", "/actions: holds integer"},
        {"\"name\": \"havln\"", "\"name\": \"../x\"", "/name: expected"},
        {"\"primary\": \"score\"", "\"primary\": \"spl\"", "/primary: is not among"},
        {"[\"SR\",", "[\"SRR\",", "\"SRR\" is no metric"},
        {"\"card\": null", "\"card\": {}", "/card/success_distance_m: is missing"},
        {"\"card\": null", "\"card\": []", "/card: found array, expected an object"},
        {"\"schema_version\": 1", "\"schema_version\": 2", "/schema_version: found 2"},
        {"{", "[", "p.json"},
    };
    for (const Fault& fault : faults) {
        INFO(fault.to << " for " << fault.from);
        CHECK_THAT(refusal(edited(fault.from, fault.to)), contains_text(fault.message));
    }
    CHECK_THAT(refusal(""), contains_text("p.json"));
    CHECK_THAT(refusal("[]"), contains_text("document: found array, expected an object"));
}

TEST_CASE("profile: an unknown name lists the built-in ones", "[profile]") {
    try {
        load_profile("vlnce");
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kUsage);
        CHECK(std::string(error.what()) ==
              "vlnce: is neither a built-in profile (havln, vln-ce, hm3d-objectnav, bsc-nav) nor a "
              "file");
    }
}
