#include <fstream>
#include <functional>
#include <string>

#include "io/file.h"
#include "io/json_tree.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/data_root.h"
#include "support/support.h"
#include "support/toy_navmesh.h"

using namespace havln;
using namespace havln::test;

namespace {

/// "MOVE_FORWARD" * steps + "STOP".
std::string walk(int steps) {
    std::string actions;
    for (int i = 0; i < steps; ++i) actions += "\"MOVE_FORWARD\",";
    return "[" + actions + "\"STOP\"]";
}

std::string prediction(const std::string& episodes) {
    return R"({"format_version": 1, "split": "toy", "episodes": [)" + episodes + "]}";
}

std::string episode(const std::string& id, const std::string& actions) {
    return R"({"episode_id": ")" + id + R"(", "actions": )" + actions + "}";
}

/// An empty floor of 9 x 12 m: the agent starts at the origin, 10 m from the wall it faces.
/// Episode 1 and 2 have their goal 5 m ahead.
class ToyRoot : public DataRoot {
  public:
    ToyRoot() {
        ToyFloor floor;
        floor.rows.assign(12, ".........");
        floor.origin = {-4.5f, 0, -10};
        write_toy_scene(path(), "scan", {floor}, &floor);
        write_episodes("toy", {make_episode("1"), make_episode("2")});
        write_baselines("toy", {{"1", 0}, {"2", 0}});
        Person person;
        person.viewpoint = "vp";
        person.category = "standing";
        for (auto& position : person.position) position = Vec3d{0, 0, -9.5};
        write_people({ScenePeople{"scan", {person}}});
        test::write_file(*this / "two.json",
                         prediction(episode("1", walk(20)) + "," + episode("2", walk(8))));
    }

