#include <string>
#include <vector>

#include "cli/sample_results.h"
#include "io/json_tree.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

const std::vector<SampleEpisode> kGood = {{true, 0, 0}, {true, 0, 0}};
const std::vector<SampleEpisode> kBad = {{true, 3, 0}, {false, 0, 9}};

CommandResult rank(const std::vector<std::string>& arguments) {
    return run(binary("havln-rank"), arguments);
}

/// Replaces a text that must be there in a file.
void edit(const std::filesystem::path& path, const std::string& from, const std::string& to) {
    std::string text = read_file(path);
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    write_file(path, text.replace(at, from.size(), to));
}

}  // namespace

TEST_CASE("havln-rank: the better result stands first", "[cli][rank]") {
    const TempDir dir;
    write_sample_result(dir / "bad", kBad);
    write_sample_result(dir / "good", kGood);
    const CommandResult result = rank({dir / "bad", dir / "good/score_summary.json"});
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    // bad: SR 0, NE 9/2, CR 1/2, TCR 3/2; Navigation 0.2 * 3/7.5 = 2/25, Social 3/8 + 1/10;
    // Score 8 * (0.7 + 0.3 * 19/40) = 6.74.
    CHECK(result.out ==
          "Rank  Name     Score      SR  NE [m]      CR    TCR  Submitted\n"
          "   1  good  100.0000  1.0000   0.000  0.0000  0.000\n"
          "   2  bad     6.7400  0.0000   4.500  0.5000  1.500\n");
}

TEST_CASE("havln-rank: names and times come from the table, ties share a rank", "[cli][rank]") {
    const TempDir dir;
    for (const char* name : {"a", "b", "c", "d"}) write_sample_result(dir / name, kGood);
    write_file(dir / "table.csv",
               "result,name,submitted\n"
               "a,Team A,2026-06-02T00:00:00Z\n"
               "b,\"Team B, \"\"the best\"\"\",2026-06-01T23:00:00-01:00\n"
               "c,Team C,2026-05-31T00:00:00Z\n"
               "d,,\n");
    const CommandResult all = rank({"--submissions", dir / "table.csv", "--format", "csv"});
    CHECK(all.exit_code == 0);
    CHECK(all.out ==
          "Rank,Name,score,SR,NE,CR,TCR,Submitted\r\n"
          "1,Team C,100,1,0,0,0,2026-05-31T00:00:00Z\r\n"
          "2,Team A,100,1,0,0,0,2026-06-02T00:00:00Z\r\n"
          "2,\"Team B, \"\"the best\"\"\",100,1,0,0,0,2026-06-01T23:00:00-01:00\r\n"
          "4,d,100,1,0,0,0,\r\n");
    // Those on the command line alone, named by the table all the same.
    const CommandResult some =
        rank({"--submissions", dir / "table.csv", dir / "a", "--format", "markdown"});
    CHECK_THAT(some.out, contains_text("| 1 | Team A | 100.0000 |"));
    CHECK(some.out.find("Team C") == std::string::npos);
}

TEST_CASE("havln-rank: a table at fault is refused with its line", "[cli][rank]") {
    const TempDir dir;
    write_sample_result(dir / "a", kGood);
    const auto refused = [&](const std::string& text, const std::string& message) {
        write_file(dir / "table.csv", text);
        const CommandResult result = rank({"--submissions", dir / "table.csv"});
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, contains_text(message));
    };
    refused("result,name\na,x\n", "has no column \"submitted\"");
    refused("result,name,submitted\na,x,yesterday\n", "line 2: submitted is \"yesterday\"");
    refused("result,name,submitted\nmissing,x,\n", "missing");
    refused("result,name,submitted\n,x,\n", "line 2: result is empty");
    refused("result,name,submitted\n", "nothing to rank");
}

TEST_CASE("havln-rank: results whose signatures differ are refused, or marked by force",
          "[cli][rank]") {
    const TempDir dir;
    write_sample_result(dir / "a", kBad);
    write_sample_result(dir / "b", kGood, {.clock = "frames-per-action=2"});
    const CommandResult refused = rank({dir / "a", dir / "b"});
    CHECK(refused.exit_code == 2);
    CHECK(refused.out.empty());
    CHECK_THAT(refused.err, contains_text("clock: frames-per-action=1 / frames-per-action=2"));
    const CommandResult forced = rank({dir / "a", dir / "b", "--force"});
    CHECK(forced.exit_code == 0);
    CHECK_THAT(forced.out, contains_text("   1  b     100.0000"));
    CHECK_THAT(forced.out, contains_text("not comparable: other clock\n"));
}

