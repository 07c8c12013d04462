// havln-validate from outside: exit codes, streams and options.
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/json_tree.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/data_root.h"
#include "support/submissions.h"
#include "support/support.h"

namespace havln::test {

namespace {

using Catch::Matchers::StartsWith;

/// A folder with the small manifest, a good archive and a faulty one.
class Workplace {
  public:
    Workplace() {
        write_file(folder_ / "manifest.json",
                   R"({"splits": {"val_seen": {"count": 3}, "val_unseen": {"count": 5},
                      "test": {"count": 7}}})");
        write_file(folder_ / "good.zip", good_archive().bytes());
        ZipFile bad = good_archive();
        bad.entries[0].data =
            prediction_json("val_seen", {episode_json("1", "\"HOP\""), episode_json("2")});
        write_file(folder_ / "bad.zip", bad.bytes());
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    CommandResult validate(std::vector<std::string> arguments,
                           const std::map<std::string, std::string>& environment = {}) const {
        arguments.insert(arguments.end(), {"--manifest", path("manifest.json")});
        return run(binary("havln-validate"), arguments, environment);
    }

  private:
    TempDir folder_;
};

}  // namespace

TEST_CASE("havln-validate: exit codes and streams", "[cli]") {
    const Workplace place;
    const CommandResult good = place.validate({place.path("good.zip")});
    CHECK(good.exit_code == 0);
    CHECK_THAT(good.out, StartsWith("PASS: val_seen 3 episodes"));
    CHECK(good.err.empty());
    const CommandResult bad = place.validate({place.path("bad.zip")});
    CHECK(bad.exit_code == 1);
    CHECK_THAT(bad.out, StartsWith("SUBMISSION REJECTED: 3 errors"));
    CHECK(bad.err.empty());
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
             {},
             {place.path("nothing.zip")},
             {place.path("good.zip"), "--phase", "3"},
             {place.path("good.zip"), "--phase", "1", "--split", "test"},
             {place.path("good.zip"), "--format", "yaml"},
             {place.path("good.zip"), "--split", "nowhere"},
             {place.path("good.zip"), "--max-shown", "-1"},
             {place.path("good.zip"), "--data", "/"},
             {place.path("good.zip"), place.path("bad.zip"), "--format", "json"},
             {"/dev/null"}}) {
        const CommandResult result = place.validate(wrong);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, StartsWith("havln-validate: "));
    }
}

TEST_CASE("havln-validate: a broken data root is the organiser's fault", "[cli]") {
    const Workplace place;
    const CommandResult result =
        run(binary("havln-validate"), {place.path("good.zip"), "--data", place.path("nowhere")});
    CHECK(result.exit_code == 3);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, StartsWith("SCORING DATA ERROR (organizer): "));
}

TEST_CASE("havln-validate: --data takes the ids from the ground truth", "[cli]") {
    DataRoot root;
    root.write_episodes("toy", {make_episode("7"), make_episode("a")});
    write_file(root / "good.json", prediction_json("toy", {episode_json("a"), episode_json("7")}));
    write_file(root / "bad.json", prediction_json("toy", {episode_json("7"), episode_json("1")}));
    const auto validate = [&](const char* file, const char* split) {
        return run(binary("havln-validate"),
                   {(root / file).string(), "--data", root.path().string(), "--split", split});
    };
    CHECK_THAT(validate("good.json", "toy").out, StartsWith("PASS: toy 2 episodes, 2 actions"));
    const CommandResult bad = validate("bad.json", "toy");
    CHECK(bad.exit_code == 1);
    CHECK_THAT(bad.out, contains_text("\"1\" is no episode of toy") && contains_text("missing: a"));
    // A split that the data root lacks is the organiser's fault.
    CHECK(validate("good.json", "nowhere").exit_code == 3);
}

TEST_CASE("havln-validate: --split and --phase choose what is required", "[cli]") {
    const Workplace place;
    write_file(place.path("test.json"), good_prediction("test"));
    CHECK(place.validate({place.path("test.json"), "--phase", "2"}).exit_code == 0);
    CHECK(place.validate({place.path("test.json"), "--split", "test"}).exit_code == 0);
    CHECK(place.validate({place.path("test.json")}).exit_code == 1);
    CHECK(place.validate({place.path("good.zip"), "--split", "val_seen"}).exit_code == 0);
}

TEST_CASE("havln-validate: several submissions are checked one after the other", "[cli]") {
    const Workplace place;
    const CommandResult result = place.validate({place.path("good.zip"), place.path("bad.zip")});
    CHECK(result.exit_code == 1);
    CHECK_THAT(result.out,
               contains_text("== " + place.path("good.zip") + "\nPASS: ") &&
                   contains_text("== " + place.path("bad.zip") + "\nSUBMISSION REJECTED: "));
}

