#include "report/diagnostics_text.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "io/escape.h"

namespace havln {

namespace {

constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kYellow = "\x1b[1;33m";
constexpr std::string_view kGreen = "\x1b[1;32m";
constexpr std::string_view kReset = "\x1b[0m";

std::string painted(std::string_view text, std::string_view paint, bool color) {
    return color ? fmt::format("{}{}{}", paint, text, kReset) : std::string(text);
}

std::string counted(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// All diagnostics of one code and severity, in file order.
struct Group {
    DiagnosticCode code = DiagnosticCode::kArchiveNotZip;
    Severity severity = Severity::kError;
    std::vector<const Diagnostic*> items;
};

std::vector<Group> grouped(const DiagnosticLog& log, Severity severity) {
    std::vector<Group> groups;
    for (const Diagnostic& diagnostic : log.kept()) {
        if (diagnostic.severity != severity) continue;
        Group* group = nullptr;
        for (Group& one : groups) {
            if (one.code == diagnostic.code) group = &one;
        }
        if (group == nullptr) {
            groups.push_back({diagnostic.code, severity, {}});
            group = &groups.back();
        }
        group->items.push_back(&diagnostic);
    }
    return groups;
}

std::string group_text(const Group& group, const DiagnosticLog& log, const CheckFacts& facts) {
    const bool error = group.severity == Severity::kError;
    const std::uint64_t total = log.count(group.code, group.severity);
    std::string text = fmt::format("\n{} ({})\n",
                                   painted(fmt::format("{}[{}]", error ? "error" : "warning",
                                                       diagnostic_code_name(group.code)),
                                           error ? kRed : kYellow, facts.color),
                                   total);
    std::uint64_t shown = 0;
    std::string_view last_hint;
    for (std::size_t i = 0; i < group.items.size() && i < facts.max_shown; ++i) {
        const Diagnostic& diagnostic = *group.items[i];
        text += fmt::format("  {}: {}\n", diagnostic_place(diagnostic),
                            escape_control(diagnostic.message));
        if (!diagnostic.hint.empty() && diagnostic.hint != last_hint) {
            text += fmt::format("    -> {}\n", escape_control(diagnostic.hint));
        }
        last_hint = diagnostic.hint;
        shown += diagnostic.count;
    }
    if (shown < total) text += fmt::format("  ... and {} more\n", total - shown);
    return text;
}

std::string pass_line(const ReadResult& result, const CheckFacts& facts) {
    std::string line = painted("PASS:", kGreen, facts.color);
    std::uint64_t actions = 0;
    for (const SplitSummary& summary : result.summaries) {
        line +=
            fmt::format(" {} {}, {};", escape_control(summary.split),
                        counted(summary.episodes, "episode"), counted(summary.actions, "action"));
        actions += summary.actions;
    }
    if (result.summaries.size() > 1) line += fmt::format(" {} in all;", counted(actions, "action"));
    line += fmt::format(" manifest sha256 {}", facts.manifest_digest.substr(0, 12));
    const std::uint64_t warnings = result.diagnostics.warnings();
    if (warnings > 0) line += fmt::format("; {}", counted(warnings, "warning"));
    return line + '\n';
}

std::string fix_text(const CheckFacts::Fix& fix) {
    if (fix.written_to.empty()) {
        return "\nNothing was written: what is listed above cannot be mended without guessing.\n";
    }
    std::string text = fix.changes.empty() ? "\nNothing had to be changed.\n" : "\nMended:\n";
    for (const std::string& change : fix.changes) {
        text += fmt::format("  {}\n", escape_control(change));
    }
    return text + fmt::format("Written to {}\n", escape_control(fix.written_to));
}

}  // namespace

std::string diagnostic_place(const Diagnostic& diagnostic) {
    std::string place = escape_control(diagnostic.file);
    if (diagnostic.member) {
        place += fmt::format(", member {}", escape_control(*diagnostic.member));
    }
    if (diagnostic.line && diagnostic.column) {
        place += fmt::format(", line {}, column {}", *diagnostic.line, *diagnostic.column);
    }
    if (diagnostic.episode_id) {
        place += fmt::format(" (episode {}", quote(*diagnostic.episode_id));
        if (diagnostic.step) place += fmt::format(", step {}", *diagnostic.step);
        place += ')';
    }
    return place;
}

std::string verdict_line(const ReadResult& result, const CheckFacts& facts) {
    if (!result.rejected()) return pass_line(result, facts);
    const DiagnosticLog& log = result.diagnostics;
    std::string line = fmt::format("{} {}", painted("SUBMISSION REJECTED:", kRed, facts.color),
                                   counted(log.errors(), "error"));
    if (log.warnings() > 0) line += fmt::format(", {}", counted(log.warnings(), "warning"));
    return line + '\n';
}

std::string faults_text(const DiagnosticLog& log, const CheckFacts& facts) {
    std::string text;
    for (const Severity severity : {Severity::kError, Severity::kWarning}) {
        for (const Group& group : grouped(log, severity)) text += group_text(group, log, facts);
    }
    return text;
}

std::string diagnostics_text(const ReadResult& result, const CheckFacts& facts) {
    std::string text = verdict_line(result, facts) + faults_text(result.diagnostics, facts);
    if (facts.fix) text += fix_text(*facts.fix);
    return text;
}

std::string rejection_text(const ReadResult& result, bool color) {
    CheckFacts facts;
    facts.color = color;
    return diagnostics_text(result, facts);
}

}  // namespace havln
