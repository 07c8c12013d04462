#include "predictions/agent_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "io/escape.h"
#include "predictions/value_reader.h"

namespace havln {

namespace {

/// What agents write beside the predictions, the challenge's earlier format above all, and what is
/// left out without a word.
constexpr std::array<std::string_view, 7> kKnownBallast = {
    "agent_name", "format_version", "instruction",  "scene_id",
    "timestamp",  "trajectory",     "trajectory_id"};

bool is_ballast(std::string_view key) {
    return std::find(kKnownBallast.begin(), kKnownBallast.end(), key) != kKnownBallast.end();
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string known_codes(const ActionCodes& codes) {
    std::string text;
    for (const auto& [code, action] : codes) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", code, action_name(action));
    }
    return text;
}

std::string action_names() {
    std::string names;
    for (int i = 0; i < kActionCount; ++i) {
        names += (names.empty() ? "" : ", ") + std::string(action_name(static_cast<Action>(i)));
    }
    return names;
}

/// Reads one JSON text into an AgentFile: a document, or a line of JSON Lines.
class AgentReader {
  public:
    AgentReader(std::string_view text, std::uint64_t first_line, const PackRules& rules,
                UnknownKeys& unknown_keys, FileReport& report, AgentFile& file)
        : json_(text, report, first_line),
          rules_(rules),
          unknown_keys_(unknown_keys),
          file_(file) {}

    void read_document();
    void read_line() {
        read_episode();
        json_.finish();
    }

  private:
    void read_member(const std::string& key);
    void read_split();
    void read_metadata();
    void read_episodes();
    void read_list();
    void read_episode();
    void read_named_episode(const std::string& episode_id);
    void read_id(AgentEpisode& episode);
    void read_actions();
    void read_action();
    void report_action(JsonToken token);
    void keep(AgentEpisode episode);
    void pass_over(std::string_view level, std::string_view key);

