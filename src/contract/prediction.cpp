#include "contract/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "contract/action_check.h"
#include "io/escape.h"
#include "io/text.h"

namespace havln {

namespace {

/// "STOP, MOVE_FORWARD, ...": the actions that the rules allow.
std::string allowed_names(const ContractRules& rules) {
    std::string names;
    for (std::size_t i = 0; i < rules.allowed.size(); ++i) {
        if (!rules.allowed[i]) continue;
        if (!names.empty()) names += ", ";
        names += action_name(static_cast<Action>(i));
    }
    return names;
}

/// The action that was meant where only case, white space or the word separator is wrong.
std::optional<Action> meant_action(std::string_view name) {
    if (name.size() > 64) return std::nullopt;
    name = trimmed(name);
    if (name.empty()) return std::nullopt;
    std::string plain;
    for (const char c : name) {
        if (c >= 'a' && c <= 'z') {
            plain += static_cast<char>(c - 'a' + 'A');
        } else {
            plain += c == ' ' || c == '-' ? '_' : c;
        }
    }
    return action_from_name(plain);
}

/// How a value looks in the file, for "found ...".
std::string found_value(JsonToken token, const JsonStream& json) {
    if (token == JsonToken::kString) return "the string " + quote(json.text());
    if (token == JsonToken::kNumber) return std::string(json.text().substr(0, 40));
    return std::string(json_token_name(token));
}

class PredictionReader {
  public:
    PredictionReader(ByteSource& source, std::size_t split, ManifestIndex& index,
                     const ContractRules& rules, UnknownKeys& unknown_keys, FileReport& report,
                     SplitSummary& summary)
        : json_(
              source, rules.limits.max_json_depth,
              [this](JsonFault fault) { take_fault(std::move(fault)); },
              [this](DiagnosticCode code) { return report_.wants(code); }),
          rules_(rules),
          unknown_keys_(unknown_keys),
          report_(report),
          summary_(summary),
          check_(index, split, report) {
        submission_.split = index.facts(split).name;
    }

    SplitSubmission read();

  private:
    void read_version(JsonToken token);
    void read_episodes(JsonToken token);
    void read_episode(JsonToken token);
    bool read_episode_id(JsonToken token);
    void read_actions(JsonToken token);
    void read_action(JsonToken token, ActionListFacts& seen);
    void check_actions(const ActionListFacts& seen, TextPlace place);
    /// JSON pointer of something in the episode that is being read, or at the top.
    std::string pointer(std::string_view rest) const {
        return report_.episode_pointer().append(rest);
    }
    void warn_unknown(std::string_view level);
    void missing_field(TextPlace place, std::string_view key, std::string_view expected);
    void take_fault(JsonFault fault);

