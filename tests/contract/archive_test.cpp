// Archives as participants make them: names, kinds and limits. What is wrong inside a zip's
// headers is tests/io/zip_directory_test.cpp.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "support/catch.h"
#include "support/submissions.h"

namespace havln {

namespace {

using test::check;
using test::contains_text;
using test::findings;
using test::first_of;
using test::good_archive;
using test::plain_entry;
using test::ZipEntry;
using test::ZipFile;

ReadResult with_extra(ZipEntry entry) {
    ZipFile archive = good_archive();
    archive.entries.push_back(std::move(entry));
    return check(archive);
}

}  // namespace

TEST_CASE("archive: a good one passes with both splits", "[contract][archive]") {
    const ReadResult result = check(good_archive());
    CHECK(findings(result).empty());
    REQUIRE(result.splits.size() == 2);
    CHECK(result.splits[0].split == "val_seen");
    CHECK(result.splits[0].file == "test.zip");
    CHECK(result.splits[0].member == "val_seen.json");
    REQUIRE(result.splits[0].episodes.size() == 3);
    CHECK(result.splits[0].episodes[2].episode_id == "3");
    CHECK(result.splits[0].actions_of(result.splits[0].episodes[2]).size() == 1);
    REQUIRE(result.summaries.size() == 2);
    CHECK(result.summaries[1].episodes == 5);
    CHECK(result.summaries[1].actions == 5);
}

TEST_CASE("archive: members are found by their split, in any order and under any name",
          "[contract][archive]") {
    ZipFile archive = good_archive();
    std::swap(archive.entries[0], archive.entries[1]);
    archive.entries[0].name = "b.txt";
    archive.entries[1].name = "no ending \xFF";
    const ReadResult result = check(archive);
    CHECK(findings(result).empty());
    REQUIRE(result.splits.size() == 2);
    CHECK(result.splits[0].split == "val_seen");
}

TEST_CASE("archive: harmless extra files at the root are not spoken of", "[contract][archive]") {
    for (const char* name : {"README.txt", "a b c", "\xFF\xFE.bin", "model.py", ".DS_Store",
                             "metadata.txt", "\x1b[2J", "..a", "a..b", "c"}) {
        INFO(name);
        CHECK(findings(with_extra(plain_entry(name))).empty());
    }
}

TEST_CASE("archive: extras that look like predictions but are none are warned of",
          "[contract][archive]") {
    CHECK(findings(with_extra(plain_entry("notes.json", "{not json"))) == "warning json-syntax");
    CHECK(findings(with_extra(plain_entry("._val_seen.json", "\x05\x16\x07"))) ==
          "warning json-syntax");
    CHECK(findings(with_extra(plain_entry("config.json", "{\"lr\": 1}"))) ==
          "warning split-unrecognised");
    CHECK(findings(with_extra(plain_entry("list.json", "[1, 2]"))) == "warning split-unrecognised");
    CHECK(findings(with_extra(plain_entry("train.txt", "{\"split\": \"train\"}"))) ==
          "warning split-unrecognised");
    CHECK(findings(with_extra(plain_entry("n.json", "{\"split\": 5}"))) ==
          "warning split-unrecognised");
    // However many faults such a file has, they are one warning.
    const ReadResult many =
        with_extra(plain_entry("x.json", "{\"a\": 1, \"a\": NaN, \"a\": [1,]}"));
    CHECK(many.diagnostics.warnings() == 1);
    CHECK_FALSE(many.rejected());
}

TEST_CASE("archive: the competition server's reserved names are warned of", "[contract][archive]") {
    CHECK(findings(with_extra(plain_entry("metadata"))) == "warning archive-reserved-name");
    CHECK(findings(with_extra(plain_entry("metadata.yaml"))) == "warning archive-reserved-name");
    CHECK(findings(with_extra(plain_entry("Metadata"))).empty());
}

TEST_CASE("archive: a zipped folder is named with its cure, and its content is checked",
          "[contract][archive]") {
    ZipFile archive = good_archive();
    for (ZipEntry& entry : archive.entries) entry.name = "my run/" + entry.name;
    archive.entries.insert(archive.entries.begin(), plain_entry("my run/", ""));
    archive.entries.push_back(plain_entry("my run/.DS_Store"));
    archive.entries.push_back(plain_entry("__MACOSX/._my run"));
    archive.entries[1].data = "{\"format_version\": 2," + archive.entries[1].data.substr(20);
    const ReadResult result = check(archive);
    CHECK(findings(result) == "error archive-nested-path, error format-version");
    const Diagnostic fault = first_of(result, DiagnosticCode::kArchiveNestedPath);
    CHECK_THAT(fault.message, contains_text("\"my run\"") && contains_text("was zipped"));
    CHECK_THAT(fault.hint, contains_text("zip -j submission.zip 'my run'/*.json"));
    CHECK(result.diagnostics.count(DiagnosticCode::kArchiveNestedPath) == 2);
}

TEST_CASE("archive: nested paths are refused, once for each folder", "[contract][archive]") {
    const ReadResult macosx = with_extra(plain_entry("__MACOSX/._val_seen.json"));
    CHECK(findings(macosx) == "error archive-nested-path");
    CHECK_THAT(first_of(macosx, DiagnosticCode::kArchiveNestedPath).message,
               contains_text("macOS"));
    for (const char* name : {"a/b.json", "a/", "./a.json", "a//b", "sub\\x.json", "a/b/c/d"}) {
        INFO(name);
        CHECK(findings(with_extra(plain_entry(name))) == "error archive-nested-path");
    }
    ZipFile archive = good_archive();
    archive.entries[0].name = "more/" + archive.entries[0].name;
    CHECK_THAT(first_of(check(archive), DiagnosticCode::kSplitMissing).hint,
               contains_text("it may stand in a folder"));
    archive = good_archive();
    for (int i = 0; i < 50; ++i)
        archive.entries.push_back(plain_entry(fmt::format("logs/{}.txt", i)));
    CHECK(check(archive).diagnostics.errors() == 1);
}

TEST_CASE("archive: unsafe paths are refused", "[contract][archive]") {
    using namespace std::string_literals;
    for (const std::string& name :
         {"../evil.json"s, "a/../../evil"s, ".."s, "a/.."s, "/etc/x"s, "\\\\server\\share"s,
          "C:\\x.json"s, "c:x"s, "..\\x"s, "a\0b"s, ""s}) {
        INFO(name);
        CHECK(findings(with_extra(plain_entry(name))) == "error archive-unsafe-path");
    }
}

TEST_CASE("archive: a second name in a Unicode Path field must be as safe as the first",
          "[contract][archive]") {
    const auto named = [](const std::string& other, const std::string& plain = "a.txt") {
        ZipEntry entry = plain_entry(plain);
        entry.extra = std::string("up") + static_cast<char>(5 + other.size()) + '\0' + '\1' +
                      std::string(4, 'c') + other;  // The checksum of the name is not looked at.
        return findings(with_extra(entry));
    };
    CHECK(named("\xC3\xA9.txt").empty());
    CHECK(named("../evil") == "error archive-unsafe-path");
    CHECK(named("/etc/x") == "error archive-unsafe-path");
    CHECK(named("a/b") == "error archive-unsafe-path");
    CHECK(named("") == "error archive-unsafe-path");
    CHECK(named("d/\xC3\xA9", "d/e") == "error archive-nested-path");
}

TEST_CASE("archive: links and devices are refused by their mode, whatever the host says",
          "[contract][archive]") {
    for (const std::uint32_t mode : {0120777u, 0060644u, 0020644u, 0010644u, 0140644u}) {
        ZipEntry link = plain_entry("link.json", "/etc/passwd");
        link.unix_mode = mode;
        CHECK(findings(with_extra(link)) == "error archive-special-file");
        link.host = 0;
        CHECK(findings(with_extra(link)) == "error archive-special-file");
    }
    ZipEntry plain = plain_entry("a.txt");
    for (const std::uint32_t mode : {0u, 0100600u, 0644u}) {
        plain.unix_mode = mode;
        CHECK(findings(with_extra(plain)).empty());
    }
}

TEST_CASE("archive: two members of one name are refused", "[contract][archive]") {
    ZipFile archive = good_archive();
    archive.entries.push_back(archive.entries[0]);
    CHECK(findings(check(archive)) == "error archive-duplicate-member");
    archive.entries.back().name = "VAL_SEEN.json";  // Another name, but the same split.
    CHECK(findings(check(archive)) == "error split-duplicate");
}

TEST_CASE("archive: a member that cannot be read is named, and the others are checked",
          "[contract][archive]") {
    ZipFile archive = good_archive();
    archive.entries[0].flags = 1;
    archive.entries[1].data.insert(1, "\"x\": 1,");
    CHECK(findings(check(archive)) ==
          "error archive-encrypted-member, warning field-unknown, error split-missing");
    archive = good_archive();
    archive.entries[0].crc32 = 1;
    CHECK(findings(check(archive)) == "error archive-checksum-mismatch");
    CHECK(first_of(check(archive), DiagnosticCode::kArchiveChecksumMismatch).member ==
          "val_seen.json");
    archive = good_archive();
    archive.entries[0].inflated_bytes = 60;
    CHECK(findings(check(archive)) == "error archive-inconsistent-header, error split-missing");
    CHECK_THAT(first_of(check(archive), DiagnosticCode::kSplitMissing).hint,
               contains_text("could not be read"));
    // The archive must be whole: a broken extra would stop the server's own unpacking.
    ZipEntry broken = plain_entry("notes.txt");
    broken.crc32 = 1;
    CHECK(findings(with_extra(broken)) == "error archive-checksum-mismatch");
}

TEST_CASE("archive: a file that is no zip is called what it is", "[contract][archive]") {
    using namespace std::string_literals;
    const std::pair<std::string, const char*> cases[] = {
        {""s, "empty"},
        {"\x1F\x8B\x08\0"s, "gzip"},
        {"7z\xBC\xAF\x27\x1C\0\4"s, "7z"},
        {"Rar!\x1A\x07\0"s, "RAR"},
        {"BZh91AY"s, "bzip2"},
        {"\xFD"
         "7zXZ\0"s,
         "xz"},
        {"<!DOCTYPE html>\n<html>"s, "HTML"},
        {"  \n<html>"s, "HTML"},
        {"{\"split\": \"val_seen\"}"s, "JSON"},
        {"\xEF\xBB\xBF [1]"s, "JSON"},
        {std::string(257, 'a') + "ustar\0"s, "tar"},
        {"version https://git-lfs.github.com/spec/v1"s, "Git LFS"},
        {"some text"s, "no zip archive"},
        {"PK"s, "no zip archive"},
    };
    for (const auto& [bytes, kind] : cases) {
        INFO(bytes);
        const ReadResult result = check(bytes);
        // Nothing is said of splits that nobody could look for.
        CHECK(findings(result) == "error archive-not-zip");
        CHECK_THAT(first_of(result, DiagnosticCode::kArchiveNotZip).message, contains_text(kind));
    }
}

TEST_CASE("archive: a truncated one is called truncated", "[contract][archive]") {
    const std::string bytes = good_archive().bytes();
    for (const std::size_t size : {std::size_t{4}, std::size_t{100}, bytes.size() - 1}) {
        CHECK(findings(check(bytes.substr(0, size))) == "error archive-truncated");
    }
}

TEST_CASE("archive: limits stop the reading, whatever is declared", "[contract][archive]") {
    ContractRules rules = test::phase_1_rules();
    const auto checked = [&](const ZipFile& archive) {
        return read_submission_archive(archive.bytes(), "test.zip", test::small_manifest(), rules);
    };
    ZipFile bomb = good_archive();
    bomb.entries.push_back(plain_entry("big.json", std::string(1 << 20, ' ')));
    rules.limits.max_member_bytes = 1 << 20;
    CHECK(findings(checked(bomb)) == "warning json-syntax");  // Just within the limit.
    rules.limits.max_member_bytes = (1 << 20) - 1;
    CHECK(findings(checked(bomb)) == "error archive-too-large");
    bomb.entries.back().inflated_bytes = 100;  // A lie: found while inflating.
    CHECK_THAT(findings(checked(bomb)), contains_text("error archive-inconsistent-header"));
    rules.limits.max_members = 2;
    CHECK(findings(checked(good_archive())).empty());
    CHECK(findings(checked(bomb)) == "error archive-too-large");
}

TEST_CASE("archive: very long names do not multiply", "[contract][archive]") {
    ZipFile archive = good_archive();
    for (int i = 0; i < 100; ++i) {
        archive.entries.push_back(
            plain_entry("../" + std::to_string(i) + std::string(60'000, 'x')));
    }
    const ReadResult result = check(archive);
    CHECK(result.diagnostics.errors() == 100);
    for (const Diagnostic& one : result.diagnostics.kept()) {
        CHECK(one.member->size() <= 1024);
        CHECK(one.message.size() < 1024);
    }
}

}  // namespace havln
