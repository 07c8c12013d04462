#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/plot_root.h"
#include "cli/sample_results.h"
#include "io/json_tree.h"
#include "report/page_text.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

/// Two agents on PlotRoot's floor: A walks 5 m past the goal into the wall, B stops at the goal.
class ComparedRoot : public PlotRoot {
  public:
    explicit ComparedRoot(const std::vector<std::string>& options = {}) {
        write_file(*this / "b.json", prediction(20));
        score("walk.json", "results-a", options);
        score("b.json", "results-b", options);
    }
    void score(const std::string& submission, const std::string& out,
               const std::vector<std::string>& options = {}) const {
        std::vector<std::string> arguments = {at(submission), "--data", path().string(),
                                              "--out",        at(out),  "--quiet"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const CommandResult result = run(binary("havln-score"), arguments);
        INFO(result.err);
        REQUIRE(result.exit_code == 0);
    }
    std::string at(const std::string& name) const { return (*this / name).string(); }

    CommandResult compare(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(),
                         {at("results-a"), at("results-b"), "--report", at("page.html")});
        return run(binary("havln-compare"), arguments);
    }
    CommandResult compare_with_maps(std::vector<std::string> arguments = {}) const {
        arguments.insert(arguments.begin(), {"--data", path().string(), "--submission",
                                             at("walk.json"), "--submission", at("b.json")});
        return compare(arguments);
    }
    std::string page() const { return read_file(*this / "page.html"); }
    bool has_page() const { return std::filesystem::exists(*this / "page.html"); }
};

}  // namespace

TEST_CASE("havln-compare: --report draws both paths on one map", "[cli][compare]") {
    const ComparedRoot root;
    const CommandResult result = root.compare_with_maps();
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(result.out, contains_text("success gained in 1, lost in 0"));
    const std::string html = root.page();
    const JsonTree map = data_of(html, "maps-0").array()[0];
    const auto& agents = map.find("t")->array();
    REQUIRE(agents.size() == 2);
    // The start, 42 steps forward and STOP; the start, 20 steps forward and STOP.
    CHECK(unpack(agents[0].find("p")->string()).size() == 3 * 44);
    CHECK(unpack(agents[1].find("p")->string()).size() == 3 * 22);
    CHECK(agents[0].find("a")->string() == std::string(42, 'F') + 'S');
    CHECK(agents[1].find("a")->string() == std::string(20, 'F') + 'S');
    const JsonTree split = data_of(html, "table-data").find("splits")->array()[0];
    CHECK(split.find("neA")->array()[0].number() == Approx(5).margin(0.01));
    CHECK(split.find("neB")->array()[0].number() == Approx(0).margin(0.01));
    CHECK(split.find("outcome")->array()[0].integer() == 0);  // success gained
    CHECK(holds(html, "id=\"scene-0\""));
    CHECK(holds(html, "This page has maps of 1 of 1 episodes."));
    REQUIRE(root.compare_with_maps().exit_code == 0);
    CHECK(root.page() == html);
}

TEST_CASE("havln-compare: --report without a data root has tables and says why there are no maps",
          "[cli][compare]") {
    const ComparedRoot root;
    REQUIRE(root.compare({}).exit_code == 0);
    const std::string html = root.page();
    CHECK(holds(html, "This page has no maps. They need the data root"));
    CHECK_FALSE(holds(html, "id=\"maps-0\""));
    CHECK_FALSE(holds(html, "id=\"scene-0\""));
    REQUIRE(root.compare_with_maps({"--maps", "0"}).exit_code == 0);
    CHECK_FALSE(holds(root.page(), "id=\"maps-0\""));
}

TEST_CASE("havln-compare: --report draws only what was scored", "[cli][compare]") {
    const ComparedRoot root;
    const auto refused = [&](const CommandResult& result, const std::string& why) {
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, contains_text(why));
        CHECK(result.out.empty());
        CHECK_FALSE(root.has_page());
    };
    const std::string data = root.path().string();
    refused(root.compare({"--data", data, "--submission", root.at("b.json"), "--submission",
                          root.at("walk.json")}),
            "is not what " + root.at("results-a") + " was scored from");
    refused(root.compare({"--data", data, "--submission", root.at("walk.json")}),
            "--submission: found 1, expected one for each of the 2 results");
    refused(root.compare({"--data", data}), "--submission");
    refused(root.compare({"--submission", root.at("walk.json")}), "--data");
    refused(root.compare_with_maps({"--maps", "-1"}), "--maps");
    std::vector<std::string> ten(10, root.at("results-a"));
    ten.insert(ten.end(), {"--report", root.at("page.html")});
    refused(run(binary("havln-compare"), ten), "--report takes at most 9 results, not 10");
    refused(run(binary("havln-compare"),
                {root.at("results-a"), root.at("results-b"), "--data", data, "--submission",
                 root.at("walk.json"), "--submission", root.at("b.json")}),
            "--report");
}

