#include <cmath>
#include <map>
#include <string>

#include "io/file.h"
#include "io/json_tree.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/reference.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

struct Golden {
    const char* submission;
    const char* data;
    const char* split;
    const char* frames_per_action;
    const char* trace;
    const char* metrics;  ///< Null where there are none.
    std::size_t steps;
};

const Golden kGoldens[] = {
    {"vectors/mini_gt.json", "real/havln2", "mini_gt", "0", "vectors/mini_gt_static.trace.jsonl.gz",
     "vectors/mini_gt_static.metrics.json", 4968},
    {"vectors/mini_random.json", "real/havln2", "mini_random", "1",
     "vectors/mini_random_slide.trace.jsonl.gz", "vectors/mini_random_slide.metrics.json", 50407},
    {"synth/synth_shared.json", "synth", "synth_shared", "1",
     "synth/synth_shared_slide.trace.jsonl.gz", nullptr, 51595},
};

std::vector<std::string> arguments(const Golden& golden, const std::filesystem::path& out) {
    return {shared(golden.submission).string(),
            "--data",
            shared(golden.data).string(),
            "--split",
            golden.split,
            "--collisions",
            "released",
            "--frames-per-action",
            golden.frames_per_action,
            "--out",
            out.string(),
            "--trace",
            (out / "trace.jsonl").string()};
}

void run_golden(const Golden& golden, const std::filesystem::path& out,
                std::vector<std::string> more = {}) {
    std::filesystem::create_directories(out);
    auto all = arguments(golden, out);
    all.insert(all.end(), more.begin(), more.end());
    const CommandResult result = run(binary("havln-score"), all);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
}

struct OutputLine {
    std::vector<Vec3f> positions;
    std::vector<std::uint8_t> collided;
};

std::map<std::string, OutputLine> read_trace(const std::filesystem::path& path) {
    std::map<std::string, OutputLine> lines;
    const std::string text = read_file(path);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        const JsonTree line = JsonTree::parse(text.substr(at, end - at), path);
        OutputLine& out = lines[line.find("episode_id")->string()];
        for (const JsonTree& p : line.find("positions")->array()) {
            out.positions.push_back(to_point(p));
        }
        for (const JsonTree& c : line.find("collided")->array()) {
            out.collided.push_back(static_cast<std::uint8_t>(c.integer()));
        }
        at = end + 1;
    }
    return lines;
}

void compare_metrics(const JsonTree& ours, const JsonTree& reference) {
    const auto number = [](const JsonTree& tree, const char* key) {
        const JsonTree* at = tree.find(key);
        REQUIRE(at != nullptr);
        return at->number();
    };
    CHECK(ours.find("collisions")->find("count")->integer() ==
          reference.find("collisions")->integer());
    for (const char* key :
         {"steps_taken", "baseline", "TCR", "CR", "SR", "success", "oracle_success"}) {
        INFO(key);
        CHECK(number(ours, key) == number(reference, key));
    }
    for (const char* key :
         {"distance_to_goal", "start_distance", "oracle_navigation_error", "ndtw"}) {
        INFO(key);
        CHECK(number(ours, key) == Approx(number(reference, key)).epsilon(1e-9).margin(1e-12));
    }
    for (const char* key : {"path_length", "spl", "soft_spl"}) {
        INFO(key);
        CHECK(number(ours, key) == Approx(number(reference, key)).epsilon(1e-6).margin(1e-12));
    }
}

}  // namespace

TEST_CASE("havln-score --trace: every position and flag equals Habitat's", "[cli][golden]") {
    HAVLN_NEED_SHARED("vectors");
    for (const Golden& golden : kGoldens) {
        INFO(golden.split);
        const TempDir out;
        run_golden(golden, out.path());
        const auto lines = read_trace(out / "trace.jsonl");
        std::size_t steps = 0, wrong = 0;
        for (const ReferenceTrace& reference : read_reference_traces(golden.trace)) {
            const auto at = lines.find(reference.episode_id);
            REQUIRE(at != lines.end());
            REQUIRE(at->second.positions.size() == reference.positions.size());
            REQUIRE(at->second.collided == reference.collided);
            for (std::size_t i = 0; i < reference.positions.size(); ++i) {
                if (!same_bits(at->second.positions[i], reference.positions[i])) ++wrong;
            }
            steps += reference.collided.size();
        }
        CHECK(wrong == 0);
        CHECK(steps == golden.steps);
    }
}

