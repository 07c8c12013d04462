#include "report/rows_csv.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "io/json_writer.h"

namespace havln {

namespace {

std::string cell(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
    std::string quoted(1, '"');
    for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
    quoted += '"';
    return quoted;
}

}  // namespace

std::string episode_rows_csv(std::span<const SplitRows> splits, const RunSettings& settings) {
    const CollisionReading* reading = settings.profile.people ? &settings.reading : nullptr;
    std::vector<std::string> columns;
    std::set<std::string> known;
    for (const SplitRows& part : splits) {
        for (const EpisodeMetrics& row : part.rows) {
            for (const NamedMetric& metric : named_metrics(row, reading)) {
                if (known.insert(metric.name).second) columns.emplace_back(metric.name);
            }
        }
    }
    std::string csv = "split,episode_id,trajectory_id,scene_id";
    for (const std::string& column : columns) csv += fmt::format(",{}", cell(column));
    csv += "\r\n";
    for (const SplitRows& part : splits) {
        for (const EpisodeMetrics& row : part.rows) {
            const Episode& episode = part.split->episodes[row.episode_index];
            const std::string trajectory =
                episode.trajectory_id ? cell(episode.trajectory_id->text) : "";
            csv += fmt::format("{},{},{},{}", cell(part.split->name), cell(episode.episode_id),
                               trajectory, cell(episode.scene_id));
            std::map<std::string, double> values;
            for (const NamedMetric& metric : named_metrics(row, reading)) {
                values[metric.name] = metric.value;
            }
            for (const std::string& column : columns) {
                const auto at = values.find(column);
                csv += ",";
                if (at != values.end()) csv += number_text(at->second);
            }
            csv += "\r\n";
        }
    }
    return csv;
}

}  // namespace havln
