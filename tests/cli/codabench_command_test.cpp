#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "io/json_tree.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/data_root.h"
#include "support/submissions.h"
#include "support/support.h"
#include "support/toy_navmesh.h"

using namespace havln;
using namespace havln::test;

namespace {

/// "MOVE_FORWARD" * steps, "STOP".
std::string walk(int steps) {
    std::string actions;
    for (int i = 0; i < steps; ++i) actions += "\"MOVE_FORWARD\",";
    return actions + "\"STOP\"";
}

/// /app of a CodaBench run: input/ref with val_seen (episode 1) and val_unseen (1 and 2), each with
/// its goal 5 m ahead on an empty floor, input/res and an empty output.
class Platform {
  public:
    Platform() {
        ToyFloor floor;
        floor.rows.assign(12, ".........");
        floor.origin = {-4.5f, 0, -10};
        write_toy_scene(root_.path(), "scan", {floor}, &floor);
        root_.write_episodes("val_seen", {make_episode("1")});
        root_.write_episodes("val_unseen", {make_episode("1"), make_episode("2")});
        root_.write_baselines("val_seen", {{"1", 0}});
        root_.write_baselines("val_unseen", {{"1", 0}, {"2", 0}});
        Person person;
        person.viewpoint = "vp";
        person.category = "standing";
        for (auto& position : person.position) position = Vec3d{0, 0, -9.5};
        root_.write_people({ScenePeople{"scan", {person}}});
        std::filesystem::create_directories(app_ / "input/res");
        std::filesystem::create_directories(app_ / "output");
        std::filesystem::create_directory_symlink(root_.path(), app_ / "input/ref");
        submit("metadata", "elapsedTime: 0.1\nexitCode: null\n");
    }

    void submit(const std::string& name, const std::string& text) const {
        write_file(app_.path() / "input/res" / name, text);
    }
    /// On the goal in val_seen; on the goal and exactly 3 m short of it in val_unseen.
    void submit_good() const {
        submit("val_seen.json", prediction_json("val_seen", {episode_json("1", walk(20))}));
        submit("val_unseen.json", prediction_json("val_unseen", {episode_json("1", walk(20)),
                                                                 episode_json("2", walk(8))}));
    }
    CommandResult score(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"--codabench", (app_ / "input").string(), output().string()});
        return run(binary("havln-score"), more);
    }
    std::filesystem::path output() const { return app_ / "output"; }
    bool wrote_nothing() const { return std::filesystem::is_empty(output()); }
    JsonTree scores() const {
        return JsonTree::parse(read_file(output() / "scores.json"), "scores.json");
    }
    const DataRoot& root() const { return root_; }
    std::filesystem::path app(const std::string& name) const { return app_ / name; }

  private:
    DataRoot root_;
    TempDir app_;
};

double number_of(const JsonTree& scores, const std::string& key) {
    INFO(key);
    const JsonTree* value = scores.find(key);
    REQUIRE(value != nullptr);
    return value->number();
}

/// A column of the example's leaderboard.
struct Column {
    std::string key, index, sorting;
    bool operator==(const Column&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Column& column) {
    return out << column.key << ' ' << column.index << ' ' << column.sorting;
}

/// The columns in docs/codabench/competition.yaml, read as plain lines.
std::vector<Column> example_columns() {
    std::istringstream lines(
        read_file(std::filesystem::path(HAVLN_SOURCE_DIR) / "docs/codabench/competition.yaml"));
    std::vector<Column> columns;
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (holds(line, "    columns:")) inside = true;
        if (!inside) continue;
        const auto value = [&](const std::string& name) {
            return line.rfind("        " + name + ": ", 0) == 0 ? line.substr(10 + name.size())
                                                                : std::string();
        };
        if (holds(line, "      - title: ")) columns.emplace_back();
        if (columns.empty()) continue;
        if (!value("key").empty()) columns.back().key = value("key");
        if (!value("index").empty()) columns.back().index = value("index");
        if (!value("sorting").empty()) columns.back().sorting = value("sorting");
    }
    return columns;
}

}  // namespace

