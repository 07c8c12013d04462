#include "report/score_json.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "io/json_tree.h"
#include "report/score_table.h"
#include "support/catch.h"

using namespace havln;
using namespace havln::test;

namespace {

JsonTree parse(const std::string& text) {
    return JsonTree::parse(text, "output");
}

const JsonTree& at(const JsonTree& tree, std::initializer_list<const char*> path) {
    const JsonTree* place = &tree;
    for (const char* key : path) {
        place = place->find(key);
        INFO(key);
        REQUIRE(place != nullptr);
    }
    return *place;
}

/// Keys of an object, in file order, joined by spaces.
std::string keys(const JsonTree& object) {
    std::string list;
    for (const auto& [key, value] : object.object()) {
        if (!list.empty()) list += ' ';
        list += key;
    }
    return list;
}

Episode make_episode(std::string id, FileId trajectory) {
    Episode episode;
    episode.episode_id = std::move(id);
    episode.trajectory_id = std::move(trajectory);
    episode.scene_id = std::string("mp3d/a/a.glb");
    return episode;
}

Split two_episode_split() {
    Split split;
    split.name = std::string("demo");
    split.episodes = {make_episode("7", {"42", true}), make_episode("8", {"42", false})};
    return split;
}

std::vector<EpisodeMetrics> two_rows(bool people_known) {
    std::vector<EpisodeMetrics> rows(2);
    for (std::size_t k = 0; k < 2; ++k) {
        EpisodeMetrics& row = rows[k];
        row.episode_index = k;
        row.distance_to_goal = 0.1 + static_cast<double>(k);
        row.success = true;
        row.steps_taken = 20;
        row.path_length = 1.0 / 3;
        row.blocked_steps = 3;
        row.baseline = 1;
        row.released = {3, 2, 1, 0};
        row.ndtw = 0.75;
        row.sdtw = 0.75;
        if (people_known) {
            row.contact = {1, 0, 0, 1};
            row.personal_space = PersonalSpace{0, 2, 5, 0, 1, 4, 0.875};
            row.causes = CauseCounts{1, 2, 0};
        }
    }
    return rows;
}

Scorecard card_of(const std::vector<EpisodeMetrics>& rows, CollisionReading reading, bool partial) {
    Scorecard card;
    card.settings.reading = reading;
    card.settings.path_finder = "Detour";
    if (partial) card.settings.selection = "episodes=7,8";
    card.partial = partial;
    card.splits.push_back(aggregate("demo", rows, 2, reading, partial));
    return card;
}

}  // namespace

TEST_CASE("score_summary.json: the public keys", "[report]") {
    const Scorecard card = card_of(two_rows(true), CollisionReading::kContact, false);
    const JsonTree json = parse(score_summary_json(card));
    CHECK(keys(json) == "schema_version signature settings partial splits");
    CHECK(at(json, {"schema_version"}).integer() == 1);
    CHECK(at(json, {"signature"}).string() == make_signature(card).text());
    CHECK_FALSE(at(json, {"partial"}).boolean());
    CHECK(at(json, {"settings", "profile", "success_distance_m"}).number() == 3);
    const JsonTree& split = at(json, {"splits", "demo"});
    CHECK(keys(split) ==
          "episodes human_influenced SR NE CR TCR navigation social score tie_break_key "
          "collision_reading other_reading collisions means");
    CHECK(at(split, {"SR"}).number() == 1);
    CHECK(at(split, {"NE"}).number() == card.splits[0].headline.NE);
    CHECK(at(split, {"score"}).number() == card.splits[0].headline.score);
    CHECK(at(split, {"collision_reading"}).string() == "contact");
    CHECK(keys(at(split, {"other_reading"})) == "name SR CR TCR score");
    CHECK(at(split, {"other_reading", "name"}).string() == "released");
    CHECK(at(split, {"other_reading", "TCR"}).number() == 2);
    CHECK(at(split, {"tie_break_key"}).array().size() == 5);
    CHECK(at(split, {"collisions", "static_caused"}).integer() == 4);
    CHECK(at(split, {"means", "path_length"}).number() == 1.0 / 3);
}

TEST_CASE("score_summary.json: a partial result is marked and has no tie-break key", "[report]") {
    const Scorecard card = card_of(two_rows(false), CollisionReading::kReleased, true);
    const JsonTree json = parse(score_summary_json(card));
    CHECK(at(json, {"partial"}).boolean());
    CHECK(at(json, {"splits", "demo", "partial"}).boolean());
    CHECK(at(json, {"splits", "demo"}).find("tie_break_key") == nullptr);
    CHECK(at(json, {"splits", "demo"}).find("other_reading") == nullptr);
    CHECK(at(json, {"settings", "selection"}).string() == "episodes=7,8");
    CHECK_THAT(at(json, {"signature"}).string(), contains_text("|part:episodes=7,8|"));
}

