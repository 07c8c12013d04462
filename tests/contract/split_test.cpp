// The splits of a submission and their episodes.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "contract/split_check.h"
#include "support/catch.h"
#include "support/submissions.h"

namespace havln {

namespace {

using test::check;
using test::check_val_seen;
using test::contains_text;
using test::episode_json;
using test::findings;
using test::first_of;
using test::good_archive;
using test::good_prediction;
using test::prediction_json;
using test::ZipFile;

std::string prediction_of(std::string_view split, const std::vector<std::string>& ids) {
    std::vector<std::string> episodes;
    for (const std::string& id : ids) episodes.push_back(episode_json(id));
    return prediction_json(split, episodes);
}

}  // namespace

TEST_CASE("episodes: each official one exactly once, in any order", "[contract]") {
    CHECK(findings(check_val_seen(prediction_of("val_seen", {"3", "1", "2"}))).empty());
    CHECK(findings(check_val_seen(prediction_of("val_seen", {"1", "3"}))) ==
          "error episode-missing");
    CHECK(findings(check_val_seen(prediction_of("val_seen", {"1", "2", "3", "9"}))) ==
          "error episode-unknown");
    const ReadResult twice = check_val_seen(prediction_of("val_seen", {"1", "2", "3", "2"}));
    CHECK(findings(twice) == "error episode-duplicate");
    CHECK_THAT(first_of(twice, DiagnosticCode::kEpisodeDuplicate).message,
               // 51 bytes of head, 37 and a comma of the first episode, 14 of this one's key.
               contains_text("first at line 1, column 104"));
}

TEST_CASE("episodes: all missing ones are counted and named as ranges", "[contract]") {
    const ReadResult result = check_val_seen(prediction_of("val_seen", {"2"}));
    CHECK(result.diagnostics.count(DiagnosticCode::kEpisodeMissing) == 2);
    CHECK_THAT(first_of(result, DiagnosticCode::kEpisodeMissing).message,
               contains_text("2 of the 3 episodes of val_seen are missing: 1, 3"));
}

TEST_CASE("id ranges: consecutive numbers are joined, everything else is listed", "[contract]") {
    CHECK(id_ranges({"1", "2", "3", "7", "9", "10"}) == "1-3, 7, 9, 10");
    CHECK(id_ranges({"5"}) == "5");
    CHECK(id_ranges({"a", "b", "01", "2", "3"}) == "a, b, 01, 2, 3");
    CHECK(id_ranges({"18446744073709551615", "0"}) == "18446744073709551615, 0");
    std::vector<std::string> odd;
    for (int i = 0; i < 30; ++i) odd.push_back(std::to_string(2 * i + 1));
    CHECK_THAT(id_ranges({odd.begin(), odd.end()}), contains_text("37, 39 and 10 more"));
}

TEST_CASE("episodes: ids that are another split's are recognised", "[contract]") {
    // All of val_unseen's ids under the name val_seen: 4 and 5 are too many.
    const ReadResult more = check_val_seen(prediction_of("val_seen", {"1", "2", "3", "4", "5"}));
    CHECK(findings(more) == "error episode-unknown");
    CHECK_THAT(first_of(more, DiagnosticCode::kEpisodeUnknown).hint,
               contains_text("an episode of val_unseen"));
    // All of val_seen's ids under the name val_unseen: 4 and 5 are missing.
    ZipFile archive = good_archive();
    archive.entries[1].data = prediction_of("val_unseen", {"3", "2", "1"});
    const ReadResult fewer = check(archive);
    CHECK(findings(fewer) == "error episode-missing");
    CHECK_THAT(first_of(fewer, DiagnosticCode::kEpisodeMissing).hint,
               contains_text("these 3 ids are val_seen's"));
    // Some of them prove nothing.
    archive.entries[1].data = prediction_of("val_unseen", {"2", "1"});
    CHECK_THAT(first_of(check(archive), DiagnosticCode::kEpisodeMissing).hint,
               contains_text("add the missing episodes"));
}

TEST_CASE("splits: each required one exactly once", "[contract]") {
    ZipFile archive = good_archive();
    archive.entries.pop_back();
    const ReadResult missing = check(archive);
    CHECK(findings(missing) == "error split-missing");
    CHECK_THAT(first_of(missing, DiagnosticCode::kSplitMissing).message,
               contains_text("val_unseen"));
    archive = good_archive();
    archive.entries.push_back(archive.entries[0]);
    archive.entries.back().name = "again.json";
    const ReadResult twice = check(archive);
    CHECK(findings(twice) == "error split-duplicate");
    CHECK_THAT(first_of(twice, DiagnosticCode::kSplitDuplicate).message,
               contains_text("\"val_seen.json\""));
    CHECK(first_of(twice, DiagnosticCode::kSplitDuplicate).member == "again.json");
    CHECK(findings(check(ZipFile{})) == "error split-missing");
}

TEST_CASE("splits: a known one that is not required is checked all the same", "[contract]") {
    ZipFile archive = good_archive();
    archive.entries.push_back(archive.entries[0]);
    archive.entries[2].name = "test.json";
    archive.entries[2].data = good_prediction("test");
    const ReadResult good = check(archive);
    CHECK(findings(good).empty());
    CHECK(good.summaries.size() == 3);
    CHECK(good.splits.size() == 2);
    archive.entries[2].data = prediction_of("test", {"1"});
    CHECK(findings(check(archive)) == "error episode-missing");
}

TEST_CASE("splits: a misspelt one is missing, and the hint says so", "[contract]") {
    ZipFile archive = good_archive();
    std::string& json = archive.entries[1].data;
    json.replace(json.find("val_unseen"), 10, "Val-Unseen");
    const ReadResult result = check(archive);
    CHECK(findings(result) == "warning split-unrecognised, error split-missing");
    CHECK_THAT(first_of(result, DiagnosticCode::kSplitMissing).hint,
               contains_text("\"Val-Unseen\""));
}

TEST_CASE("splits: while one is missing, a .json that does not parse is the culprit",
          "[contract]") {
    ZipFile archive = good_archive();
    archive.entries[1].data = "{\"split\" \"val_unseen\"}";
    CHECK(findings(check(archive)) == "error json-syntax, error split-missing");
    archive.entries[1].name = "._val_unseen.json";  // A resource fork is never the culprit.
    CHECK(findings(check(archive)) == "warning json-syntax, error split-missing");
    archive.entries[1].name = "val_unseen.txt";
    CHECK(findings(check(archive)) == "error split-missing");
    archive.entries[1].name = "val_unseen.JSON";
    archive.entries[1].data = std::string(70, '[');
    CHECK(findings(check(archive)) == "error json-too-deep, error split-missing");
}

TEST_CASE("splits: a broken file is an extra where it is not needed, whatever split it names",
          "[contract]") {
    ZipFile archive = good_archive();
    archive.entries.push_back(archive.entries[0]);
    archive.entries[2].name = "draft.json";
    const std::string whole = good_prediction("val_seen");
    for (const std::string& broken :
         {whole.substr(0, whole.size() - 5), whole + "}", "\xEF\xBB\xBF" + whole,
          std::string(R"({"split":"val_seen","split":"val_seen"})"),
          std::string(R"({"split":"test","x":NaN})")}) {
        INFO(broken);
        archive.entries[2].data = broken;
        const ReadResult result = check(archive);
        CHECK_FALSE(result.rejected());
        CHECK(result.diagnostics.warnings() == 1);
        CHECK(result.summaries.size() == 2);
        // In the other order as well: which file comes first decides nothing.
        std::swap(archive.entries[0].data, archive.entries[2].data);
        CHECK_FALSE(check(archive).rejected());
        std::swap(archive.entries[0].data, archive.entries[2].data);
    }
    // Where it is needed, its faults are errors.
    archive.entries.pop_back();
    archive.entries[0].data = whole.substr(0, whole.size() - 5);
    CHECK(findings(check(archive)) == "error json-syntax");
    archive.entries.push_back(archive.entries[0]);
    archive.entries[2].name = "draft.json";
    CHECK(findings(check(archive)) == "error json-syntax, warning json-syntax");
}

TEST_CASE("splits: without required ones, any known one will do", "[contract]") {
    ContractRules rules = test::phase_1_rules();
    rules.required_splits.clear();
    const auto checked = [&](const ZipFile& archive) {
        return read_submission_archive(archive.bytes(), "t.zip", test::small_manifest(), rules);
    };
    ZipFile archive = good_archive();
    archive.entries.erase(archive.entries.begin());
    const ReadResult one = checked(archive);
    CHECK(findings(one).empty());
    REQUIRE(one.splits.size() == 1);
    CHECK(one.splits[0].split == "val_unseen");
    CHECK(findings(checked(ZipFile{})) == "error split-missing");
}

TEST_CASE("splits: a required one must be in the manifest", "[contract]") {
    ContractRules rules;
    rules.required_splits = {"nowhere"};
    CHECK_THROWS_WITH(read_submission_archive("", "t.zip", test::small_manifest(), rules),
                      contains_text("nowhere"));
}

}  // namespace havln
