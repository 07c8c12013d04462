#include "report/navmesh_report.h"

#include <fmt/format.h>

#include <iterator>

#include "havln/scene.h"
#include "havln/version.h"
#include "io/escape.h"
#include "io/json_writer.h"

namespace havln {

namespace {

std::string show(const Vec3f& v) {
    return fmt::format("({}, {}, {})", number_text(v.x), number_text(v.y), number_text(v.z));
}

std::string show(const Bounds& bounds) {
    return show(bounds.min) + " to " + show(bounds.max);
}

std::string show_path(const std::filesystem::path& path) {
    return escape_control(path.string());
}

std::string count(std::size_t number, const char* one) {
    return fmt::format("{} {}{}", number, one, number == 1 ? "" : one[0] == 'n' ? "es" : "s");
}

void append_stats(std::string& text, const NavMeshStats& stats) {
    auto out = std::back_inserter(text);
    fmt::format_to(out, "  format version       {}\n", stats.format_version);
    fmt::format_to(out, "  tiles                {}\n", stats.tiles);
    fmt::format_to(out, "  polygons             {}, {} of them disabled\n", stats.polys,
                   stats.disabled_polys);
    fmt::format_to(out, "  vertices             {}\n", stats.verts);
    fmt::format_to(out, "  off-mesh links       {}\n", stats.off_mesh_links);
    fmt::format_to(out, "  navigable area       {} m2\n", number_text(stats.navigable_area_m2));
    fmt::format_to(out, "  bounds               {} m\n", show(stats.bounds));
    fmt::format_to(out, "  islands              {}, {} of them walkable; radii [m]:", stats.islands,
                   stats.islands_with_walkable_poly);
    for (float radius : stats.island_radii_m) fmt::format_to(out, " {}", number_text(radius));
    text += "\n";
}

void append_settings(std::string& text, const NavMeshSettings& s) {
    fmt::format_to(std::back_inserter(text),
                   "  built for            an agent of {} m height, {} m radius and {} m climb, in "
                   "cells of {} x {} m\n",
                   number_text(s.agent_height_m), number_text(s.agent_radius_m),
                   number_text(s.agent_max_climb_m), number_text(s.cell_size_m),
                   number_text(s.cell_height_m));
}

void write_point(JsonWriter& json, const char* key, const Vec3f& v) {
    json.key(key).begin_inline_array().value(v.x).value(v.y).value(v.z).end_array();
}

void write_bounds(JsonWriter& json, const Bounds& bounds) {
    json.key("bounds").begin_object();
    write_point(json, "min", bounds.min);
    write_point(json, "max", bounds.max);
    json.end_object();
}

/// JSON has no NaN and no infinity; settings are the one thing that no check has seen.
void write_setting(JsonWriter& json, const char* key, float value) {
    json.key(key);
    if (value - value == 0) {
        json.value(value);
    } else {
        json.null();
    }
}

void write_settings(JsonWriter& json, const NavMeshSettings& s) {
    json.key("settings").begin_object();
    write_setting(json, "cell_size", s.cell_size_m);
    write_setting(json, "cell_height", s.cell_height_m);
    write_setting(json, "agent_height", s.agent_height_m);
    write_setting(json, "agent_radius", s.agent_radius_m);
    write_setting(json, "agent_max_climb", s.agent_max_climb_m);
    write_setting(json, "agent_max_slope", s.agent_max_slope_deg);
    write_setting(json, "region_min_size", s.region_min_size);
    write_setting(json, "region_merge_size", s.region_merge_size);
    write_setting(json, "edge_max_len", s.edge_max_len_m);
    write_setting(json, "edge_max_error", s.edge_max_error);
    write_setting(json, "verts_per_poly", s.verts_per_poly);
    write_setting(json, "detail_sample_dist", s.detail_sample_dist);
    write_setting(json, "detail_sample_max_error", s.detail_sample_max_error);
    json.end_object();
}

void write_stats(JsonWriter& json, const NavMeshStats& stats) {
    json.member("format_version", stats.format_version)
        .member("tiles", stats.tiles)
        .member("polygons", stats.polys)
        .member("disabled_polygons", stats.disabled_polys)
        .member("vertices", stats.verts)
        .member("off_mesh_links", stats.off_mesh_links)
        .member("navigable_area_m2", stats.navigable_area_m2);
    write_bounds(json, stats.bounds);
    json.member("islands", stats.islands)
        .member("islands_with_walkable_polygon", stats.islands_with_walkable_poly);
    json.key("island_radii_m").begin_inline_array();
    for (float radius : stats.island_radii_m) json.value(radius);
    json.end_array();
}

void begin_report(JsonWriter& json) {
    json.begin_object().member("schema_version", 1);
    json.key("tool").begin_object().member("name", "havln-navmesh").member("version", version());
    json.end_object();
}

}  // namespace

std::string navmesh_info_text(const std::vector<NavMeshInfo>& files) {
    std::string text;
    for (const NavMeshInfo& file : files) {
        text += show_path(file.path) + "\n";
        if (file.stats) append_stats(text, *file.stats);
        if (file.settings) append_settings(text, *file.settings);
        if (!file.fault.empty())
            text += "  FAULT                " + escape_control(file.fault) + "\n";
    }
    return text;
}

std::string navmesh_info_json(const std::vector<NavMeshInfo>& files) {
    JsonWriter json;
    begin_report(json);
    json.key("files").begin_array();
    for (const NavMeshInfo& file : files) {
        json.begin_object().member("path", file.path.string());
        if (file.stats) write_stats(json, *file.stats);
        if (file.settings) write_settings(json, *file.settings);
        if (!file.fault.empty()) json.member("fault", file.fault);
        json.end_object();
    }
    return json.end_array().end_object().take();
}

std::string navmesh_check_text(const NavMeshTreeCheck& check) {
    std::size_t frames = 0;
    std::string lines;
    for (const SceneCheck& scene : check.scenes) {
        frames += static_cast<std::size_t>(scene.frames);
        fmt::format_to(std::back_inserter(lines),
                       "{}: {} of {} frames sound, {} distinct; navigable area {} to {} m2, median "
                       "{} m2\n",
                       escape_control(scene.scan), scene.frames, kFrameCount, scene.distinct_frames,
                       number_text(scene.least_area_m2), number_text(scene.greatest_area_m2),
                       number_text(scene.median_area_m2));
    }
    const std::string scenes = count(check.scenes.size(), "scene");
    std::string text =
        check.faults.empty()
            ? fmt::format("PASS: {}, {}\n", scenes, count(frames, "navmesh"))
            : fmt::format("FAULTY: {} in {}\n", count(check.faults.size(), "fault"), scenes);
    text += lines;
    for (const NavMeshFault& fault : check.faults) {
        text += "FAULT " + show_path(fault.path) + ": " + escape_control(fault.message) + "\n";
    }
    return text;
}

std::string navmesh_check_json(const NavMeshTreeCheck& check) {
    JsonWriter json;
    begin_report(json);
    json.member("verdict", check.faults.empty() ? "pass" : "faulty");
    json.key("scenes").begin_array();
    for (const SceneCheck& scene : check.scenes) {
        json.begin_object()
            .member("scan", scene.scan)
            .member("frames", scene.frames)
            .member("distinct_frames", scene.distinct_frames);
        json.key("navigable_area_m2")
            .begin_object()
            .member("least", scene.least_area_m2)
            .member("median", scene.median_area_m2)
            .member("greatest", scene.greatest_area_m2)
            .end_object();
        write_bounds(json, scene.bounds);
        json.end_object();
    }
    json.end_array().key("faults").begin_array();
    for (const NavMeshFault& fault : check.faults) {
        json.begin_object()
            .member("path", fault.path.string())
            .member("message", fault.message)
            .end_object();
    }
    return json.end_array().end_object().take();
}

}  // namespace havln
