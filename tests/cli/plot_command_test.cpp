#include <filesystem>
#include <string>
#include <vector>

#include "cli/plot_root.h"
#include "report/markup.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

TEST_CASE("havln-plot: draws what a submission does", "[cli][plot]") {
    const PlotRoot root;
    const CommandResult result = root.plot({"1", "--submission", root.walk()});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK(xml_fault(result.out) == "");
    // 40 free steps to the wall, 2 blocked by it within a metre of the person; the goal 5 m back.
    CHECK(holds(result.out,
                "toy, scene scan: 43 steps, 2 blocked, 2 in contact, ends 5.00 m from "
                "the goal"));
    CHECK(holds(result.out, "End, STOP called"));
    CHECK(holds(result.out, "Step blocked by the scene"));
    CHECK_FALSE(holds(result.out, "Step blocked by a person"));
    CHECK(holds(result.out, "Navmesh without people"));
}

TEST_CASE("havln-plot: without a submission it draws the episode alone", "[cli][plot]") {
    const PlotRoot root;
    const CommandResult result = root.plot({"1", "--out", (root / "one.svg").string()});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK(result.out.empty());
    const std::string svg = read_file(root / "one.svg");
    CHECK(xml_fault(svg) == "");
    CHECK(holds(svg, ">toy, scene scan<"));
    CHECK_FALSE(holds(svg, "End, STOP"));
    CHECK_FALSE(holds(svg, "step 0"));
}

TEST_CASE("havln-plot: says which episodes there are and when a split must be named",
          "[cli][plot]") {
    PlotRoot root;
    CommandResult result = root.plot({"9"});
    CHECK(result.exit_code == 2);
    CHECK(holds(result.err, "no episode \"9\" in toy"));
    root.write_split("other");
    result = root.plot({"1"});
    CHECK(result.exit_code == 2);
    CHECK(holds(result.err,
                "episode \"1\" is in several splits: other, toy; choose one with "
                "--split"));
    CHECK(root.plot({"1", "--split", "other"}).exit_code == 0);
    CHECK(root.plot({"1", "--submission", root.walk()}).exit_code == 0);  // only toy is submitted
}

TEST_CASE("havln-plot: a submission that breaks the contract is rejected", "[cli][plot]") {
    const PlotRoot root;
    write_file(root / "bad.json", R"({"format_version": 1, "split": "toy", "episodes": []})");
    const CommandResult result = root.plot({"1", "--submission", (root / "bad.json").string()});
    CHECK(result.exit_code == 1);
    CHECK(result.out.rfind("SUBMISSION REJECTED:", 0) == 0);
}

TEST_CASE("havln-score: --report writes one page with every episode", "[cli][score]") {
    const PlotRoot root;
    const auto score = [&](const std::string& report, const std::string& jobs) {
        return run(binary("havln-score"), {root.walk(), "--data", root.path().string(), "--report",
                                           (root / report).string(), "--jobs", jobs});
    };
    const CommandResult result = score("a.html", "1");
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    REQUIRE(score("b.html", "4").exit_code == 0);
    const std::string html = read_file(root / "a.html");
    CHECK(html == read_file(root / "b.html"));
    CHECK(holds(html, "<h1>walk.json</h1>"));
    CHECK(holds(html, "\"id\":[\"1\"]"));
    CHECK(holds(html, "\"blocked\":[2]"));
    CHECK(holds(html, "id=\"scene-0\""));
    // SR 0, NE 5: Navigation = 0.2 * 3/8 = 0.075; CR 1, TCR 2: Social = 0.25/3;
    // Score = 7.5 * (0.7 + 0.3 * 0.25/3) = 5.4375.
    CHECK(holds(html, "<p class=\"score-value\">5.44</p>"));
}

TEST_CASE("havln-score: --report takes one submission", "[cli][score]") {
    const PlotRoot root;
    std::filesystem::create_directory(root / "one");
    std::filesystem::create_directory(root / "two");
    for (const char* folder : {"one/p.json", "two/p.json"}) {
        write_file(root / folder, PlotRoot::prediction(3));
    }
    const CommandResult result =
        run(binary("havln-score"), {(root / "one").string(), (root / "two").string(), "--data",
                                    root.path().string(), "--report", (root / "r.html").string()});
    CHECK(result.exit_code == 2);
    CHECK(holds(result.err, "--report take one submission at a time"));
    CHECK_FALSE(std::filesystem::exists(root / "r.html"));
}
