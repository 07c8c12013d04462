#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "havln/error.h"
#include "havln/predictions.h"
#include "io/escape.h"
#include "predictions/id_check.h"
#include "predictions/value_reader.h"

namespace havln {

namespace {

SplitManifest manifest_by_episode(const Split& split) {
    SplitManifest manifest;
    manifest.name = split.name;
    for (const Episode& episode : split.episodes) {
        manifest.episode_ids.push_back(episode.episode_id);
    }
    return manifest;
}

/// RxR-Habitat names instructions. @param to_episode  filled with each one's episode.
SplitManifest manifest_by_instruction(const Split& split,
                                      std::map<std::string, std::string>& to_episode) {
    SplitManifest manifest;
    manifest.name = split.name;
    for (const Episode& episode : split.episodes) {
        if (episode.instruction_id.empty() ||
            !to_episode.emplace(episode.instruction_id, episode.episode_id).second) {
            throw ground_truth_error(
                split.episodes_file,
                fmt::format("episode {} has no instruction_id of its own, which predictions in "
                            "RxR-Habitat's form go by",
                            quote(episode.episode_id)));
        }
        manifest.episode_ids.push_back(episode.instruction_id);
    }
    return manifest;
}

/// Collects the positions of one episode, no more than the step budget allows.
class PathBuilder {
  public:
    PathBuilder(PredictedPath& path, const ContractRules& rules) : path_(path), rules_(rules) {}

    void add(const Vec3d& position) {
        if (path_.positions.size() <= rules_.max_actions) path_.positions.push_back(position);
    }

    /// Reports a path without start, or with more steps than the budget.
    void check(ValueReader& reader, TextPlace place, std::uint64_t count) const {
        if (reader.failed()) return;
        if (count == 0) {
            reader.fault_at(
                place, DiagnosticCode::kActionsEmpty,
                [] { return std::string("the path is empty"); },
                "the start position is the first entry, even of an agent that stays there");
        } else if (count - 1 > rules_.max_actions) {
            reader.fault_at(place, DiagnosticCode::kActionsTooLong, [&] {
                return fmt::format("{} steps; at most {} are allowed", count - 1,
                                   rules_.max_actions);
            });
        }
    }

  private:
    PredictedPath& path_;
    const ContractRules& rules_;
};

class PathReader {
  public:
    PathReader(const std::filesystem::path& file, const Split& split, const ContractRules& rules)
        : split_(split), rules_(rules), report_(result_.diagnostics, file.string(), {}) {
        const std::string text = read_prediction_text(file, rules.limits.max_member_bytes);
        if (is_json_lines(file)) {
            read_lines(text);
        } else {
            read_document(text);
        }
    }

    PathPredictions take() { return std::move(result_); }

  private:
    void read_document(std::string_view text) {
        const SplitManifest manifest = manifest_by_episode(split_);
        IdCheck ids(manifest, report_);
        ValueReader reader(text, report_);
        const bool whole = reader.object(
            "an object {EPISODE_ID: [{\"position\": [x, y, z], \"stop\": false}, ...]}",
            [&](const std::string& id) {
                PredictedPath path;
                path.episode_id = id;
                reader.set_episode(id);
                const bool keep = ids.take(id, reader);
                if (reader.peek() == JsonToken::kBeginObject) {
                    read_locations(reader, path);
                } else {
                    read_states(reader, path);
                }
                reader.set_episode({});
                if (keep) result_.paths.push_back(std::move(path));
            });
        reader.finish();
        if (whole) ids.finish();
    }

    void read_states(ValueReader& reader, PredictedPath& path) {
        PathBuilder builder(path, rules_);
        std::uint64_t count = 0;
        std::optional<std::uint64_t> early_stop;
        reader.peek();
        const TextPlace place = reader.place();
        const bool whole = reader.array("a list of states", [&](std::uint64_t i) {
            ++count;
            if (path.stopped && !early_stop) early_stop = i - 1;
            read_state(reader, path, builder);
        });
        if (!whole) return;
        builder.check(reader, place, count);
        if (!early_stop) return;
        reader.fault_at(place, DiagnosticCode::kStopNotLast, [&] {
            return fmt::format("the agent stopped in state {} of {}; nothing may follow",
                               *early_stop + 1, count);
        });
    }