TEST_CASE("episode_metrics.json: keys as Habitat and VLN-CE name them", "[report]") {
    const Split split = two_episode_split();
    const auto rows = two_rows(true);
    RunSettings settings;
    const JsonTree json =
        parse(episode_metrics_json(std::vector<SplitRows>{{&split, rows}}, settings));
    REQUIRE(json.array().size() == 2);
    const JsonTree& first = json.array()[0];
    CHECK(keys(first) ==
          "split episode_id trajectory_id scene_id steps_taken distance_to_goal success "
          "path_length collisions baseline TCR CR SR start_distance oracle_navigation_error "
          "oracle_success spl soft_spl oracle_spl ndtw sdtw intimate_steps personal_steps "
          "social_steps intimate_s personal_s social_s least_human_distance_m");
    CHECK(at(first, {"trajectory_id"}).integer() == 42);
    CHECK(at(json.array()[1], {"trajectory_id"}).string() == "42");
    CHECK(at(first, {"path_length"}).number() == 1.0 / 3);
    CHECK(at(first, {"distance_to_goal"}).number() == 0.1);
    CHECK(at(first, {"success"}).integer() == 1);
    CHECK(keys(at(first, {"collisions"})) == "count human human_caused static_caused both");
    CHECK(at(first, {"collisions", "count"}).integer() == 3);
    CHECK(at(first, {"collisions", "human"}).integer() == 1);
    CHECK(at(first, {"TCR"}).integer() == 0);
    CHECK(at(first, {"SR"}).integer() == 1);

    settings.reading = CollisionReading::kReleased;
    const auto unknown = two_rows(false);
    const JsonTree released =
        parse(episode_metrics_json(std::vector<SplitRows>{{&split, unknown}}, settings));
    CHECK(keys(at(released.array()[0], {"collisions"})) == "count");
    CHECK(at(released.array()[0], {"TCR"}).integer() == 2);
    CHECK(at(released.array()[0], {"SR"}).integer() == 0);
}

TEST_CASE("outputs hold no NaN or Infinity where goals cannot be reached", "[report]") {
    const Split split = two_episode_split();
    auto rows = two_rows(false);
    for (EpisodeMetrics& row : rows) {
        row.goal_unreachable = true;
        row.success = false;
        row.distance_to_goal = row.start_distance = row.oracle_navigation_error = kInfinity;
    }
    Scorecard card;
    card.settings.profile = load_profile("vln-ce");
    card.splits.push_back(aggregate_without_people("demo", rows, false));
    const std::string summary = score_summary_json(card);
    const std::string episodes =
        episode_metrics_json(std::vector<SplitRows>{{&split, rows}}, card.settings);
    const std::string table = score_table(card);
    for (const std::string& text : {summary, episodes, table}) {
        CHECK(text.find("nan") == std::string::npos);
        CHECK(text.find("inf") == std::string::npos);
        CHECK(text.find("Inf") == std::string::npos);
    }
    const JsonTree json = parse(summary);
    CHECK(at(json, {"splits", "demo", "unreachable_goals"}).integer() == 2);
    CHECK(at(json, {"splits", "demo", "left_out", "distance_to_goal"}).integer() == 2);
    CHECK(at(json, {"splits", "demo"}).find("NE") == nullptr);
    CHECK(at(json, {"splits", "demo"}).find("score") == nullptr);
    const JsonTree list = parse(episodes);
    const JsonTree& first = list.array()[0];
    CHECK(at(first, {"goal_unreachable"}).boolean());
    CHECK(first.find("distance_to_goal") == nullptr);
    CHECK_THAT(table, contains_text("the goal of 2 episodes cannot be reached"));
}

