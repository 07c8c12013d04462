#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/common.h"
#include "havln/navmesh_check.h"
#include "havln/scene.h"
#include "io/escape.h"
#include "io/file.h"
#include "report/navmesh_report.h"

namespace havln::cli {

namespace {

enum class NavMeshFormat : std::uint8_t { kText, kJson };

struct NavMeshCommand {
    CommonOptions common;
    NavMeshFormat format = NavMeshFormat::kText;
    std::vector<std::filesystem::path> files;  ///< Of info; the folders of pack.
    std::filesystem::path folder;
    CLI::App* info = nullptr;
    CLI::App* check = nullptr;
    CLI::App* pack = nullptr;
};

void add_format(CLI::App& app, NavMeshCommand& command) {
    app.add_option("--format", command.format, "What stdout shows")
        ->transform(
            choice<NavMeshFormat>({{"text", NavMeshFormat::kText}, {"json", NavMeshFormat::kJson}}))
        ->type_name("text|json")
        ->default_str("text");
}

void add_options(CLI::App& app, NavMeshCommand& command) {
    app.require_subcommand(1);
    app.fallthrough();
    command.info = app.add_subcommand("info", "Show what .navmesh files hold and what is wrong");
    command.info->add_option("file", command.files, "Files in Habitat's format, version 1 or 2")
        ->required()
        ->type_name("FILE");
    add_format(*command.info, command);
    command.check = app.add_subcommand(
        "check",
        "Check all navmeshes of a data root: 120 sound frames a scene, of the same "
        "bounds and plausible areas");
    command.check->add_option("folder", command.folder, "A recompute_navmesh folder or a data root")
        ->required()
        ->type_name("DIR");
    add_format(*command.check, command);
    command.pack = app.add_subcommand(
        "pack", "Pack the 120 frames of scenes into one file each, which loads sooner");
    command.pack->add_option("folder", command.files, "Scenes' folders, recompute_navmesh/SCAN")
        ->required()
        ->type_name("DIR");
}

/// A file that cannot be opened is the user's fault, one that is not sound the organiser's.
NavMeshInfo read_info(const std::filesystem::path& path, std::optional<Error>& first_fault) {
    NavMeshInfo info;
    info.path = path;
    try {
        const auto mesh = NavMesh::from_bytes(read_whole_file(path), path);
        info.stats = mesh->stats();
        info.settings = mesh->settings();
    } catch (const Error& error) {
        if (error.code() == ExitCode::kInternal) throw;
        info.fault = error.detail();
        const bool worse = !first_fault || (first_fault->code() != ExitCode::kUsage &&
                                            error.code() == ExitCode::kUsage);
        if (worse) first_fault = error;
    }
    return info;
}

ExitCode run_pack(const NavMeshCommand& command) {
    for (const std::filesystem::path& folder : command.files) {
        print_result(escape_control(pack_scene_frames(folder).string()) + "\n");
    }
    return ExitCode::kDone;
}

ExitCode run_info(const NavMeshCommand& command) {
    std::optional<Error> fault;
    std::vector<NavMeshInfo> files;
    for (const std::filesystem::path& path : command.files) {
        files.push_back(read_info(path, fault));
    }
    print_result(command.format == NavMeshFormat::kJson ? navmesh_info_json(files)
                                                        : navmesh_info_text(files));
    if (fault) throw *fault;
    return ExitCode::kDone;
}

ExitCode run_check(const NavMeshCommand& command) {
    NavMeshTreeCheck check;
    {
        // The number of scenes is known with the first of them.
        std::unique_ptr<Progress> progress;
        check = check_navmesh_tree(command.folder, [&](std::size_t, std::size_t scenes) {
            if (!progress) {
                progress = std::make_unique<Progress>(command.common, "Checking scenes", scenes);
            }
            progress->advance();
        });
    }
    print_result(command.format == NavMeshFormat::kJson ? navmesh_check_json(check)
                                                        : navmesh_check_text(check));
    if (check.faults.empty()) return ExitCode::kDone;
    throw ground_truth_error(
        command.folder,
        fmt::format("its navmeshes are not fit for a run: {} listed on stdout",
                    check.faults.size() == 1 ? "one fault is"
                                             : fmt::format("{} faults are", check.faults.size())));
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app("Looks into Habitat's navmesh files.", "havln-navmesh");
    NavMeshCommand command;
    add_options(app, command);
    return run_command(app, command.common, argc, argv, [&] {
        if (command.pack->parsed()) return run_pack(command);
        return command.info->parsed() ? run_info(command) : run_check(command);
    });
}