TEST_CASE("havln-rank: partial, broken and tampered results stand last without a rank",
          "[cli][rank]") {
    const TempDir dir;
    write_sample_result(dir / "good", kBad);
    write_sample_result(dir / "partial", kGood, {.partial = true});
    for (const char* name : {"nan", "null", "missing", "tampered", "text", "range", "other"}) {
        write_sample_result(dir / name, kGood);
    }
    edit(dir / "nan/score_summary.json", "\"SR\": 1", "\"SR\": NaN");
    edit(dir / "null/score_summary.json", "\"NE\": 0", "\"NE\": null");
    edit(dir / "missing/score_summary.json", "\"TCR\": 0,", "");
    edit(dir / "tampered/score_summary.json", "\"score\": 100", "\"score\": 99.5");
    write_file(dir / "text/score_summary.json", "score: 100");
    edit(dir / "range/score_summary.json", "\"SR\": 1", "\"SR\": 1.5");
    edit(dir / "other/score_summary.json", "\"val_unseen\": {", "\"val_seen\": {");
    const CommandResult result =
        rank({dir / "nan", dir / "null", dir / "missing", dir / "tampered", dir / "text",
              dir / "range", dir / "other", dir / "partial", dir / "good", "--format", "json"});
    CHECK(result.exit_code == 0);
    const JsonTree json = JsonTree::parse(result.out, "stdout");
    const auto& list = json.find("results")->array();
    REQUIRE(list.size() == 9);
    CHECK(list[0].find("name")->string() == "good");
    CHECK(list[0].find("rank")->integer() == 1);
    CHECK(list[1].find("name")->string() == "partial");
    CHECK(list[1].find("partial")->boolean());
    for (std::size_t k = 1; k < list.size(); ++k) {
        INFO(list[k].find("name")->string());
        CHECK(list[k].find("rank") == nullptr);
        if (k > 1) CHECK_FALSE(list[k].find("problem")->string().empty());
    }
    CHECK_THAT(list[3].find("problem")->string(), contains_text("/NE: found null"));
    CHECK_THAT(list[4].find("problem")->string(), contains_text("/TCR: is missing"));
    CHECK_THAT(list[5].find("problem")->string(), contains_text("/score: found 99.5"));
    CHECK_THAT(list[8].find("problem")->string(), contains_text("/val_unseen: is missing"));
}

TEST_CASE("havln-rank: a profile without people ranks by its primary metric", "[cli][rank]") {
    const TempDir dir;
    write_sample_result(dir / "one", kBad, {.profile = "vln-ce"});
    write_sample_result(dir / "two", kGood, {.profile = "vln-ce"});
    const CommandResult result = rank({dir / "one", dir / "two", "--format", "latex"});
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, contains_text("\\toprule\nRank & Name & TL [m] & NE [m] & OSR & SR &"));
    CHECK(result.out.find("1 & two") < result.out.find("2 & one"));
}

TEST_CASE("havln-rank: what cannot be done says so", "[cli][rank]") {
    const TempDir dir;
    CHECK(rank({}).exit_code == 2);
    CHECK(rank({dir / "absent"}).exit_code == 2);
    write_sample_result(dir / "a", kGood, {.split = "demo"});
    CHECK(rank({dir / "a"}).exit_code == 0);  // the only split
    const CommandResult other = rank({dir / "a", "--split", "val_seen"});
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.out, contains_text("not ranked: /splits/val_seen: is missing"));
    CHECK_THAT(other.err, contains_text("/splits/val_seen: is missing; nothing can be ranked by "
                                        "split \"val_seen\"\n"));
    // A file that cannot be opened among good ones.
    const CommandResult absent = rank({dir / "a", dir / "absent"});
    CHECK(absent.exit_code == 2);
    CHECK(absent.out.empty());
    CHECK_THAT(absent.err, contains_text("absent: cannot be opened"));
    CHECK(rank({dir / "a", "--format", "xml"}).exit_code == 2);
}
