#include "judge/journal.h"

#include <string>

#include "havln/error.h"
#include "judge/questions.h"
#include "support/catch.h"
#include "support/support.h"

using namespace havln;
using namespace havln::test;

namespace {

const JudgeModel kModel{"m", false};

/// What opening the journal is refused with.
std::string fault_of(const std::filesystem::path& path, const JudgeModel& model = kModel) {
    try {
        const JudgeJournal journal(path, model);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kUsage);
        return error.what();
    }
    return "opened";
}

/// A journal with the ratings 4 of "a" and 2 of "b".
std::string two_ratings(const std::filesystem::path& path) {
    JudgeJournal journal(path, kModel);
    journal.append(make_question("a", "p"), 4);
    journal.append(make_question("b", "p"), 2);
    return read_file(path);
}

}  // namespace

TEST_CASE("journal: what was appended is there again", "[judge][journal]") {
    const TempDir dir;
    two_ratings(dir / "j");
    JudgeJournal journal(dir / "j", kModel);
    CHECK(journal.rating_of(make_question("a", "p")) == 4);
    CHECK(journal.rating_of(make_question("b", "p")) == 2);
    CHECK_FALSE(journal.rating_of(make_question("c", "p")));
    // Another answer to the same question must be rated anew; the later line counts.
    CHECK_FALSE(journal.rating_of(make_question("a", "other")));
    journal.append(make_question("a", "other"), 1);
    CHECK(journal.rating_of(make_question("a", "other")) == 1);
}

TEST_CASE("journal: every truncation opens, with the whole lines that are left",
          "[judge][journal]") {
    const TempDir dir;
    const std::string whole = two_ratings(dir / "whole");
    const std::size_t header = whole.find('\n') + 1;
    const std::size_t first = whole.find('\n', header) + 1;
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        INFO(size);
        write_file(dir / "j", whole.substr(0, size));
        {
            const JudgeJournal journal(dir / "j", kModel);
            CHECK(journal.rating_of(make_question("a", "p")).has_value() == (size >= first));
            CHECK(journal.rating_of(make_question("b", "p")).has_value() == (size == whole.size()));
        }
        // The torn line is gone: what comes next stands on a line of its own.
        const std::string left = read_file(dir / "j");
        CHECK(left == whole.substr(0, size == whole.size() ? size
                                      : size >= first      ? first
                                                           : header));
    }
}

TEST_CASE("journal: another model, damage and strangers' files are refused and kept as they are",
          "[judge][journal]") {
    const TempDir dir;
    const std::string whole = two_ratings(dir / "j");
    CHECK_THAT(fault_of(dir / "j", {"other", false}), contains_text("no journal of this model"));
    CHECK_THAT(fault_of(dir / "j", {"m", true}), contains_text("no journal of this model"));
    const auto damaged = [&](const std::string& text, const std::string& why) {
        write_file(dir / "d", text);
        CHECK_THAT(fault_of(dir / "d"), contains_text(why));
        CHECK(read_file(dir / "d") == text);
    };
    damaged("somebody's notes", "no journal");
    damaged("notes\n", "no journal");
    damaged(whole + "nonsense\n", "record in line 4");
    damaged(whole + "\n", "record in line 4");
    damaged(whole + R"({"question_id": "c", "rating": 3})" + "\n", "journal is damaged");
    std::string wrong = whole;
    wrong[wrong.find("\"rating\":4") + 9] = '6';
    damaged(wrong, "record in line 2");
    std::filesystem::create_directory(dir / "folder");
    CHECK_THAT(fault_of(dir / "folder"), contains_text("cannot be opened"));
}

TEST_CASE("journal: one run at a time", "[judge][journal]") {
    const TempDir dir;
    const JudgeJournal journal(dir / "j", kModel);
    CHECK_THAT(fault_of(dir / "j"), contains_text("another havln-judge"));
}
