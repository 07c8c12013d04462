#include <string>

#include "io/json_tree.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

/// The demo, made once for all cases of this file.
const std::filesystem::path& demo() {
    static const TempDir folder;
    static const std::filesystem::path root = [] {
        REQUIRE(run(binary("havln-demo"), {(folder / "demo").string()}).exit_code == 0);
        return folder / "demo";
    }();
    return root;
}

CommandResult score(std::vector<std::string> more) {
    std::vector<std::string> arguments = {(demo() / "submissions/hasty.zip").string(), "--data",
                                          demo().string(), "--manifest",
                                          (demo() / "manifest.json").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(binary("havln-score"), arguments);
}

/// Keeps the whole document alive: what it hands out points into it.
struct Result {
    JsonTree summary;
    const JsonTree& split() const { return *summary.find("splits")->find("demo"); }
};

Result json(std::vector<std::string> more) {
    more.insert(more.end(), {"--format", "json"});
    const CommandResult result = score(more);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return {JsonTree::parse(result.out, "summary")};
}

const char* const kComponents[] = {"SR", "NE", "CR", "TCR", "navigation", "social", "score"};

}  // namespace

TEST_CASE(
    "havln-score --clock-sweep: each sample equals the single run with its clock, bit for bit",
    "[cli][clock]") {
    const Result sweep = json({"--clock-sweep", "0.5:1.5:3"});
    const auto& samples = sweep.split().find("clock")->find("samples")->array();
    REQUIRE(samples.size() == 3);
    const char* const rates[] = {"0.5", "1", "1.5"};
    for (std::size_t i = 0; i < 3; ++i) {
        INFO(rates[i]);
        CHECK(samples[i].find("clock")->string() == std::string("frames-per-action=") + rates[i]);
        const Result single = json({"--frames-per-action", rates[i]});
        for (const char* component : kComponents) {
            INFO(component);
            CHECK(samples[i].find(component)->number() == single.split().find(component)->number());
        }
    }
    // The headline is the run's own clock, one frame per action.
    CHECK(sweep.split().find("score")->number() == samples[1].find("score")->number());
}

TEST_CASE(
    "havln-score --clock-samples: samples are the jitter clock's seeds in turn, whatever --jobs",
    "[cli][clock]") {
    const Result samples = json({"--clock", "jitter:1,0.5,7", "--clock-samples", "3"});
    const auto& list = samples.split().find("clock")->find("samples")->array();
    REQUIRE(list.size() == 3);
    for (const int seed : {7, 8, 9}) {
        const std::string clock = "jitter:1,0.5," + std::to_string(seed);
        const Result single = json({"--clock", clock});
        const JsonTree& sample = list[static_cast<std::size_t>(seed - 7)];
        for (const char* component : kComponents) {
            CHECK(sample.find(component)->number() == single.split().find(component)->number());
        }
    }
    const std::vector<std::string> arguments = {"--clock-samples", "4", "--bootstrap", "50"};
    std::vector<std::string> one = arguments, five = arguments;
    one.insert(one.end(), {"--jobs", "1"});
    five.insert(five.end(), {"--jobs", "5"});
    CHECK(score(one).out == score(five).out);
}

TEST_CASE("havln-score --bootstrap: intervals hold the estimate, and the seed gives them again",
          "[cli][bootstrap]") {
    const Result result = json({"--bootstrap", "500"});
    const JsonTree* intervals = result.split().find("bootstrap")->find("intervals");
    for (const char* component : kComponents) {
        INFO(component);
        const auto& ends = intervals->find(component)->array();
        const double estimate = result.split().find(component)->number();
        CHECK(ends[0].number() < estimate);
        CHECK(estimate < ends[1].number());
    }
    CHECK(score({"--bootstrap", "100"}).out == score({"--bootstrap", "100"}).out);
    CHECK(score({"--bootstrap", "100"}).out != score({"--bootstrap", "100", "--seed", "1"}).out);
}

TEST_CASE("clock and bootstrap options: wrong values exit 2", "[cli][clock]") {
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {"--clock-sweep", "1:0:3"},
             {"--clock-sweep", "0:1"},
             {"--clock-sweep", "0:1:1"},
             {"--clock-sweep", "0:nan:3"},
             {"--clock-sweep", "0:1:100000"},
             {"--clock-sweep", "0:1:3", "--clock-samples", "3"},
             {"--clock-samples", "0"},
             {"--bootstrap", "0"},
             {"--clock", "jitter:1,2,3"},
             {"--clock", "jitter:1,0,0", "--frames-per-action", "1"},
             {"--profile", "vln-ce", "--clock-samples", "3"}}) {
        INFO(arguments[0] + " " + arguments[1]);
        CHECK(score(arguments).exit_code == 2);
    }
    CHECK(json({"--clock-sweep", "1:1:1"}).split().find("clock")->find("samples")->array().size() ==
          1);
}