    CommandResult score(const std::string& submission, std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments = {(*this / submission).string(), "--data",
                                              path().string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(binary("havln-score"), arguments);
    }
};

JsonTree parse(const std::string& text) {
    return JsonTree::parse(text, "output");
}

double number_at(const JsonTree& tree, std::initializer_list<const char*> path) {
    const JsonTree* at = &tree;
    for (const char* key : path) {
        at = at->find(key);
        REQUIRE(at != nullptr);
    }
    return at->number();
}

}  // namespace

TEST_CASE("havln-score: the toy walks score what paper says", "[cli][score]") {
    const ToyRoot root;
    const CommandResult result = root.score("two.json", {"--format", "json"});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const JsonTree summary = parse(result.out);
    const JsonTree* split = summary.find("splits")->find("toy");
    REQUIRE(split != nullptr);
    // Episode 1 stops on its goal; episode 2 stops exactly 3 m short, which is no success.
    CHECK(number_at(*split, {"SR"}) == 0.5);
    CHECK(number_at(*split, {"NE"}) == 1.5);
    CHECK(number_at(*split, {"CR"}) == 0);
    CHECK(number_at(*split, {"TCR"}) == 0);
    // 0.8 * 1/2 + 0.2 * 3/4.5 = 8/15; no collision: social 1; 100 * 8/15 * 1.
    CHECK(number_at(*split, {"navigation"}) == Approx(8.0 / 15).epsilon(1e-12));
    CHECK(number_at(*split, {"social"}) == 1);
    CHECK(number_at(*split, {"score"}) == Approx(800.0 / 15).epsilon(1e-12));
    CHECK(number_at(*split, {"episodes"}) == 2);
    CHECK(number_at(*split, {"means", "path_length"}) == 3.5);
    CHECK(number_at(*split, {"means", "oracle_navigation_error"}) == 1.5);
    CHECK(split->find("collision_reading")->string() == "contact");
    CHECK(split->find("other_reading")->find("name")->string() == "released");
    CHECK(split->find("tie_break_key")->array().size() == 5);
    CHECK_FALSE(summary.find("partial")->boolean());
    CHECK(holds(summary.find("signature")->string(), "collisions:contact"));
}

TEST_CASE("havln-score: a person's envelope separates the two readings", "[cli][score]") {
    const ToyRoot root;
    // Into the wall 10 m ahead, where a person stands half a metre from it, and 6 m along it after
    // a right turn, where nobody is.
    std::string to_side_wall = "[";
    for (int i = 0; i < 6; ++i) to_side_wall += "\"TURN_RIGHT\",";
    for (int i = 0; i < 20; ++i) to_side_wall += "\"MOVE_FORWARD\",";
    to_side_wall += "\"STOP\"]";
    write_file(root / "walls.json",
               prediction(episode("1", walk(42)) + "," + episode("2", to_side_wall)));
    const CommandResult result = root.score("walls.json", {"--out", (root / "out").string()});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const JsonTree rows = parse(read_file(root / "out/episode_metrics.json"));
    const JsonTree& ahead = rows.array().at(0);
    const JsonTree& aside = rows.array().at(1);
    // 40 free steps to the wall, then 2 blocked ones; sideways 18 free steps (4.5 m), then 2.
    CHECK(number_at(ahead, {"collisions", "count"}) == 2);
    CHECK(number_at(ahead, {"collisions", "human"}) == 2);
    CHECK(number_at(aside, {"collisions", "count"}) == 2);
    CHECK(number_at(aside, {"collisions", "human"}) == 0);
    CHECK(number_at(ahead, {"steps_taken"}) == 43);
    CHECK(number_at(aside, {"steps_taken"}) == 27);
    const JsonTree summary = parse(read_file(root / "out/score_summary.json"));
    const JsonTree* split = summary.find("splits")->find("toy");
    CHECK(number_at(*split, {"TCR"}) == 1);
    CHECK(number_at(*split, {"other_reading", "TCR"}) == 2);
}

TEST_CASE("havln-score: a part is marked partial and has no tie-break key", "[cli][score]") {
    const ToyRoot root;
    for (const auto& part : {std::vector<std::string>{"--episodes", "2-2"},
                             std::vector<std::string>{"--scenes", "scan"}}) {
        auto arguments = part;
        arguments.insert(arguments.end(), {"--format", "json"});
        const CommandResult result = root.score("two.json", arguments);
        REQUIRE(result.exit_code == 0);
        const JsonTree summary = parse(result.out);
        CHECK(summary.find("partial")->boolean());
        CHECK(summary.find("splits")->find("toy")->find("tie_break_key") == nullptr);
    }
    CHECK(root.score("two.json", {"--episodes", "2,9"}).exit_code == 2);
    CHECK(root.score("two.json", {"--scenes", "elsewhere"}).exit_code == 2);
    CHECK(root.score("two.json", {"--episodes", "5-1"}).exit_code == 2);
    CHECK(root.score("two.json", {"--episodes", ","}).exit_code == 2);
}

TEST_CASE("havln-score: a rejected submission exits 1 and writes no score", "[cli][score]") {
    const ToyRoot root;
    write_file(root / "bad.json", prediction(episode("1", R"(["Stop"])")));
    const CommandResult result = root.score("bad.json", {"--out", (root / "out").string()});
    CHECK(result.exit_code == 1);
    CHECK(result.out.rfind("SUBMISSION REJECTED:", 0) == 0);
    CHECK(holds(result.out, "action-unknown"));
    CHECK(holds(result.out, "episode-missing"));
    CHECK_FALSE(std::filesystem::exists(root / "out"));
}

TEST_CASE("havln-score: wrong usage exits 2", "[cli][score]") {
    const ToyRoot root;
    CHECK(run(binary("havln-score"), {(root / "two.json").string()}).exit_code == 2);
    CHECK(run(binary("havln-score"), {}).exit_code == 2);
    CHECK(root.score("absent.json").exit_code == 2);
    CHECK(root.score("two.json", {"--collisions", "walls"}).exit_code == 2);
    CHECK(root.score("two.json", {"--frames-per-action", "-1"}).exit_code == 2);
    CHECK(root.score("two.json", {"--frames-per-action", "nan"}).exit_code == 2);
    CHECK(root.score("two.json", {"--clock", "wall"}).exit_code == 2);
    CHECK(root.score("two.json", {"--human-influenced", "toy=0"}).exit_code == 2);
    CHECK(root.score("two.json", {"--jobs", "0"}).exit_code == 2);
    write_file(root / "file", "");
    CHECK(root.score("two.json", {"--out", (root / "file").string()}).exit_code == 2);
    CHECK(root.score("two.json", {"--trace", (root / "no/such/t.jsonl").string()}).exit_code == 2);
    CHECK(run(binary("havln-score"), {"--help"}).exit_code == 0);
    CHECK(run(binary("havln-score"), {"--version"}).out.rfind("havln-score ", 0) == 0);
}

TEST_CASE("havln-score: ground truth at fault exits 3 in one line and writes nothing",
          "[cli][score]") {
    struct Fault {
        const char* what;
        std::function<void(ToyRoot&)> make;
        const char* named;  ///< What the message must name.
    };
    const std::string frame = "recompute_navmesh/scan/scan_007.navmesh";
    const std::vector<Fault> faults = {
        {"no people's positions",
         [](ToyRoot& r) {
             std::filesystem::remove(r / "Multi-Human-Annotations/human_motion.json");
         },
         "--collisions released"},
        {"no baselines",
         [](ToyRoot& r) { std::filesystem::remove(r / "HA-R2R-tools/collision_num_toy.json"); },
         "collision_num_toy.json"},
        {"a missing frame", [&](ToyRoot& r) { std::filesystem::remove(r / frame); },
         "scan_007.navmesh"},
        {"a frame of another kind", [&](ToyRoot& r) { r.write(frame, "not a navmesh"); },
         "scan_007.navmesh"},
        {"a frame cut short",
         [&](ToyRoot& r) { r.write(frame, read_file(r / frame).substr(0, 512)); },
         "scan_007.navmesh"},
        {"corrupt episodes",
         [](ToyRoot& r) {
             std::string bytes = read_file(r / "HA-R2R/toy/toy.json.gz");
             bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
             r.write("HA-R2R/toy/toy.json.gz", bytes);
         },
         "toy.json.gz"},
    };
    for (const Fault& fault : faults) {
        INFO(fault.what);
        ToyRoot root;
        fault.make(root);
        const CommandResult result = root.score(
            "two.json",
            {"--out", (root / "out").string(), "--trace", (root / "trace.jsonl").string()});
        INFO(result.err);
        CHECK(result.exit_code == 3);
        CHECK(result.out.empty());
        CHECK(result.err.rfind("SCORING DATA ERROR (organizer): ", 0) == 0);
        CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
        CHECK(holds(result.err, fault.named));
        CHECK_FALSE(std::filesystem::exists(root / "out"));
        CHECK_FALSE(std::filesystem::exists(root / "trace.jsonl"));
    }
    const ToyRoot root;
    const auto with_data = [&](const std::string& data) {
        return run(binary("havln-score"), {(root / "two.json").string(), "--data", data}).exit_code;
    };
    CHECK(with_data((root / "two.json").string()) == 3);
    CHECK(with_data((root / "absent").string()) == 3);
    CHECK(root.score("two.json", {"--split", "nowhere"}).exit_code == 3);
}

TEST_CASE("havln-score: a broken split counts only where the submission holds it or it is named",
          "[cli][score]") {
    ToyRoot root;
    root.write("HA-R2R/other/other.json", "{");
    const CommandResult unnamed = root.score("two.json", {"--format", "json"});
    INFO(unnamed.err);
    REQUIRE(unnamed.exit_code == 0);
    CHECK(unnamed.out == root.score("two.json", {"--format", "json", "--split", "toy"}).out);
    CHECK(root.score("two.json", {"--split", "other"}).exit_code == 3);

    std::filesystem::create_directories(root / "both");
    std::filesystem::copy_file(root / "two.json", root / "both/toy.json");
    std::string other = read_file(root / "two.json");
    other.replace(other.find("\"toy\""), 5, "\"other\"");
    write_file(root / "both/other.json", other);
    const CommandResult held = root.score("both");
    CHECK(held.exit_code == 3);
    CHECK(holds(held.err, "other.json"));
}

TEST_CASE("havln-score: of several faults of the ground truth the same one is named, whatever jobs",
          "[cli][score]") {
    // What is broken later is named first: splits by name, each with its episodes, baselines and
    // gt; then scenes in the order of the episodes, each with its navmeshes and people.
    ToyRoot root;
    std::filesystem::create_directories(root / "both");
    std::string predictions = prediction(episode("1", walk(20)) + "," + episode("2", walk(8)));
    for (const char* split : {"a", "b"}) {
        root.write_episodes(split, {make_episode("1", "scan"), make_episode("2", "elsewhere")});
        root.write_baselines(split, {{"1", 0}, {"2", 0}});
        std::string text = predictions;
        text.replace(text.find("\"toy\""), 5, "\"" + std::string(split) + "\"");
        write_file(root / "both" / (std::string(split) + ".json"), text);
    }
    const auto named = [&](const std::string& what) {
        for (const char* jobs : {"1", "2", "8"}) {
            const CommandResult result = root.score("both", {"--jobs", jobs});
            INFO(jobs << ": " << result.err);
            CHECK(result.exit_code == 3);
            CHECK(holds(result.err, what));
        }
    };
    const std::string whole = read_file(root / "HA-R2R/a/a.json.gz");
    named("recompute_navmesh/elsewhere");
    root.write("Multi-Human-Annotations/human_motion.json", "[");
    named("human_motion.json");
    std::filesystem::remove(root / "recompute_navmesh/scan/scan_003.navmesh");
    named("scan_003.navmesh");
    root.write("HA-R2R/b/b_gt.json", "[");
    named("b_gt.json");
    root.write("HA-R2R-tools/collision_num_b.json", "[");
    named("collision_num_b.json");
    root.write("HA-R2R/a/a.json.gz", "no gzip");
    named("a.json.gz");
    root.write("HA-R2R/a/a.json.gz", whole);
    named("collision_num_b.json");
}

TEST_CASE("havln-score: people's positions are not needed for the released reading",
          "[cli][score]") {
    const ToyRoot root;
    std::filesystem::remove(root / "Multi-Human-Annotations/human_motion.json");
    const CommandResult result =
        root.score("two.json", {"--collisions", "released", "--format", "json"});
    REQUIRE(result.exit_code == 0);
    const JsonTree summary = parse(result.out);
    CHECK(summary.find("splits")->find("toy")->find("other_reading") == nullptr);
}

TEST_CASE("havln-score: several submissions in one call give each its own folder", "[cli][score]") {
    const ToyRoot root;
    std::filesystem::create_directories(root / "a");
    std::filesystem::create_directories(root / "b");
    std::filesystem::copy_file(root / "two.json", root / "a/p.json");
    std::filesystem::copy_file(root / "two.json", root / "b/p.json");
    const CommandResult both =
        run(binary("havln-score"), {(root / "a").string(), (root / "b").string(), "--data",
                                    root.path().string(), "--out", (root / "out").string()});
    INFO(both.err);
    REQUIRE(both.exit_code == 0);
    REQUIRE(root.score("two.json", {"--out", (root / "single").string()}).exit_code == 0);
    for (const char* file : {"score_summary.json", "episode_metrics.json"}) {
        const std::string single = read_file(root / "single" / file);
        CHECK(read_file(root / "out/a" / file) == single);
        CHECK(read_file(root / "out/b" / file) == single);
    }
}

TEST_CASE("havln-score: outputs that would overwrite an input or each other are refused",
          "[cli][score]") {
    const ToyRoot root;
    const std::string submission = (root / "two.json").string();
    const std::string before = read_file(submission);
    std::filesystem::create_symlink("two.json", root / "link.json");
    const auto refused = [&](std::vector<std::string> more, const char* why) {
        const CommandResult result = root.score("two.json", std::move(more));
        INFO(result.err);
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, contains_text(why));
        CHECK(read_file(submission) == before);
    };
    refused({"--trace", submission}, "--trace would overwrite an input");
    refused({"--rows", (root / "x/../two.json").string()}, "--rows would overwrite an input");
    refused({"--report", (root / "link.json").string()}, "--report would overwrite an input");
    const std::string same = (root / "same").string();
    refused({"--trace", same, "--rows", same}, "--trace and --rows name the same file");
    CHECK_FALSE(std::filesystem::exists(same));
    const std::string out = (root / "out").string();
    refused({"--out", out, "--rows", out + "/score_summary.json"},
            "--out and --rows name the same file");
    refused({"--out", out, "--report", out + "/./episode_metrics.json"},
            "--out and --report name the same file");
    CHECK_FALSE(std::filesystem::exists(out));
    CHECK(root.score("two.json", {"--trace", "/dev/null", "--rows", "/dev/null"}).exit_code == 0);
}

