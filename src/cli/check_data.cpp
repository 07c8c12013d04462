#include <map>
#include <string>

#include "cli/common.h"
#include "havln/data_check.h"
#include "report/data_check_report.h"

namespace havln::cli {

namespace {

enum class DataFormat : std::uint8_t { kText, kJson };

struct CheckDataCommand {
    CommonOptions common;
    std::filesystem::path data;
    bool load_navmeshes = false;
    DataFormat format = DataFormat::kText;
};

void add_options(CLI::App& app, CheckDataCommand& command) {
    app.add_option("DIR", command.data, "The data root: the folder that holds HA-R2R")
        ->required()
        ->type_name("");
    app.add_flag("--deep", command.load_navmeshes,
                 "Load every navmesh, not only look whether it is there");
    app.add_option("--format", command.format, "What stdout shows")
        ->transform(choice<DataFormat>({{"text", DataFormat::kText}, {"json", DataFormat::kJson}}))
        ->type_name("text|json")
        ->default_str("text");
}

ExitCode run(const CheckDataCommand& command) {
    const DataCheck check = check_data_root(command.data, command.load_navmeshes);
    print_result(command.format == DataFormat::kJson ? data_check_json(check)
                                                     : data_check_text(check));
    return check.sound() ? ExitCode::kDone : ExitCode::kGroundTruth;
}

}  // namespace

}  // namespace havln::cli

int main(int argc, char** argv) {
    using namespace havln::cli;
    CLI::App app("Says what a data root holds, whether it is sound and which splits it can score.",
                 "havln-check-data");
    CheckDataCommand command;
    add_options(app, command);
    return run_command(app, command.common, argc, argv, [&] { return run(command); });
}
