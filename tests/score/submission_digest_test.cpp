#include "havln/scorecard.h"
#include "support/catch.h"

using namespace havln;

namespace {

SplitSubmission make_split(const char* name,
                           const std::vector<std::pair<std::string, std::vector<Action>>>& list) {
    SplitSubmission split;
    split.split = name;
    for (const auto& [id, actions] : list) {
        split.episodes.push_back(
            {id, split.actions.size(), static_cast<std::uint32_t>(actions.size())});
        split.actions.insert(split.actions.end(), actions.begin(), actions.end());
    }
    return split;
}

constexpr Action F = Action::kMoveForward, S = Action::kStop, L = Action::kTurnLeft;

}  // namespace

TEST_CASE("submission digest: packing and order do not count, every action does", "[score]") {
    const SplitSubmission a = make_split("a", {{"1", {F, S}}, {"2", {L, F, S}}});
    const SplitSubmission shuffled = make_split("a", {{"2", {L, F, S}}, {"1", {F, S}}});
    const SplitSubmission b = make_split("b", {{"1", {S}}});
    SplitSubmission renamed = a;
    renamed.file = "other.zip";
    renamed.member = "x.json";

    const std::vector<SplitSubmission> one = {a, b}, two = {b, shuffled}, three = {renamed, b};
    CHECK(submission_digest(one) == submission_digest(two));
    CHECK(submission_digest(one) == submission_digest(three));

    const std::vector<SplitSubmission> changed = {
        make_split("a", {{"1", {L, S}}, {"2", {L, F, S}}}), b};
    const std::vector<SplitSubmission> moved = {make_split("a", {{"1", {F, S, L}}, {"2", {F, S}}}),
                                                b};
    const std::vector<SplitSubmission> other_id = {
        make_split("a", {{"1", {F, S}}, {"3", {L, F, S}}}), b};
    CHECK(submission_digest(one) != submission_digest(changed));
    CHECK(submission_digest(one) != submission_digest(moved));
    CHECK(submission_digest(one) != submission_digest(other_id));
    CHECK(submission_digest(std::vector<SplitSubmission>{a}) != submission_digest(one));
}
