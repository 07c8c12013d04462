// Metrics of Habitat's own traces against the reference values of the same traces.
#include <cmath>
#include <map>
#include <string>

#include "havln/metrics.h"
#include "havln/scorecard.h"
#include "support/catch.h"
#include "support/reference.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

struct Case {
    const char* split;
    const char* vectors;
    std::size_t episodes;
    std::size_t with_geodesic;  ///< Episodes whose geodesic SPL is known.
};

/// What the metrics need of a reference split, keyed by episode id; reference order in `ids`.
struct Inputs {
    std::map<std::string, Episode> episodes;
    std::map<std::string, std::vector<Vec3d>> gt_locations;
    std::map<std::string, std::int64_t> baselines;
    std::map<std::string, bool> stopped;
};

const JsonTree& at(const JsonTree& object, std::string_view key) {
    const JsonTree* member = object.find(key);
    INFO(std::string(key));
    REQUIRE(member != nullptr);
    return *member;
}

/// Ids stand as numbers or strings in the files.
std::string id_of(const JsonTree& entry) {
    const JsonTree& id = at(entry, "episode_id");
    return id.is_string() ? id.string() : std::to_string(id.integer());
}

Vec3d to_point_d(const JsonTree& array) {
    const JsonTree::Array& v = array.array();
    return {v.at(0).number(), v.at(1).number(), v.at(2).number()};
}

std::string root(const Case& c, const char* ending) {
    return std::string("real/havln2/HA-R2R/") + c.split + "/" + c.split + ending;
}

Inputs read_inputs(const Case& c) {
    Inputs in;
    const JsonTree file = read_shared_json(root(c, ".json.gz"));
    for (const JsonTree& e : at(file, "episodes").array()) {
        Episode& episode = in.episodes[id_of(e)];
        std::vector<Goal> goals;
        for (const JsonTree& goal : at(e, "goals").array()) {
            goals.push_back(
                {to_point_d(at(goal, "position")), at(goal, "radius").number(), {}, {}});
        }
        episode.goals = std::make_shared<const std::vector<Goal>>(std::move(goals));
    }
    const JsonTree gt = read_shared_json(root(c, "_gt.json.gz"));
    for (const auto& [id, entry] : gt.object()) {
        for (const JsonTree& p : at(entry, "locations").array()) {
            in.gt_locations[id].push_back(to_point_d(p));
        }
    }
    const JsonTree baselines = read_shared_json(
        std::string("real/havln2/HA-R2R-tools/collision_num_") + c.split + ".json");
    for (const auto& [id, count] : baselines.object()) {
        in.baselines[id] = count.integer();
    }
    const JsonTree submission = read_shared_json(std::string("vectors/") + c.split + ".json");
    for (const JsonTree& e : at(submission, "episodes").array()) {
        in.stopped[id_of(e)] = at(e, "actions").array().back().string() == "STOP";
    }
    return in;
}

/// Equal within `tolerance`, relative.
void check_near(double value, double expected, double tolerance) {
    CHECK(std::abs(value - expected) <= tolerance * std::abs(expected));
}

void check_episode(const EpisodeMetrics& m, const JsonTree& expected) {
    const auto number = [&](const char* key) { return at(expected, key).number(); };
    // Counts stand as integers or as 8.0 in the file.
    const auto integer = [&](const char* key) { return std::llround(number(key)); };
    INFO("episode " << id_of(expected));
    CHECK(m.success == (number("success") == 1.0));
    CHECK(m.oracle_success == (number("oracle_success") == 1.0));
    CHECK(m.steps_taken == integer("steps_taken"));
    CHECK(m.blocked_steps == integer("collisions"));
    CHECK(m.released.collisions == integer("collisions"));
    CHECK(m.baseline == integer("baseline"));
    CHECK(m.released.excess == integer("TCR"));
    CHECK(m.released.CR == integer("CR"));
    CHECK(m.released.SR == integer("SR"));
    check_near(m.distance_to_goal, number("distance_to_goal"), 1e-9);
    check_near(m.start_distance, number("start_distance"), 1e-9);
    check_near(m.oracle_navigation_error, number("oracle_navigation_error"), 1e-9);
    check_near(m.path_length, number("path_length"), 1e-6);
    check_near(m.spl, number("spl"), 1e-6);
    check_near(m.soft_spl, number("soft_spl"), 1e-6);
    REQUIRE(m.ndtw.has_value());
    REQUIRE(m.sdtw.has_value());
    check_near(*m.ndtw, number("ndtw"), 1e-9);
    check_near(*m.sdtw, number("sdtw"), 1e-9);
}