TEST_CASE("havln-score --codabench: flat scores by split, and those that rank",
          "[cli][codabench]") {
    const Platform platform;
    platform.submit_good();
    const CommandResult result = platform.score();
    INFO(result.out << result.err);
    REQUIRE(result.exit_code == 0);
    const JsonTree scores = platform.scores();
    for (const auto& [key, value] : scores.object()) {
        INFO(key);
        CHECK(value.is_number());
    }
    CHECK(number_of(scores, "val_seen_score") == 100);
    CHECK(number_of(scores, "val_seen_SR") == 1);
    CHECK(number_of(scores, "val_seen_NE") == 0);
    CHECK(number_of(scores, "val_seen_CR") == 0);
    CHECK(number_of(scores, "val_seen_TCR") == 0);
    CHECK(number_of(scores, "val_seen_episodes") == 1);
    // 0.8 * 1/2 + 0.2 * 3/4.5 = 8/15; social 1.
    CHECK(number_of(scores, "val_unseen_navigation") == Approx(8.0 / 15).epsilon(1e-12));
    CHECK(number_of(scores, "val_unseen_social") == 1);
    CHECK(number_of(scores, "val_unseen_score") == Approx(800.0 / 15).epsilon(1e-12));
    CHECK(number_of(scores, "val_unseen_NE") == 1.5);
    CHECK(number_of(scores, "val_unseen_path_length") == 3.5);
    CHECK(number_of(scores, "val_unseen_released_SR") == 0.5);
    // val_unseen ranks.
    CHECK(number_of(scores, "score") == number_of(scores, "val_unseen_score"));
    CHECK(number_of(scores, "SR") == 0.5);
    CHECK(number_of(scores, "NE") == 1.5);
}

TEST_CASE("havln-score --codabench: a lone split ranks", "[cli][codabench]") {
    const Platform platform;
    platform.submit("a.json", prediction_json("val_seen", {episode_json("1", walk(20))}));
    REQUIRE(platform.score({"--split", "val_seen"}).exit_code == 0);
    CHECK(number_of(platform.scores(), "score") == 100);
}

TEST_CASE("havln-score --codabench: the detailed results stand alone", "[cli][codabench]") {
    const Platform platform;
    platform.submit_good();
    REQUIRE(platform.score().exit_code == 0);
    const std::string page = read_file(platform.output() / "detailed_results.html");
    CHECK(page.rfind("<!doctype html>", 0) == 0);
    CHECK(holds(page, "val_unseen"));
    for (const char* outside : {"src=\"http", "href=\"http", "url(http", "@import"}) {
        CHECK_FALSE(holds(page, outside));
    }
}

TEST_CASE("havln-score --codabench: nobody is told of the platform's own file",
          "[cli][codabench]") {
    const Platform platform;
    platform.submit_good();
    const CommandResult good = platform.score();
    CHECK_FALSE(holds(good.out + good.err, "archive-reserved-name"));
    platform.submit("val_seen.json", "{");
    const CommandResult bad = platform.score();
    CHECK_FALSE(holds(bad.out + bad.err, "archive-reserved-name"));
}

TEST_CASE("havln-score --codabench: a rejected submission leaves no scores, and why on stderr",
          "[cli][codabench]") {
    const Platform platform;
    platform.submit_good();
    platform.submit("val_unseen.json",
                    prediction_json("val_unseen", {episode_json("1", walk(20))}));
    const CommandResult result = platform.score();
    CHECK(result.exit_code == 1);
    CHECK(result.out.empty());
    CHECK(holds(result.err, "SUBMISSION REJECTED: 1 error\n"));
    CHECK(holds(result.err, "error[episode-missing]"));
    CHECK(platform.wrote_nothing());
}

TEST_CASE("havln-score --codabench: every split of the reference data is required",
          "[cli][codabench]") {
    const Platform platform;
    platform.submit("val_unseen.json", prediction_json("val_unseen", {episode_json("1", walk(20)),
                                                                      episode_json("2", walk(8))}));
    const CommandResult result = platform.score();
    CHECK(result.exit_code == 1);
    CHECK(holds(result.err, "error[split-missing]"));
    CHECK(platform.wrote_nothing());
}

