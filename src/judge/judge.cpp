#include "havln/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "havln/error.h"
#include "havln/random.h"
#include "io/escape.h"
#include "io/json_tree.h"
#include "io/json_writer.h"
#include "judge/journal.h"

namespace havln {

namespace {

constexpr std::size_t kShownBytes = 200;

bool may_pass(const HttpReply& reply) {
    if (reply.outcome == HttpReply::Outcome::kLost) return true;
    return reply.outcome == HttpReply::Outcome::kAnswered &&
           (reply.status == 408 || reply.status == 429 ||
            (reply.status >= 500 && reply.status <= 599));
}

bool is_good(const HttpReply& reply) {
    return reply.outcome == HttpReply::Outcome::kAnswered && reply.status >= 200 &&
           reply.status <= 299;
}

/// error.message of an endpoint's refusal, as OpenAI and its like send it.
std::string refusal(const std::string& body) {
    try {
        const JsonTree reply = JsonTree::parse(body, "reply");
        const JsonTree* error = reply.find("error");
        const JsonTree* message = error == nullptr ? nullptr : error->find("message");
        if (message != nullptr && message->is_string()) return message->string();
    } catch (const Error&) {
        // A refusal that is no JSON says no more than its status.
    }
    return {};
}

/// One run: asks question by question.
class Judge {
  public:
    Judge(JudgeEndpoint& endpoint, const JudgeOptions& options, JudgeResult& result)
        : endpoint_(endpoint), options_(options), result_(result) {}

    /// The rating, or nothing where no reply held one: why is in the result.
    std::optional<int> rate(const JudgeQuestion& question) {
        std::string fault;
        for (int ask = 0; ask < options_.max_asks; ++ask) {
            const std::string request = judge_request(question, options_.model, ask);
            const JudgeReply reply = read_judge_reply(send(question, request));
            if (reply.rating) return reply.rating;
            fault = shown(reply.fault);
        }
        result_.unrated.emplace(question.question_id, fault);
        if (result_.unrated.size() >= static_cast<std::size_t>(options_.max_unrated)) {
            throw usage_error(
                {}, fmt::format("{} answers got no rating from the judge, the last "
                                "one {}: {}",
                                result_.unrated.size(), quote(question.question_id), fault));
        }
        return std::nullopt;
    }

  private:
    std::string shown(std::string text) const {
        text = endpoint_.redacted(std::move(text));
        const bool cut = text.size() > kShownBytes;
        return escape_control(std::string_view(text).substr(0, kShownBytes)) + (cut ? "..." : "");
    }

    std::string what_came(const HttpReply& reply) const {
        if (reply.outcome != HttpReply::Outcome::kAnswered) return shown(reply.detail);
        std::string text = fmt::format("the endpoint answered {}", reply.status);
        if (reply.status >= 300 && reply.status <= 399) {
            text += " (a redirect, which is not followed: name the endpoint itself)";
        }
        const std::string why = refusal(reply.body);
        return why.empty() ? text : fmt::format("{}: {}", text, shown(why));
    }

    /// Body of the good reply that some attempt brought.
    std::string send(const JudgeQuestion& question, const std::string& request) {
        for (int attempt = 0;; ++attempt) {
            ++result_.requests;
            HttpReply reply = endpoint_.post(request);
            if (is_good(reply)) return std::move(reply.body);
            const std::string what =
                fmt::format("question {}: {}", quote(question.question_id), what_came(reply));
            if (!may_pass(reply)) throw usage_error({}, what);
            if (attempt + 1 >= options_.retries.max_attempts) {
                throw usage_error({},
                                  fmt::format("{}; given up after {} attempts", what, attempt + 1));
            }
            pause(question, attempt, reply, what);
        }
    }

    void pause(const JudgeQuestion& question, int attempt, const HttpReply& reply,
               const std::string& what) {
        if (reply.retry_after_s.value_or(0) > options_.retries.max_retry_after_s) {
            throw usage_error(
                {}, fmt::format("{}; it asks to wait {:.0f} s, longer than {:.0f} s: "
                                "run again then",
                                what, *reply.retry_after_s, options_.retries.max_retry_after_s));
        }
        const double delay_s =
            retry_delay_s(options_.retries, question.question_id, attempt, reply.retry_after_s);
        if (options_.tell) options_.tell(fmt::format("{}; again in {:.1f} s", what, delay_s));
        if (options_.wait) options_.wait(delay_s);
    }

    JudgeEndpoint& endpoint_;
    const JudgeOptions& options_;
    JudgeResult& result_;
};

}  // namespace

double retry_delay_s(const RetryPolicy& policy, std::string_view question_id, int attempt,
                     std::optional<double> retry_after_s) {
    HAVLN_CHECK(attempt >= 0);
    const double doubled =
        std::min(policy.max_delay_s, std::ldexp(policy.first_delay_s, std::min(attempt, 64)));
    Random random(mix_seed(policy.seed, fmt::format("{}\n{}", attempt, question_id)));
    return std::max(doubled * (0.5 + 0.5 * random.uniform()), retry_after_s.value_or(0));
}

JudgeResult judge_answers(const std::vector<JudgeQuestion>& questions, JudgeEndpoint& endpoint,
                          const std::filesystem::path& journal, const JudgeOptions& options) {
    JudgeJournal known(journal, options.model);
    JudgeResult result;
    Judge judge(endpoint, options, result);
    for (const JudgeQuestion& question : questions) {
        std::optional<int> rating = known.rating_of(question);
        if (rating) {
            ++result.resumed;
        } else if (is_blank(question)) {
            rating = 1;
            ++result.blank;
        } else {
            rating = judge.rate(question);
            if (rating) known.append(question, *rating);
        }
        if (rating) result.ratings.emplace(question.question_id, *rating);
        if (options.progress) options.progress();
    }
    return result;
}

std::string ratings_json(const std::map<std::string, int>& ratings) {
    JsonWriter json;
    json.begin_object();
    for (const auto& [question, rating] : ratings) json.member(question, rating);
    json.end_object();
    return json.take();
}

}  // namespace havln
