#include "havln/agent_log.h"

#include "havln/error.h"

namespace havln {

std::optional<double> skip_ratio(const AgentLogTotals& log) {
    HAVLN_CHECK(log.skipped_steps <= log.total_steps);
    if (log.total_steps == 0) return std::nullopt;
    return static_cast<double>(log.skipped_steps) / static_cast<double>(log.total_steps);
}

std::optional<double> gflops_per_step(const AgentLogTotals& log) {
    HAVLN_CHECK(log.gflops >= 0);
    if (log.total_steps == 0) return std::nullopt;
    return log.gflops / static_cast<double>(log.total_steps);
}

double llm_match(std::span<const int> ratings) {
    HAVLN_CHECK(!ratings.empty());
    std::int64_t points = 0;
    for (const int rating : ratings) {
        HAVLN_CHECK(rating >= 1 && rating <= 5);
        points += rating - 1;
    }
    return 100 * static_cast<double>(points) / (4 * static_cast<double>(ratings.size()));
}

}  // namespace havln