TEST_CASE("havln-score --codabench: faulty reference data are the organiser's",
          "[cli][codabench]") {
    const Platform platform;
    platform.submit_good();
    std::filesystem::remove(platform.root() / "HA-R2R-tools/collision_num_val_unseen.json");
    const CommandResult result = platform.score();
    CHECK(result.exit_code == 3);
    CHECK(holds(result.err, "SCORING DATA ERROR (organizer): "));
    CHECK(platform.wrote_nothing());
}

TEST_CASE("havln-score --codabench: INPUT says where everything is", "[cli][codabench]") {
    const Platform platform;
    platform.submit_good();
    CHECK(platform.score({"--data", platform.root().path().string()}).exit_code == 2);
    CHECK(platform.score({"submission.zip"}).exit_code == 2);
    CHECK(run(binary("havln-score"), {"--codabench", platform.app("input").string()}).exit_code ==
          2);
    CHECK(platform.wrote_nothing());
}

TEST_CASE("havln-score --codabench: the example's leaderboard sorts in the official order",
          "[cli][codabench]") {
    const std::vector<Column> columns = example_columns();
    REQUIRE(columns.size() >= 5);
    // Score, SR (higher), NE, CR, TCR (lower); index 0 is what CodaBench sorts by first.
    CHECK(columns[0] == Column{"score", "0", "desc"});
    CHECK(columns[1] == Column{"SR", "1", "desc"});
    CHECK(columns[2] == Column{"NE", "2", "asc"});
    CHECK(columns[3] == Column{"CR", "3", "asc"});
    CHECK(columns[4] == Column{"TCR", "4", "asc"});
    const Platform platform;
    platform.submit_good();
    REQUIRE(platform.score().exit_code == 0);
    const JsonTree scores = platform.scores();
    for (const Column& column : columns) number_of(scores, column.key);
}

TEST_CASE("CodaBench bundle: unpacked into a bare folder it runs as the platform runs it",
          "[cli][codabench]") {
    for (const std::string tool : {"zip", "ldd", "strip", "dpkg-query"}) {
        if (run("/bin/sh", {"-c", "command -v " + tool}).exit_code == 0) continue;
        WARN("SKIPPED: " << tool << " is not installed");
        return;
    }
    const Platform platform;
    platform.submit_good();
    const std::filesystem::path source(HAVLN_SOURCE_DIR), program = platform.app("program");
    const CommandResult made =
        run("/bin/bash",
            {(source / "scripts/make-codabench-bundle.sh").string(),
             platform.app("program.zip").string()},
            {{"HAVLN_SCORE", binary("havln-score").string()}, {"HAVLN_SKIP_INSTALL", "1"}});
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    std::filesystem::create_directory(program);
    REQUIRE(run("/bin/sh", {"-c", "cd '" + program.string() +
                                      "' && cmake -E tar xf ../program.zip && chmod a-x *"})
                .exit_code == 0);
    for (const auto& entry : std::filesystem::directory_iterator(program)) {
        CHECK(entry.is_regular_file());  // flat
    }
    // The command of metadata.yaml, its /app being ours, with nothing of our environment.
    const CommandResult result =
        run("/bin/sh",
            {"-c", "cd '" + program.string() +
                       "' && command=$(sed -n 's/^command: //p' metadata.yaml | sed 's|/app/|" +
                       platform.app("").string() +
                       "|g') && exec env -i PATH=/bin:/usr/bin "
                       "$command"});
    INFO(result.out << result.err);
    CHECK(result.exit_code == 0);
    const std::string scores = read_file(platform.output() / "scores.json");
    REQUIRE(platform.score().exit_code == 0);
    CHECK(scores == read_file(platform.output() / "scores.json"));

    std::filesystem::remove_all(platform.output());
    std::filesystem::create_directory(platform.output());
    platform.submit("val_seen.json", "{");
    const CommandResult rejected =
        run("/bin/sh",
            {"-c", "exec /bin/sh '" + (program / "score.sh").string() + "' '" +
                       platform.app("input").string() + "' '" + platform.output().string() + "'"});
    CHECK(rejected.exit_code == 1);
    CHECK(holds(rejected.err, "SUBMISSION REJECTED:"));
    CHECK(platform.wrote_nothing());
}
