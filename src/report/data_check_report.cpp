#include "report/data_check_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "havln/version.h"
#include "io/escape.h"
#include "io/json_writer.h"

namespace havln {

namespace {

const char* state_name(FileState state) {
    switch (state) {
        case FileState::kAbsent:
            return "absent";
        case FileState::kSound:
            return "sound";
        case FileState::kBroken:
            return "broken";
    }
    return "";
}

const char* release_note(ReleaseMatch match) {
    switch (match) {
        case ReleaseMatch::kNotPublished:
            return "";
        case ReleaseMatch::kEqual:
            return ", as released";
        case ReleaseMatch::kDiffers:
            return ", differs from the released file";
    }
    return "";
}

/// "1 scene", "2 scenes".
std::string counted(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string file_line(std::string_view role, const CheckedFile& file) {
    std::string line =
        fmt::format("  {:<14} {:<7} {}{}\n", role, state_name(file.state),
                    escape_control(file.path.generic_string()), release_note(file.release));
    if (!file.fault.empty())
        line += fmt::format("                 {}\n", escape_control(file.fault));
    return line;
}

/// "A, B, C and 9 more".
std::string some_of(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 5;
    const std::size_t shown = std::min(names.size(), kShown);
    std::string text = escape_control(fmt::format(
        "{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", ")));
    if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
    return text;
}

std::string navmesh_line(std::string_view role, const CheckedNavMeshes& meshes,
                         std::size_t scenes) {
    std::string line =
        fmt::format("  {:<14} {} of {}", role, meshes.scenes_complete, counted(scenes, "scene"));
    if (meshes.scenes_packed > 0) line += fmt::format(", {} packed", meshes.scenes_packed);
    if (!meshes.scenes_missing.empty() && meshes.scenes_complete > 0) {
        line += fmt::format("; missing: {}", some_of(meshes.scenes_missing));
    }
    line += '\n';
    for (const std::string& fault : meshes.faults) {
        line += fmt::format("                 broken: {}\n", escape_control(fault));
    }
    return line;
}

/// What is sound, and may yet not be as it was meant.
std::vector<std::string> warnings_of(const CheckedSplit& split) {
    if (split.scans_without_people.empty()) return {};
    return {scans_without_people_text(split.scans_without_people, split.episode_count)};
}

std::string verdict_line(const CheckedSplit& split) {
    std::string line = "  scored by      ";
    if (!split.released) {
        line += "nothing";
    } else {
        line += split.contact ? "contact, released" : "released only";
        if (split.ndtw) line += "; with nDTW";
        if (split.attribution) line += "; with causes of blocked steps";
    }
    line += '\n';
    for (const std::string& obstacle : split.obstacles) {
        line += fmt::format("                 {}\n", escape_control(obstacle));
    }
    for (const std::string& warning : warnings_of(split)) {
        line += fmt::format("                 warning: {}\n", warning);
    }
    return line;
}

std::string split_text(const CheckedSplit& split) {
    std::string text = fmt::format("{}: ", escape_control(split.name));
    if (split.episodes.state == FileState::kSound) {
        text +=
            counted(split.episode_count, "episode") + ", " + counted(split.scans.size(), "scene");
        if (split.official_ids) {
            text += *split.official_ids ? ", the challenge's ids" : ", not the challenge's ids";
        }
    } else {
        text += "episodes cannot be read";
    }
    text += '\n' + file_line("episodes", split.episodes) + file_line("baselines", split.baselines) +
            file_line("references", split.gt);
    if (split.episodes.state == FileState::kSound) {
        text += navmesh_line("navmeshes", split.with_people, split.scans.size()) +
                navmesh_line("without people", split.without_people, split.scans.size());
    }
    return text + verdict_line(split);
}

void write_file(JsonWriter& json, std::string_view role, const CheckedFile& file) {
    json.key(role).begin_object();
    json.member("path", file.path.generic_string()).member("state", state_name(file.state));
    if (!file.sha256.empty()) json.member("sha256", file.sha256);
    if (file.release != ReleaseMatch::kNotPublished) {
        json.member("as_released", file.release == ReleaseMatch::kEqual);
    }
    if (!file.fault.empty()) json.member("fault", file.fault);
    json.end_object();
}

void write_list(JsonWriter& json, std::string_view name, const std::vector<std::string>& items) {
    json.key(name).begin_array();
    for (const std::string& item : items) json.value(item);
    json.end_array();
}

void write_navmeshes(JsonWriter& json, std::string_view name, const CheckedNavMeshes& meshes) {
    json.key(name).begin_object().member("scenes_complete", meshes.scenes_complete);
    if (meshes.scenes_packed > 0) json.member("scenes_packed", meshes.scenes_packed);
    write_list(json, "scenes_missing", meshes.scenes_missing);
    write_list(json, "faults", meshes.faults);
    json.end_object();
}

void write_split(JsonWriter& json, const CheckedSplit& split) {
    json.key(split.name).begin_object();
    write_file(json, "episodes_file", split.episodes);
    write_file(json, "baselines_file", split.baselines);
    write_file(json, "gt_file", split.gt);
    if (split.episodes.state == FileState::kSound) {
        json.member("episodes", split.episode_count).member("scenes", split.scans.size());
        json.member("has_goals", split.has_goals).member("official_ids", split.official_ids);
        json.member("scenes_with_people", split.scenes_with_people);
        write_navmeshes(json, "navmeshes_with_people", split.with_people);
        write_navmeshes(json, "navmeshes_without_people", split.without_people);
    }
    json.key("readings").begin_array();
    if (split.contact) json.value("contact");
    if (split.released) json.value("released");
    json.end_array();
    json.member("attribution", split.attribution).member("ndtw", split.ndtw);
    write_list(json, "obstacles", split.obstacles);
    write_list(json, "warnings", warnings_of(split));
    json.end_object();
}

}  // namespace

std::string data_check_text(const DataCheck& check) {
    std::size_t warnings = 0;
    for (const CheckedSplit& split : check.splits) warnings += warnings_of(split).size();
    std::string text = fmt::format(
        "{}: {}{}\n", escape_control(check.root.generic_string()),
        check.sound() ? "everything that is present is sound" : "BROKEN files, see below",
        warnings == 0 ? "" : fmt::format("; {}, see below", counted(warnings, "warning")));
    text += file_line("people", check.people);
    if (check.splits.empty()) text += "no split: HA-R2R holds no episodes\n";
    for (const CheckedSplit& split : check.splits) text += '\n' + split_text(split);
    return text;
}

std::string scans_without_people_text(const std::map<std::string, std::size_t>& scans,
                                      std::size_t all_episodes) {
    std::vector<std::string> names;
    std::size_t episodes = 0;
    for (const auto& [scan, count] : scans) {
        names.push_back(scan);
        episodes += count;
    }
    return fmt::format(
        "human_motion.json names nobody in {} ({} of {} episodes): {}; no step there counts as "
        "contact (where a scan really is empty, say so in the file: \"SCAN\": {{}})",
        counted(scans.size(), "scan"), episodes, all_episodes, some_of(names));
}

std::string data_check_json(const DataCheck& check) {
    JsonWriter json;
    json.begin_object().member("schema_version", 1);
    json.key("tool").begin_object().member("name", "havln-check-data").member("version", version());
    json.end_object().member("root", check.root.generic_string()).member("sound", check.sound());
    write_file(json, "people_file", check.people);
    json.key("splits").begin_object();
    for (const CheckedSplit& split : check.splits) write_split(json, split);
    json.end_object().end_object();
    return json.take();
}

}  // namespace havln