TEST_CASE("havln-score --out: episode and split metrics equal the reference's", "[cli][golden]") {
    HAVLN_NEED_SHARED("vectors");
    for (const Golden& golden : kGoldens) {
        if (golden.metrics == nullptr) continue;
        INFO(golden.split);
        const TempDir out;
        run_golden(golden, out.path());
        const JsonTree reference = read_shared_json(golden.metrics);
        const JsonTree rows = JsonTree::parse(read_file(out / "episode_metrics.json"), "rows");
        const auto& expected = reference.find("episodes")->array();
        REQUIRE(rows.array().size() == expected.size());
        std::map<std::string, const JsonTree*> by_id;
        for (const JsonTree& row : rows.array()) by_id[row.find("episode_id")->string()] = &row;
        for (const JsonTree& row : expected) {
            const std::string id = row.find("episode_id")->string();
            INFO("episode " + id);
            REQUIRE(by_id.count(id) == 1);
            compare_metrics(*by_id[id], row);
        }
        const JsonTree summary = JsonTree::parse(read_file(out / "score_summary.json"), "summary");
        const JsonTree* split = summary.find("splits")->find(golden.split);
        for (const char* key : {"SR", "NE", "TCR", "CR", "navigation", "social", "score"}) {
            INFO(key);
            CHECK(split->find(key)->number() ==
                  Approx(reference.find("summary")->find(key)->number()).epsilon(1e-9));
        }
    }
}

TEST_CASE("havln-score: the same bytes whatever --jobs, locale and order of episodes",
          "[cli][golden]") {
    HAVLN_NEED_SHARED("vectors");
    const Golden& golden = kGoldens[1];
    const TempDir out;
    run_golden(golden, out / "1", {"--jobs", "1"});
    run_golden(golden, out / "2", {"--jobs", "2"});
    run_golden(golden, out / "5", {"--jobs", "5"});

    // The same episodes, last first.
    const JsonTree submission = read_shared_json(golden.submission);
    std::string reversed;
    for (const JsonTree& episode : submission.find("episodes")->array()) {
        std::string actions;
        for (const JsonTree& action : episode.find("actions")->array()) {
            actions += (actions.empty() ? "\"" : ",\"") + action.string() + "\"";
        }
        reversed = R"({"actions":[)" + actions + R"(],"episode_id":")" +
                   episode.find("episode_id")->string() + "\"}" + (reversed.empty() ? "" : ",") +
                   reversed;
    }
    write_file(out / "reversed.json", R"({"episodes":[)" + reversed + R"(],"split":")" +
                                          golden.split + R"(","format_version":1})");
    std::filesystem::create_directories(out / "r");
    auto arguments_reversed = arguments(golden, out / "r");
    arguments_reversed[0] = (out / "reversed.json").string();
    REQUIRE(run(binary("havln-score"), arguments_reversed, {{"LC_ALL", "de_DE.UTF-8"}}).exit_code ==
            0);

    for (const char* file : {"score_summary.json", "episode_metrics.json", "trace.jsonl"}) {
        INFO(file);
        const std::string one = read_file(out / "1" / file);
        CHECK(read_file(out / "2" / file) == one);
        CHECK(read_file(out / "5" / file) == one);
        CHECK(read_file(out / "r" / file) == one);
    }
}

TEST_CASE("havln-score: scoring mini_random takes less than 200 MB", "[cli][golden]") {
    HAVLN_NEED_SHARED("vectors");
#if defined(__SANITIZE_ADDRESS__)
    // Sanitizers multiply memory; the bound is for what users run.
    constexpr long kLimit_kib = 2000 * 1024;
#else
    constexpr long kLimit_kib = 200 * 1024;
#endif
    const TempDir out;
    const CommandResult result = run(binary("havln-score"), arguments(kGoldens[1], out.path()));
    REQUIRE(result.exit_code == 0);
    CHECK(result.peak_rss_kib < kLimit_kib);
}
