#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace havln {

// LLM-Match's judge: a language model, behind an endpoint that the user names, rates an agent's
// answers from 1 to 5. The scale is OpenEQA's (Majumdar et al. 2024); the wording is our own.

/// One question with an agent's answer to it. Text is UTF-8.
struct JudgeQuestion {
    std::string question_id;
    std::string question;
    std::string answer;                      ///< The reference answer.
    std::vector<std::string> extra_answers;  ///< Others that are right too.
    std::string prediction;                  ///< The agent's answer; blank where it gave none.
};

/// Reads an array of {"question_id", "question", "answer", "extra_answers" (may be left out or
/// null), "prediction" (may be null)}, or JSON Lines (".jsonl") of such. Other keys are ignored.
/// @return in file order; at least one, no id twice.
/// @throws Error (kUsage) at the first fault, with its place.
std::vector<JudgeQuestion> read_judge_questions(const std::filesystem::path& file);

/// The agent said nothing. OpenEQA's scale rates that 1; nobody needs to be asked.
bool is_blank(const JudgeQuestion& question);

/// Which model is asked, and how.
struct JudgeModel {
    std::string name;
    /// Send no temperature, seed and max_tokens: some models refuse them. Otherwise OpenEQA's
    /// values are sent: 0.2, 1234 and 32.
    bool own_sampling = false;
};

/// The scale and the rules, the same for every question.
std::string_view judge_instructions();

/// The question as a JSON object in one line: what an answer says cannot leave its string.
std::string judge_case(const JudgeQuestion& question);

/// Body of the chat-completions request.
/// @param ask  0 for the first; a later one has another seed, so that it may answer otherwise.
std::string judge_request(const JudgeQuestion& question, const JudgeModel& model, int ask);

/// What a judge's reply says: a rating, or why there is none.
struct JudgeReply {
    std::optional<int> rating;  ///< 1 to 5.
    std::string fault;          ///< Holds the reply's bytes as they came: escape before showing.
};

/// Reads the body of a chat completion. A rating is text that is a whole number and nothing else,
/// or that has exactly one line "Rating: N"; never a number picked out of other text.
JudgeReply read_judge_reply(std::string_view body);

/// What came of one request.
struct HttpReply {
    enum class Outcome : std::uint8_t {
        kAnswered,  ///< status and body are set.
        kLost,      ///< A timeout, or a connection that broke: may go better next time.
        kFailed,    ///< No connection, no trust or a reply that is too large: detail says what.
    };
    Outcome outcome = Outcome::kFailed;
    int status = 0;
    std::string body;
    std::optional<double> retry_after_s;
    std::string detail;
};

/// Where requests are sent.
class JudgeEndpoint {
  public:
    virtual ~JudgeEndpoint() = default;
    virtual HttpReply post(const std::string& body) = 0;
    /// The text with every secret of the endpoint blotted out: replies may echo them.
    virtual std::string redacted(std::string text) const { return text; }
};

/// How often and when a request is sent again that met 408, 429, 5xx or a lost connection.
struct RetryPolicy {
    int max_attempts = 6;      ///< Per request, the first included.
    double first_delay_s = 1;  ///< Doubles with every attempt.
    double max_delay_s = 60;
    double max_retry_after_s = 300;  ///< An endpoint that asks for more ends the run.
    std::uint64_t seed = 0;          ///< Of the jitter.
};

/// Seconds to wait after attempt `attempt` (from 0) failed: the doubled delay times a number in
/// [0.5, 1), by seed, question and attempt; not less than what the endpoint asks for.
double retry_delay_s(const RetryPolicy& policy, std::string_view question_id, int attempt,
                     std::optional<double> retry_after_s);

struct JudgeOptions {
    JudgeModel model;
    RetryPolicy retries;
    int max_asks = 3;                  ///< Per question, while replies hold no rating.
    int max_unrated = 10;              ///< Questions without a rating; then the run ends.
    std::function<void(double)> wait;  ///< Waits that many seconds.
    std::function<void(const std::string&)> tell;  ///< Takes a line of talk, escaped; may be empty.
    std::function<void()> progress;                ///< After each question; may be empty.
};

/// What a run came to.
struct JudgeResult {
    std::map<std::string, int> ratings;          ///< By question id.
    std::map<std::string, std::string> unrated;  ///< Question id: why, escaped.
    std::uint64_t requests = 0;                  ///< Sent in this run.
    std::uint64_t resumed = 0;                   ///< Ratings taken from the journal.
    std::uint64_t blank = 0;                     ///< Rated 1 without being asked.
};

/// Asks for every question that the journal has no rating of, one after the other.
/// @param journal  a file of JSON lines, made where it is absent; each rating is on the disk before
///                 the next question is asked. A rating holds for one model, prompt and answer.
/// @throws Error (kUsage) where the endpoint refuses or fails for good, or the journal is damaged,
///         in use or of another model. What was rated stays in the journal.
JudgeResult judge_answers(const std::vector<JudgeQuestion>& questions, JudgeEndpoint& endpoint,
                          const std::filesystem::path& journal, const JudgeOptions& options);

/// {QUESTION_ID: rating}, by id: what read_ratings reads.
std::string ratings_json(const std::map<std::string, int>& ratings);

}  // namespace havln