TEST_CASE("havln-score: a split named twice is scored once", "[cli][score]") {
    const ToyRoot root;
    const CommandResult once = root.score("two.json", {"--split", "toy"});
    const CommandResult twice = root.score("two.json", {"--split", "toy", "--split", "toy"});
    INFO(twice.err);
    CHECK(twice.exit_code == 0);
    CHECK(twice.out == once.out);
}

TEST_CASE("havln-score: --human-influenced must be possible", "[cli][score]") {
    const ToyRoot root;  // two episodes
    CHECK(root.score("two.json", {"--human-influenced", "toy=2"}).exit_code == 0);
    const CommandResult many = root.score("two.json", {"--human-influenced", "toy=3"});
    CHECK(many.exit_code == 2);
    CHECK_THAT(many.err, contains_text("3 of the 2 episodes of \"toy\""));
    const CommandResult other = root.score("two.json", {"--human-influenced", "toi=1"});
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, contains_text("the data has no split \"toi\"; it has toy"));
}

TEST_CASE("havln-score: a choice that is none names the choices", "[cli][score]") {
    const CommandResult result = run(binary("havln-score"), {"--collisions", "all"});
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, contains_text("--collisions: \"all\" is none of: contact, released"));
    const CommandResult stray = run(binary("havln-score"), {"--show-profile", "vln-ce"});
    CHECK(stray.exit_code == 2);
    CHECK_THAT(stray.err, contains_text("--profile names the profile"));
}