    void read_state(ValueReader& reader, PredictedPath& path, PathBuilder& builder) {
        bool has_position = false, has_stop = false;
        reader.peek();
        const TextPlace place = reader.place();
        const bool whole = reader.object("a state", [&](const std::string& key) {
            if (key == "position" && !has_position) {
                has_position = true;
                if (const std::optional<Vec3d> position = reader.point()) builder.add(*position);
            } else if (key == "stop" && !has_stop) {
                has_stop = true;
                if (const std::optional<bool> stop = reader.boolean()) {
                    path.stopped = path.stopped || *stop;
                }
            } else if (key == "heading") {
                reader.number(-kMaxHeading_rad, kMaxHeading_rad);
            } else {
                reader.skip();
            }
        });
        if (!whole) return;
        if (!has_position) reader.missing(place, "position");
        if (!has_stop) reader.missing(place, "stop");
    }

    /// {"locations": [...], "actions": [...]}
    void read_locations(ValueReader& reader, PredictedPath& path) {
        bool has_locations = false;
        path.stopped = true;
        reader.peek();
        const TextPlace place = reader.place();
        const bool whole = reader.object("", [&](const std::string& key) {
            if (key == "locations" && !has_locations) {
                has_locations = true;
                read_positions(reader, path);
            } else if (key == "actions") {
                path.stopped = false;
                reader.array("a list of actions", [&](std::uint64_t) {
                    path.stopped = reader.integer(0, kActionCount - 1) == 0;
                });
            } else {
                reader.skip();
            }
        });
        if (whole && !has_locations) reader.missing(place, "locations");
    }

    void read_positions(ValueReader& reader, PredictedPath& path) {
        PathBuilder builder(path, rules_);
        std::uint64_t count = 0;
        reader.peek();
        const TextPlace place = reader.place();
        const bool whole = reader.array("a list of positions", [&](std::uint64_t) {
            ++count;
            if (const std::optional<Vec3d> position = reader.point()) builder.add(*position);
        });
        if (whole) builder.check(reader, place, count);
    }

    void read_lines(std::string_view text) {
        std::map<std::string, std::string> to_episode;
        const SplitManifest manifest = manifest_by_instruction(split_, to_episode);
        IdCheck ids(manifest, report_);
        for_each_line(text, [&](std::string_view line, std::uint64_t number) {
            ValueReader reader(line, report_, number);
            read_line(reader, ids, to_episode);
            reader.finish();
        });
        ids.finish();
    }

    void read_line(ValueReader& reader, IdCheck& ids,
                   const std::map<std::string, std::string>& to_episode) {
        PredictedPath path;
        path.stopped = true;
        bool keep = false, has_id = false, has_path = false;
        reader.peek();
        const TextPlace place = reader.place();
        const bool whole =
            reader.object("an object {\"instruction_id\": 1, \"path\": [[x, y, z], ...]}",
                          [&](const std::string& key) {
                              if (key == "instruction_id" && !has_id) {
                                  has_id = true;
                                  const std::optional<std::string> id = reader.id();
                                  keep = id && ids.take(*id, reader);
                                  if (keep) path.episode_id = to_episode.at(*id);
                              } else if (key == "path" && !has_path) {
                                  has_path = true;
                                  read_positions(reader, path);
                              } else {
                                  reader.skip();
                              }
                          });
        if (whole && !has_id) reader.missing(place, "instruction_id");
        if (whole && !has_path) reader.missing(place, "path");
        if (keep) result_.paths.push_back(std::move(path));
    }

    static constexpr double kMaxHeading_rad = 1e6;

    const Split& split_;
    const ContractRules& rules_;
    PathPredictions result_;
    FileReport report_;
};

}  // namespace

PathPredictions read_path_predictions(const std::filesystem::path& file, const Split& split,
                                      const ContractRules& rules) {
    return PathReader(file, split, rules).take();
}

Trace trace_of(const PredictedPath& path) {
    HAVLN_CHECK(!path.positions.empty());
    Trace trace;
    trace.positions.reserve(path.positions.size());
    for (const Vec3d& position : path.positions) trace.positions.push_back(to_float(position));
    const std::size_t steps = path.positions.size() - 1;
    trace.rotations_xyzw.resize(path.positions.size());
    trace.collided.resize(steps, 0);
    trace.frames.resize(steps, 0);
    trace.stopped = path.stopped;
    return trace;
}

}  // namespace havln
