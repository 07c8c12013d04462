#include "demo/data_root.h"

#include <fmt/format.h>

#include <utility>

#include "havln/batch.h"
#include "io/file.h"
#include "io/json_writer.h"

namespace havln::demo {

namespace {

constexpr double kGoalRadius_m = 3.0;

/// Official files print float32 positions as the doubles that they are.
void point(JsonWriter& json, const Vec3d& p) {
    json.begin_inline_array().value(p.x).value(p.y).value(p.z).end_array();
}

void points(JsonWriter& json, std::string_view key, const std::vector<Vec3f>& list) {
    json.key(key).begin_array();
    for (const Vec3f& p : list) point(json, to_double(p));
    json.end_array();
}

void person(JsonWriter& json, const Person& person, std::size_t index) {
    json.begin_object().member("category", person.category).member("index", index);
    json.key("translation").begin_array();
    for (const std::optional<Vec3d>& at : person.position) {
        if (at) {
            point(json, *at);
        } else {
            json.null();
        }
    }
    json.end_array().key("rotation").begin_array();
    for (const Vec3d& rotation : person.rotation_deg) point(json, rotation);
    json.end_array().end_object();
}

std::string human_motion_json(std::span<const Home> homes) {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object();
    for (const Home& home : homes) {
        json.key(home.people.scan).begin_object();
        for (std::size_t i = 0; i < home.people.people.size(); ++i) {
            json.key(home.people.people[i].viewpoint);
            person(json, home.people.people[i], i);
        }
        json.end_object();
    }
    json.end_object();
    return json.take();
}

void episode(JsonWriter& json, const Home& home, const DemoEpisode& episode, std::size_t id) {
    const std::string& scan = home.plan.scan;
    json.begin_object()
        .member("episode_id", id)
        .member("trajectory_id", episode.trajectory + 1)
        .member("scene_id", fmt::format("mp3d/{0}/{0}.glb", scan));
    json.key("start_position");
    point(json, to_double(episode.task.start.position));
    json.key("start_rotation").begin_inline_array();
    for (const double component : episode.start_rotation_xyzw) json.value(component);
    json.end_array();
    json.key("info").begin_object();
    json.member("geodesic_distance", episode.geodesic_distance_m).end_object();
    json.key("goals").begin_array().begin_object().key("position");
    point(json, to_double(episode.task.goal));
    json.member("radius", kGoalRadius_m).end_object().end_array();
    json.key("instruction").begin_object();
    json.member("instruction_text", episode.instruction).end_object();
    points(json, "reference_path", episode.reference_path);
    json.end_object();
}

/// The reference walk: where it starts and each step forward leads, as official files have it.
void reference(JsonWriter& json, const Home& home, const DemoEpisode& episode) {
    const Trace walk = replay_empty(home, episode.task.start, episode.reference_actions);
    std::vector<Vec3f> locations = {walk.positions.front()};
    for (std::size_t k = 0; k < walk.steps(); ++k) {
        if (episode.reference_actions[k] != Action::kMoveForward) continue;
        locations.push_back(walk.positions[k + 1]);
    }
    json.begin_object();
    points(json, "locations", locations);
    json.key("actions").begin_inline_array();
    for (const Action action : episode.reference_actions) json.value(static_cast<int>(action));
    json.end_array().member("forward_steps", locations.size() - 1).end_object();
}

}  // namespace

std::string prediction_json(std::string_view split, std::span<const Prediction> predictions) {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object().member("format_version", 1).member("split", split);
    json.key("episodes").begin_array();
    for (const Prediction& prediction : predictions) {
        json.begin_object().member("episode_id", prediction.episode_id);
        json.key("actions").begin_inline_array();
        for (const Action action : prediction.actions) json.value(action_name(action));
        json.end_array().end_object();
    }
    json.end_array().end_object();
    return json.take();
}

void DataRoot::write(const std::filesystem::path& relative, std::string_view bytes) const {
    make_folder((root_ / relative).parent_path());
    write_file_atomically(root_ / relative, bytes);
}

void DataRoot::write_scenes(std::span<const Home> homes, unsigned threads) const {
    for_each_parallel(homes.size(), threads, [&](std::size_t i) {
        const Home& home = homes[i];
        const std::string& scan = home.plan.scan;
        write(fmt::format("scene_datasets/mp3d/{0}/{0}.navmesh", scan), home.empty_bytes);
        for (std::size_t frame = 0; frame < kFrameCount; ++frame) {
            write(fmt::format("recompute_navmesh/{0}/{0}_{1:03}.navmesh", scan, frame),
                  home.mesh_bytes[home.mesh_of[frame]]);
        }
    });
    write("Multi-Human-Annotations/human_motion.json", human_motion_json(homes));
}

void DataRoot::write_split(std::string_view split, std::span<const Home> homes,
                           std::span<const DemoEpisode> episodes) const {
    JsonWriter all(JsonWriter::Style::kCompact);
    JsonWriter gt(JsonWriter::Style::kCompact);
    JsonWriter baselines(JsonWriter::Style::kCompact);
    all.begin_object().key("episodes").begin_array();
    gt.begin_object();
    baselines.begin_object();
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        const Home& home = homes[episodes[i].home];
        const std::string id = std::to_string(i + 1);
        episode(all, home, episodes[i], i + 1);
        gt.key(id);
        reference(gt, home, episodes[i]);
        baselines.member(id, episodes[i].baseline);
    }
    const std::filesystem::path folder = std::filesystem::path("HA-R2R") / split;
    const std::string name(split);
    write(folder / (name + ".json.gz"), gzip(all.end_array().end_object().take()));
    write(folder / (name + "_gt.json.gz"), gzip(gt.end_object().take()));
    write("HA-R2R-tools/collision_num_" + name + ".json", baselines.end_object().take());
}

}  // namespace havln::demo
