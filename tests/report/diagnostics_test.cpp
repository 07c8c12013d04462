// What a check says, in every format, and what of the participant's bytes gets through.
#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/json_tree.h"
#include "report/diagnostics_github.h"
#include "report/diagnostics_json.h"
#include "report/diagnostics_junit.h"
#include "report/diagnostics_sarif.h"
#include "report/diagnostics_text.h"
#include "support/catch.h"
#include "support/submissions.h"

namespace havln {

namespace {

using Catch::Matchers::StartsWith;
using test::check;
using test::contains_text;
using test::episode_json;
using test::good_archive;
using test::prediction_json;

CheckFacts facts() {
    CheckFacts facts;
    facts.manifest_digest = "0123456789abcdef";
    return facts;
}

ReadResult with_episodes(const std::vector<std::string>& episodes) {
    return test::check_val_seen(prediction_json("val_seen", episodes));
}

/// An archive in which every text that comes from outside tries to be something else.
ReadResult hostile() {
    test::ZipFile archive = good_archive();
    archive.entries[0].name = "a\x1b[31m\n::error::b%,:<&>\"'\xFF.json";
    archive.entries[0].data = prediction_json(
        "val_seen", {episode_json("1", R"("\u001b[2J\n::warning::<script>]]>","STOP")"),
                     episode_json(R"(\u0000\r\n<b>&"\u202e)"), episode_json("\xC2\x9B\xFFx")});
    archive.entries[0].data.insert(1, "\"\x7F\\u0007&<k>\":1,");
    return check(archive);
}

bool is_plain(const std::string& text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && byte != '\n') || byte == 0x7F) return false;
    }
    return true;
}

/// No line of the text but those that begin with one of ours may be a workflow command.
std::size_t lines_beginning(const std::string& text, const std::string& with) {
    std::size_t count = text.starts_with(with) ? 1 : 0;
    for (std::size_t at = text.find('\n' + with); at != std::string::npos;
         at = text.find('\n' + with, at + 1)) {
        ++count;
    }
    return count;
}

}  // namespace

TEST_CASE("text: a good submission passes in one line with its counts", "[report]") {
    CHECK(diagnostics_text(check(good_archive()), facts()) ==
          "PASS: val_seen 3 episodes, 3 actions; val_unseen 5 episodes, 5 actions; 8 actions in "
          "all; manifest sha256 0123456789ab\n");
}

TEST_CASE("text: warnings follow the PASS line", "[report]") {
    test::ZipFile archive = good_archive();
    archive.entries[0].data.insert(1, "\"x\":1,");
    const std::string text = diagnostics_text(check(archive), facts());
    CHECK_THAT(text, StartsWith("PASS: ") && contains_text("; 1 warning\n") &&
                         contains_text("\nwarning[field-unknown] (1)\n"));
}

TEST_CASE("text: faults are grouped by code with place, words and cure", "[report]") {
    const std::string text =
        diagnostics_text(with_episodes({episode_json("1", "\"HOP\",\"STOP\""),
                                        episode_json("2", ""), episode_json("3", "\"stop\"")}),
                         facts());
    CHECK(text ==
          "SUBMISSION REJECTED: 3 errors\n"
          "\n"
          "error[action-unknown] (2)\n"
          "  test.zip, member val_seen.json, line 1, column 81 (episode \"1\", step 0): \"HOP\" is "
          "no action\n"
          "    -> the actions are STOP, MOVE_FORWARD, TURN_LEFT, TURN_RIGHT, LOOK_UP, LOOK_DOWN\n"
          "  test.zip, member val_seen.json, line 1, column 157 (episode \"3\", step 0): \"stop\" "
          "is no action\n"
          "    -> did you mean \"STOP\"?\n"
          "\n"
          "error[actions-empty] (1)\n"
          "  test.zip, member val_seen.json, line 1, column 124 (episode \"2\"): the list of "
          "actions is empty\n"
          "    -> an agent that stays where it is still needs [\"STOP\"]\n");
}

TEST_CASE("text: what is shown is bounded, what is counted is not", "[report]") {
    std::string many;
    for (int i = 0; i < 30; ++i) many += "5,";
    const ReadResult result =
        with_episodes({episode_json("1", many + "\"STOP\""), episode_json("2"), episode_json("3")});
    CheckFacts few = facts();
    few.max_shown = 2;
    const std::string text = diagnostics_text(result, few);
    CHECK_THAT(text, StartsWith("SUBMISSION REJECTED: 30 errors\n") &&
                         contains_text("error[action-type] (30)") &&
                         contains_text("... and 28 more"));
    CHECK_THAT(text, contains_text("step 1)") && !contains_text("step 2)"));
    // One diagnostic may stand for many faults.
    const std::string missing = diagnostics_text(with_episodes({episode_json("1")}), few);
    CHECK_THAT(missing, contains_text("error[episode-missing] (2)") && !contains_text("more"));
    few.max_shown = 0;
    CHECK_THAT(diagnostics_text(result, few), contains_text("... and 30 more"));
}

