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

/// A goal as a file gives it: a place, or only the category of the things that will do.
struct GoalRecord {
    Goal goal;
    bool has_position = false;
};

void read_view_point(JsonReader& reader, Goal& goal) {
    bool has_position = false;
    reader.object([&](std::string_view key) {
        if (key != "agent_state") {
            reader.skip();
            return;
        }
        reader.object([&](std::string_view state_key) {
            if (state_key == "position") {
                goal.view_points.push_back(read_point(reader));
                has_position = true;
            } else {
                reader.skip();
            }
        });
    });
    if (!has_position)
        throw reader.fault("the view point has no \"agent_state\" with \"position\"");
}

GoalRecord read_goal(JsonReader& reader) {
    GoalRecord record;
    Goal& goal = record.goal;
    reader.object([&](std::string_view key) {
        if (key == "position") {
            if (reader.skip_null()) return;
            goal.position = read_point(reader);
            record.has_position = true;
        } else if (key == "radius") {
            if (!reader.skip_null()) goal.radius_m = read_length(reader);
        } else if (key == "object_category") {
            if (!reader.skip_null()) goal.category = reader.string();
        } else if (key == "view_points") {
            if (reader.skip_null()) return;
            reader.array([&](std::size_t) { read_view_point(reader, goal); });
        } else {
            reader.skip();
        }
    });
    if (!record.has_position && goal.category.empty()) {
        throw reader.fault("the goal has no \"position\" and no \"object_category\"");
    }
    return record;
}

/// Goals that are places make the episode's own list; one that is a category adds its name.
void read_goals(JsonReader& reader, Episode& episode, std::vector<std::string>& categories) {
    if (reader.skip_null()) return;
    auto goals = std::make_shared<std::vector<Goal>>();
    reader.array([&](std::size_t) {
        GoalRecord record = read_goal(reader);
        if (record.has_position) {
            goals->push_back(std::move(record.goal));
        } else {
            categories.push_back(std::move(record.goal.category));
        }
    });
    if (!goals->empty() && !categories.empty()) {
        throw reader.fault("some goals have a \"position\", some only an \"object_category\"");
    }
    if (!goals->empty()) episode.goals = std::move(goals);
}

void read_goals_by_category(JsonReader& reader, GoalsByCategory& out) {
    if (reader.skip_null()) return;
    reader.object([&](std::string_view key) {
        auto goals = std::make_shared<std::vector<Goal>>();
        reader.array([&](std::size_t) {
            GoalRecord record = read_goal(reader);
            if (!record.has_position) throw reader.fault("the goal has no \"position\"");
            goals->push_back(std::move(record.goal));
        });
        out.insert_or_assign(std::string(key), std::move(goals));
    });
}

/// A string or null, which reads as empty.
std::string read_text(JsonReader& reader) {
    return reader.skip_null() ? std::string() : std::string(reader.string());
}

void read_info(JsonReader& reader, Episode& episode) {
    if (reader.skip_null()) return;
    reader.object([&](std::string_view key) {
        if (key == "geodesic_distance") {
            if (!reader.skip_null()) episode.geodesic_distance_m = read_length(reader);
        } else if (key == "role") {
            episode.role = read_text(reader);
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
        } else if (key == "instruction_id") {
            if (!reader.skip_null()) episode.instruction_id = read_id(reader).text;
        } else if (key == "language") {
            episode.language = read_text(reader);
        } else {
            reader.skip();
        }
    });
}

/// An episode while its file is read.
struct EpisodeRecord {
    Episode episode;
    std::vector<std::string> categories;  ///< Of goals that are no places.
    bool has_scene = false, has_position = false, has_rotation = false;

    bool by_category() const { return !episode.object_category.empty() || !categories.empty(); }

    /// Member without which an episode cannot be replayed; null where all are there.
    const char* first_missing() const {
        // Habitat numbers the episodes of ObjectNav itself.
        if (episode.episode_id.empty() && !by_category()) return "episode_id";
        if (!has_scene) return "scene_id";
        if (!has_position) return "start_position";
        if (!has_rotation) return "start_rotation";
        return nullptr;
    }
};

