#include "cli/manifest_options.h"

#include <algorithm>

#include "havln/groundtruth.h"

namespace havln::cli {

void add_manifest_options(CLI::App& app, ManifestOptions& options) {
    auto* const phase =
        app.add_option("--phase", options.phase, "1: val_seen and val_unseen; 2: test")
            ->check(CLI::IsMember({1, 2}).description(""))
            ->type_name("1|2")
            ->capture_default_str();
    app.add_option("--split", options.splits, "Required split; repeatable; replaces --phase")
        ->allow_extra_args(false)
        ->excludes(phase)
        ->type_name("NAME");
    auto* const manifest =
        app.add_option("--manifest", options.manifest,
                       "Official episode ids: {\"splits\": {NAME: {\"episode_ids\": [...]} or "
                       "{\"count\": n}}} (default: the challenge's)")
            ->type_name("FILE");
    app.add_option("--data", options.data, "Take the ids from the ground truth in this data root")
        ->excludes(manifest)
        ->type_name("DIR");
}

std::vector<std::string> ManifestOptions::required_splits() const {
    return splits.empty() ? phase_splits(phase) : splits;
}

Manifest ManifestOptions::load() const {
    if (!manifest.empty()) return load_manifest(manifest);
    if (data.empty()) return builtin_manifest();
    const std::vector<std::string> required = required_splits();
    GroundTruth ground_truth(data);
    Manifest loaded;
    for (const std::string& name : ground_truth.split_names()) {
        const bool wanted = std::find(required.begin(), required.end(), name) != required.end();
        if (wanted) loaded.splits.push_back(ground_truth.manifest_of(name));
    }
    for (const std::string& name : required) {
        // Names what is missing, as the ground truth's own fault.
        if (loaded.find(name) == nullptr) ground_truth.manifest_of(name);
    }
    loaded.digest = manifest_digest(loaded);
    return loaded;
}

}  // namespace havln::cli