TEST_CASE("havln-score: a name of dots does not lead out of --out", "[cli][score]") {
    const ToyRoot root;
    std::filesystem::create_directories(root / "one/...zip");
    std::filesystem::create_directories(root / "two");
    for (const char* folder : {"one/...zip", "two"}) {
        std::filesystem::copy_file(root / "two.json", root / folder / "toy.json");
    }
    const CommandResult result =
        root.score("one/...zip", {(root / "two").string(), "--out", (root / "deep/out").string()});
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK_FALSE(std::filesystem::exists(root / "deep/score_summary.json"));
}

TEST_CASE("havln-score: a scan that human_motion.json does not name draws one warning",
          "[cli][score]") {
    ToyRoot root;
    CHECK_FALSE(holds(root.score("two.json").err, "human_motion.json"));
    root.write_people({ScenePeople{"another", {}}});
    const CommandResult result = root.score("two.json");
    CHECK(result.exit_code == 0);
    const std::string warning =
        "warning: split toy: human_motion.json names nobody in 1 scan (2 of 2 episodes): scan; ";
    const std::size_t first = result.err.find(warning);
    REQUIRE(first != std::string::npos);
    CHECK(result.err.find("human_motion.json", first + warning.size()) == std::string::npos);
    CHECK(holds(root.score("two.json", {"--episodes", "2"}).err, "(1 of 1 episodes): scan; "));
    // A profile without people does not miss them.
    CHECK_FALSE(holds(root.score("two.json", {"--profile", "vln-ce"}).err, "human_motion.json"));
    root.write_people({ScenePeople{"scan", {}}});  // named and empty: meant so
    CHECK_FALSE(holds(root.score("two.json").err, "human_motion.json"));
}

