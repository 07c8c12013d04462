#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "contract/action_check.h"
#include "havln/error.h"
#include "havln/predictions.h"
#include "io/escape.h"
#include "predictions/id_check.h"
#include "predictions/value_reader.h"

namespace havln {

namespace {

class ActionListReader {
  public:
    ActionListReader(const std::filesystem::path& file, const SplitManifest& ids,
                     const ContractRules& rules, const ActionCodes& codes)
        : rules_(rules),
          codes_(codes),
          report_(result_.diagnostics, file.string(), {}),
          ids_(ids, report_) {
        submission_.split = summary_.split = ids.name;
        submission_.file = summary_.file = file.string();
        const std::string text = read_prediction_text(file, rules.limits.max_member_bytes);
        if (is_json_lines(file)) {
            for_each_line(text, [&](std::string_view line, std::uint64_t number) {
                ValueReader reader(line, report_, number);
                read_line(reader);
                reader.finish();
            });
            ids_.finish();
        } else {
            read_document(text);
        }
    }

    ReadResult take() {
        result_.summaries.push_back(summary_);
        result_.splits.push_back(std::move(submission_));
        return std::move(result_);
    }

  private:
    void read_document(std::string_view text) {
        ValueReader reader(text, report_);
        const bool whole =
            reader.object("an object {EPISODE_ID: [actions], ...}", [&](const std::string& id) {
                reader.set_episode(id);
                const bool keep = ids_.take(id, reader);
                const std::uint64_t first = begin_episode();
                if (reader.peek() == JsonToken::kBeginObject) {
                    read_record(reader);
                } else {
                    read_actions(reader);
                }
                end_episode(keep ? std::optional(id) : std::nullopt, first);
                reader.set_episode({});
            });
        reader.finish();
        if (whole) ids_.finish();
    }

    /// {"actions": [...]}, as VLN-CE's reference files have it.
    void read_record(ValueReader& reader) {
        bool has_actions = false;
        const TextPlace place = reader.place();
        const bool whole = reader.object("", [&](const std::string& key) {
            if (key == "actions" && !has_actions) {
                has_actions = true;
                read_actions(reader);
            } else {
                reader.skip();
            }
        });
        if (whole && !has_actions) reader.missing(place, "actions");
    }

    /// {"episode_id": id, "actions": [...]}, one of JSON Lines.
    void read_line(ValueReader& reader) {
        std::optional<std::string> kept;
        bool has_id = false, has_actions = false;
        const std::uint64_t first = begin_episode();
        reader.peek();
        const TextPlace place = reader.place();
        const bool whole = reader.object("an object {\"episode_id\": \"1\", \"actions\": [...]}",
                                         [&](const std::string& key) {
                                             if (key == "episode_id" && !has_id) {
                                                 has_id = true;
                                                 const std::optional<std::string> id = reader.id();
                                                 reader.set_episode(id);
                                                 if (id && ids_.take(*id, reader)) kept = id;
                                             } else if (key == "actions" && !has_actions) {
                                                 has_actions = true;
                                                 read_actions(reader);
                                             } else {
                                                 reader.skip();
                                             }
                                         });
        if (whole && !has_id) reader.missing(place, "episode_id");
        if (whole && !has_actions) reader.missing(place, "actions");
        end_episode(std::move(kept), first);
    }

    std::uint64_t begin_episode() {
        ++summary_.episodes;
        return submission_.actions.size();
    }

    /// Only official episodes are kept, each once: memory does not grow with what is refused.
    void end_episode(std::optional<std::string> id, std::uint64_t first) {
        if (!id) {
            submission_.actions.resize(first);
            return;
        }
        const std::uint64_t count = submission_.actions.size() - first;
        submission_.episodes.push_back({std::move(*id), first, static_cast<std::uint32_t>(count)});
    }

    void read_actions(ValueReader& reader) {
        ActionListFacts facts;
        reader.peek();
        const TextPlace place = reader.place();
        const bool whole =
            reader.array("a list of actions", [&](std::uint64_t) { read_action(reader, facts); });
        summary_.actions += facts.count;
        if (!whole) return;
        for (const ActionListFault& fault : check_action_list(facts, place, rules_.max_actions)) {
            reader.fault_of_list(fault, facts, rules_.max_actions);
        }
    }