TEST_CASE("havln-validate: each format is what it claims to be", "[cli]") {
    const Workplace place;
    const auto shown = [&](const char* format) {
        const CommandResult result = place.validate({place.path("bad.zip"), "--format", format});
        CHECK(result.exit_code == 1);
        return result.out;
    };
    CHECK(JsonTree::parse(shown("json"), "out").find("verdict")->string() == "reject");
    CHECK(JsonTree::parse(shown("sarif"), "out").find("version")->string() == "2.1.0");
    CHECK_THAT(shown("junit"), StartsWith("<?xml "));
    CHECK_THAT(shown("github"), StartsWith("::error title="));
    CHECK_THAT(shown("text"), StartsWith("SUBMISSION REJECTED: "));
}

TEST_CASE("havln-validate: the job summary is appended to where there is one", "[cli]") {
    const Workplace place;
    write_file(place.path("summary.md"), "before\n");
    const std::map<std::string, std::string> environment = {
        {"GITHUB_STEP_SUMMARY", place.path("summary.md")}};
    place.validate({place.path("bad.zip"), "--format", "github"}, environment);
    CHECK_THAT(read_file(place.path("summary.md")),
               StartsWith("before\n### havln-validate\n") && contains_text("action-unknown"));
    const std::string page = read_file(place.path("summary.md"));
    place.validate({place.path("bad.zip")}, environment);
    CHECK(read_file(place.path("summary.md")) == page);
}

TEST_CASE("havln-validate: colour follows --color and NO_COLOR", "[cli]") {
    const Workplace place;
    CHECK_THAT(place.validate({place.path("bad.zip")}).out, !contains_text("\x1b"));
    CHECK_THAT(place.validate({place.path("bad.zip"), "--color", "always"}).out,
               contains_text("\x1b["));
    CHECK_THAT(place.validate({place.path("bad.zip"), "--color", "never"}).out,
               !contains_text("\x1b"));
}

TEST_CASE("havln-validate: limits are options", "[cli]") {
    const Workplace place;
    CHECK(place.validate({place.path("good.zip"), "--max-members", "2"}).exit_code == 0);
    const CommandResult few = place.validate({place.path("good.zip"), "--max-members", "1"});
    CHECK(few.exit_code == 1);
    CHECK_THAT(few.out, contains_text("archive-too-large"));
    ZipFile big = good_archive();
    ZipEntry entry;
    entry.name = "big.bin";
    entry.data = std::string((1 << 20) + 1, 'x');
    big.entries.push_back(entry);
    write_file(place.path("big.zip"), big.bytes());
    CHECK(place.validate({place.path("big.zip")}).exit_code == 0);
    CHECK(place.validate({place.path("big.zip"), "--max-member-mib", "1"}).exit_code == 1);
    CHECK(place.validate({place.path("big.zip"), "--max-member-mib", "2", "--max-total-mib", "1"})
              .exit_code == 1);
    CHECK_THAT(run(binary("havln-validate"), {"--help"}).out,
               contains_text("10000") && contains_text("256") && contains_text("512"));
}

TEST_CASE("havln-validate: --fix writes a mended archive, or nothing", "[cli]") {
    const Workplace place;
    ZipFile folder = good_archive();
    for (ZipEntry& entry : folder.entries) entry.name = "d/" + entry.name;
    write_file(place.path("folder.zip"), folder.bytes());
    const CommandResult mended =
        place.validate({place.path("folder.zip"), "--fix", place.path("out.zip")});
    CHECK(mended.exit_code == 0);
    CHECK_THAT(mended.out, StartsWith("PASS: ") &&
                               contains_text("\nMended:\n  moved \"d/val_seen.json\"") &&
                               contains_text("Written to " + place.path("out.zip")));
    CHECK(place.validate({place.path("out.zip")}).exit_code == 0);

    const CommandResult refused =
        place.validate({place.path("bad.zip"), "--fix", place.path("none.zip")});
    CHECK(refused.exit_code == 1);
    CHECK_THAT(refused.out,
               StartsWith("SUBMISSION REJECTED: ") && contains_text("Nothing was written"));
    CHECK_FALSE(std::filesystem::exists(place.path("none.zip")));

    const CommandResult json = place.validate(
        {place.path("folder.zip"), "--fix", place.path("out.zip"), "--format", "json"});
    CHECK(JsonTree::parse(json.out, "out").find("fix")->find("changes")->array().size() == 2);
    const CommandResult nowhere =
        place.validate({place.path("folder.zip"), "--fix", place.path("no/such/out.zip")});
    CHECK(nowhere.exit_code == 2);
    CHECK(nowhere.out.empty());
}

}  // namespace havln::test
