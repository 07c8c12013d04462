#include <string>

#include "havln/scorecard.h"
#include "havln/signature.h"
#include "havln/version.h"
#include "support/catch.h"

using namespace havln;

namespace {

Scorecard card_of_two_splits() {
    Scorecard card;
    card.settings.path_finder = "Detour 1.5";
    card.settings.people_digest = "21ef40ea91110eed5a7f";
    card.settings.submission_digest = "aaaaaaaaaaaabbbb";
    SplitScore& seen = card.splits.emplace_back();
    seen.split = "val_seen";
    seen.episodes = 778;
    seen.human_influenced = 682;
    seen.ground_truth_digest = "0123456789abcdef";
    SplitScore& unseen = card.splits.emplace_back(seen);
    unseen.split = "val_unseen";
    unseen.episodes = 1839;
    unseen.human_influenced = 1593;
    unseen.ground_truth_digest = "fedcba9876543210";
    return card;
}

}  // namespace

TEST_CASE("signature: one line names everything that moves the number", "[score][signature]") {
    CHECK(make_signature(card_of_two_splits()).text() ==
          std::string("profile:havln|episodes:val_seen=778,val_unseen=1839|part:all|"
                      "collisions:contact|human_influenced:val_seen=682,val_unseen=1593|"
                      "clock:frames-per-action=1|sliding:yes|navmesh:recompute_navmesh|"
                      "people:21ef40ea9111|truth:val_seen=0123456789ab,val_unseen=fedcba987654|"
                      "pathfinder:Detour%201.5|submission:aaaaaaaaaaaa|version:") +
              version());
}

TEST_CASE("signature: a written line reads back equal", "[score][signature]") {
    Signature signature;
    signature.set("profile", "my|odd % profile:\n\xc3\xa9").set("sliding", "no").set("people", "");
    const std::string line = signature.text();
    CHECK(line == "profile:my%7Codd%20%25%20profile:%0A%C3%A9|sliding:no|people:none");
    const auto read = Signature::parse(line);
    REQUIRE(read.has_value());
    CHECK(*read == signature);
    CHECK(*read->find("profile") == "my|odd % profile:\n\xc3\xa9");
    CHECK(read->find("clock") == nullptr);
}

TEST_CASE("signature: any other text is refused", "[score][signature]") {
    for (const char* text : {"", "|", "a", "a:", "a:1|", "|a:1", "a:1||b:2", "a:1|a:2", "A:1",
                             "a b:1", ":1", "a:%", "a:%4", "a:%4g", "a:%ab", "a:x y", "a:\n"}) {
        INFO("\"" << text << '"');
        CHECK_FALSE(Signature::parse(text).has_value());
    }
    CHECK_FALSE(Signature::parse("a:" + std::string(64 * 1024, 'x')).has_value());
    CHECK(Signature::parse("a:" + std::string(64 * 1024 - 2, 'x')).has_value());
}

TEST_CASE("signature: differences name the keys, the submission and the order do not count",
          "[score][signature]") {
    const auto left = *Signature::parse("profile:havln|clock:a|submission:1|part:all");
    const auto same = *Signature::parse("part:all|submission:2|profile:havln|clock:a");
    CHECK(signature_differences(left, same).empty());

    const auto right = *Signature::parse("profile:havln|clock:b|version:2|submission:1");
    const std::vector<SignatureDifference> expected = {
        {"clock", "a", "b"}, {"part", "all", std::nullopt}, {"version", std::nullopt, "2"}};
    CHECK(signature_differences(left, right) == expected);
    CHECK(describe(expected) == "clock: a / b; part: all / absent; version: absent / 2");
}

TEST_CASE("signature: one split of a result compares with a result of that split alone",
          "[score][signature]") {
    Scorecard both = card_of_two_splits();
    Scorecard one = both;
    one.splits.erase(one.splits.begin());
    const Signature whole = make_signature(both), part = make_signature(one);
    CHECK_FALSE(signature_differences(whole, part).empty());
    CHECK(
        signature_differences(whole.for_split("val_unseen"), part.for_split("val_unseen")).empty());
    CHECK(*whole.for_split("test").find("episodes") == "none");
}
