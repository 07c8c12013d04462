#include "report/score_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "io/escape.h"
#include "report/table_formats.h"

namespace havln {

namespace {

std::string fixed(double value, int digits) {
    return fmt::format("{:.{}f}", value, digits);
}

/// Rows of cells, the first left-aligned and the others right-aligned.
class Columns {
  public:
    void add(std::vector<std::string> cells) {
        columns_ = std::max(columns_, cells.size());
        rows_.push_back(std::move(cells));
    }

    std::string text() const {
        std::vector<bool> right_aligned(columns_, true);
        if (columns_ > 0) right_aligned[0] = false;
        return aligned_text(rows_, right_aligned, 2);
    }

  private:
    std::vector<std::vector<std::string>> rows_;
    std::size_t columns_ = 0;
};

/// A component by its output name, shown name and digits.
struct ShownComponent {
    const char* key;
    const char* shown;
    double ScoreComponents::*member;
    int digits;
};
constexpr ShownComponent kShownComponents[] = {
    {"score", "Score", &ScoreComponents::score, 6},
    {"SR", "SR", &ScoreComponents::SR, 4},
    {"NE", "NE [m]", &ScoreComponents::NE, 3},
    {"CR", "CR", &ScoreComponents::CR, 4},
    {"TCR", "TCR", &ScoreComponents::TCR, 3},
    {"navigation", "Navigation", &ScoreComponents::navigation, 4},
    {"social", "Social", &ScoreComponents::social, 4},
};

std::string level_text(double level) {
    return fmt::format("{:g}% interval", 100 * level);
}

std::string interval_text(const BootstrapSummary& bootstrap, const ShownComponent& c) {
    const auto interval = bootstrap.intervals.find(c.key);
    if (interval == bootstrap.intervals.end()) return "";
    // Score's six digits are for comparing published values; an interval needs fewer.
    const int digits = std::min(c.digits, 4);
    return fmt::format("[{}, {}]", fixed(interval->second.low, digits),
                       fixed(interval->second.high, digits));
}

constexpr int kBarWidth = 40;

/// least [....---|---....] greatest: dashes from the 5th to the 95th percentile, a bar at the
/// median.
std::string spread_bar(const Spread& spread) {
    const double range = spread.greatest - spread.least;
    const auto column = [&](double value) {
        if (!(range > 0)) return 0;
        return static_cast<int>((value - spread.least) / range * (kBarWidth - 1) + 0.5);
    };
    std::string bar(kBarWidth, '.');
    for (int k = column(spread.p5); k <= column(spread.p95); ++k) {
        bar[static_cast<std::size_t>(k)] = '-';
    }
    bar[static_cast<std::size_t>(column(spread.median))] = '|';
    return bar;
}

std::string clock_table(const ClockSummary& clock) {
    Columns columns;
    columns.add({"", "least", "5%", "median", "95%", "greatest"});
    for (const ShownComponent& c : kShownComponents) {
        const Spread& s = clock.spread.at(c.key);
        const int digits = std::min(c.digits, 4);
        columns.add({c.shown, fixed(s.least, digits), fixed(s.p5, digits), fixed(s.median, digits),
                     fixed(s.p95, digits), fixed(s.greatest, digits), spread_bar(s)});
    }
    return fmt::format("  over {} clocks; episodes whose success flips: {}\n", clock.samples.size(),
                       clock.flips.size()) +
           columns.text();
}

std::string components_table(const SplitScore& split) {
    const CollisionReading other_reading = split.reading == CollisionReading::kContact
                                               ? CollisionReading::kReleased
                                               : CollisionReading::kContact;
    Columns columns;
    std::vector<std::string> head = {"", fmt::format("{}*", collision_reading_name(split.reading))};
    if (split.bootstrap) head.push_back(level_text(split.bootstrap->options.level));
    if (split.other) head.emplace_back(collision_reading_name(other_reading));
    columns.add(std::move(head));
    for (const ShownComponent& c : kShownComponents) {
        std::vector<std::string> cells = {c.shown, fixed(split.headline.*c.member, c.digits)};
        if (split.bootstrap) cells.push_back(interval_text(*split.bootstrap, c));
        if (split.other) cells.push_back(fixed((*split.other).*c.member, c.digits));
        columns.add(std::move(cells));
    }
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
    if (split.clock) out += clock_table(*split.clock);
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
    if (card.llm_match) out += llm_match_line(*card.llm_match) + '\n';
    return out + "signature: " + make_signature(card).text() + '\n';
}

std::string llm_match_line(const LlmMatchScore& match) {
    return fmt::format("LLM-Match: {} of 100 ({} question{})\n", fixed(match.score, 2),
                       match.questions, match.questions == 1 ? "" : "s");
}

}  // namespace havln
