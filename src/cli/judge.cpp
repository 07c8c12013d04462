#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "cli/common.h"
#include "cli/output_files.h"
#include "cli/rated_answers.h"
#include "havln/judge.h"
#include "havln/version.h"
#include "io/escape.h"
#include "io/file.h"
#include "judge/http_endpoint.h"
#include "report/score_table.h"

namespace havln::cli {

namespace {

struct JudgeCommand {
    CommonOptions common;
    std::filesystem::path questions, out, key_file;
    HttpSettings http;
    JudgeOptions options;
    bool dry_run = false;
};

void add_endpoint_options(CLI::App& app, JudgeCommand& command) {
    constexpr const char* kGroup = "Endpoint";
    app.add_option("--url", command.http.url,
                   "Address up to /chat/completions, e.g. https://HOST/v1 (default: "
                   "$HAVLN_JUDGE_URL; there is no other)")
        ->type_name("URL")
        ->group(kGroup);
    app.add_option("--model", command.options.model.name,
                   "The judge's name there (default: $HAVLN_JUDGE_MODEL)")
        ->type_name("NAME")
        ->group(kGroup);
    app.add_option("--key-file", command.key_file,
                   "File that holds the key (default: the key is $HAVLN_JUDGE_KEY, or none is "
                   "sent)")
        ->type_name("FILE")
        ->group(kGroup);
    app.add_flag("--own-sampling", command.options.model.own_sampling,
                 "Send no temperature, seed and max_tokens, for models that refuse them")
        ->group(kGroup);
    app.add_option("--timeout", command.http.timeout_s, "Of one request [s]")
        ->check(finite_number(0.001, 86'400))
        ->type_name("S")
        ->capture_default_str()
        ->group(kGroup);
}

void add_retry_options(CLI::App& app, JudgeCommand& command) {
    constexpr const char* kGroup = "Retries";
    RetryPolicy& retries = command.options.retries;
    app.add_option("--attempts", retries.max_attempts,
                   "Times that a request is sent, while the endpoint is busy or fails")
        ->check(CLI::Range(1, 20).description(""))
        ->type_name("N")
        ->capture_default_str()
        ->group(kGroup);
    app.add_option("--retry-delay", retries.first_delay_s,
                   "Wait before the second attempt [s]; doubles with each, up to 60")
        ->check(finite_number(0, 60))
        ->type_name("S")
        ->capture_default_str()
        ->group(kGroup);
    app.add_option("--seed", retries.seed, "Seed of the waits' jitter")
        ->type_name("S")
        ->capture_default_str()
        ->group(kGroup);
}

void add_options(CLI::App& app, JudgeCommand& command) {
    app.add_option("QUESTIONS", command.questions,
                   "JSON array, or JSON Lines (.jsonl), of question_id, question, answer, "
                   "extra_answers and prediction")
        ->required()
        ->type_name("");
    app.add_option("--out", command.out,
                   "Ratings to write, for havln-score --ratings; FILE.journal.jsonl keeps each one "
                   "as it comes, and a later run goes on from there")
        ->type_name("FILE");
    app.add_flag("--dry-run", command.dry_run, "Print the prompts and exit; nothing is sent");
    add_endpoint_options(app, command);
    add_retry_options(app, command);
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string read_key(const std::filesystem::path& file) {
    constexpr std::uint64_t kMaxKeyBytes = 8192;
    std::string key = read_whole_file(file, kMaxKeyBytes);
    while (!key.empty() && (key.back() == '\n' || key.back() == '\r')) key.pop_back();
    if (key.empty()) throw usage_error(file, "holds no key");
    return key;
}

void complete_from_environment(JudgeCommand& command) {
    if (command.http.url.empty()) command.http.url = environment("HAVLN_JUDGE_URL");
    std::string& model = command.options.model.name;
    if (model.empty()) model = environment("HAVLN_JUDGE_MODEL");
    if (command.http.url.empty()) {
        throw usage_error({},
                          "no endpoint is named, so nothing was sent: give --url or "
                          "HAVLN_JUDGE_URL");
    }
    if (model.empty()) throw usage_error({}, "name the judge by --model or HAVLN_JUDGE_MODEL");
    command.http.key =
        command.key_file.empty() ? environment("HAVLN_JUDGE_KEY") : read_key(command.key_file);
    command.http.user_agent = std::string("havln-judge/") + version();
}

/// The text's lines, each made safe for a terminal.
std::string shown_lines(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        out += escape_control(text.substr(0, end)) + '\n';
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return out;
}

ExitCode print_prompts(const std::vector<JudgeQuestion>& questions) {
    std::string out = "== instructions, sent with every question\n";
    out += shown_lines(judge_instructions());
    std::size_t asked = 0;
    for (const JudgeQuestion& question : questions) {
        const bool blank = is_blank(question);
        out += fmt::format("\n== question {}{}\n", quote(question.question_id),
                           blank ? ": no answer, rated 1 without being sent" : "");
        if (blank) continue;
        ++asked;
        out += shown_lines(judge_case(question));
    }
    out += fmt::format("\n{} of {} would be sent; nothing was\n", asked, questions.size());
    print_result(out);
    return ExitCode::kDone;
}

void refuse_incomplete(const JudgeCommand& command, const JudgeResult& result) {
    if (result.unrated.empty()) return;
    std::string lines;
    for (const auto& [question, why] : result.unrated) {
        lines += fmt::format("  question {}: {}\n", quote(question), why);
    }
    fmt::print(stderr, "{}", lines);
    throw usage_error(
        command.out,
        fmt::format("not written: {} of {} answers got no rating, as shown above; run "
                    "again to ask for these only",
                    result.unrated.size(), result.unrated.size() + result.ratings.size()));
}

ExitCode judge(JudgeCommand& command, const std::vector<JudgeQuestion>& questions) {
    if (command.out.empty()) throw usage_error({}, "name the file of ratings to write with --out");
    require_distinct({{"--out", command.out}}, {command.questions});
    complete_from_environment(command);
    const auto endpoint = make_http_endpoint(command.http);
    Progress progress(command.common, "rating", questions.size());
    command.options.progress = [&] { progress.advance(); };
    command.options.tell = [&](const std::string& line) { say(command.common, line); };
    command.options.wait = [](double seconds) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    };
    std::filesystem::path journal = command.out;
    journal += ".journal.jsonl";
    const JudgeResult result = judge_answers(questions, *endpoint, journal, command.options);
    refuse_incomplete(command, result);
    write_file_atomically(command.out, ratings_json(result.ratings));
    say(command.common,
        fmt::format("{} requests sent; {} ratings from the journal, {} answers blank",
                    result.requests, result.resumed, result.blank));
    print_result(llm_match_line(llm_match_of(command.out, command.common)));
    return ExitCode::kDone;
}

ExitCode run(JudgeCommand& command) {
    const auto questions = read_judge_questions(command.questions);
    return command.dry_run ? print_prompts(questions) : judge(command, questions);
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app("Has a language model rate an agent's answers from 1 to 5, for LLM-Match.",
                 "havln-judge");
    JudgeCommand command;
    add_options(app, command);
    return run_command(app, command.common, argc, argv, [&] { return run(command); });
}
