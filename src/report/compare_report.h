#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "havln/statistics.h"
#include "report/table_formats.h"

namespace havln {

/// Two results compared on one split.
struct SplitComparison {
    std::string split;
    std::vector<std::string> names;        ///< Compared quantities, in the order of output.
    std::vector<std::string> episode_ids;  ///< By row.
    std::string primary;                   ///< Quantity that effects are about.
    PairedComparison result;
};

/// One result against the first.
struct ResultComparison {
    std::string a, b;  ///< Names, as shown.
    std::vector<SplitComparison> splits;
    std::string remark;  ///< E.g. signatures that differ; empty where there is nothing.
};

/// How often B is better, worse and equal; one sentence.
std::string comparison_counts_text(const PairedComparison& comparison);
/// How intervals and p-values were computed.
std::string comparison_method_text(const PairedComparison& comparison);

/// A table of components and one of the episodes of greatest effect per split.
/// @param top  episodes shown per split; CSV shows components only where it is 0.
std::string comparison_report(const ResultComparison& comparison, TableFormat format,
                              std::size_t top);

/// All comparisons with every episode that differs, in full precision.
std::string comparison_json(const std::vector<ResultComparison>& comparisons);

}  // namespace havln
