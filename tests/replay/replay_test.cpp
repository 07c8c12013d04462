#include "havln/replay.h"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "support/catch.h"

namespace havln::test {

namespace {

Trace two_steps_at(const Vec3f& position) {
    Trace trace;
    trace.positions = {position, position, position};
    trace.rotations_xyzw.resize(3);
    trace.collided = {1, 0};
    trace.frames = {0, 1};
    return trace;
}

Person person_at(const Vec3d& position) {
    Person person;
    person.position.fill(position);
    return person;
}

}  // namespace

TEST_CASE("clock: the frame is the floor of k times the rate, held at the last", "[replay]") {
    CHECK(clock_frame(0, 1) == 0);
    CHECK(clock_frame(119, 1) == 119);
    CHECK(clock_frame(120, 1) == 119);
    CHECK(clock_frame(499, 0) == 0);
    CHECK(clock_frame(3, 0.5) == 1);
    CHECK(clock_frame(4, 0.5) == 2);
    // In double 0.29 * 100 is 28.999999999999996.
    CHECK(clock_frame(100, 0.29) == 28);
    CHECK(clock_frame(10, 1e300) == 119);
    CHECK(clock_frame(10, std::numeric_limits<double>::quiet_NaN()) == 0);
    CHECK(clock_frame(10, 1, 7) == 7);
    CHECK(constant_clock(4, 0.5) == std::vector<std::uint16_t>{0, 0, 1, 1});
    CHECK(constant_clock(0, 1).empty());
}

TEST_CASE("people: the nearest placed person of each step's frame is found", "[replay]") {
    ScenePeople people{"scan", {person_at({3, 0, 4}), person_at({0, 0, 2})}};
    people.people[1].position[1].reset();
    Trace trace = two_steps_at({0, 0, 0});
    locate_people(trace, people);
    CHECK(trace.nearest_person == std::vector<std::int32_t>{1, 0});
    CHECK(trace.nearest_person_distance_m == std::vector<double>{2, 5});
}

TEST_CASE("people: of two at the same distance the first in file order counts", "[replay]") {
    Trace trace = two_steps_at({0, 0, 0});
    locate_people(trace, {"scan", {person_at({0, 2, 0}), person_at({0, 0, 2})}});
    CHECK(trace.nearest_person == std::vector<std::int32_t>{0, 0});
}

TEST_CASE("people: nobody placed in a frame is told apart from somebody far away", "[replay]") {
    ScenePeople people{"scan", {person_at({1e9, 0, 0})}};
    people.people[0].position[0].reset();
    Trace trace = two_steps_at({0, 0, 0});
    locate_people(trace, people);
    CHECK(trace.nearest_person == std::vector<std::int32_t>{-1, 0});
    CHECK(contact_steps(trace) == std::vector<std::uint8_t>{0, 0});
}

TEST_CASE("contact: a blocked step counts at exactly the envelope's radius and not beyond",
          "[replay]") {
    Trace trace = two_steps_at({0, 0, 0});
    locate_people(trace, {"scan", {person_at({0, 1, 0})}});
    CHECK(contact_steps(trace) == std::vector<std::uint8_t>{1, 0});
    CHECK(contact_steps(trace, std::nextafter(1.0, 0.0)) == std::vector<std::uint8_t>{0, 0});

    const double beyond = std::nextafter(1.0, 2.0);
    locate_people(trace, {"scan", {person_at({0, beyond, 0})}});
    CHECK(contact_steps(trace) == std::vector<std::uint8_t>{0, 0});
}

}  // namespace havln::test
