#include "report/diagnostics_github.h"

#include <fmt/format.h>

#include <string_view>

#include "io/escape.h"

namespace havln {

namespace {

constexpr std::uint64_t kMaxAnnotations = 10;
constexpr std::size_t kMaxSummaryBytes = 1'000'000;

/// Escapes a workflow command's message, or one of its properties (actions/toolkit, command.ts).
std::string command_text(std::string_view text, bool property) {
    std::string out;
    for (const char c : escape_control(text)) {
        if (c == '%') {
            out += "%25";
        } else if (property && c == ':') {
            out += "%3A";
        } else if (property && c == ',') {
            out += "%2C";
        } else {
            out += c;
        }
    }
    return out;
}

std::string annotation(const Diagnostic& diagnostic) {
    const bool error = diagnostic.severity == Severity::kError;
    std::string command = fmt::format("::{} title={}", error ? "error" : "warning",
                                      command_text(diagnostic_code_name(diagnostic.code), true));
    command += fmt::format(",file={}", command_text(diagnostic.file, true));
    std::string message;
    // A line of a member is no line of the archive that the annotation hangs on.
    if (diagnostic.member) {
        message = diagnostic_place(diagnostic) + ": ";
    } else if (diagnostic.line && diagnostic.column) {
        command += fmt::format(",line={},col={}", *diagnostic.line, *diagnostic.column);
    }
    message += diagnostic.message;
    if (!diagnostic.hint.empty()) message += fmt::format(" -> {}", diagnostic.hint);
    return command + "::" + command_text(message, false) + '\n';
}

}  // namespace

std::string diagnostics_github(const ReadResult& result, const CheckFacts& facts) {
    const DiagnosticLog& log = result.diagnostics;
    std::string text;
    for (const Severity severity : {Severity::kError, Severity::kWarning}) {
        std::uint64_t shown = 0;
        for (const Diagnostic& diagnostic : log.kept()) {
            if (diagnostic.severity != severity) continue;
            if (shown == kMaxAnnotations) break;
            ++shown;
            text += annotation(diagnostic);
        }
    }
    return text + verdict_line(result, facts);
}

std::string diagnostics_github_summary(const ReadResult& result, const CheckFacts& facts) {
    CheckFacts plain = facts;
    plain.color = false;
    plain.max_shown = static_cast<std::size_t>(-1);
    std::string text = escape_markup(diagnostics_text(result, plain));
    if (text.size() > kMaxSummaryBytes) {
        text.resize(text.rfind('\n', kMaxSummaryBytes) + 1);
        text += "... (the list is cut here)\n";
    }
    return fmt::format("### havln-validate\n\n<pre>\n{}</pre>\n", text);
}

}  // namespace havln