TEST_CASE("commands: a split without episodes is the organiser's fault, whatever is submitted",
          "[cli][score]") {
    ToyRoot root;
    root.write_episodes("toy", {});
    root.write_baselines("toy", {});
    test::write_file(root / "none.json", prediction(""));
    for (const char* submission : {"two.json", "none.json"}) {
        const std::string file = (root / submission).string();
        for (const CommandResult& result :
             {root.score(submission), root.score(submission, {"--split", "toy"}),
              run(binary("havln-validate"),
                  {file, "--data", root.path().string(), "--split", "toy"})}) {
            CHECK(result.exit_code == 3);
            CHECK(result.out.empty());
            CHECK(holds(result.err, "SCORING DATA ERROR (organizer): "));
            CHECK(holds(result.err, "toy.json.gz: holds no episode"));
        }
    }
}

TEST_CASE("havln-score: nothing is written among the ground truth's files", "[cli][score]") {
    const ToyRoot root;
    const auto baselines = root / "HA-R2R-tools/collision_num_toy.json";
    const std::string before = read_file(baselines);
    for (const char* option : {"--rows", "--trace", "--report"}) {
        const CommandResult result = root.score("two.json", {option, baselines.string()});
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, contains_text("would write among the ground truth's files"));
    }
    CHECK(read_file(baselines) == before);
    CHECK(root.score("two.json", {"--out", (root / "HA-R2R/../HA-R2R/toy").string()}).exit_code ==
          2);
    CHECK(root.score("two.json", {"--out", (root / "results").string()}).exit_code == 0);
}

TEST_CASE("havln-score: an option without text is refused, not left out", "[cli][score]") {
    const ToyRoot root;
    for (const char* option : {"--out", "--rows", "--trace", "--report", "--manifest"}) {
        const CommandResult result = root.score("two.json", {option, ""});
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, contains_text(std::string(option) + ": is empty"));
    }
}