    void read_action(ValueReader& reader, ActionListFacts& facts) {
        const JsonToken token = reader.peek();
        const TextPlace place = reader.place();
        std::optional<Action> action;
        if (token == JsonToken::kString) {
            action = action_from_name(reader.text());
        } else if (token == JsonToken::kNumber) {
            action = action_of_code(reader.text());
        }
        const bool allowed = action && rules_.allowed[static_cast<std::size_t>(*action)];
        if (!allowed) report_action(reader, token, action, facts.count);
        facts.add(allowed && *action == Action::kStop, !action.has_value(), place);
        if (allowed && facts.count <= rules_.max_actions) submission_.actions.push_back(*action);
        reader.skip();
    }

    std::optional<Action> action_of_code(std::string_view text) const {
        std::int64_t code = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), code);
        if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
        const auto found = codes_.find(code);
        return found == codes_.end() ? std::nullopt : std::optional(found->second);
    }

    void report_action(ValueReader& reader, JsonToken token, std::optional<Action> action,
                       std::uint64_t step) {
        if (token == JsonToken::kFailed) return;
        const bool readable = token == JsonToken::kString || token == JsonToken::kNumber;
        reader.fault_at(
            reader.place(), readable ? DiagnosticCode::kActionUnknown : DiagnosticCode::kActionType,
            [&] {
                if (action) {
                    return fmt::format("{} is not among this profile's actions",
                                       action_name(*action));
                }
                if (token == JsonToken::kString) {
                    return fmt::format("{} is no action", quote(reader.text()));
                }
                if (token == JsonToken::kNumber) {
                    return fmt::format("{} is no action code", reader.text().substr(0, 40));
                }
                return fmt::format("an action is {}, expected a name or a code",
                                   json_token_name(token));
            },
            hint_, step);
    }

    std::string action_hint() const {
        std::string text;
        for (const auto& [code, action] : codes_) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", code, action_name(action));
        }
        return "actions are names, e.g. \"MOVE_FORWARD\", or codes: " + text;
    }

    const ContractRules& rules_;
    const ActionCodes& codes_;
    const std::string hint_ = action_hint();
    ReadResult result_;
    FileReport report_;
    IdCheck ids_;
    SplitSubmission submission_;
    SplitSummary summary_;
};

/// "1=MOVE_FORWARD".
std::optional<std::pair<std::int64_t, Action>> parse_action_code(std::string_view item) {
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    std::int64_t code = 0;
    const auto read = std::from_chars(item.data(), item.data() + equals, code);
    if (read.ec != std::errc() || read.ptr != item.data() + equals) return std::nullopt;
    const std::optional<Action> action = action_from_name(item.substr(equals + 1));
    if (!action) return std::nullopt;
    return std::pair(code, *action);
}

std::string_view next_item(std::string_view& rest) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    return item;
}

}  // namespace

ActionCodes default_action_codes() {
    return {{0, Action::kStop},
            {1, Action::kMoveForward},
            {2, Action::kTurnLeft},
            {3, Action::kTurnRight}};
}

ActionCodes parse_action_codes(const std::string& text) {
    ActionCodes codes;
    std::string_view rest = text;
    do {
        const std::string_view item = next_item(rest);
        const auto pair = parse_action_code(item);
        if (!pair) {
            throw usage_error(
                {}, fmt::format("action codes: expected CODE=ACTION, e.g. 1=MOVE_FORWARD, found {}",
                                quote(item)));
        }
        const bool action_used = std::any_of(codes.begin(), codes.end(), [&](const auto& known) {
            return known.second == pair->second;
        });
        if (action_used || !codes.insert(*pair).second) {
            throw usage_error(
                {}, fmt::format("action codes: {} repeats a code or an action", quote(item)));
        }
    } while (!rest.empty());
    return codes;
}

ReadResult read_action_lists(const std::filesystem::path& file, const SplitManifest& ids,
                             const ContractRules& rules, const ActionCodes& codes) {
    return ActionListReader(file, ids, rules, codes).take();
}

}  // namespace havln