void check_summary(const SplitScore& score, const JsonTree& expected) {
    const auto number = [&](const char* key) { return at(expected, key).number(); };
    CHECK(static_cast<double>(score.episodes) == number("n"));
    for (const auto& [key, part] : std::map<std::string, double ScoreComponents::*>{
             {"SR", &ScoreComponents::SR},
             {"NE", &ScoreComponents::NE},
             {"CR", &ScoreComponents::CR},
             {"TCR", &ScoreComponents::TCR},
             {"navigation", &ScoreComponents::navigation},
             {"social", &ScoreComponents::social},
             {"score", &ScoreComponents::score}}) {
        INFO(key);
        check_near(score.headline.*part, number(key.c_str()), 1e-9);
    }
    for (const char* key : {"success", "oracle_success", "steps_taken", "collisions", "ndtw",
                            "sdtw", "path_length", "spl", "soft_spl"}) {
        INFO(key);
        check_near(score.means.at(key), number((std::string("mean_") + key).c_str()), 1e-9);
    }
}

/// The vln-ce profile with its success distance measured straight, as the references are: SPL's
/// numerator stays geodesic, on the navmesh of frame 0.
class VlnCe {
  public:
    VlnCe() : profile_(load_profile("vln-ce")) {
        profile_.distance = DistanceKind::kEuclidean;
        mesh_ = NavMesh::load(
            shared("real/havln2/recompute_navmesh/x8F5xyUWy9e/x8F5xyUWy9e_000.navmesh"));
        query_.bind(*mesh_);
    }

    void check(MetricInputs inputs, const JsonTree& expected) {
        const auto number = [&](const char* key) { return at(expected, key).number(); };
        inputs.query = &query_;
        const EpisodeMetrics m = compute_episode_metrics(inputs, profile_);
        INFO("episode " << id_of(expected));
        REQUIRE(m.geodesic_distance.has_value());
        CHECK(static_cast<float>(*m.geodesic_distance) ==
              static_cast<float>(number("geodesic_distance")));
        // The file's numerator was rounded to nine digits before the division: up to 4e-9.
        check_near(m.spl, number("spl_geodesic"), 1e-8);
        const double nine_digits = number("geodesic_distance");
        check_near(spl(m.success, nine_digits, m.path_length), number("spl_geodesic"), 1e-9);
        check_near(*m.ndtw, number("ndtw"), 1e-9);
        check_near(m.path_length, number("path_length"), 1e-6);
        CHECK(m.success == (number("success") == 1.0));
    }

  private:
    Profile profile_;
    std::shared_ptr<const NavMesh> mesh_;
    NavMeshQuery query_;
};

void check_case(const Case& c) {
    const Inputs in = read_inputs(c);
    const std::string base = std::string("vectors/") + c.vectors;
    const JsonTree expected = read_shared_json(base + ".metrics.json");
    const auto& rows_expected = at(expected, "episodes").array();
    const std::vector<ReferenceTrace> traces = read_reference_traces(base + ".trace.jsonl.gz");
    REQUIRE(traces.size() == c.episodes);
    REQUIRE(rows_expected.size() == c.episodes);

    Profile profile;
    Profile fast = profile;
    fast.dtw = DtwKind::kFastDtw;
    VlnCe vln_ce;
    std::size_t with_geodesic = 0;
    std::vector<EpisodeMetrics> rows;
    for (std::size_t k = 0; k < traces.size(); ++k) {
        const std::string& id = traces[k].episode_id;
        REQUIRE(id_of(rows_expected[k]) == id);
        Trace trace;
        trace.positions = traces[k].positions;
        trace.collided = traces[k].collided;
        trace.stopped = in.stopped.at(id);
        MetricInputs inputs;
        inputs.episode = &in.episodes.at(id);
        inputs.trace = &trace;
        inputs.gt_locations = &in.gt_locations.at(id);
        inputs.baseline = in.baselines.at(id);
        EpisodeMetrics& row = rows.emplace_back(compute_episode_metrics(inputs, profile));
        row.episode_index = k;
        CHECK_FALSE(row.contact.has_value());
        check_episode(row, rows_expected[k]);
        check_near(*compute_episode_metrics(inputs, fast).ndtw,
                   at(rows_expected[k], "ndtw_fast").number(), 1e-9);
        if (rows_expected[k].find("spl_geodesic")) {
            vln_ce.check(inputs, rows_expected[k]);
            ++with_geodesic;
        }
    }
    CHECK(with_geodesic == c.with_geodesic);
    const JsonTree& summary = at(expected, "summary");
    const auto influenced = static_cast<std::uint64_t>(at(summary, "human_influenced").integer());
    check_summary(aggregate(c.split, rows, influenced, CollisionReading::kReleased, false),
                  summary);
}

}  // namespace

TEST_CASE("metrics: recorded actions of one scene give the reference values", "[metrics]") {
    HAVLN_NEED_SHARED("vectors/mini_gt_static.metrics.json");
    check_case({"mini_gt", "mini_gt_static", 102, 102});
}

TEST_CASE("metrics: random walks in one scene give the reference values", "[metrics]") {
    HAVLN_NEED_SHARED("vectors/mini_random_slide.metrics.json");
    check_case({"mini_random", "mini_random_slide", 200, 0});
}