TEST_CASE("text: colour is there only when asked for", "[report]") {
    CheckFacts painted = facts();
    painted.color = true;
    const ReadResult good = check(good_archive());
    CHECK_THAT(diagnostics_text(good, painted), StartsWith("\x1b[1;32mPASS:\x1b[0m"));
    CHECK(is_plain(diagnostics_text(good, facts())));
    const ReadResult bad = with_episodes({});
    CHECK_THAT(diagnostics_text(bad, painted),
               StartsWith("\x1b[1;31mSUBMISSION REJECTED:\x1b[0m") &&
                   contains_text("\x1b[1;31merror[episode-missing]\x1b[0m"));
}

TEST_CASE("json: the outcome is as cli.md says, and absent facts are left out", "[report]") {
    const ReadResult result = with_episodes(
        {episode_json("1", "\"HOP\",\"STOP\""), episode_json("2"), episode_json("9")});
    const JsonTree json = JsonTree::parse(diagnostics_json(result, facts()), "out.json");
    CHECK(json.find("schema_version")->integer() == 1);
    CHECK(json.find("tool")->find("name")->string() == "havln-validate");
    CHECK(json.find("verdict")->string() == "reject");
    const JsonTree* split = json.find("splits")->find("val_unseen");
    CHECK(split->find("member")->string() == "val_unseen.json");
    CHECK(split->find("episodes")->integer() == 5);
    CHECK(split->find("actions")->integer() == 5);
    REQUIRE(json.find("errors")->array().size() == 3);
    const JsonTree& action = json.find("errors")->array()[0];
    CHECK(action.find("code")->string() == "action-unknown");
    CHECK(action.find("member")->string() == "val_seen.json");
    CHECK(action.find("line")->integer() == 1);
    CHECK(action.find("column")->integer() == 81);
    CHECK(action.find("pointer")->string() == "/episodes/0/actions/0");
    CHECK(action.find("episode_id")->string() == "1");
    CHECK(action.find("step")->integer() == 0);
    CHECK(action.find("count") == nullptr);
    const JsonTree& missing = json.find("errors")->array()[2];
    CHECK(missing.find("code")->string() == "episode-missing");
    CHECK(missing.find("step") == nullptr);
    CHECK(json.find("warnings")->array().empty());
    CHECK(json.find("counts")->object().size() == 3);
    CHECK(json.find("counts")->find("episode-unknown")->integer() == 1);
    CHECK(JsonTree::parse(diagnostics_json(check(good_archive()), facts()), "f")
              .find("verdict")
              ->string() == "pass");
}

TEST_CASE("json: two files of one split give one entry", "[report]") {
    test::ZipFile archive = good_archive();
    archive.entries.push_back(archive.entries[0]);
    archive.entries.back().name = "again.json";
    const JsonTree json = JsonTree::parse(diagnostics_json(check(archive), facts()), "out.json");
    CHECK(json.find("splits")->object().size() == 2);
}

TEST_CASE("github: each fault is an annotation, ten of a kind at most", "[report]") {
    std::string many;
    for (int i = 0; i < 30; ++i) many += "5,";
    const std::string text = diagnostics_github(
        with_episodes({episode_json("1", many + "\"STOP\""), episode_json("2"), episode_json("3")}),
        facts());
    CHECK(lines_beginning(text, "::error title=action-type,file=test.zip::") == 10);
    CHECK_THAT(text, contains_text("\nSUBMISSION REJECTED: 30 errors\n"));
    CHECK_THAT(diagnostics_github(check(good_archive()), facts()), StartsWith("PASS: "));
}

TEST_CASE("github: a file on disk gets line and column, an archive does not", "[report]") {
    Diagnostic fault;
    fault.code = DiagnosticCode::kJsonSyntax;
    fault.file = "dir/a,b:c.json";
    fault.line = 3;
    fault.column = 7;
    fault.message = "100% wrong";
    const auto reported = [&] {
        ReadResult result;
        result.diagnostics.add(fault);
        return diagnostics_github(result, facts());
    };
    CHECK_THAT(reported(),
               StartsWith("::error title=json-syntax,file=dir/a%2Cb%3Ac.json,line=3,col=7::100%25 "
                          "wrong\n"));
    fault.member = "m.json";
    CHECK_THAT(
        reported(),
        contains_text("file=dir/a%2Cb%3Ac.json::dir/a,b:c.json, member m.json, line 3, column "
                      "7: 100%25 wrong"));
}

TEST_CASE("github: the summary page holds the whole list, up to its limit", "[report]") {
    const std::string page = diagnostics_github_summary(with_episodes({}), facts());
    CHECK_THAT(page, StartsWith("### havln-validate\n\n<pre>\nSUBMISSION REJECTED") &&
                         contains_text("error[episode-missing]"));
    ReadResult result;
    for (int i = 0; i < 1000; ++i) {
        Diagnostic fault;
        fault.message = std::string(2000, 'm');
        result.diagnostics.add(fault);
    }
    const std::string cut = diagnostics_github_summary(result, facts());
    CHECK(cut.size() < 1u << 20);
    CHECK_THAT(cut, contains_text("the list is cut here") && Catch::Matchers::EndsWith("</pre>\n"));
}