    ValueReader json_;
    const PackRules& rules_;
    UnknownKeys& unknown_keys_;
    AgentFile& file_;
};

/// Leaves a member out; those that may have been meant for us draw a warning, each key one.
void AgentReader::pass_over(std::string_view level, std::string_view key) {
    if (!is_ballast(key) && unknown_keys_.note(level, key) != UnknownKeys::Answer::kKnown) {
        json_.peek();
        json_.fault(
            DiagnosticCode::kFieldUnknown,
            [&] { return fmt::format("the key {} is not known here and is left out", quote(key)); },
            "an episode needs \"episode_id\" and \"actions\"");
    }
    json_.skip();
}

void AgentReader::read_document() {
    if (json_.peek() == JsonToken::kBeginArray) {
        read_list();
    } else {
        json_.object("an object or a list of episodes",
                     [&](const std::string& key) { read_member(key); });
    }
    json_.finish();
}

/// A member of a document: {"split", "episodes"}, or episodes by id.
void AgentReader::read_member(const std::string& key) {
    if (key == "split") {
        read_split();
    } else if (key == "metadata") {
        read_metadata();
    } else if (key == "episodes") {
        read_episodes();
    } else if (key == "episode_id" || key == "actions") {
        json_.peek();
        json_.fault(
            DiagnosticCode::kFieldType,
            [] { return "the file holds one episode, expected a list of them"; },
            "a file with one episode a line must be called .jsonl");
        json_.skip();
    } else if (json_.peek() == JsonToken::kBeginArray) {
        read_named_episode(key);
    } else {
        pass_over("", key);
    }
}

void AgentReader::read_split() {
    if (json_.peek() != JsonToken::kString) {
        json_.wrong_kind("the name of a split");
        return;
    }
    const std::string name(json_.text());
    if (file_.split && *file_.split != name) {
        json_.fault(
            DiagnosticCode::kSplitDuplicate,
            [&] {
                return fmt::format("the file says that its split is {}, and {} before", quote(name),
                                   quote(*file_.split));
            },
            "let the file name its split once");
    } else {
        file_.split = name;
        file_.split_place = json_.place();
    }
    json_.skip();
}

void AgentReader::read_metadata() {
    if (json_.peek() != JsonToken::kBeginObject) {
        json_.skip();
        return;
    }
    json_.object("", [&](const std::string& key) {
        if (key == "split") {
            read_split();
        } else {
            json_.skip();
        }
    });
}

void AgentReader::read_episodes() {
    if (json_.peek() == JsonToken::kBeginObject) {
        json_.object("", [&](const std::string& id) { read_named_episode(id); });
    } else {
        read_list();
    }
}

void AgentReader::read_list() {
    json_.array("a list of episodes", [&](std::uint64_t) { read_episode(); });
}

/// Actions under the episode's id.
void AgentReader::read_named_episode(const std::string& episode_id) {
    AgentEpisode episode;
    json_.peek();
    episode.place = json_.place();
    episode.episode_id = episode_id;
    episode.first_action = file_.actions.size();
    json_.set_episode(episode_id);
    read_actions();
    json_.set_episode({});
    keep(std::move(episode));
}

/// {"episode_id", "actions"}, perhaps with its own "split".
void AgentReader::read_episode() {
    AgentEpisode episode;
    json_.peek();
    episode.place = json_.place();
    episode.first_action = file_.actions.size();
    bool has_id = false, has_actions = false;
    const bool whole = json_.object(
        "an object {\"episode_id\": \"1\", \"actions\": [...]}", [&](const std::string& key) {
            if (key == "episode_id" && !has_id) {
                has_id = true;
                read_id(episode);
            } else if (key == "actions" && !has_actions) {
                has_actions = true;
                read_actions();
            } else if (key == "split" && json_.peek() == JsonToken::kString) {
                episode.split = std::string(json_.text());
                json_.skip();
            } else {
                pass_over("episode", key);
            }
        });
    if (whole && !has_id) json_.missing(episode.place, "episode_id");
    if (whole && !has_actions) json_.missing(episode.place, "actions");
    json_.set_episode({});
    if (whole && has_actions && !episode.episode_id.empty()) keep(std::move(episode));
}

void AgentReader::read_id(AgentEpisode& episode) {
    const bool is_number = json_.peek() == JsonToken::kNumber;
    const std::optional<std::string> id = json_.id();
    if (!id) return;
    if (is_number) ++file_.quoted_ids;
    episode.episode_id = *id;
    json_.set_episode(id);
}

void AgentReader::keep(AgentEpisode episode) {
    episode.action_count = static_cast<std::uint32_t>(file_.actions.size() - episode.first_action);
    file_.episodes.push_back(std::move(episode));
}

void AgentReader::read_actions() {
    json_.array("a list of actions", [&](std::uint64_t) { read_action(); });
}

void AgentReader::read_action() {
    const JsonToken token = json_.peek();
    std::optional<Action> action;
    if (token == JsonToken::kString) action = action_from_name(json_.text());
    if (token == JsonToken::kNumber) {
        const std::optional<std::int64_t> code = whole_number(json_.text());
        const auto known = code ? rules_.action_codes.find(*code) : rules_.action_codes.end();
        if (known != rules_.action_codes.end()) {
            action = known->second;
            ++file_.translated_actions;
        }
    }
    if (action) {
        file_.actions.push_back(*action);
    } else if (token != JsonToken::kFailed) {
        report_action(token);
    }
    json_.skip();
}

void AgentReader::report_action(JsonToken token) {
    const std::string text(json_.text().substr(0, 80));
    if (token == JsonToken::kString) {
        json_.fault(
            DiagnosticCode::kActionUnknown,
            [&] { return fmt::format("{} is no action", quote(text)); },
            "the actions are " + action_names());
    } else if (token != JsonToken::kNumber || !whole_number(text)) {
        json_.fault(
            DiagnosticCode::kActionType,
            [&] {
                return fmt::format(
                    "an action is {}, expected a name or a whole number",
                    token == JsonToken::kNumber ? text : std::string(json_token_name(token)));
            },
            "the actions are " + action_names());
    } else if (rules_.action_codes.empty()) {
        json_.fault(
            DiagnosticCode::kActionType,
            [&] {
                return fmt::format("an action is the code {}, and nothing says what it means",
                                   text);
            },
            "say how the agent numbers its actions, e.g. --action-codes "
            "0=STOP,1=MOVE_FORWARD,2=TURN_LEFT,3=TURN_RIGHT");
    } else {
        json_.fault(
            DiagnosticCode::kActionUnknown,
            [&] { return fmt::format("the code {} is not among the action codes", text); },
            "the codes given are " + known_codes(rules_.action_codes));
    }
}

}  // namespace

AgentFile read_agent_file(const std::filesystem::path& path, const PackRules& rules,
                          UnknownKeys& unknown_keys, FileReport& report) {
    AgentFile file;
    const std::string text = read_prediction_text(path, rules.max_file_bytes);
    if (!is_json_lines(path)) {
        AgentReader(text, 1, rules, unknown_keys, report, file).read_document();
        return file;
    }
    for_each_line(text, [&](std::string_view line, std::uint64_t number) {
        AgentReader(line, number, rules, unknown_keys, report, file).read_line();
    });
    return file;
}

}  // namespace havln
