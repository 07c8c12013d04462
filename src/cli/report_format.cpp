#include "cli/report_format.h"

#include <map>

#include "cli/common.h"

namespace havln::cli {

namespace {

const std::map<std::string, ReportFormat> kNames = {{"text", ReportFormat::kText},
                                                    {"markdown", ReportFormat::kMarkdown},
                                                    {"csv", ReportFormat::kCsv},
                                                    {"latex", ReportFormat::kLatex},
                                                    {"json", ReportFormat::kJson}};

}  // namespace

void add_format_option(CLI::App& app, ReportFormat& format) {
    app.add_option("--format", format, "What stdout shows")
        ->transform(choice(kNames))
        ->type_name("text|markdown|csv|latex|json")
        ->default_str("text");
}

void print_report(ReportFormat format, const std::function<std::string(TableFormat)>& table,
                  const std::function<std::string()>& json) {
    switch (format) {
        case ReportFormat::kText:
            return print_result(table(TableFormat::kText));
        case ReportFormat::kMarkdown:
            return print_result(table(TableFormat::kMarkdown));
        case ReportFormat::kCsv:
            return print_result(table(TableFormat::kCsv));
        case ReportFormat::kLatex:
            return print_result(table(TableFormat::kLatex));
        case ReportFormat::kJson:
            return print_result(json());
    }
}

}  // namespace havln::cli
