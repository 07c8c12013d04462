#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "havln/navmesh.h"
#include "havln/scene.h"
#include "report/compare_html.h"
#include "report/report_html.h"

namespace havln::test {

/// A home of two storeys, seen from above: 10 x 8 m at y = 0, stairs from x = 10 to x = 14 that
/// rise to 3 m, 10 x 8 m there, and a table's top of 2 x 1 m at y = 0.8 as a second island.
std::vector<NavMesh::Polygon> sample_ground();

/// Three people there: one stands at (5, 0, 2), one walks along z = 6 below, one stands above and
/// leaves after frame 60.
ScenePeople sample_people();

/// A made-up result with all that a report can show. Owns what its input points to.
struct SampleReport {
    std::vector<std::shared_ptr<Split>> splits;
    std::vector<std::vector<EpisodeMetrics>> rows;
    std::vector<std::vector<Trace>> traces;
    std::vector<std::vector<std::vector<Action>>> actions;
    std::vector<SplitScore> scores;
    Scorecard card;
    ReportInput input;
};

struct SampleSplit {
    std::string name;
    std::size_t episodes = 0;
};

/// @param steps     at most this many per episode.
/// @param title     the submission's name.
/// @param hostile   put markup and odd bytes into ids, instructions and names of people.
std::unique_ptr<SampleReport> make_sample_report(const std::vector<SampleSplit>& splits,
                                                 std::size_t steps, const std::string& title,
                                                 bool hostile = false);

/// Two made-up results on the same episodes, compared. Owns what its input points to.
struct SampleComparison {
    std::unique_ptr<SampleReport> a;
    std::vector<SplitComparison> comparisons;
    std::vector<SplitResult> results_a, results_b;
    std::vector<std::vector<EpisodeResult>> episodes_a, episodes_b;
    ComparePageInput input;
};

/// @param maps  of each split, at most.
std::unique_ptr<SampleComparison> make_sample_comparison(const std::vector<SampleSplit>& splits,
                                                         std::size_t steps, std::size_t maps,
                                                         bool hostile = false);

}  // namespace havln::test
