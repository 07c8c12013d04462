#include <filesystem>
#include <string>

#include "havln/contract.h"
#include "havln/error.h"
#include "io/sha256.h"
#include "support/catch.h"
#include "support/support.h"

namespace havln {

using test::contains_text;

namespace {

Manifest load(const std::string& json) {
    const test::TempDir folder;
    test::write_file(folder / "manifest.json", json);
    return load_manifest(folder / "manifest.json");
}

}  // namespace

TEST_CASE("manifest: the built-in one holds the challenge's splits", "[contract]") {
    const Manifest manifest = builtin_manifest();
    REQUIRE(manifest.splits.size() == 3);
    const auto check = [&](const char* name, std::size_t episodes, std::uint64_t influenced) {
        const SplitManifest* split = manifest.find(name);
        REQUIRE(split != nullptr);
        CHECK(split->episode_ids.size() == episodes);
        CHECK(split->episode_ids.front() == "1");
        CHECK(split->episode_ids.back() == std::to_string(episodes));
        CHECK(split->human_influenced == influenced);
    };
    check("val_seen", 778, 682);
    check("val_unseen", 1839, 1593);
    check("test", 3408, 2859);
    CHECK(manifest.find("train") == nullptr);
    CHECK(phase_splits(1) == std::vector<std::string>{"val_seen", "val_unseen"});
    CHECK(phase_splits(2) == std::vector<std::string>{"test"});
}

TEST_CASE("manifest: ids are listed or counted", "[contract]") {
    const Manifest manifest = load(
        R"({"splits": {"b": {"episode_ids": ["x", "7", 8]}, "a": {"count": 2,
            "human_influenced": 1}}})");
    REQUIRE(manifest.splits.size() == 2);
    CHECK(manifest.find("b")->episode_ids == std::vector<std::string>{"x", "7", "8"});
    CHECK_FALSE(manifest.find("b")->human_influenced.has_value());
    CHECK(manifest.find("a")->episode_ids == std::vector<std::string>{"1", "2"});
    CHECK(manifest.find("a")->human_influenced == 1);
    // The digest is over the canonical form, not over the file's bytes.
    CHECK(manifest.digest ==
          sha256_hex(R"({"splits":{"a":{"episode_ids":["1","2"],"human_influenced":1},)"
                     R"("b":{"episode_ids":["x","7","8"]}}})"));
}

TEST_CASE("manifest: one beyond 16 MiB is refused before it is read", "[contract]") {
    const test::TempDir folder;
    test::write_file(folder / "manifest.json", "");
    std::filesystem::resize_file(folder / "manifest.json", (16u << 20) + 1);
    CHECK_THROWS_WITH(load_manifest(folder / "manifest.json"),
                      contains_text("has 16777217 bytes; the limit is 16777216"));
}

TEST_CASE("manifest: what is wrong with one is said", "[contract]") {
    const std::pair<const char*, const char*> cases[] = {
        {"[]", "splits"},
        {"{}", "splits"},
        {R"({"splits": {}})", "at least one split"},
        {R"({"splits": {"a": {}}})", "either"},
        {R"({"splits": {"a": 5}})", "either"},
        {R"({"splits": {"a": {"count": 1, "episode_ids": []}}})", "either"},
        {R"({"splits": {"a": {"count": -1}}})", "whole number"},
        {R"({"splits": {"a": {"count": 0}}})", "split \"a\": has no episode"},
        {R"({"splits": {"a": {"episode_ids": []}}})", "split \"a\": has no episode"},
        {R"({"splits": {"a": {"count": 1.5}}})", "whole number"},
        {R"({"splits": {"a": {"count": 99999999999}}})", "whole number"},
        {R"({"splits": {"a": {"count": 18446744073709551615}}})", "whole number"},
        {R"({"splits": {"a": {"episode_ids": "1"}}})", "no list"},
        {R"({"splits": {"a": {"episode_ids": [null]}}})", "episode id 1"},
        {R"({"splits": {"a": {"episode_ids": ["1", 1]}}})", "stands twice"},
        {R"({"splits": {"a": {"count": 1, "human_influenced": "2"}}})", "human_influenced"},
        {R"({"splits": {"a": {"count": 1, "human_influenced": 0}}})", "whole number from 1"},
        {R"({"splits": )", "line 1"},
    };
    for (const auto& [json, message] : cases) {
        INFO(json);
        CHECK_THROWS_WITH(load(json), contains_text(message) && contains_text("manifest.json"));
    }
    try {
        load_manifest("/nonexistent/manifest.json");
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kUsage);
    }
}

}  // namespace havln
