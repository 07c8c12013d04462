#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace havln {

/// What an agent's own log says of one episode, summed over its lines.
struct AgentLogTotals {
    std::uint64_t skipped_steps = 0;  ///< Steps on which segmentation was skipped.
    std::uint64_t total_steps = 0;    ///< All steps, skipped ones included.
    double gflops = 0;                ///< Computation of the whole episode [GFLOP]; >= 0.
};

/// SkipRatio of one episode: skipped / all steps, in [0, 1], higher is cheaper. Nothing where the
/// log has no steps. Results average it over episodes. @pre skipped_steps <= total_steps.
/// @see Skip-SCAR (arXiv:2405.14154).
std::optional<double> skip_ratio(const AgentLogTotals& log);

/// Computation per action step [GFLOP], >= 0, lower is cheaper. Nothing where the log has no steps.
std::optional<double> gflops_per_step(const AgentLogTotals& log);

/// LLM-Match: 100 * mean((r - 1) / 4) over ratings r in 1..5, in [0, 100], higher is better.
/// @pre not empty, every rating in 1..5. @see OpenEQA (Majumdar et al. 2024).
double llm_match(std::span<const int> ratings);

}  // namespace havln
