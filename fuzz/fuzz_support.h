#pragma once

#include <cstdlib>
#include <string>

#include "havln/contract.h"

namespace havln::fuzz {

/// val_seen has the ids 1 and 2, val_unseen 1 to 3.
inline Manifest tiny_manifest() {
    Manifest manifest;
    for (const auto& [name, episodes] : {std::pair{"val_seen", 2}, {"val_unseen", 3}}) {
        SplitManifest split;
        split.name = name;
        for (int id = 1; id <= episodes; ++id) split.episode_ids.push_back(std::to_string(id));
        manifest.splits.push_back(std::move(split));
    }
    return manifest;
}

/// Phase 1 with limits so low that a run takes no time.
inline ContractRules tiny_rules() {
    ContractRules rules;
    rules.required_splits = {"val_seen", "val_unseen"};
    rules.limits.max_members = 50;
    rules.limits.max_member_bytes = 1 << 18;
    rules.limits.max_total_bytes = 1 << 19;
    rules.limits.max_kept_per_code = 20;
    return rules;
}

/// A property that every input must have; libFuzzer keeps the input that breaks it.
inline void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace havln::fuzz
