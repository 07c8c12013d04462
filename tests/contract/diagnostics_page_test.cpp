// docs/diagnostics.md: one example and its cure for each code. The page is made here, with what the
// tool really says, and the test keeps the file equal to it.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "havln/contract.h"
#include "havln/version.h"
#include "report/diagnostics_json.h"
#include "report/diagnostics_text.h"
#include "support/catch.h"
#include "support/submissions.h"
#include "support/support.h"

namespace havln {

namespace {

using test::contains_text;
using test::ZipEntry;
using test::ZipFile;

/// How a submission comes to have the fault, and what to do.
struct Example {
    DiagnosticCode code;
    const char* cause;
    const char* cure;
    std::function<std::string()> archive;
};

std::string stop_only(const std::string& split) {
    const Manifest manifest = builtin_manifest();
    std::vector<std::string> episodes;
    for (const std::string& id : manifest.find(split)->episode_ids) {
        episodes.push_back(test::episode_json(id));
    }
    return test::prediction_json(split, episodes);
}

ZipFile good() {
    ZipFile archive;
    for (const std::string split : {"val_seen", "val_unseen"}) {
        ZipEntry entry;
        entry.name = split + ".json";
        entry.data = stop_only(split);
        archive.entries.push_back(entry);
    }
    return archive;
}

/// A good archive after a change of its first member, val_seen.json.
std::function<std::string()> entry(std::function<void(ZipEntry&)> change) {
    return [change] {
        ZipFile archive = good();
        change(archive.entries[0]);
        return archive.bytes();
    };
}

/// The same after putting `with` in the place of `what` in its text.
std::function<std::string()> text(std::string what, std::string with) {
    return entry([what, with](ZipEntry& member) {
        const std::size_t at = member.data.find(what);
        REQUIRE(at != std::string::npos);
        member.data.replace(at, what.size(), with);
    });
}

/// A good archive with one more member.
std::function<std::string()> added(std::string name, std::string data) {
    return [name, data] {
        ZipFile archive = good();
        ZipEntry member;
        member.name = name;
        member.data = data;
        archive.entries.push_back(member);
        return archive.bytes();
    };
}

std::vector<Example> archive_examples() {
    using Code = DiagnosticCode;
    return {
        {Code::kArchiveNotZip,
         "Another kind of file was named .zip: a .json, a .tar.gz, or the log-in page that a "
         "download gave instead of the file.",
         "Make an archive of the two files: `zip -j submission.zip val_seen.json "
         "val_unseen.json`.",
         [] { return stop_only("val_seen"); }},
        {Code::kArchiveTruncated, "The copy or the upload of the archive stopped half-way.",
         "Copy it again; if the original is cut as well, make it again.",
         [] {
             const std::string bytes = good().bytes();
             return bytes.substr(0, bytes.size() / 2);
         }},
        {Code::kArchiveEncryptedMember, "The archive was made with a password.",
         "Make it without one (no `-e`, no `-P`).",
         entry([](ZipEntry& member) { member.flags = 1; })},
        {Code::kArchiveUnsupportedMethod,
         "The packing program chose a newer method; 7-Zip and Windows do so for large files.",
         "Choose Deflate (in 7-Zip: `7z a -tzip -mm=Deflate submission.zip *.json`).",
         entry([](ZipEntry& member) { member.method = 9; })},
        {Code::kArchiveChecksumMismatch, "Bytes changed after the archive was made.",
         "Copy the archive again, or make it again from the files.",
         entry([](ZipEntry& member) { member.crc32 = 0; })},
        {Code::kArchiveInconsistentHeader,
         "A program wrote them so, or the archive was edited by hand; readers would disagree about "
         "what it holds. As a warning: bytes before or behind the "
         "archive, which every reader passes over.",
         "Make the archive again with `zip`.",
         entry([](ZipEntry& member) { member.local_name = "other.json"; })},
        {Code::kArchiveNestedPath,
         "The folder was zipped instead of the files in it, or macOS's Finder added `__MACOSX`.",
         "`zip -j` leaves folders out. `havln-validate --fix fixed.zip submission.zip` flattens "
         "one folder and drops macOS's files.",
         [] {
             ZipFile archive = good();
             for (ZipEntry& member : archive.entries) member.name = "results/" + member.name;
             return archive.bytes();
         }},
        {Code::kArchiveUnsafePath,
         "A member's name is absolute, names a drive, or climbs with `..`: unpacking it would "
         "write outside the target folder.",
         "Make the archive from inside the folder that holds the files.",
         added("../val_seen.json", "{}")},
        {Code::kArchiveSpecialFile, "A symbolic link was packed as a link (`zip -y`).",
         "Pack the file that it points to.",
         entry([](ZipEntry& member) { member.unix_mode = 0120777; })},
        {Code::kArchiveDuplicateMember, "Files were added to an archive that had them already.",
         "Delete the archive and make it again.", added("val_seen.json", "{}")},
        {Code::kArchiveTooLarge,
         "The archive holds data that is not needed, or was made to fill a disk. The limits are "
         "options: `--max-members`, `--max-member-mib`, `--max-total-mib`.",
         "Leave out everything but the two predictions.",
         entry([](ZipEntry& member) { member.inflated_bytes = 1u << 30; })},
        {Code::kArchiveReservedName,
         "The competition server takes a root file `metadata` or `metadata.yaml` for a program to "
         "run. Only a warning here.",
         "Rename or remove it.", added("metadata", "my run")},
    };
}

std::vector<Example> json_examples() {
    using Code = DiagnosticCode;
    return {
        {Code::kJsonSyntax,
         "The file was edited by hand, cut, or written with NaN or Infinity, which Python's json "
         "module writes although they are not JSON.",
         "Mend the place that is named; in Python write with `json.dump(..., allow_nan=False)`.",
         text("[\"STOP\"]", "[\"STOP\",]")},
        {Code::kJsonEncoding,
         "An editor or PowerShell saved the file with a byte-order mark or as UTF-16.",
         "Save as UTF-8 without BOM, or let `--fix` do it. In Python: `open(path, \"w\", "
         "encoding=\"utf-8\")`.",
         text("{\"format_version\"", "\xEF\xBB\xBF{\"format_version\"")},
        {Code::kJsonDuplicateKey,
         "Two writers were joined. Readers differ in which of the two values they take.",
         "Keep one.", text("\"split\"", "\"split\":\"val_seen\",\"split\"")},
        {Code::kJsonTooDeep, "Something in the file is nested more than 64 levels deep.",
         "Remove it; a prediction needs four levels.",
         text("\"split\"", "\"x\":" + std::string(70, '[') + std::string(70, ']') + ",\"split\"")},
    };
}

std::vector<Example> split_examples() {
    using Code = DiagnosticCode;
    return {
        {Code::kSplitMissing,
         "A file was left out, or its `split` is misspelt. Files are recognised by their `split`, "
         "not by their names.",
         "Add the file, or correct its `split`.", text("val_seen", "val-seen")},
        {Code::kSplitDuplicate, "A copied file kept the `split` of its original.",
         "Correct or remove the second file.", added("copy.json", stop_only("val_seen"))},
        {Code::kSplitUnrecognised,
         "A .json file is no prediction. Only a warning: extra files are allowed.",
         "Nothing, if the file is meant to be an extra; else correct its `split`.",
         added("config.json", "{\"split\": \"train\"}")},
        {Code::kFormatVersion, "The version is a string, a fraction, `true`, or another number.",
         "Write the integer 1.", text("\"format_version\":1", "\"format_version\":\"1\"")},
        {Code::kFieldMissing, "It was left out or misspelt.", "Add it; the hint shows its form.",
         text("\"episode_id\":\"1\",", "")},
        {Code::kFieldType, "`episodes` is an object keyed by id, or `actions` is one string.",
         "Write lists.", text("\"actions\":[\"STOP\"]", "\"actions\":\"STOP\"")},
        {Code::kFieldUnknown, "Only a warning, once for each key.",
         "Nothing, or remove the key to make the file smaller.",
         text("\"episode_id\":\"1\"", "\"scene_id\":\"x\",\"episode_id\":\"1\"")},
    };
}

std::vector<Example> episode_examples() {
    using Code = DiagnosticCode;
    return {
        {Code::kEpisodeIdType, "Habitat gives the id as a string; a script made it a number.",
         "Write it as a string: `str(episode_id)`. `--fix` puts whole numbers in quotes.",
         text("\"episode_id\":\"1\"", "\"episode_id\":1")},
        {Code::kEpisodeDuplicate, "Results of two runs or of two workers were joined.",
         "Keep one of the two.", text("\"episode_id\":\"2\"", "\"episode_id\":\"1\"")},
        {Code::kEpisodeMissing,
         "The run stopped early, or a worker's results were not joined. The ids are shown as "
         "ranges.",
         "Run the missing episodes. An episode that failed still needs its actions.",
         text(test::episode_json("2") + "," + test::episode_json("3") + ",", "")},
        {Code::kEpisodeUnknown,
         "The id is padded, or the file holds another split's episodes than its `split` says.",
         "Correct the id or the `split`.", text("\"episode_id\":\"7\"", "\"episode_id\":\"007\"")},
        {Code::kActionsEmpty, "The agent failed before its first step.",
         "Write `[\"STOP\"]`: the episode counts as failed, the submission as valid.",
         text("[\"STOP\"]", "[]")},
        {Code::kActionsTooLong, "The step budget was not enforced, or STOP was added behind it.",
         "Cut the list to 500 actions; the 500th need not be STOP.",
         [] {
             std::string actions;
             for (int i = 0; i < 500; ++i) actions += "\"TURN_LEFT\",";
             return text("[\"STOP\"]", "[" + actions + "\"STOP\"]")();
         }},
        {Code::kActionUnknown, "The name is in lower case, or of another benchmark.",
         "Use the six names exactly.", text("[\"STOP\"]", "[\"move_forward\",\"STOP\"]")},
        {Code::kActionType,
         "Habitat's action numbers were written. Which number means which action depends on the "
         "configuration, so they are not guessed.",
         "Write the names.", text("[\"STOP\"]", "[1,\"STOP\"]")},
        {Code::kStopMissing, "The agent ended the episode without calling STOP.",
         "End every list of fewer than 500 actions with STOP.",
         text("[\"STOP\"]", "[\"MOVE_FORWARD\",\"TURN_LEFT\"]")},
        {Code::kStopNotLast, "The agent acted on after STOP, or the logger added a second STOP.",
         "End the list at the first STOP.", text("[\"STOP\"]", "[\"STOP\",\"MOVE_FORWARD\"]")},
    };
}

/// The part of the tool's text output that speaks of that code: its first place.
std::string output_of(const Example& example) {
    ContractRules rules;
    rules.required_splits = phase_splits(1);
    const ReadResult result =
        read_submission_archive(example.archive(), "submission.zip", builtin_manifest(), rules);
    ReadResult only;
    only.diagnostics.add(test::first_of(result, example.code));
    const std::string shown = diagnostics_text(only, {});
    return shown.substr(shown.find("\n\n") + 2);
}

std::string json_section() {
    ContractRules rules;
    rules.required_splits = phase_splits(1);
    const std::string submission = text("[\"STOP\"]", "[\"move_forward\",\"STOP\"]")();
    CheckFacts facts;
    facts.manifest_digest = builtin_manifest().digest;
    std::string json = diagnostics_json(
        read_submission_archive(submission, "submission.zip", builtin_manifest(), rules), facts);
    const std::string own_version = fmt::format("\"{}\"", version());
    json.replace(json.find(own_version), own_version.size(), "\"...\"");
    return fmt::format(
        "\n## The JSON report\n\n"
        "`--format json` writes one object. `verdict` is `pass` or `reject`; `splits` says what "
        "was "
        "found of each split; `errors` and `warnings` are lists of faults in file order, at most "
        "`--max-shown` of each code; `counts` is complete, by code. A fault has `code`, `message` "
        "and, where known, `hint`, `file`, `member` (of the archive), `line` and `column` (from 1; "
        "columns are bytes), `pointer` (RFC 6901), `episode_id`, `step` (from 0), and `count` "
        "where it stands for several. What is not known is left out. With `--fix` there is `fix`: "
        "`changes`, and `written_to` unless mending was refused.\n\n```json\n{}```\n",
        json);
}

std::string page() {
    std::string page =
        "# What havln-validate says, and what to do\n\n"
        "Each code below is public and stable: it stands in the text, JSON, JUnit, SARIF and "
        "GitHub outputs. Codes marked *warning* do not reject a submission; neither does a fault "
        "of an extra file. The examples show what the tool prints for a submission with that one "
        "fault.\n\n"
        "`havln-validate --fix fixed.zip submission.zip` mends what needs no guess: one folder "
        "around all files, macOS's own files, byte-order marks, UTF-16, ids that are numbers. It "
        "refuses everything else.\n";
    const std::pair<const char*, std::vector<Example>> parts[] = {
        {"The archive", archive_examples()},
        {"The text", json_examples()},
        {"The files", split_examples()},
        {"The episodes", episode_examples()}};
    for (const auto& [title, examples] : parts) {
        page += fmt::format("\n## {}\n", title);
        for (const Example& example : examples) {
            const bool warning = default_severity(example.code) == Severity::kWarning;
            page += fmt::format("\n### {}{}\n\n{} {}\n\n```\n{}```\n\n{}\n",
                                diagnostic_code_name(example.code), warning ? " *(warning)*" : "",
                                diagnostic_code_summary(example.code), example.cause,
                                output_of(example), example.cure);
        }
    }
    return page + json_section();
}

}  // namespace

TEST_CASE("docs: diagnostics.md shows an example of every code, as the tool says it",
          "[contract][docs]") {
    const std::string expected = page();
    for (int i = 0; i < kDiagnosticCodeCount; ++i) {
        const auto name = diagnostic_code_name(static_cast<DiagnosticCode>(i));
        CHECK_THAT(expected, contains_text(fmt::format("\n### {}", name)));
    }
    const std::filesystem::path file =
        std::filesystem::path(HAVLN_SOURCE_DIR) / "docs/diagnostics.md";
    const std::string found = std::filesystem::exists(file) ? test::read_file(file) : "";
    if (found != expected) {
        const auto made = std::filesystem::temp_directory_path() / "diagnostics.md";
        test::write_file(made, expected);
        FAIL("docs/diagnostics.md is not what the tool says now. Read " << made.string()
                                                                        << " and copy it there.");
    }
}

}  // namespace havln