TEST_CASE(
    "havln-score: a data root that lacks the challenge's episodes is at fault, not the "
    "submission",
    "[cli][score]") {
    const ToyRoot root;
    write_file(root / "m.json", R"({"splits": {"toy": {"count": 3, "human_influenced": 2}}})");
    write_file(root / "three.json", prediction(episode("1", walk(1)) + "," + episode("2", walk(1)) +
                                               "," + episode("3", walk(1))));
    for (const auto& split : {std::vector<std::string>{}, {"--split", "toy"}}) {
        std::vector<std::string> more = {"--manifest", (root / "m.json").string()};
        more.insert(more.end(), split.begin(), split.end());
        const CommandResult result = root.score("three.json", more);
        CHECK(result.exit_code == 3);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, contains_text("HA-R2R/toy: holds 2 episodes, which are not the 3 of "
                                             "the challenge's toy"));
    }
    // What is wrong by the manifest too is the submission's own fault.
    write_file(root / "four.json", prediction(episode("4", walk(1))));
    CHECK(root.score("four.json", {"--manifest", (root / "m.json").string()}).exit_code == 1);
    CHECK(root.score("three.json").exit_code == 1);
}

TEST_CASE("havln-score: a manifest's count of other episodes is told, not silently dropped",
          "[cli][score]") {
    const ToyRoot root;
    write_file(root / "m.json", R"({"splits": {"toy": {"count": 3, "human_influenced": 2}}})");
    const CommandResult other = root.score("two.json", {"--manifest", (root / "m.json").string()});
    CHECK(other.exit_code == 0);
    CHECK_THAT(other.err, contains_text("the 2 human-influenced episodes that the manifest counts "
                                        "are of 3 episodes, while the data has 2"));
    write_file(root / "m.json", R"({"splits": {"toy": {"count": 2, "human_influenced": 2}}})");
    CHECK(root.score("two.json", {"--manifest", (root / "m.json").string()}).err.empty());
}

TEST_CASE("havln-score: of several submissions one that is not there stops before the first",
          "[cli][score]") {
    const ToyRoot root;
    std::filesystem::create_directories(root / "a");
    std::filesystem::copy_file(root / "two.json", root / "a/p.json");
    const CommandResult result =
        run(binary("havln-score"), {(root / "a").string(), (root / "absent.zip").string(), "--data",
                                    root.path().string(), "--out", (root / "out").string()});
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, contains_text("absent.zip: does not exist"));
    CHECK_FALSE(std::filesystem::exists(root / "out"));
}

TEST_CASE("havln-score: --format json gives JSON for a rejection too", "[cli][score]") {
    const ToyRoot root;
    write_file(root / "bad.json", prediction(episode("1", R"(["Stop"])")));
    const CommandResult result = root.score("bad.json", {"--format", "json"});
    CHECK(result.exit_code == 1);
    CHECK(parse(result.out).find("verdict")->string() == "reject");
}

TEST_CASE("havln-score: a data root without splits is at fault", "[cli][score]") {
    const ToyRoot root;
    std::filesystem::remove_all(root / "HA-R2R/toy");
    const CommandResult result = root.score("two.json");
    CHECK(result.exit_code == 3);
    CHECK_THAT(result.err, contains_text("HA-R2R: holds no split"));
}

TEST_CASE("havln-score: paths that cannot be looked at are at fault, not the program",
          "[cli][score]") {
    const ToyRoot root;
    const std::string endless(300, 'x');
    CHECK(root.score("two.json", {"--profile", endless}).exit_code == 2);
    const auto frames = root / "recompute_navmesh/scan";
    std::filesystem::create_symlink("scan.navmeshpack", frames / "scan.navmeshpack");
    const CommandResult pack = root.score("two.json");
    CHECK(pack.exit_code == 3);
    CHECK_THAT(pack.err, contains_text("scan.navmeshpack: cannot be opened"));
    std::filesystem::remove(frames / "scan.navmeshpack");
    const auto still = root / "scene_datasets/mp3d/scan/scan.navmesh";
    std::filesystem::remove(still);
    std::filesystem::create_symlink("scan.navmesh", still);
    CHECK(root.score("two.json").exit_code == 3);
}

TEST_CASE("havln-score: where the system gives no more threads fewer do the work", "[cli][score]") {
    if (kAddressSanitizer) {
        WARN("SKIPPED: the address sanitizer needs more addresses than the test leaves");
        return;
    }
    const ToyRoot root;
    const CommandResult plain = root.score("two.json");
    // 64 stacks of 8 MiB do not fit into 300 MB of addresses.
    const CommandResult few =
        run("/bin/sh", {"-c", "ulimit -v 300000; ulimit -s 8192; exec \"$0\" \"$@\"",
                        binary("havln-score").string(), (root / "two.json").string(), "--data",
                        root.path().string(), "--jobs", "64"});
    INFO(few.err);
    CHECK(few.exit_code == 0);
    CHECK(few.out == plain.out);
}
