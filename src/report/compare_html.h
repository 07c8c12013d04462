#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "havln/actions.h"
#include "havln/groundtruth.h"
#include "havln/profile.h"
#include "havln/replay.h"
#include "report/compare_report.h"
#include "report/result_reader.h"
#include "report/scene_map.h"

namespace havln {

/// What two agents did in one episode.
struct PairedTraces {
    Trace a, b;
    std::vector<Action> actions_a, actions_b;
};

/// One split of one result against the first, as the page shows it.
struct ComparedSplit {
    std::string a, b;  ///< Names. Untrusted text is escaped by the page, as everywhere.
    std::string remark;
    const SplitComparison* comparison = nullptr;
    const SplitResult *result_a = nullptr, *result_b = nullptr;
    std::vector<const EpisodeResult*> rows_a, rows_b;  ///< By row of the comparison.
    /// The episodes' ground truth, which scenes, instructions and maps need; may be null.
    std::shared_ptr<const Split> ground_truth;
    std::map<std::size_t, PairedTraces> traces;  ///< By row; the others have no map.
};

struct ComparePageInput {
    Profile profile;
    std::vector<ComparedSplit> splits;
    std::map<std::string, SceneMap> scenes;  ///< By scan; of every episode with traces.
};

/// Rows by effect, the greatest first, those without after them in the comparison's order: that of
/// the page's table.
std::vector<std::size_t> rows_by_effect(const SplitComparison& comparison);

/// How B did in an episode.
enum class Change : std::uint8_t { kGained, kBetter, kEqual, kWorse, kLost };
inline constexpr int kChangeCount = 5;

/// One HTML page in the manner of report_html: differences with intervals and p-values, every
/// paired episode, and maps with both agents' paths where there are traces. Equal input gives equal
/// bytes. @pre at least one split, none without episodes; a split with traces has its ground truth.
std::string compare_page(const ComparePageInput& input);

}  // namespace havln
