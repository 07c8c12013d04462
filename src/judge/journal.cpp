#include "judge/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "havln/error.h"
#include "io/file.h"
#include "io/json_reader.h"
#include "io/json_writer.h"
#include "io/sha256.h"

namespace havln {

namespace {

constexpr int kVersion = 1;
constexpr std::uint64_t kMaxBytes = 256ull << 20;

/// Digest of all that a request holds beside model and question.
std::string prompt_digest(const JudgeModel& model) {
    JudgeModel nameless = model;
    nameless.name.clear();
    return sha256_hex(judge_request({}, nameless, 0));
}

std::string header_line(const JudgeModel& model) {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object().member("havln_judge_journal", kVersion).member("model", model.name);
    json.member("prompt_sha256", prompt_digest(model)).end_object();
    return json.take() + '\n';
}

}  // namespace

JudgeJournal::JudgeJournal(std::filesystem::path path, const JudgeModel& model)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666)) {
    if (file_.get() < 0) fail("cannot be opened");
    struct stat info = {};
    if (::fstat(file_.get(), &info) != 0) fail("cannot be read");
    if (!S_ISREG(info.st_mode)) throw usage_error(path_, "is not a regular file");
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) throw usage_error(path_, "another havln-judge is writing to it");
        fail("cannot be locked");
    }
    load(model);
}

void JudgeJournal::fail(const char* what) const {
    throw usage_error(path_, fmt::format("{}: {}", what, system_message(errno)));
}

void JudgeJournal::load(const JudgeModel& model) {
    const std::string header = header_line(model);
    const std::string text = read_whole_file(path_, kMaxBytes);
    const std::string_view whole = std::string_view(text).substr(0, text.rfind('\n') + 1);
    if (whole.empty() && header.starts_with(text)) {
        if (::ftruncate(file_.get(), 0) != 0) fail("cannot be written");
        write(header);
        return;
    }
    if (!whole.starts_with(header)) {
        throw usage_error(path_,
                          "is no journal of this model and prompt; choose another --out, or remove "
                          "the file to ask for every rating again");
    }
    read_entries(whole.substr(header.size()));
    if (whole.size() < text.size() &&
        ::ftruncate(file_.get(), static_cast<off_t>(whole.size())) != 0) {
        fail("cannot be written");
    }
}

void JudgeJournal::read_entries(std::string_view lines) {
    for (std::uint64_t number = 2; !lines.empty(); ++number) {
        const std::size_t end = lines.find('\n');
        read_entry(lines.substr(0, end), number);
        lines.remove_prefix(end + 1);
    }
}

void JudgeJournal::read_entry(std::string_view line, std::uint64_t number) {
    JsonReader json(line, fmt::format("{}, record in line {}", path_.string(), number),
                    ExitCode::kUsage);
    std::string id;
    Entry entry;
    json.object([&](std::string_view key) {
        if (key == "question_id") {
            id = json.string();
        } else if (key == "sha256") {
            entry.digest = json.string();
        } else if (key == "rating") {
            entry.rating = static_cast<int>(json.integer(1, 5));
        } else {
            throw json.fault("an unknown key: the journal is damaged");
        }
    });
    json.finish();
    if (id.empty() || entry.digest.size() != 64 || entry.rating == 0) {
        throw json.fault("expected question_id, sha256 and rating: the journal is damaged");
    }
    entries_.insert_or_assign(std::move(id), std::move(entry));
}

std::optional<int> JudgeJournal::rating_of(const JudgeQuestion& question) const {
    const auto entry = entries_.find(question.question_id);
    if (entry == entries_.end() || entry->second.digest != sha256_hex(judge_case(question))) {
        return std::nullopt;
    }
    return entry->second.rating;
}

void JudgeJournal::append(const JudgeQuestion& question, int rating) {
    HAVLN_CHECK(rating >= 1 && rating <= 5);
    JsonWriter json(JsonWriter::Style::kCompact);
    const std::string digest = sha256_hex(judge_case(question));
    json.begin_object().member("question_id", question.question_id).member("sha256", digest);
    json.member("rating", rating).end_object();
    write(json.take() + '\n');
    entries_.insert_or_assign(question.question_id, Entry{digest, rating});
}

void JudgeJournal::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(file_.get(), bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) fail("cannot be written");
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    if (::fsync(file_.get()) != 0) fail("cannot be written");
}

}  // namespace havln
