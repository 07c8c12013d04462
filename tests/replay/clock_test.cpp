#include "havln/clock.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "havln/error.h"
#include "support/catch.h"
#include "support/support.h"

using namespace havln;

namespace {

std::vector<std::uint16_t> frames(const Clock& clock, std::size_t actions,
                                  std::string_view id = "1") {
    std::vector<std::uint16_t> out;
    clock.frames("demo", id, actions, out);
    return out;
}

std::string fault_of(const std::string& clock_text) {
    try {
        parse_clock(clock_text);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kUsage);
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("constant clock: floor of k times the rate, held at 119", "[replay][clock]") {
    CHECK(frames(*make_constant_clock(0), 3) == std::vector<std::uint16_t>{0, 0, 0});
    CHECK(frames(*make_constant_clock(1), 4) == std::vector<std::uint16_t>{0, 1, 2, 3});
    CHECK(frames(*make_constant_clock(0.4), 6) == std::vector<std::uint16_t>{0, 0, 0, 1, 1, 2});
    CHECK(frames(*make_constant_clock(50), 4) == std::vector<std::uint16_t>{0, 50, 100, 119});
    CHECK(frames(*make_constant_clock(1e300), 3) == std::vector<std::uint16_t>{0, 119, 119});
    const auto official = frames(*make_constant_clock(1), 500);
    CHECK(official[118] == 118);
    CHECK(official[119] == 119);
    CHECK(official[120] == 119);
    CHECK(official[499] == 119);
}

TEST_CASE("jitter clock: no spread is the constant clock", "[replay][clock]") {
    CHECK(frames(*make_jitter_clock(0.5, 0, 9), 400) == frames(*make_constant_clock(0.5), 400));
}

TEST_CASE("jitter clock: starts at 0, never falls, keeps its mean, differs by seed and episode",
          "[replay][clock]") {
    const auto clock = make_jitter_clock(0.2, 0.2, 1);
    const auto first = frames(*clock, 500);
    CHECK(first.front() == 0);
    CHECK(std::is_sorted(first.begin(), first.end()));
    // 499 draws of mean 0.2: 99.8; standard deviation sqrt(499 * 0.4^2 / 12), about 2.6.
    CHECK(std::abs(first.back() - 99.8) < 6 * 2.6 + 1);
    CHECK(first == frames(*make_jitter_clock(0.2, 0.2, 1), 500));
    CHECK(first != frames(*make_jitter_clock(0.2, 0.2, 2), 500));
    CHECK(first != frames(*clock, 500, "2"));
    CHECK(clock->name() == "jitter=uniform(0.2,0.2,1)");
}

TEST_CASE("clock text: good, bad and boundary", "[replay][clock]") {
    CHECK(parse_clock("jitter:1,0.5,42")->name() == "jitter=uniform(1,0.5,42)");
    CHECK(parse_clock("jitter:1,1,0")->name() == "jitter=uniform(1,1,0)");
    for (const char* text :
         {"jitter:", "jitter:1", "jitter:1,2", "jitter:1,2,3", "jitter:1,-1,3", "jitter:1,0.5,x",
          "jitter:nan,0,1", "jitter:inf,0,1", "jitter:1,0,1,2", "wall", ""}) {
        CHECK(fault_of(text) != "none");
    }
}

TEST_CASE("clock file: frames by episode, or by split and episode", "[replay][clock]") {
    const test::TempDir dir;
    test::write_file(dir / "flat.json", R"({"1": [0, 0, 119], "2": []})");
    const auto flat = parse_clock("file:" + (dir / "flat.json").string());
    CHECK(frames(*flat, 3) == std::vector<std::uint16_t>{0, 0, 119});
    CHECK(frames(*flat, 0, "2").empty());
    CHECK_THROWS_AS(frames(*flat, 2), Error);       // another number of actions
    CHECK_THROWS_AS(frames(*flat, 1, "3"), Error);  // no such episode
    test::write_file(dir / "split.json", R"({"demo": {"1": [4]}, "other": {"1": [5]}})");
    CHECK(frames(*load_clock_file(dir / "split.json"), 1) == std::vector<std::uint16_t>{4});
}

TEST_CASE("clock file: faults name the file and the place", "[replay][clock]") {
    const test::TempDir dir;
    const auto fault = [&](const char* text) {
        test::write_file(dir / "f.json", text);
        return fault_of("file:" + (dir / "f.json").string());
    };
    CHECK(fault(R"({"1": [0, 120]})").find("/1/1: expected an integer from 0 to 119") !=
          std::string::npos);
    CHECK(fault(R"({"1": [-1]})").find("/1/0") != std::string::npos);
    CHECK(fault(R"({"1": [0.5]})").find("/1/0") != std::string::npos);
    CHECK(fault(R"({"1": [3, 2]})").find("never runs back") != std::string::npos);
    CHECK(fault(R"({"1": 3})").find("expected frames, found integer") != std::string::npos);
    CHECK(fault("[]").find("expected an object") != std::string::npos);
    CHECK(fault("{").find("not valid JSON") != std::string::npos);
    CHECK(fault_of("file:" + (dir / "absent").string()).find("cannot be opened") !=
          std::string::npos);
}

TEST_CASE("clock file: one beyond 32 MiB is refused before it is read", "[replay][clock]") {
    const test::TempDir dir;
    test::write_file(dir / "f.json", "");
    std::filesystem::resize_file(dir / "f.json", (32u << 20) + 1);
    CHECK(fault_of("file:" + (dir / "f.json").string())
              .find("has 33554433 bytes; the limit is 33554432") != std::string::npos);
}

TEST_CASE("clock of a name: the clock again, nothing for a log, a fault for any other text",
          "[replay][clock]") {
    for (const double rate : {0.0, 0.25, 1.0, 1e300}) {
        const auto clock = make_constant_clock(rate);
        const auto again = clock_of_name(clock->name());
        REQUIRE(again != nullptr);
        CHECK(frames(*again, 50) == frames(*clock, 50));
    }
    const auto jitter = make_jitter_clock(1, 0.25, 18446744073709551615u);
    CHECK(frames(*clock_of_name(jitter->name()), 50) == frames(*jitter, 50));
    CHECK(clock_of_name("file=0123456789ab") == nullptr);
    for (const char* name :
         {"", "frames-per-action=", "frames-per-action=-1", "frames-per-action=nan",
          "frames-per-action=inf", "frames-per-action=1 ", "frames-per-action=1.0",
          "jitter=uniform(1,2,3)", "jitter=uniform(1,0.5)", "jitter=uniform(1,0.5,3",
          "jitter:1,0,1", "wall"}) {
        INFO(name);
        CHECK_THROWS_AS(clock_of_name(name), Error);
    }
}