TEST_CASE("havln-compare: --report refuses settings at fault, with their place", "[cli][compare]") {
    const ComparedRoot root;
    const std::string summary = read_file(root / "results-b/score_summary.json");
    const auto refused = [&](const std::string& from, const std::string& to,
                             const std::string& message) {
        std::string changed = summary;
        const std::size_t at = changed.find(from);
        REQUIRE(at != std::string::npos);
        changed.replace(at, from.size(), to);
        write_file(root / "results-b/score_summary.json", changed);
        const CommandResult result = root.compare_with_maps();
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, contains_text(message));
        CHECK_FALSE(root.has_page());
    };
    refused("\"sliding\": true", "\"sliding\": 1", "/settings/sliding");
    refused("\"turn_angle_deg\": 15", "\"turn_angle_deg\": 0", "/settings/profile/turn_angle_deg");
    refused("\"clock\": \"frames-per-action=1\"", "\"clock\": \"<b>\\u001b[1m\"",
            "no clock has the name \"<b>\\x1b[1m\"");
    refused("\"submission_sha256\"", "\"submission\"", "was scored from");
}

TEST_CASE("havln-compare: a submission that breaks the contract is rejected", "[cli][compare]") {
    const ComparedRoot root;
    write_file(root / "bad.json", R"({"format_version": 1, "split": "toy", "episodes": []})");
    const CommandResult result =
        root.compare({"--data", root.path().string(), "--submission", root.at("walk.json"),
                      "--submission", root.at("bad.json")});
    CHECK(result.exit_code == 1);
    CHECK(result.out.rfind("SUBMISSION REJECTED:", 0) == 0);
    CHECK_FALSE(root.has_page());
}

TEST_CASE("havln-compare: --report refuses another ground truth", "[cli][compare]") {
    ComparedRoot root;
    root.write_baselines("toy", {{"1", 3}});
    const CommandResult result = root.compare_with_maps();
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, contains_text("is not the ground truth of these results: split toy"));
}

TEST_CASE("havln-compare: --report refuses navmeshes on which the agents walk otherwise",
          "[cli][compare]") {
    const ComparedRoot root;
    ToyFloor floor;  // the wall is 6 m nearer
    floor.rows.assign(6, ".........");
    floor.origin = {-4.5f, 0, -4};
    write_toy_scene(root.path(), "scan", {floor}, &floor);
    const CommandResult result = root.compare_with_maps();
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, contains_text("were other navmeshes in force?"));
    CHECK_FALSE(root.has_page());
}

TEST_CASE("havln-compare: --report replays under the clock and sliding of the results",
          "[cli][compare]") {
    const ComparedRoot jitter({"--clock", "jitter:1,0.5,3", "--no-sliding"});
    const CommandResult result = jitter.compare_with_maps();
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK(holds(jitter.page(), "clock:jitter=uniform(1,0.5,3)|sliding:no"));
    const JsonTree agent = data_of(jitter.page(), "maps-0").array()[0].find("t")->array()[0];
    const auto deltas = unpack(agent.find("f")->string());
    CHECK(std::any_of(deltas.begin() + 1, deltas.end(), [](auto d) { return d != 1; }));
}

TEST_CASE("havln-compare: --report needs a logged clock's log again", "[cli][compare]") {
    const ComparedRoot root;
    // The same log serves both: A's 43 actions decide its length, so both must walk as far.
    std::string frames = "0";
    for (int k = 1; k < 43; ++k) frames += "," + std::to_string(2 * k);
    write_file(root / "clock.json", "{\"1\": [" + frames + "]}");
    root.score("walk.json", "results-a", {"--clock", "file:" + root.at("clock.json")});
    root.score("walk.json", "results-b", {"--clock", "file:" + root.at("clock.json")});
    const std::vector<std::string> maps = {"--data",       root.path().string(),
                                           "--submission", root.at("walk.json"),
                                           "--submission", root.at("walk.json")};
    const CommandResult refused = root.compare(maps);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, contains_text("give it with --clock file:F"));
    std::vector<std::string> with_log = maps;
    with_log.insert(with_log.end(), {"--clock", "file:" + root.at("clock.json")});
    const CommandResult result = root.compare(with_log);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const JsonTree agent = data_of(root.page(), "maps-0").array()[0].find("t")->array()[0];
    const auto deltas = unpack(agent.find("f")->string());
    CHECK(deltas[1] == 2);
    write_file(root / "clock.json", "{\"1\": [" + frames + "] }");
    CHECK(root.compare(with_log).exit_code == 2);  // another log
}

TEST_CASE("havln-compare: --report on a profile without people", "[cli][compare]") {
    const ComparedRoot root({"--profile", "vln-ce"});
    const CommandResult result = root.compare_with_maps();
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const std::string html = root.page();
    CHECK_FALSE(data_of(html, "table-data").find("people")->boolean());
    CHECK(holds(html, "SR, B − A"));
    CHECK_FALSE(data_of(html, "maps-0").array()[0].is_null());
}
