#include "support/data_root.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "io/file.h"
#include "io/json_writer.h"

namespace havln::test {

namespace {

void write_point(JsonWriter& json, const Vec3d& point) {
    json.begin_inline_array().value(point.x).value(point.y).value(point.z).end_array();
}

void write_points(JsonWriter& json, const std::vector<Vec3d>& points) {
    json.begin_array();
    for (const Vec3d& point : points) write_point(json, point);
    json.end_array();
}

void write_goals(JsonWriter& json, const std::vector<Goal>& goals) {
    json.begin_array();
    for (const Goal& goal : goals) {
        json.begin_object().key("position");
        write_point(json, goal.position);
        json.member("radius", goal.radius_m).end_object();
    }
    json.end_array();
}

void write_episode(JsonWriter& json, const Episode& episode) {
    json.begin_object().member("episode_id", episode.episode_id);
    if (episode.trajectory_id) {
        json.key("trajectory_id");
        if (episode.trajectory_id->is_number) {
            json.raw(episode.trajectory_id->text);
        } else {
            json.value(episode.trajectory_id->text);
        }
    }
    json.member("scene_id", episode.scene_id).key("start_position");
    write_point(json, episode.start_position);
    json.key("start_rotation").begin_inline_array();
    for (const double component : episode.start_rotation_xyzw) json.value(component);
    json.end_array();
    if (!episode.goals->empty()) {
        json.key("goals");
        write_goals(json, *episode.goals);
    }
    json.key("reference_path");
    write_points(json, episode.reference_path);
    json.key("info").begin_object();
    json.member("geodesic_distance", episode.geodesic_distance_m).end_object();
    json.key("instruction").begin_object().member("instruction_text", episode.instruction);
    json.end_object().end_object();
}

void write_person(JsonWriter& json, const Person& person, int index) {
    json.key(person.viewpoint).begin_object().member("category", person.category);
    json.member("index", index).key("translation").begin_array();
    for (const auto& position : person.position) {
        if (position) {
            write_point(json, *position);
        } else {
            json.null();
        }
    }
    json.end_array().key("rotation").begin_array();
    for (const Vec3d& rotation : person.rotation_deg) write_point(json, rotation);
    json.end_array().end_object();
}

}  // namespace

DataRoot::DataRoot() {
    std::filesystem::create_directories(path() / "HA-R2R");
}

void DataRoot::write(std::string_view relative, std::string_view bytes) {
    write_file(path() / relative, bytes);
}

void DataRoot::write_gzip(std::string_view relative, std::string_view bytes) {
    write_file(path() / relative, gzip(bytes));
}

void DataRoot::write_episodes(const std::string& split, const std::vector<Episode>& episodes) {
    write_gzip(fmt::format("HA-R2R/{0}/{0}.json.gz", split), episodes_json(episodes));
}

void DataRoot::write_baselines(const std::string& split,
                               const std::map<std::string, int>& baselines) {
    JsonWriter json;
    json.begin_object();
    for (const auto& [id, baseline] : baselines) json.member(id, baseline);
    json.end_object();
    write(fmt::format("HA-R2R-tools/collision_num_{}.json", split), json.take());
}

void DataRoot::write_gt_locations(const std::string& split,
                                  const std::map<std::string, std::vector<Vec3d>>& locations) {
    JsonWriter json;
    json.begin_object();
    for (const auto& [id, points] : locations) {
        json.key(id).begin_object().key("locations");
        write_points(json, points);
        json.key("actions").begin_inline_array().value(1).value(0).end_array().end_object();
    }
    json.end_object();
    write_gzip(fmt::format("HA-R2R/{0}/{0}_gt.json.gz", split), json.take());
}

void DataRoot::write_people(const std::vector<ScenePeople>& scenes) {
    write("Multi-Human-Annotations/human_motion.json", people_json(scenes));
}

void DataRoot::write_frame(const std::string& scan, int frame, std::string_view navmesh) {
    write(fmt::format("recompute_navmesh/{0}/{0}_{1:03}.navmesh", scan, frame), navmesh);
}

void DataRoot::write_static(const std::string& scan, std::string_view navmesh) {
    write(fmt::format("scene_datasets/mp3d/{0}/{0}.navmesh", scan), navmesh);
}

Episode make_episode(const std::string& id, const std::string& scan, double goal) {
    Episode episode;
    episode.episode_id = id;
    episode.scene_id = fmt::format("mp3d/{0}/{0}.glb", scan);
    episode.scan = scan;
    Goal ahead;
    ahead.position = {0, 0, -goal};
    ahead.radius_m = 3;
    episode.goals = std::make_shared<const std::vector<Goal>>(1, ahead);
    episode.reference_path = {{0, 0, 0}, {0, 0, -goal}};
    episode.geodesic_distance_m = goal;
    return episode;
}

std::string episodes_json(const std::vector<Episode>& episodes) {
    JsonWriter json;
    json.begin_object().key("episodes").begin_array();
    for (const Episode& episode : episodes) write_episode(json, episode);
    json.end_array().end_object();
    return json.take();
}

std::string people_json(const std::vector<ScenePeople>& scenes) {
    JsonWriter json;
    json.begin_object();
    for (const ScenePeople& scene : scenes) {
        json.key(scene.scan).begin_object();
        int index = 0;
        for (const Person& person : scene.people) write_person(json, person, index++);
        json.end_object();
    }
    json.end_object();
    return json.take();
}

}  // namespace havln::test
