#include "report/score_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "io/escape.h"

namespace havln {

namespace {

std::string fixed(double value, int digits) {
    return fmt::format("{:.{}f}", value, digits);
}

/// Rows of cells, the first left-aligned and the others right-aligned.
class Columns {
  public:
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    std::string text() const {
        std::vector<std::size_t> widths;
        for (const auto& row : rows_) {
            if (widths.size() < row.size()) widths.resize(row.size());
            for (std::size_t k = 0; k < row.size(); ++k) {
                widths[k] = std::max(widths[k], row[k].size());
            }
        }
        std::string out;
        for (const auto& row : rows_) {
            std::string line = "  ";
            for (std::size_t k = 0; k < row.size(); ++k) {
                line += k == 0 ? fmt::format("{:<{}}", row[k], widths[k])
                               : fmt::format("  {:>{}}", row[k], widths[k]);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out += line + '\n';
        }
        return out;
    }

  private:
    std::vector<std::vector<std::string>> rows_;
};

std::string components_table(const SplitScore& split) {
    const CollisionReading other_reading = split.reading == CollisionReading::kContact
                                               ? CollisionReading::kReleased
                                               : CollisionReading::kContact;
    Columns columns;
    const auto row = [&](const char* name, double ScoreComponents::*part, int digits) {
        std::vector<std::string> cells = {name, fixed(split.headline.*part, digits)};
        if (split.other) cells.push_back(fixed((*split.other).*part, digits));
        columns.add(std::move(cells));
    };
    std::vector<std::string> head = {"", fmt::format("{}*", collision_reading_name(split.reading))};
    if (split.other) head.emplace_back(collision_reading_name(other_reading));
    columns.add(std::move(head));
    row("Score", &ScoreComponents::score, 6);
    row("SR", &ScoreComponents::SR, 4);
    row("NE [m]", &ScoreComponents::NE, 3);
    row("CR", &ScoreComponents::CR, 4);
    row("TCR", &ScoreComponents::TCR, 3);
    row("Navigation", &ScoreComponents::navigation, 4);
    row("Social", &ScoreComponents::social, 4);
    return columns.text() + fmt::format("  * collisions by the {} reading make the headline{}\n",
                                        collision_reading_name(split.reading),
                                        split.other ? "" : "; the other needs human_motion.json");
}

/// Output name, shown name and unit, digits.
struct ShownMean {
    const char* key;
    const char* shown;
    int digits;
};
constexpr ShownMean kShownMeans[] = {
    {"success", "success", 4},
    {"distance_to_goal", "NE [m]", 3},
    {"oracle_success", "OSR", 4},
    {"oracle_navigation_error", "ONE [m]", 3},
    {"spl", "SPL", 4},
    {"soft_spl", "SoftSPL", 4},
    {"oracle_spl", "oracle SPL", 4},
    {"ndtw", "nDTW", 4},
    {"sdtw", "sDTW", 4},
    {"path_length", "TL [m]", 3},
    {"steps_taken", "steps", 2},
    {"skip_ratio", "SkipRatio", 4},
    {"gflops_per_step", "GFLOPs per step", 3},
    {"collisions", "blocked steps", 3},
    {"collisions_human", "of these near a person", 3},
};

std::string means_table(const SplitScore& split) {
    Columns columns;
    const auto row = [&](const std::string& key, const std::string& shown, int digits) {
        const auto mean = split.means.find(key);
        if (mean == split.means.end()) return;
        std::vector<std::string> cells = {shown, fixed(mean->second, digits)};
        const auto left_out = split.left_out.find(key);
        if (left_out != split.left_out.end()) {
            cells.push_back(fmt::format("({} episodes left out)", left_out->second));
        }
        columns.add(std::move(cells));
    };
    for (const ShownMean& shown : kShownMeans) row(shown.key, shown.shown, shown.digits);
    // The recipe card's variants keep their names, so that nobody takes them for the metrics.
    for (const auto& [name, mean] : split.means) {
        if (name.ends_with("_card")) row(name, name, 4);
    }
    return "  means per episode\n" + columns.text();
}

std::string split_block(const SplitScore& split) {
    std::string out = fmt::format("{}{}: {} episodes", escape_control(split.split),
                                  split.partial ? " (PARTIAL)" : "", split.episodes);
    if (split.has_people) out += fmt::format(", {} human-influenced", split.human_influenced);
    out += '\n';
    if (split.has_people) out += components_table(split);
    out += means_table(split);
    if (split.causes) {
        out += fmt::format("  blocked by people {}, by the scene {}, by both {}\n",
                           split.causes->human, split.causes->stationary, split.causes->both);
    }
    if (split.unreachable_goals > 0) {
        out += fmt::format("  DATA FAULT: the goal of {} episodes cannot be reached\n",
                           split.unreachable_goals);
    }
    return out;
}

}  // namespace

std::string score_table(const Scorecard& card) {
    std::string out;
    if (card.partial) {
        out +=
            fmt::format("PARTIAL RESULT ({}): not comparable with a score of the whole split\n\n",
                        escape_control(card.settings.selection));
    }
    for (const SplitScore& split : card.splits) out += split_block(split) + '\n';
    return out + "signature: " + make_signature(card).text() + '\n';
}

}  // namespace havln
