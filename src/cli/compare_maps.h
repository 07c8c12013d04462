#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/submissions.h"
#include "havln/clock.h"
#include "havln/contract.h"
#include "havln/groundtruth.h"
#include "havln/scorecard.h"
#include "report/compare_html.h"

namespace havln::cli {

/// What a result was scored from, to be replayed for maps.
struct MapSource {
    std::string name;  ///< The result's, for messages.
    RunSettings settings;
    std::vector<std::string> splits;  ///< That the result holds.
    std::filesystem::path submission;
};

struct MapOptions {
    std::filesystem::path data;
    std::string clock;       ///< "file:F" where the results replayed a log; empty: as they say.
    std::size_t maps = 200;  ///< On the page in all.
};

/// Replays the episodes of greatest effect as the results' own settings say and adds them, the
/// ground truth and the scenes to a comparison's page. Nothing is drawn that was not scored: the
/// submissions must have the results' digests, and the replays their lengths.
class MapMaker {
  public:
    /// @param sources  by result, the first being A.
    /// @throws Error (kUsage) where a result cannot be replayed, (kGroundTruth).
    MapMaker(const MapOptions& options, std::vector<MapSource> sources);

    /// Reads the submissions. @return the first that is rejected, with why.
    std::optional<ReadResult> read();

    /// @param b  by split of the page: the number of the source that is its B.
    void add_maps(ComparePageInput& page, const std::vector<std::size_t>& b);

  private:
    struct Player {
        MapSource source;
        std::unique_ptr<Clock> clock;
        std::vector<SplitSubmission> splits;
    };
    std::unique_ptr<Clock> clock_of(const MapSource& source) const;
    void check_submission(const Player& player) const;
    std::shared_ptr<const Split> truth_of(const ComparedSplit& compared);
    void replay(const ComparedSplit& compared, const std::vector<std::size_t>& rows,
                const Player& player, const std::vector<const EpisodeResult*>& results,
                std::vector<Trace>& traces, std::vector<std::vector<Action>>& actions);
    void add_scenes(ComparePageInput& page);

    MapOptions options_;
    GroundTruth ground_truth_;
    std::vector<Player> players_;
};

}  // namespace havln::cli
