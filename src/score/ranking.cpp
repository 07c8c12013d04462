#include "havln/ranking.h"

#include <algorithm>
#include <cmath>

namespace havln {

namespace {

/// 0: has a rank; 1: partial; 2: cannot be ranked.
int shelf(const RankedResult& result) {
    const bool finite = std::all_of(result.key.begin(), result.key.end(),
                                    [](double part) { return std::isfinite(part); });
    if (!result.problem.empty() || result.key.empty() || !finite) return 2;
    return result.partial ? 1 : 0;
}

/// The official order of entries that have a rank.
std::weak_ordering compare(const RankedResult& a, const RankedResult& b) {
    for (std::size_t k = 0; k < std::min(a.key.size(), b.key.size()); ++k) {
        if (a.key[k] > b.key[k]) return std::weak_ordering::less;
        if (a.key[k] < b.key[k]) return std::weak_ordering::greater;
    }
    if (a.submitted && b.submitted) return *a.submitted <=> *b.submitted;
    return b.submitted.has_value() <=> a.submitted.has_value();
}

}  // namespace

void rank_results(std::vector<RankedResult>& results) {
    std::stable_sort(results.begin(), results.end(),
                     [](const RankedResult& a, const RankedResult& b) {
                         const int shelf_a = shelf(a), shelf_b = shelf(b);
                         if (shelf_a != shelf_b || shelf_a != 0) return shelf_a < shelf_b;
                         return compare(a, b) < 0;
                     });
    for (std::size_t k = 0; k < results.size(); ++k) {
        RankedResult& result = results[k];
        result.rank.reset();
        if (shelf(result) != 0) continue;
        const bool tied = k > 0 && compare(results[k - 1], result) == 0;
        result.rank = tied ? *results[k - 1].rank : k + 1;
    }
}

}  // namespace havln
