#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "havln/demo.h"

namespace havln::demo {

/// One split of a benchmark set.
struct FullSplit {
    const char* name;
    std::size_t episodes;
    std::size_t scenes;
    std::uint64_t human_influenced;  ///< The challenge's own number: what havln-score divides by.
};

/// write_full_set for splits of any size.
DemoSummary write_splits(const std::filesystem::path& root, std::span<const FullSplit> splits,
                         unsigned threads);

}  // namespace havln::demo
