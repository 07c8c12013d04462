#include "support/submissions.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/catch.h"

namespace havln::test {

namespace {

SplitManifest split_of(std::string name, int episodes) {
    SplitManifest split;
    split.name = std::move(name);
    for (int id = 1; id <= episodes; ++id) split.episode_ids.push_back(std::to_string(id));
    return split;
}

}  // namespace

Manifest small_manifest() {
    Manifest manifest;
    manifest.splits = {split_of("val_seen", 3), split_of("val_unseen", 5), split_of("test", 7)};
    manifest.digest = manifest_digest(manifest);
    return manifest;
}

ContractRules phase_1_rules() {
    ContractRules rules;
    rules.required_splits = phase_splits(1);
    return rules;
}

std::string episode_json(std::string_view id, std::string_view actions) {
    return fmt::format("{{\"episode_id\":\"{}\",\"actions\":[{}]}}", id, actions);
}

std::string prediction_json(std::string_view split, const std::vector<std::string>& episodes) {
    return fmt::format("{{\"format_version\":1,\"split\":\"{}\",\"episodes\":[{}]}}", split,
                       fmt::join(episodes, ","));
}

std::string good_prediction(std::string_view split) {
    const Manifest manifest = small_manifest();
    std::vector<std::string> episodes;
    for (const std::string& id : manifest.find(split)->episode_ids) {
        episodes.push_back(episode_json(id));
    }
    return prediction_json(split, episodes);
}

ZipFile good_archive() {
    ZipFile archive;
    for (const std::string split : {"val_seen", "val_unseen"}) {
        ZipEntry entry;
        entry.name = split + ".json";
        entry.data = good_prediction(split);
        archive.entries.push_back(entry);
    }
    return archive;
}

ReadResult check(std::string archive_bytes) {
    return read_submission_archive(std::move(archive_bytes), "test.zip", small_manifest(),
                                   phase_1_rules());
}

ReadResult check(const ZipFile& archive) {
    return check(archive.bytes());
}

ReadResult check_val_seen(std::string json) {
    ZipFile archive = good_archive();
    archive.entries[0].data = std::move(json);
    return check(archive);
}

std::string findings(const ReadResult& result) {
    std::vector<std::string> found;
    for (const Diagnostic& one : result.diagnostics.kept()) {
        std::string text =
            fmt::format("{} {}", one.severity == Severity::kError ? "error" : "warning",
                        diagnostic_code_name(one.code));
        if (std::find(found.begin(), found.end(), text) == found.end()) {
            found.push_back(std::move(text));
        }
    }
    return fmt::format("{}", fmt::join(found, ", "));
}

Diagnostic first_of(const ReadResult& result, DiagnosticCode code) {
    for (const Diagnostic& one : result.diagnostics.kept()) {
        if (one.code == code) return one;
    }
    FAIL("no " << diagnostic_code_name(code) << ", but: " << findings(result));
    return {};
}

}  // namespace havln::test
