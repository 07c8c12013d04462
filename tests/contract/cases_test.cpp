#include <string>

#include "havln/contract.h"
#include "io/json_tree.h"
#include "support/catch.h"
#include "support/support.h"

namespace havln {

namespace {

ContractRules phase_1() {
    ContractRules rules;
    rules.required_splits = phase_splits(1);
    return rules;
}

}  // namespace

TEST_CASE("cases: every reference archive has its verdict and its codes", "[contract]") {
    HAVLN_NEED_SHARED("cases/cases.json");
    const JsonTree cases =
        JsonTree::parse(test::read_file(test::shared("cases/cases.json")), "cases.json");
    const Manifest manifest = builtin_manifest();
    REQUIRE(cases.array().size() > 0);
    for (const JsonTree& one : cases.array()) {
        const std::string file = one.find("file")->string();
        INFO(file);
        const ReadResult result =
            read_submission({test::shared("cases/" + file)}, manifest, phase_1());
        CHECK(result.rejected() == (one.find("verdict")->string() == "reject"));
        std::string codes;
        for (const auto& [code, count] : result.diagnostics.counts()) {
            codes += std::string(diagnostic_code_name(code)) + ' ';
        }
        for (const JsonTree& code : one.find("codes")->array()) {
            INFO(codes);
            CHECK((' ' + codes).find(' ' + code.string() + ' ') != std::string::npos);
        }
    }
}

TEST_CASE("cases: the recorded phase-1 submission passes with its counts", "[contract]") {
    HAVLN_NEED_SHARED("vectors/phase1_recorded.zip");
    const ReadResult result = read_submission({test::shared("vectors/phase1_recorded.zip")},
                                              builtin_manifest(), phase_1());
    REQUIRE_FALSE(result.rejected());
    CHECK(result.diagnostics.warnings() == 0);
    REQUIRE(result.splits.size() == 2);
    CHECK(result.splits[0].split == "val_seen");
    CHECK(result.splits[0].episodes.size() == 778);
    CHECK(result.splits[1].split == "val_unseen");
    CHECK(result.splits[1].episodes.size() == 1839);
    CHECK(result.splits[0].actions.size() + result.splits[1].actions.size() == 151'617);
}

}  // namespace havln
