#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "havln/error.h"
#include "havln/judge.h"
#include "io/json_tree.h"
#include "io/text.h"

namespace havln {

namespace {

constexpr std::string_view kTag = "Rating:";

bool has_digit(std::string_view text) {
    return text.find_first_of("0123456789") != std::string_view::npos;
}

JudgeReply fault(std::string why, std::string_view text = {}) {
    JudgeReply reply;
    reply.fault = std::move(why);
    if (!text.empty()) reply.fault += fmt::format(": {}", text);
    return reply;
}

/// The rating that `text` is, and nothing else than that.
JudgeReply whole_rating(std::string_view text) {
    if (text.ends_with('.')) text.remove_suffix(1);
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (read.ec != std::errc() || read.ptr != end) {
        return fault(has_digit(text) ? "expected one number and nothing else, found"
                                     : "expected a number from 1 to 5, found",
                     text);
    }
    if (text.find('.') != std::string_view::npos) {
        return fault("the rating is no whole number", text);
    }
    if (!(number >= 1 && number <= 5)) return fault("the rating is not from 1 to 5", text);
    return {static_cast<int>(number), {}};
}

/// Text behind "Rating:" in the only line that begins so.
std::optional<std::string_view> tagged(std::string_view text) {
    std::optional<std::string_view> found;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (!line.starts_with(kTag)) continue;
        if (found) return std::nullopt;
        found = trimmed(line.substr(kTag.size()));
    }
    return found;
}

/// choices[0].message.content; null where the reply has another shape.
const JsonTree* content_of(const JsonTree& reply) {
    const JsonTree* choices = reply.find("choices");
    if (choices == nullptr || !choices->is_array() || choices->array().empty()) return nullptr;
    const JsonTree* message = choices->array().front().find("message");
    return message == nullptr ? nullptr : message->find("content");
}

}  // namespace

JudgeReply read_judge_reply(std::string_view body) {
    JsonTree reply;
    try {
        reply = JsonTree::parse(body, "reply", static_cast<int>(ExitCode::kUsage));
    } catch (const Error&) {
        return fault("the reply is not JSON", trimmed(body));
    }
    const JsonTree* content = content_of(reply);
    if (content == nullptr) {
        return fault("the reply is no chat completion (no choices[0].message.content)");
    }
    if (!content->is_string()) {
        return fault(fmt::format("the reply's content is {}, not text", content->kind()));
    }
    const std::string_view text = trimmed(content->string());
    if (text.empty()) return fault("the reply's content is empty");
    const std::optional<std::string_view> behind_tag = tagged(text);
    return whole_rating(behind_tag.value_or(text));
}

}  // namespace havln
