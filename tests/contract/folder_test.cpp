// Submissions that are no archive: a folder, or loose files.
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "havln/error.h"
#include "support/catch.h"
#include "support/submissions.h"
#include "support/support.h"

namespace havln {

namespace {

using test::findings;
using test::first_of;
using test::good_prediction;

ReadResult check_paths(const std::vector<std::filesystem::path>& inputs) {
    return read_submission(inputs, test::small_manifest(), test::phase_1_rules());
}

void write_good(const test::TempDir& folder) {
    test::write_file(folder / "val_seen.json", good_prediction("val_seen"));
    test::write_file(folder / "val_unseen.json", good_prediction("val_unseen"));
}

ExitCode code_of(const std::vector<std::filesystem::path>& inputs) {
    try {
        check_paths(inputs);
    } catch (const Error& error) {
        return error.code();
    }
    return ExitCode::kDone;
}

}  // namespace

TEST_CASE("folder: a flat one is read like an archive", "[contract][folder]") {
    const test::TempDir folder;
    write_good(folder);
    test::write_file(folder / "README.txt", "hello");
    const ReadResult result = check_paths({folder.path()});
    CHECK(findings(result).empty());
    REQUIRE(result.splits.size() == 2);
    CHECK(result.splits[0].file == (folder / "val_seen.json").string());
    CHECK(result.splits[0].member == "val_seen.json");
}

TEST_CASE("folder: faults carry the file's path, line and column", "[contract][folder]") {
    const test::TempDir folder;
    write_good(folder);
    test::write_file(folder / "val_seen.json", "{\"split\": \"val_seen\",\n}");
    const Diagnostic fault = first_of(check_paths({folder.path()}), DiagnosticCode::kJsonSyntax);
    CHECK(fault.file == (folder / "val_seen.json").string());
    CHECK(fault.line == 2);
    CHECK(fault.column == 1);
}

TEST_CASE("folder: links, pipes and folders in it are refused, not followed",
          "[contract][folder]") {
    const test::TempDir folder;
    write_good(folder);
    std::filesystem::create_symlink("/etc/passwd", folder / "link.json");
    CHECK(findings(check_paths({folder.path()})) == "error archive-special-file");
    std::filesystem::remove(folder / "link.json");
    REQUIRE(::mkfifo((folder / "pipe.json").c_str(), 0600) == 0);
    CHECK(findings(check_paths({folder.path()})) == "error archive-special-file");
    std::filesystem::remove(folder / "pipe.json");
    std::filesystem::create_directory(folder / "sub");
    CHECK(findings(check_paths({folder.path()})) == "error archive-nested-path");
}

TEST_CASE("folder: an empty one has no splits", "[contract][folder]") {
    const test::TempDir folder;
    CHECK(check_paths({folder.path()}).diagnostics.count(DiagnosticCode::kSplitMissing) == 2);
}

TEST_CASE("folder: its limits are those of an archive", "[contract][folder]") {
    const test::TempDir folder;
    write_good(folder);
    ContractRules rules = test::phase_1_rules();
    rules.limits.max_members = 1;
    CHECK(findings(read_submission({folder.path()}, test::small_manifest(), rules)) ==
          "error archive-too-large");
    rules.limits.max_members = 2;
    const auto size = std::filesystem::file_size(folder / "val_unseen.json");
    rules.limits.max_member_bytes = size;
    CHECK(findings(read_submission({folder.path()}, test::small_manifest(), rules)).empty());
    rules.limits.max_member_bytes = size - 1;
    CHECK(findings(read_submission({folder.path()}, test::small_manifest(), rules)) ==
          "error archive-too-large, error split-missing");
}

TEST_CASE("loose files: together they make one submission", "[contract][folder]") {
    const test::TempDir folder;
    write_good(folder);
    const ReadResult result = check_paths({folder / "val_seen.json", folder / "val_unseen.json"});
    CHECK(findings(result).empty());
    REQUIRE(result.splits.size() == 2);
    CHECK(result.splits[1].file == (folder / "val_unseen.json").string());
    CHECK(result.splits[1].member.empty());
    CHECK(findings(check_paths({folder / "val_seen.json"})) == "error split-missing");
}

TEST_CASE("loose files: one split alone, as --split asks for it", "[contract][folder]") {
    const test::TempDir folder;
    write_good(folder);
    ContractRules rules;
    rules.required_splits = {"val_unseen"};
    CHECK(findings(read_submission({folder / "val_unseen.json"}, test::small_manifest(), rules))
              .empty());
}

TEST_CASE("loose files: faults carry the file and no member", "[contract][folder]") {
    const test::TempDir folder;
    test::write_file(folder / "a.JSON", "{\"split\": \"val_seen\", \"episodes\": 5}");
    const Diagnostic fault = first_of(check_paths({folder / "a.JSON"}), DiagnosticCode::kFieldType);
    CHECK(fault.file == (folder / "a.JSON").string());
    CHECK_FALSE(fault.member.has_value());
    CHECK(fault.column == 35);
}

TEST_CASE("inputs: what cannot be opened or mixed is wrong usage", "[contract][folder]") {
    const test::TempDir folder;
    write_good(folder);
    CHECK(code_of({folder / "nothing.zip"}) == ExitCode::kUsage);
    CHECK(code_of({folder / "nothing.json"}) == ExitCode::kUsage);
    CHECK(code_of({folder / "val_seen.json", folder.path()}) == ExitCode::kUsage);
    CHECK(code_of({}) == ExitCode::kUsage);
    REQUIRE(::mkfifo((folder / "pipe.zip").c_str(), 0600) == 0);
    CHECK(code_of({folder / "pipe.zip"}) == ExitCode::kUsage);
    std::filesystem::rename(folder / "pipe.zip", folder / "pipe.json");
    CHECK(code_of({folder / "pipe.json"}) == ExitCode::kUsage);
}

TEST_CASE("inputs: an archive on disk is read, whatever its name", "[contract][folder]") {
    const test::TempDir folder;
    test::write_file(folder / "submission", test::good_archive().bytes());
    CHECK(findings(check_paths({folder / "submission"})).empty());
}

TEST_CASE("facts of splits are asked for once, of those only that the submission holds",
          "[contract][folder]") {
    const test::TempDir folder;
    write_good(folder);
    const Manifest manifest = test::small_manifest();
    std::vector<std::vector<std::string>> asked;
    const SplitFacts facts_of = [&](const std::vector<std::string>& splits) {
        asked.push_back(splits);
        std::vector<SplitManifest> facts;
        for (const std::string& name : splits) facts.push_back(*manifest.find(name));
        return facts;
    };
    const std::vector<std::string> known = {"test", "val_seen", "val_unseen"};
    const auto read = [&] {
        asked.clear();
        return read_submission({folder.path()}, known, facts_of, ContractRules());
    };
    using Asked = std::vector<std::vector<std::string>>;
    CHECK(findings(read()).empty());
    CHECK((asked == Asked{{"val_seen", "val_unseen"}}));

    std::filesystem::remove(folder / "val_unseen.json");
    test::write_file(folder / "val_seen.json",
                     test::prediction_json("val_seen", {test::episode_json("1")}));
    CHECK(findings(read()) == "error episode-missing");
    CHECK((asked == Asked{{"val_seen"}}));

    test::write_file(folder / "val_seen.json",
                     test::prediction_json("elsewhere", {test::episode_json("1")}));
    const ReadResult nothing = read();
    CHECK(nothing.rejected());
    CHECK(first_of(nothing, DiagnosticCode::kSplitMissing).message.find("test, val_seen") !=
          std::string::npos);
    CHECK((asked == Asked{{}}));
}

}  // namespace havln
