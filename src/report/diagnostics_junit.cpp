#include "report/diagnostics_junit.h"

#include <fmt/format.h>

#include "io/escape.h"

namespace havln {

namespace {

/// The faults of one code and severity, a line each, and how many are not listed.
std::string fault_lines(const DiagnosticLog& log, DiagnosticCode code, Severity severity,
                        std::size_t max_shown) {
    std::string lines;
    std::size_t shown = 0;
    std::uint64_t stood_for = 0;
    for (const Diagnostic& one : log.kept()) {
        if (one.code != code || one.severity != severity) continue;
        if (shown++ == max_shown) break;
        stood_for += one.count;
        lines += fmt::format("{}: {}", diagnostic_place(one), escape_control(one.message));
        if (!one.hint.empty()) lines += fmt::format(" -> {}", escape_control(one.hint));
        lines += '\n';
    }
    const std::uint64_t total = log.count(code, severity);
    if (stood_for < total) lines += fmt::format("... and {} more\n", total - stood_for);
    return escape_markup(lines);
}

std::string test_case(const DiagnosticLog& log, DiagnosticCode code, std::size_t max_shown) {
    const std::uint64_t errors = log.count(code, Severity::kError);
    const std::uint64_t warnings = log.count(code, Severity::kWarning);
    const std::string name(diagnostic_code_name(code));
    std::string text = fmt::format("    <testcase classname=\"havln-validate\" name=\"{}\"", name);
    if (errors + warnings == 0) return text + "/>\n";
    text += ">\n";
    if (errors > 0) {
        text += fmt::format("      <failure type=\"{}\" message=\"{} ({} found)\">{}</failure>\n",
                            name, escape_markup(diagnostic_code_summary(code)), errors,
                            fault_lines(log, code, Severity::kError, max_shown));
    }
    if (warnings > 0) {
        text += fmt::format("      <system-out>warning: {}</system-out>\n",
                            fault_lines(log, code, Severity::kWarning, max_shown));
    }
    return text + "    </testcase>\n";
}

}  // namespace

std::string diagnostics_junit(const ReadResult& result, const CheckFacts& facts) {
    const DiagnosticLog& log = result.diagnostics;
    std::string cases;
    int failures = 0;
    for (int i = 0; i < kDiagnosticCodeCount; ++i) {
        const auto code = static_cast<DiagnosticCode>(i);
        if (log.count(code, Severity::kError) > 0) ++failures;
        cases += test_case(log, code, facts.max_shown);
    }
    const std::string counts =
        fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\"", kDiagnosticCodeCount, failures);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n"
        "  <testsuite name=\"havln-validate\" {0} skipped=\"0\">\n{1}  </testsuite>\n"
        "</testsuites>\n",
        counts, cases);
}

}  // namespace havln