TEST_CASE("junit: a test case for each code, failed where it was found", "[report]") {
    const std::string good = diagnostics_junit(check(good_archive()), facts());
    CHECK_THAT(
        good, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ") &&
                  contains_text(fmt::format("tests=\"{}\" failures=\"0\"", kDiagnosticCodeCount)) &&
                  contains_text("<testcase classname=\"havln-validate\" name=\"stop-missing\"/>") &&
                  !contains_text("<failure"));
    const std::string bad = diagnostics_junit(with_episodes({episode_json("1")}), facts());
    CHECK_THAT(
        bad, contains_text("failures=\"1\"") &&
                 contains_text("<failure type=\"episode-missing\" message=\"Official episodes are "
                               "missing. (2 found)\">"));
}

TEST_CASE("sarif: results point to rules, files and places", "[report]") {
    const ReadResult result =
        with_episodes({episode_json("1", "\"HOP\",\"STOP\""), episode_json("2")});
    const JsonTree json = JsonTree::parse(diagnostics_sarif(result, facts()), "out.sarif");
    CHECK(json.find("version")->string() == "2.1.0");
    const JsonTree& run = json.find("runs")->array()[0];
    const JsonTree* driver = run.find("tool")->find("driver");
    CHECK(driver->find("name")->string() == "havln-validate");
    const auto& rules = driver->find("rules")->array();
    REQUIRE(rules.size() == kDiagnosticCodeCount);
    REQUIRE(run.find("results")->array().size() == 2);
    for (const JsonTree& one : run.find("results")->array()) {
        const auto rule = static_cast<std::size_t>(one.find("ruleIndex")->integer());
        CHECK(rules[rule].find("id")->string() == one.find("ruleId")->string());
    }
    const JsonTree& first = run.find("results")->array()[0];
    CHECK(first.find("level")->string() == "error");
    const JsonTree& place = first.find("locations")->array()[0];
    const JsonTree* artifact = place.find("physicalLocation")->find("artifactLocation");
    CHECK(artifact->find("uri")->string() == "val_seen.json");
    CHECK(place.find("physicalLocation")->find("region")->find("startColumn")->integer() == 81);
    CHECK(place.find("logicalLocations")->array()[0].find("fullyQualifiedName")->string() ==
          "/episodes/0/actions/0");
    const auto& artifacts = run.find("artifacts")->array();
    REQUIRE(artifacts.size() == 2);
    CHECK(artifacts[0].find("location")->find("uri")->string() == "test.zip");
    CHECK(artifacts[1].find("parentIndex")->integer() == 0);
    CHECK(artifact->find("index")->integer() == 1);
}

TEST_CASE("reports: untrusted bytes are harmless in every format", "[report]") {
    const ReadResult result = hostile();
    REQUIRE(result.diagnostics.errors() >= 3);
    for (const std::string& text :
         {diagnostics_text(result, facts()), diagnostics_json(result, facts()),
          diagnostics_github(result, facts()), diagnostics_github_summary(result, facts()),
          diagnostics_junit(result, facts()), diagnostics_sarif(result, facts())}) {
        CHECK(is_plain(text));
        CHECK_THAT(text, !contains_text("\xC2\x9B") && !contains_text("\xE2\x80\xAE") &&
                             !contains_text("\xFF"));
    }
    CHECK(lines_beginning(diagnostics_text(result, facts()), "::") == 0);
    const std::string github = diagnostics_github(result, facts());
    CHECK(lines_beginning(github, "::") ==
          lines_beginning(github, "::error title=") + lines_beginning(github, "::warning title="));
    CHECK_THAT(diagnostics_junit(result, facts()),
               !contains_text("<script") && !contains_text("<b>"));
    CHECK_THAT(diagnostics_github_summary(result, facts()), !contains_text("<script"));
    CHECK_NOTHROW(JsonTree::parse(diagnostics_json(result, facts()), "f"));
    CHECK_NOTHROW(JsonTree::parse(diagnostics_sarif(result, facts()), "f"));
}

TEST_CASE("reports: every code has a name and a summary of its own", "[report]") {
    std::set<std::string_view> names;
    for (int i = 0; i < kDiagnosticCodeCount; ++i) {
        const auto code = static_cast<DiagnosticCode>(i);
        names.insert(diagnostic_code_name(code));
        CHECK(diagnostic_code_summary(code).ends_with('.'));
    }
    CHECK(names.size() == kDiagnosticCodeCount);
    CHECK(diagnostic_code_name(DiagnosticCode::kArchiveNotZip) == "archive-not-zip");
    CHECK(diagnostic_code_name(DiagnosticCode::kJsonTooDeep) == "json-too-deep");
    CHECK(diagnostic_code_name(DiagnosticCode::kEpisodeIdType) == "episode-id-type");
    CHECK(diagnostic_code_name(DiagnosticCode::kStopNotLast) == "stop-not-last");
}

}  // namespace havln
