#include "contract/fix.h"

#include <string>
#include <vector>

#include "support/catch.h"
#include "support/submissions.h"
#include "support/support.h"

namespace havln {

namespace {

using namespace std::string_literals;
using test::episode_json;
using test::good_archive;
using test::good_prediction;
using test::plain_entry;
using test::ZipEntry;
using test::ZipFile;

FixResult fix(const ZipFile& archive) {
    const test::TempDir folder;
    test::write_file(folder / "in.zip", archive.bytes());
    return fix_submission({folder / "in.zip"}, test::small_manifest(), test::phase_1_rules());
}

/// The mended archive must pass and hold the two members and nothing else.
void check_mended(const FixResult& result) {
    REQUIRE_FALSE(result.refused());
    CHECK_FALSE(result.check.rejected());
    const ReadResult again = test::check(result.archive);
    CHECK(test::findings(again).empty());
    REQUIRE(again.summaries.size() == 2);
    CHECK(again.summaries[0].member == "val_seen.json");
    CHECK(again.summaries[1].member == "val_unseen.json");
}

std::string in_utf16(const std::string& text, bool big_endian, bool mark) {
    std::string out = !mark ? "" : big_endian ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : text) {
        if (big_endian) out += '\0';
        out += c;
        if (!big_endian) out += '\0';
    }
    return out;
}

}  // namespace

TEST_CASE("fix: a zipped folder with macOS's files becomes flat", "[contract][fix]") {
    ZipFile archive = good_archive();
    for (ZipEntry& entry : archive.entries) entry.name = "run 1/" + entry.name;
    archive.entries.push_back(plain_entry("run 1/.DS_Store", "x"));
    archive.entries.push_back(plain_entry("run 1/._val_seen.json", "\x05\x16\x07"));
    archive.entries.push_back(plain_entry("__MACOSX/._run 1", "x"));
    const FixResult result = fix(archive);
    check_mended(result);
    CHECK(result.changes ==
          std::vector<std::string>{
              "moved \"run 1/val_seen.json\" to the archive's root",
              "moved \"run 1/val_unseen.json\" to the archive's root",
              "left out \"run 1/.DS_Store\", which is no prediction for a required split",
              "left out \"run 1/._val_seen.json\", which is no prediction for a required split",
              "left out \"__MACOSX/._run 1\""});
}

TEST_CASE("fix: other encodings become UTF-8", "[contract][fix]") {
    const std::string seen = good_prediction("val_seen");
    for (const std::string& text :
         {"\xEF\xBB\xBF" + seen, in_utf16(seen, false, true), in_utf16(seen, true, true),
          in_utf16(seen, false, false), in_utf16(seen, true, false)}) {
        ZipFile archive = good_archive();
        archive.entries[0].data = text;
        const FixResult result = fix(archive);
        check_mended(result);
        REQUIRE(result.changes.size() == 1);
    }
}

TEST_CASE("fix: ids that are whole numbers are put in quotes, and only ids", "[contract][fix]") {
    std::string text =
        R"({"episodes": [ {"episode_id": 1, "actions": [1, 2]}, {"x": {"episode_id": 5},)"
        R"( "episode_id":23,"n":7}, {"episode_id": "3"}, {"episode_id": 4.0}, 5],)"
        R"( "episode_id": 6})";
    CHECK(quote_number_ids(text, 64) == 2);
    CHECK(text ==
          R"({"episodes": [ {"episode_id": "1", "actions": [1, 2]}, {"x": {"episode_id": 5},)"
          R"( "episode_id":"23","n":7}, {"episode_id": "3"}, {"episode_id": 4.0}, 5],)"
          R"( "episode_id": 6})");
    ZipFile archive = good_archive();
    std::string& seen = archive.entries[0].data;
    for (const char* id : {"\"1\"", "\"3\""}) {
        seen.replace(seen.find("\"episode_id\":"s + id) + 13, 3, id + 1, 1);
    }
    const FixResult result = fix(archive);
    check_mended(result);
    CHECK(result.changes ==
          std::vector<std::string>{"\"val_seen.json\": put 2 episode ids in quotes"});
}

TEST_CASE("fix: extras are left out and members get their split's name", "[contract][fix]") {
    ZipFile archive = good_archive();
    archive.entries[0].name = "results.json";
    archive.entries.push_back(plain_entry("notes.json", "{"));
    const FixResult result = fix(archive);
    check_mended(result);
    CHECK(result.changes ==
          std::vector<std::string>{
              "renamed \"results.json\" to \"val_seen.json\"",
              "left out \"notes.json\", which is no prediction for a required split"});
}

