#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "havln/contract.h"

namespace havln::cli {

/// What a submission must hold, as the command line says: --phase, --split, --manifest, --data.
struct ManifestOptions {
    int phase = 1;
    std::vector<std::string> splits;
    std::filesystem::path manifest;
    std::filesystem::path data;

    std::vector<std::string> required_splits() const;
    /// The official ids. @throws Error (kUsage) for a faulty manifest, (kGroundTruth) for --data.
    Manifest load() const;
};

void add_manifest_options(CLI::App& app, ManifestOptions& options);

}  // namespace havln::cli