TEST_CASE("trace line: positions round-trip as float32, people where they are", "[report]") {
    Trace trace;
    const float third = 1.0f / 3;
    trace.positions = {{0.1f, -0.0f, third}, {1e-30f, 3, 123456.789f}, {0.1f, 0, 0}};
    trace.collided = {1, 0};
    trace.frames = {0, 119};
    CHECK(trace_line_json("s", "7", trace, nullptr) ==
          "{\"split\":\"s\",\"episode_id\":\"7\",\"positions\":[[0.1,-0,0.33333334],"
          "[1e-30,3,123456.79],[0.1,0,0]],\"collided\":[1,0],\"frames\":[0,119]}\n");
    const JsonTree json = parse(trace_line_json("s", "7", trace, nullptr));
    CHECK(static_cast<float>(at(json, {"positions"}).array()[0].array()[2].number()) == third);

    ScenePeople people;
    people.people.resize(2);
    people.people[0].viewpoint = "vp0";
    people.people[1].viewpoint = "vp1";
    trace.nearest_person = {1, -1};
    trace.nearest_person_distance_m = {0.75, 0};
    trace.causes = {BlockCause::kHuman, BlockCause::kNone};
    CHECK_THAT(trace_line_json("s", "7", trace, &people),
               contains_text("\"frames\":[0,119],\"human\":[\"vp1\",null],"
                             "\"human_distance_m\":[0.75,null],\"cause\":[\"human\",\"none\"]}"));
    trace.nearest_person = {-1, -1};
    CHECK(parse(trace_line_json("s", "7", trace, &people)).find("human") == nullptr);
}

TEST_CASE("table: both readings side by side, aligned", "[report]") {
    const std::string table =
        score_table(card_of(two_rows(true), CollisionReading::kContact, false));
    CHECK(table.rfind("demo: 2 episodes, 2 human-influenced\n", 0) == 0);
    CHECK_THAT(table, contains_text("\n               contact*   released\n"));
    CHECK_THAT(table, contains_text("\n  SR             1.0000     0.0000\n"));
    CHECK_THAT(table, contains_text("\n  TCR             0.000      2.000\n"));
    CHECK_THAT(table, contains_text("blocked by people 2, by the scene 4, by both 0\n"));
    CHECK(table.find("PARTIAL") == std::string::npos);
}

TEST_CASE("table: a partial result says so first and at its split", "[report]") {
    const std::string table =
        score_table(card_of(two_rows(false), CollisionReading::kReleased, true));
    CHECK(table.rfind("PARTIAL RESULT (episodes=7,8): ", 0) == 0);
    CHECK_THAT(table, contains_text("\ndemo (PARTIAL): 2 episodes"));
    CHECK_THAT(table, contains_text("the other needs human_motion.json"));
}

TEST_CASE("intervals and clocks show in table and summary where they were computed", "[report]") {
    Scorecard card = card_of(two_rows(true), CollisionReading::kContact, false);
    SplitScore& split = card.splits[0];
    split.bootstrap = BootstrapSummary{{}, {}};
    for (const ComponentName& part : component_names()) {
        split.bootstrap->intervals[part.name] = {0.25, 0.75};
    }
    std::vector<ClockSample> samples(3);
    for (std::size_t k = 0; k < samples.size(); ++k) {
        samples[k].clock = "jitter=1,0.5," + std::to_string(k);
        samples[k].rows = {{k == 1, 0, 0, 3.0 * static_cast<double>(k)}, {1, 0, 0, 0}};
    }
    const std::vector<std::string> ids = {"7", "8"};
    split.clock = summarise_clocks(samples, ids, 2);

    const JsonTree json = parse(score_summary_json(card));
    const JsonTree& out = at(json, {"splits", "demo"});
    CHECK(at(out, {"bootstrap", "samples"}).integer() == 1000);
    CHECK(at(out, {"bootstrap", "seed"}).integer() == 12345);
    CHECK(at(out, {"bootstrap", "intervals", "score"}).array()[1].number() == 0.75);
    CHECK(at(out, {"clock", "spread", "NE", "median"}).number() == 1.5);
    CHECK(at(out, {"clock", "flips"}).array().size() == 1);
    CHECK(at(at(out, {"clock", "flips"}).array()[0], {"episode_id"}).string() == "7");
    CHECK(at(at(out, {"clock", "flips"}).array()[0], {"successes"}).integer() == 1);
    CHECK(keys(at(out, {"clock", "samples"}).array()[2]) ==
          "clock SR NE CR TCR navigation social score");

    const std::string table = score_table(card);
    CHECK_THAT(table, contains_text("contact*      95% interval   released\n"));
    CHECK_THAT(table, contains_text("[0.2500, 0.7500]"));
    CHECK_THAT(table, contains_text("over 3 clocks; episodes whose success flips: 1\n"));
    // NE 0, 1.5, 3: percentiles at 5 and 95 % of the range, the median in its middle.
    CHECK_THAT(table, contains_text("..------------------|-----------------.."));
}