    JsonStream json_;
    const ContractRules& rules_;
    UnknownKeys& unknown_keys_;
    FileReport& report_;
    SplitSummary& summary_;
    SplitCheck check_;
    SplitSubmission submission_;
};

void PredictionReader::take_fault(JsonFault fault) {
    report_.add(fault.code, [&] {
        Diagnostic diagnostic =
            diagnostic_at(fault.place, report_.episode_pointer(), fault.message, fault.hint);
        if (diagnostic.pointer->empty()) diagnostic.pointer.reset();
        return diagnostic;
    });
}

void PredictionReader::missing_field(TextPlace place, std::string_view key,
                                     std::string_view expected) {
    report_.add(DiagnosticCode::kFieldMissing, [&] {
        return diagnostic_at(place, pointer(""), fmt::format("the key \"{}\" is missing", key),
                             fmt::format("add \"{}\": {}", key, expected));
    });
}

void PredictionReader::warn_unknown(std::string_view level) {
    const std::string_view key = json_.text();
    switch (unknown_keys_.note(level, key)) {
        case UnknownKeys::Answer::kKnown:
            return;
        case UnknownKeys::Answer::kNew:
            report_.add(DiagnosticCode::kFieldUnknown, [&] {
                std::string place = pointer("/");
                for (const char c : key.substr(0, 80)) {
                    place += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
                }
                return diagnostic_at(
                    json_.place(), std::move(place),
                    fmt::format("the key {} is not known here and is ignored", quote(key)),
                    "remove it, or check its spelling");
            });
            return;
        case UnknownKeys::Answer::kTooMany:
            report_.add(DiagnosticCode::kFieldUnknown, [&] {
                return diagnostic_at(json_.place(), pointer(""),
                                     "very many unknown keys; further ones are not listed",
                                     "remove them");
            });
            return;
    }
}

SplitSubmission PredictionReader::read() {
    json_.next();  // The object's begin: the first look saw it.
    const TextPlace top = json_.place();
    JsonToken token = json_.next();
    bool has_version = false;
    bool has_episodes = false;
    for (; token == JsonToken::kKey; token = json_.next()) {
        const std::string_view key = json_.text();
        // Of a repeated key, which is a fault already, the first value is taken.
        if (key == "format_version" && !has_version) {
            has_version = true;
            read_version(json_.next());
        } else if (key == "episodes" && !has_episodes) {
            has_episodes = true;
            read_episodes(json_.next());
        } else {
            if (key != "split" && key != "format_version" && key != "episodes") {
                warn_unknown("");
            }
            json_.skip_value(json_.next());
        }
    }
    if (token == JsonToken::kEndObject) token = json_.next();
    // The text after a fault is unread: what seems to be missing may stand there.
    if (token != JsonToken::kFailed) {
        if (!has_version) missing_field(top, "format_version", "1");
        if (!has_episodes) {
            missing_field(top, "episodes", "[{\"episode_id\": \"1\", \"actions\": [...]}, ...]");
        }
    }
    json_.drain();
    return std::move(submission_);
}

void PredictionReader::read_version(JsonToken token) {
    if (token == JsonToken::kFailed) return;
    if (token != JsonToken::kNumber || json_.text() != "1") {
        report_.add(DiagnosticCode::kFormatVersion, [&] {
            return diagnostic_at(json_.place(), "/format_version",
                                 fmt::format("format_version is {}, expected the integer 1",
                                             found_value(token, json_)),
                                 "write \"format_version\": 1");
        });
    }
    json_.skip_value(token);
}

void PredictionReader::read_episodes(JsonToken token) {
    const TextPlace place = json_.place();
    if (token == JsonToken::kFailed) return;
    if (token != JsonToken::kBeginArray) {
        report_.add(DiagnosticCode::kFieldType, [&] {
            return diagnostic_at(
                place, "/episodes",
                fmt::format("episodes is {}, expected a list", found_value(token, json_)),
                "write \"episodes\": [{\"episode_id\": \"1\", \"actions\": [...]}, ...]");
        });
        json_.skip_value(token);
        return;
    }
    std::uint64_t index = 0;
    while ((token = json_.next()) != JsonToken::kEndArray) {
        if (token == JsonToken::kFailed) return;
        report_.begin_episode(index);
        read_episode(token);
        report_.end_episode();
        ++index;
    }
    check_.finish(place);
}

void PredictionReader::read_episode(JsonToken token) {
    const TextPlace place = json_.place();
    ++summary_.episodes;
    if (token != JsonToken::kBeginObject) {
        report_.add(DiagnosticCode::kFieldType, [&] {
            return diagnostic_at(
                place, pointer(""),
                fmt::format("an episode is {}, expected an object", found_value(token, json_)),
                "write {\"episode_id\": \"1\", \"actions\": [...]}");
        });
        json_.skip_value(token);
        return;
    }
    const std::uint64_t first_action = submission_.actions.size();
    std::optional<std::string> kept_id;
    bool has_id = false;
    bool has_actions = false;
    while ((token = json_.next()) == JsonToken::kKey) {
        const std::string_view key = json_.text();
        if (key == "episode_id" && !has_id) {
            has_id = true;
            if (read_episode_id(json_.next())) kept_id = std::string(json_.text());
        } else if (key == "actions" && !has_actions) {
            has_actions = true;
            read_actions(json_.next());
        } else {
            if (key != "episode_id" && key != "actions") warn_unknown("episode");
            json_.skip_value(json_.next());
        }
    }
    if (token != JsonToken::kFailed) {
        if (!has_id) missing_field(place, "episode_id", "\"...\", a string");
        if (!has_actions) missing_field(place, "actions", "[..., \"STOP\"]");
    }
    // Only official episodes are kept, each once: memory does not grow with what is refused.
    if (kept_id) {
        submission_.episodes.push_back(
            {std::move(*kept_id), first_action,
             static_cast<std::uint32_t>(submission_.actions.size() - first_action)});
    } else {
        submission_.actions.resize(first_action);
    }
}

bool PredictionReader::read_episode_id(JsonToken token) {
    const TextPlace place = json_.place();
    if (token == JsonToken::kFailed) return false;
    if (token == JsonToken::kString) {
        report_.set_episode_id(json_.text());
        return check_.take(json_.text(), place);
    }
    report_.add(DiagnosticCode::kEpisodeIdType, [&] {
        const std::string hint = token == JsonToken::kNumber
                                     ? fmt::format("quote it: \"{}\"", json_.text().substr(0, 40))
                                     : "write the id as a string, e.g. \"1\"";
        return diagnostic_at(
            place, pointer("/episode_id"),
            fmt::format("episode_id is {}, expected a string", found_value(token, json_)), hint);
    });
    if (token == JsonToken::kNumber) {
        // Counts as the id that it becomes once quoted, so that one fault does not show as two.
        check_.take(json_.text(), place);
    }
    json_.skip_value(token);
    return false;
}

void PredictionReader::read_actions(JsonToken token) {
    const TextPlace place = json_.place();
    if (token == JsonToken::kFailed) return;
    if (token != JsonToken::kBeginArray) {
        report_.add(DiagnosticCode::kFieldType, [&] {
            return diagnostic_at(
                place, pointer("/actions"),
                fmt::format("actions is {}, expected a list", found_value(token, json_)),
                "write \"actions\": [\"MOVE_FORWARD\", ..., \"STOP\"]");
        });
        json_.skip_value(token);
        return;
    }
    ActionListFacts seen;
    while ((token = json_.next()) != JsonToken::kEndArray) {
        if (token == JsonToken::kFailed) return;
        read_action(token, seen);
    }
    summary_.actions += seen.count;
    check_actions(seen, place);
}

void PredictionReader::read_action(JsonToken token, ActionListFacts& seen) {
    const std::uint64_t step = seen.count;
    std::optional<Action> action;
    if (token == JsonToken::kString) action = action_from_name(json_.text());
    if (action && rules_.allowed[static_cast<std::size_t>(*action)]) {
        seen.add(*action == Action::kStop, false, json_.place());
        if (step < rules_.max_actions) submission_.actions.push_back(*action);
        return;
    }
    const DiagnosticCode code =
        token == JsonToken::kString ? DiagnosticCode::kActionUnknown : DiagnosticCode::kActionType;
    const std::optional<Action> meant =
        token == JsonToken::kString && !action ? meant_action(json_.text()) : std::nullopt;
    seen.add(false, token != JsonToken::kString || meant == Action::kStop, json_.place());
    report_.add(code, [&] {
        std::string message =
            action ? fmt::format("{} is not among this profile's actions", action_name(*action))
            : token == JsonToken::kString
                ? fmt::format("{} is no action", quote(json_.text()))
                : fmt::format("an action is {}, expected a string", found_value(token, json_));
        std::string hint = meant ? fmt::format("did you mean \"{}\"?", action_name(*meant))
                                 : "the actions are " + allowed_names(rules_);
        Diagnostic diagnostic =
            diagnostic_at(json_.place(), pointer(fmt::format("/actions/{}", step)),
                          std::move(message), std::move(hint));
        diagnostic.step = step;
        return diagnostic;
    });
    json_.skip_value(token);
}

void PredictionReader::check_actions(const ActionListFacts& seen, TextPlace place) {
    const std::uint32_t most = rules_.max_actions;
    for (const ActionListFault& fault : check_action_list(seen, place, most)) {
        report_.add(fault.code, [&] {
            Diagnostic diagnostic = diagnostic_at(
                fault.place,
                pointer(fault.step ? fmt::format("/actions/{}", *fault.step) : "/actions"),
                action_list_message(fault.code, seen, most), action_list_hint(fault.code, most));
            diagnostic.step = fault.step;
            return diagnostic;
        });
    }
}

}  // namespace

UnknownKeys::Answer UnknownKeys::note(std::string_view level, std::string_view key) {
    if (seen_.size() > kMaxKeys) return Answer::kKnown;
    if (!seen_.emplace(level, key).second) return Answer::kKnown;
    return seen_.size() > kMaxKeys ? Answer::kTooMany : Answer::kNew;
}

std::optional<JsonFault> first_text_fault(ByteSource& source, int max_depth) {
    std::optional<JsonFault> first;
    JsonStream json(
        source, max_depth,
        [&](JsonFault fault) {
            if (!first) first = std::move(fault);
        },
        [&](DiagnosticCode) { return !first; });
    while (!first) {
        const JsonToken token = json.next();
        if (token == JsonToken::kEnd || token == JsonToken::kFailed) break;
    }
    json.drain();
    return first;
}

SplitSniff sniff_split(ByteSource& source, const ManifestIndex& index, int max_depth) {
    SplitSniff sniff;
    JsonStream json(
        source, max_depth,
        [&](JsonFault fault) {
            if (!sniff.fault) sniff.fault = std::move(fault);
        },
        [&](DiagnosticCode) { return !sniff.fault; });
    JsonToken token = json.next();
    sniff.place = json.place();
    if (token != JsonToken::kBeginObject) {
        json.skip_value(token);
        if (token != JsonToken::kFailed) json.next();
        json.drain();
        return sniff;
    }
    sniff.is_object = true;
    while ((token = json.next()) == JsonToken::kKey) {
        const bool is_split = json.text() == "split";
        token = json.next();
        if (!is_split) {
            json.skip_value(token);
            continue;
        }
        if (!sniff.has_split_key) sniff.place = json.place();
        sniff.has_split_key = true;
        if (token == JsonToken::kString) {
            sniff.split = index.split(json.text());
            if (sniff.split) {
                sniff.place = json.place();
                return sniff;
            }
            if (!sniff.other_name) sniff.other_name = std::string(json.text());
        }
        json.skip_value(token);
    }
    if (token == JsonToken::kEndObject) json.next();
    json.drain();
    return sniff;
}

SplitSubmission read_prediction(ByteSource& source, std::size_t split, ManifestIndex& index,
                                const ContractRules& rules, UnknownKeys& unknown_keys,
                                FileReport& report, SplitSummary& summary) {
    return PredictionReader(source, split, index, rules, unknown_keys, report, summary).read();
}

}  // namespace havln
