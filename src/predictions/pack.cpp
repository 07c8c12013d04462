#include "predictions/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "contract/split_check.h"
#include "havln/error.h"
#include "io/escape.h"
#include "io/json_writer.h"
#include "io/zip_writer.h"
#include "predictions/agent_file.h"

namespace havln {

namespace {

/// An episode that is going into the submission.
struct Gathered {
    std::string episode_id;
    std::vector<Action> actions;
    EpisodePlace place;
};

/// The predictions of one split as they come in.
struct GatheredSplit {
    std::vector<Gathered> episodes;
    std::unordered_map<std::string, std::size_t> by_id;
};

std::string show(const EpisodePlace& place) {
    return fmt::format("{}, line {}, column {}", escape_control(place.file), place.line,
                       place.column);
}

class Packer {
  public:
    Packer(const Manifest& manifest, const PackRules& rules)
        : index_(manifest), rules_(rules), splits_(manifest.splits.size()) {}

    void take(const PackInput& input);
    PackResult finish();

  private:
    std::optional<std::size_t> split_of(const AgentFile& file, const AgentEpisode& episode,
                                        const PackInput& input, FileReport& report);
    void take_episode(std::size_t split, Gathered episode, TextPlace place, FileReport& report);
    SplitSubmission ordered(std::size_t split);
    std::string known_splits() const;