void read_member(JsonReader& reader, std::string_view key, EpisodeRecord& record) {
    Episode& episode = record.episode;
    if (key == "episode_id") {
        episode.episode_id = read_id(reader).text;
    } else if (key == "trajectory_id") {
        if (!reader.skip_null()) episode.trajectory_id = read_id(reader);
    } else if (key == "scene_id") {
        episode.scene_id = reader.string();
        episode.scan = scan_of(reader, episode.scene_id);
        record.has_scene = true;
    } else if (key == "start_position") {
        episode.start_position = read_point(reader);
        record.has_position = true;
    } else if (key == "start_rotation") {
        episode.start_rotation_xyzw = read_rotation(reader);
        record.has_rotation = true;
    } else if (key == "goals") {
        read_goals(reader, episode, record.categories);
    } else if (key == "object_category") {
        episode.object_category = read_text(reader);
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

class EpisodesReader {
  public:
    EpisodesReader(std::string_view json, const std::filesystem::path& origin,
                   GoalsByCategory& goals)
        : reader_(json, origin), goals_(goals) {}

    std::vector<Episode> read() {
        bool has_episodes = false;
        reader_.object([&](std::string_view key) {
            if (key == "episodes") {
                has_episodes = true;
                reader_.array([&](std::size_t) { read_record(); });
            } else if (key == "goals_by_category") {
                read_goals_by_category(reader_, goals_);
            } else {
                reader_.skip();
            }
        });
        if (!has_episodes) throw reader_.fault("expected an object with \"episodes\": [...]");
        reader_.finish();
        return finish();
    }

  private:
    void read_record() {
        EpisodeRecord record;
        record.episode.goals = no_goals_;
        reader_.object([&](std::string_view key) { read_member(reader_, key, record); });
        if (const char* missing = record.first_missing()) {
            throw reader_.fault(fmt::format("the episode has no \"{}\"", missing));
        }
        const std::string& id = record.episode.episode_id;
        const auto [first, fresh] = by_id_.emplace(id, records_.size());
        if (!fresh || id.empty()) {
            if (!record.by_category()) {
                throw reader_.fault(fmt::format("the episode id {} was taken by /episodes/{}",
                                                quote(id), first->second));
            }
            number_by_place_ = true;
        }
        records_.push_back(std::move(record));
    }

    std::vector<Episode> finish() {
        std::vector<Episode> episodes;
        episodes.reserve(records_.size());
        for (std::size_t i = 0; i < records_.size(); ++i) {
            resolve_categories(i);
            if (number_by_place_) records_[i].episode.episode_id = std::to_string(i);
            episodes.push_back(std::move(records_[i].episode));
        }
        return episodes;
    }

    void resolve_categories(std::size_t index) {
        EpisodeRecord& record = records_[index];
        Episode& episode = record.episode;
        if (!episode.goals->empty()) {
            if (episode.object_category.empty()) {
                episode.object_category = episode.goals->front().category;
            }
            return;
        }
        if (record.categories.empty() && !episode.object_category.empty()) {
            record.categories.push_back(episode.object_category);
        }
        if (record.categories.empty()) return;
        if (episode.object_category.empty()) episode.object_category = record.categories.front();
        if (record.categories.size() == 1) {
            episode.goals = goals_of(index, record.categories.front());
            return;
        }
        auto all = std::make_shared<std::vector<Goal>>();
        for (const std::string& category : record.categories) {
            const auto some = goals_of(index, category);
            all->insert(all->end(), some->begin(), some->end());
        }
        episode.goals = std::move(all);
    }

    std::shared_ptr<const std::vector<Goal>> goals_of(std::size_t index,
                                                      const std::string& category) const {
        const std::string& scene = records_[index].episode.scene_id;
        const std::string key = fmt::format("{}_{}", scene.substr(scene.rfind('/') + 1), category);
        const auto found = goals_.find(key);
        if (found == goals_.end() || found->second->empty()) {
            throw ground_truth_error(
                reader_.origin(),
                fmt::format("/episodes/{} looks for {}, but \"goals_by_category\" has no goals "
                            "under {}",
                            index, quote(category), quote(key)));
        }
        return found->second;
    }

    JsonReader reader_;
    GoalsByCategory& goals_;
    const std::shared_ptr<const std::vector<Goal>> no_goals_ =
        std::make_shared<const std::vector<Goal>>();
    std::vector<EpisodeRecord> records_;
    std::map<std::string, std::size_t> by_id_;
    bool number_by_place_ = false;
};

}  // namespace

std::vector<Episode> read_episodes(std::string_view json, const std::filesystem::path& origin,
                                   GoalsByCategory& goals) {
    return EpisodesReader(json, origin, goals).read();
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
