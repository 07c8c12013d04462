#include "groundtruth/episodes.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "groundtruth/fields.h"
#include "io/escape.h"
#include "io/json_reader.h"

namespace havln {

namespace {

constexpr std::int64_t kMaxBaseline = 1'000'000;

/// Checks that the scene is named by a plain relative path and returns its file name without the
/// last ending.
std::string scan_of(JsonReader& reader, std::string_view scene_id) {
    std::string_view rest = scene_id;
    std::string_view name;
    bool plain = true;
    for (;;) {
        const std::size_t slash = rest.find('/');
        name = rest.substr(0, slash);
        plain = plain && is_plain_name(name);
        if (slash == std::string_view::npos) break;
        rest.remove_prefix(slash + 1);
    }
    const std::string_view scan = name.substr(0, name.rfind('.'));
    if (!plain || !is_plain_name(scan)) {
        throw reader.fault(fmt::format(
            "expected a scene id like \"mp3d/SCAN/SCAN.glb\" (relative, no \"..\"), found {}",
            quote(scene_id)));
    }
    return std::string(scan);
}

Goal read_goal(JsonReader& reader) {
    Goal goal;
    bool has_position = false;
    reader.object([&](std::string_view key) {
        if (key == "position") {
            goal.position = read_point(reader);
            has_position = true;
        } else if (key == "radius") {
            if (!reader.skip_null()) goal.radius_m = read_length(reader);
        } else {
            reader.skip();
        }
    });
    if (!has_position) throw reader.fault("the goal has no \"position\"");
    return goal;
}

std::shared_ptr<const std::vector<Goal>> read_goals(JsonReader& reader) {
    auto goals = std::make_shared<std::vector<Goal>>();
    if (!reader.skip_null()) {
        reader.array([&](std::size_t) { goals->push_back(read_goal(reader)); });
    }
    return goals;
}

void read_info(JsonReader& reader, Episode& episode) {
    if (reader.skip_null()) return;
    reader.object([&](std::string_view key) {
        if (key == "geodesic_distance") {
            if (!reader.skip_null()) episode.geodesic_distance_m = read_length(reader);
        } else {
            reader.skip();
        }
    });
}

void read_instruction(JsonReader& reader, Episode& episode) {
    if (reader.skip_null()) return;
    reader.object([&](std::string_view key) {
        if (key == "instruction_text") {
            episode.instruction = reader.string();
        } else {
            reader.skip();
        }
    });
}

/// Members without which an episode cannot be replayed.
struct Required {
    bool episode_id = false, scene_id = false, start_position = false, start_rotation = false;

    const char* first_missing() const {
        if (!episode_id) return "episode_id";
        if (!scene_id) return "scene_id";
        if (!start_position) return "start_position";
        if (!start_rotation) return "start_rotation";
        return nullptr;
    }
};

void read_member(JsonReader& reader, std::string_view key, Episode& episode, Required& seen) {
    if (key == "episode_id") {
        episode.episode_id = read_id(reader).text;
        seen.episode_id = true;
    } else if (key == "trajectory_id") {
        if (!reader.skip_null()) episode.trajectory_id = read_id(reader);
    } else if (key == "scene_id") {
        episode.scene_id = reader.string();
        episode.scan = scan_of(reader, episode.scene_id);
        seen.scene_id = true;
    } else if (key == "start_position") {
        episode.start_position = read_point(reader);
        seen.start_position = true;
    } else if (key == "start_rotation") {
        episode.start_rotation_xyzw = read_rotation(reader);
        seen.start_rotation = true;
    } else if (key == "goals") {
        episode.goals = read_goals(reader);
    } else if (key == "reference_path") {
        episode.reference_path = read_points(reader);
    } else if (key == "info") {
        read_info(reader, episode);
    } else if (key == "instruction") {
        read_instruction(reader, episode);
    } else {
        reader.skip();
    }
}

Episode read_episode(JsonReader& reader, const std::shared_ptr<const std::vector<Goal>>& no_goals) {
    Episode episode;
    episode.goals = no_goals;
    Required seen;
    reader.object([&](std::string_view key) { read_member(reader, key, episode, seen); });
    if (const char* missing = seen.first_missing()) {
        throw reader.fault(fmt::format("the episode has no \"{}\"", missing));
    }
    return episode;
}

}  // namespace

void read_episodes(std::string_view json, const std::filesystem::path& origin, Split& split) {
    JsonReader reader(json, origin);
    const auto no_goals = std::make_shared<const std::vector<Goal>>();
    bool has_episodes = false;
    reader.object([&](std::string_view key) {
        if (key != "episodes") {
            reader.skip();
            return;
        }
        has_episodes = true;
        reader.array([&](std::size_t i) {
            Episode episode = read_episode(reader, no_goals);
            const auto [first, fresh] = split.by_id.emplace(episode.episode_id, i);
            if (!fresh) {
                throw reader.fault(fmt::format("the episode id {} was taken by /episodes/{}",
                                               quote(episode.episode_id), first->second));
            }
            split.episodes.push_back(std::move(episode));
        });
    });
    if (!has_episodes) throw reader.fault("expected an object with \"episodes\": [...]");
    reader.finish();
}

void read_baselines(std::string_view json, const std::filesystem::path& origin, Split& split) {
    JsonReader reader(json, origin);
    std::vector<bool> known(split.episodes.size(), false);
    split.baselines.assign(split.episodes.size(), 0);
    reader.object([&](std::string_view id) {
        const std::int64_t baseline = reader.integer(0, kMaxBaseline);
        if (const auto index = split.index_of(id)) {
            split.baselines[*index] = baseline;
            known[*index] = true;
        }
    });
    reader.finish();
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i]) continue;
        throw ground_truth_error(
            origin, fmt::format("has no baseline for episode {} of {}; every episode needs one: "
                                "take the file that belongs to this split",
                                quote(split.episodes[i].episode_id), split.episodes_file.string()));
    }
}

void read_gt_locations(std::string_view json, const std::filesystem::path& origin, Split& split) {
    JsonReader reader(json, origin);
    split.gt_locations.assign(split.episodes.size(), {});
    reader.object([&](std::string_view id) {
        const std::optional<std::size_t> index = split.index_of(id);
        if (!index) {
            reader.skip();
            return;
        }
        reader.object([&](std::string_view key) {
            if (key == "locations") {
                split.gt_locations[*index] = read_points(reader);
            } else {
                reader.skip();
            }
        });
    });
    reader.finish();
}

}  // namespace havln