    ManifestIndex index_;
    const PackRules& rules_;
    UnknownKeys unknown_keys_;
    std::vector<GatheredSplit> splits_;                         ///< By position in the manifest.
    std::set<std::pair<std::string, std::string>> bad_splits_;  ///< File and name, told already.
    PackResult result_;
};

void Packer::take(const PackInput& input) {
    const std::string name = input.file.string();
    FileReport report(result_.diagnostics, name, std::nullopt);
    const AgentFile file = read_agent_file(input.file, rules_, unknown_keys_, report);
    result_.quoted_ids += file.quoted_ids;
    result_.translated_actions += file.translated_actions;
    for (const AgentEpisode& episode : file.episodes) {
        const std::optional<std::size_t> split = split_of(file, episode, input, report);
        if (!split) continue;
        const auto first = file.actions.begin() + static_cast<std::ptrdiff_t>(episode.first_action);
        take_episode(*split,
                     {episode.episode_id,
                      {first, first + episode.action_count},
                      {name, episode.place.line, episode.place.column}},
                     episode.place, report);
    }
}

std::string Packer::known_splits() const {
    std::string known;
    for (const SplitManifest& split : index_.manifest().splits) {
        known += (known.empty() ? "" : ", ") + split.name;
    }
    return known;
}

/// The split that the episode belongs to: its own word, the file's, the user's.
std::optional<std::size_t> Packer::split_of(const AgentFile& file, const AgentEpisode& episode,
                                            const PackInput& input, FileReport& report) {
    const std::optional<std::string>& said = episode.split ? episode.split : file.split;
    if (said && !input.split.empty() && *said != input.split) {
        throw usage_error(input.file, fmt::format("holds {} by its own word, not {}", quote(*said),
                                                  quote(input.split)));
    }
    const std::string name = said                   ? *said
                             : !input.split.empty() ? input.split
                                                    : rules_.default_split;
    const std::optional<std::size_t> split = index_.split(name);
    if (split || !bad_splits_.emplace(input.file.string(), name).second) return split;
    Diagnostic diagnostic;
    if (name.empty()) {
        diagnostic = diagnostic_at(episode.place, "", "nothing says which split this file holds",
                                   "put it before the file's name, e.g. val_unseen=FILE");
        diagnostic.code = DiagnosticCode::kSplitMissing;
        diagnostic.pointer.reset();
    } else {
        diagnostic = diagnostic_at(episode.split || !said ? episode.place : file.split_place, "",
                                   fmt::format("the split {} is not known", quote(name)),
                                   "the splits are " + known_splits());
        diagnostic.code = DiagnosticCode::kSplitUnrecognised;
        diagnostic.pointer.reset();
    }
    report.add(std::move(diagnostic));
    return std::nullopt;
}

void Packer::take_episode(std::size_t split, Gathered episode, TextPlace place,
                          FileReport& report) {
    GatheredSplit& gathered = splits_[split];
    const auto [known, is_new] =
        gathered.by_id.emplace(episode.episode_id, gathered.episodes.size());
    if (is_new) {
        gathered.episodes.push_back(std::move(episode));
        return;
    }
    Gathered& earlier = gathered.episodes[known->second];
    const std::string& name = index_.facts(split).name;
    if (rules_.last_wins) {
        result_.replaced.push_back({name, episode.episode_id, earlier.place, episode.place});
        earlier = std::move(episode);
        return;
    }
    report.add(DiagnosticCode::kEpisodeDuplicate, [&] {
        Diagnostic diagnostic = diagnostic_at(
            place, "",
            fmt::format("the episode {} of {} comes a second time; the first is at {}",
                        quote(episode.episode_id), name, show(earlier.place)),
            "remove one of the two, or give --last-wins to take the last");
        diagnostic.pointer.reset();
        diagnostic.episode_id = episode.episode_id;
        return diagnostic;
    });
}

/// The split in the manifest's order, so that the order in which files came in leaves no trace.
SplitSubmission Packer::ordered(std::size_t split) {
    std::vector<Gathered>& episodes = splits_[split].episodes;
    std::vector<std::pair<std::size_t, std::size_t>> order;
    const std::size_t official = index_.facts(split).episode_ids.size();
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        order.emplace_back(index_.id(split, episodes[i].episode_id).value_or(official), i);
    }
    std::sort(order.begin(), order.end());
    SplitSubmission submission;
    submission.split = index_.facts(split).name;
    for (const auto& [position, i] : order) {
        SubmittedEpisode episode;
        episode.episode_id = std::move(episodes[i].episode_id);
        episode.first_action = submission.actions.size();
        episode.action_count = static_cast<std::uint32_t>(episodes[i].actions.size());
        submission.actions.insert(submission.actions.end(), episodes[i].actions.begin(),
                                  episodes[i].actions.end());
        submission.episodes.push_back(std::move(episode));
    }
    return submission;
}

PackResult Packer::finish() {
    for (std::size_t split = 0; split < splits_.size(); ++split) {
        if (!splits_[split].episodes.empty()) result_.splits.push_back(ordered(split));
    }
    if (result_.splits.empty() && !result_.diagnostics.rejected()) {
        Diagnostic diagnostic;
        diagnostic.code = DiagnosticCode::kSplitMissing;
        diagnostic.message = "the files hold no episode";
        result_.diagnostics.add(std::move(diagnostic));
    }
    return std::move(result_);
}

}  // namespace

PackResult collect_predictions(const std::vector<PackInput>& inputs, const Manifest& manifest,
                               const PackRules& rules) {
    Packer packer(manifest, rules);
    for (const PackInput& input : inputs) packer.take(input);
    return packer.finish();
}

std::string prediction_file(const SplitSubmission& split) {
    JsonWriter name(JsonWriter::Style::kCompact);
    name.value(split.split);
    std::string text =
        fmt::format("{{\"format_version\":1,\"split\":{},\"episodes\":[", name.take());
    const char* separator = "\n";
    for (const SubmittedEpisode& episode : split.episodes) {
        JsonWriter json(JsonWriter::Style::kCompact);
        json.begin_object().member("episode_id", episode.episode_id).key("actions").begin_array();
        for (const Action action : split.actions_of(episode)) json.value(action_name(action));
        json.end_array().end_object();
        text += separator + json.take();
        separator = ",\n";
    }
    return text + "\n]}\n";
}

std::string submission_archive(const std::vector<SplitSubmission>& splits) {
    std::vector<ArchiveMember> members;
    for (const SplitSubmission& split : splits) {
        members.push_back({split.split + ".json", prediction_file(split)});
    }
    return zip_archive(members);
}

}  // namespace havln