TEST_CASE("fix: a good submission comes out as it is", "[contract][fix]") {
    const FixResult result = fix(good_archive());
    check_mended(result);
    CHECK(result.changes.empty());
    CHECK(result.archive == fix(good_archive()).archive);
}

TEST_CASE("fix: a folder and loose files are packed", "[contract][fix]") {
    const test::TempDir folder;
    test::write_file(folder / "val_seen.json", "\xEF\xBB\xBF" + good_prediction("val_seen"));
    test::write_file(folder / "b.json", good_prediction("val_unseen"));
    check_mended(fix_submission({folder.path()}, test::small_manifest(), test::phase_1_rules()));
    check_mended(fix_submission({folder / "b.json", folder / "val_seen.json"},
                                test::small_manifest(), test::phase_1_rules()));
}

TEST_CASE("fix: anything that would need a guess is refused", "[contract][fix]") {
    std::vector<ZipFile> archives;
    archives.push_back(good_archive());  // A missing episode.
    archives.back().entries[0].data = test::prediction_json("val_seen", {episode_json("1")});
    archives.push_back(good_archive());  // A wrong action beside a wrong id.
    archives.back().entries[0].data = test::prediction_json(
        "val_seen",
        {R"({"episode_id":1,"actions":["stop"]})", episode_json("2"), episode_json("3")});
    archives.push_back(good_archive());  // A damaged member.
    archives.back().entries[0].crc32 = 1;
    archives.push_back(good_archive());  // Two folders.
    archives.back().entries[0].name = "a/val_seen.json";
    archives.back().entries[1].name = "b/val_unseen.json";
    archives.push_back(good_archive());  // A path that leaves the archive.
    archives.back().entries.push_back(plain_entry("../x", ""));
    archives.push_back(good_archive());  // Half a pair of surrogates.
    archives.back().entries[0].data =
        in_utf16(good_prediction("val_seen"), false, true) + "\x00\xD8"s;
    archives.push_back(good_archive());  // UTF-16 that ends within a character.
    archives.back().entries[0].data = in_utf16(good_prediction("val_seen"), false, true) + "x";
    archives.push_back(good_archive());  // A number that becomes a second "2" once quoted.
    archives.back().entries[0].data = test::prediction_json(
        "val_seen",
        {episode_json("1"), episode_json("2"), R"({"episode_id":2,"actions":["STOP"]})"});
    archives.push_back(good_archive());  // The same split twice, in the one folder.
    archives.back().entries.push_back(archives.back().entries[0]);
    for (ZipEntry& entry : archives.back().entries) entry.name = "d/" + entry.name;
    archives.back().entries[2].name = "d/again.json";
    archives.emplace_back();  // Nothing at all.
    for (std::size_t i = 0; i < archives.size(); ++i) {
        INFO(i);
        const FixResult result = fix(archives[i]);
        CHECK(result.refused());
        CHECK(result.check.rejected());
    }
}

TEST_CASE("fix: text in UTF-16 and UTF-32 keeps every character", "[contract][fix]") {
    const auto converted = [](std::string text) {
        std::string change;
        return to_plain_utf8(text, change) ? text : "refused"s;
    };
    CHECK(converted("\xFF\xFE\x7B\x00\xE9\x00\x3D\xD8\x00\xDE\x7D\x00"s) ==
          "{\xC3\xA9\xF0\x9F\x98\x80}");
    CHECK(converted("\x00\x00\xFE\xFF\x00\x00\x00\x5B\x00\x01\xF6\x00"s) == "[\xF0\x9F\x98\x80");
    CHECK(converted("\xFF\xFE\x00\x00\x5B\x00\x00\x00"s) == "[");
    CHECK(converted("\xFF\xFE\x00\xDC"s) == "refused");          // A low half first.
    CHECK(converted("\xFF\xFE\x00\xD8\x41\x00"s) == "refused");  // A high half and no low one.
    CHECK(converted("\x00\x00\xFE\xFF\x00\x11\x00\x00"s) == "refused");  // Beyond U+10FFFF.
    CHECK(converted("\x00\x00\xFE\xFF\x00\x00\xD8\x00"s) == "refused");  // A surrogate in UTF-32.
    CHECK(converted("{}") == "{}");
    CHECK(converted("") == "");
}

}  // namespace havln
