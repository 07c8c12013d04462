#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "havln/predictions.h"
#include "io/escape.h"
#include "predictions/value_reader.h"

namespace havln {

namespace {

constexpr std::int64_t kMaxSteps = 1'000'000'000;
constexpr double kMaxGflops = 1e15;

struct LogLine {
    std::optional<std::string> id;
    std::optional<std::int64_t> skipped_steps, total_steps;
    std::optional<double> gflops;
};

/// Reads one line. Returns nothing where it has a fault.
std::optional<LogLine> read_log_line(ValueReader& reader, const Split* split) {
    static constexpr std::string_view kKeys[] = {"episode_id", "skipped_steps", "total_steps",
                                                 "gflops"};
    LogLine line;
    bool seen[4] = {};
    reader.peek();
    const TextPlace place = reader.place();
    const bool whole = reader.object("an object with episode_id", [&](const std::string& key) {
        if (key == kKeys[0]) {
            seen[0] = true;
            line.id = reader.id();
            if (line.id && split != nullptr && !split->index_of(*line.id)) {
                reader.fault(DiagnosticCode::kEpisodeUnknown, [&] {
                    return fmt::format("{} is no episode of {}", quote(*line.id), split->name);
                });
                line.id.reset();
            }
        } else if (key == kKeys[1]) {
            seen[1] = true;
            line.skipped_steps = reader.integer(0, kMaxSteps);
        } else if (key == kKeys[2]) {
            seen[2] = true;
            line.total_steps = reader.integer(0, kMaxSteps);
        } else if (key == kKeys[3]) {
            seen[3] = true;
            line.gflops = reader.number(0, kMaxGflops);
        } else {
            reader.skip();
        }
    });
    if (!whole) return std::nullopt;
    for (int i = 0; i < 4; ++i) {
        if (!seen[i]) reader.missing(place, kKeys[i]);
    }
    if (!line.id || !line.skipped_steps || !line.total_steps || !line.gflops) return std::nullopt;
    if (*line.skipped_steps > *line.total_steps) {
        reader.fault_at(place, DiagnosticCode::kFieldType, [&] {
            return fmt::format("skipped_steps is {}, more than total_steps, {}",
                               *line.skipped_steps, *line.total_steps);
        });
        return std::nullopt;
    }
    return line;
}

}  // namespace

AgentLog read_agent_log(const std::filesystem::path& file, const Split* split) {
    AgentLog log;
    FileReport report(log.diagnostics, file.string(), {});
    const std::string text = read_prediction_text(file, ReadLimits().max_member_bytes);
    for_each_line(text, [&](std::string_view bytes, std::uint64_t number) {
        ValueReader reader(bytes, report, number);
        const std::optional<LogLine> line = read_log_line(reader, split);
        reader.finish();
        if (!line) return;
        AgentLogTotals& totals = log.episodes[*line->id];
        totals.skipped_steps += static_cast<std::uint64_t>(*line->skipped_steps);
        totals.total_steps += static_cast<std::uint64_t>(*line->total_steps);
        totals.gflops += *line->gflops;
    });
    return log;
}

}  // namespace havln
