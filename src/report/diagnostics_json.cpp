#include "report/diagnostics_json.h"

#include <array>
#include <set>
#include <string_view>

#include "havln/version.h"
#include "io/json_writer.h"

namespace havln {

namespace {

void write_list(JsonWriter& json, const DiagnosticLog& log, Severity severity,
                std::size_t max_shown) {
    std::array<std::size_t, kDiagnosticCodeCount> shown{};
    json.begin_array();
    for (const Diagnostic& one : log.kept()) {
        if (one.severity != severity) continue;
        if (shown[static_cast<std::size_t>(one.code)]++ >= max_shown) continue;
        json.begin_object()
            .member("code", diagnostic_code_name(one.code))
            .member("message", one.message);
        if (!one.hint.empty()) json.member("hint", one.hint);
        if (!one.file.empty()) json.member("file", one.file);
        json.member("member", one.member)
            .member("line", one.line)
            .member("column", one.column)
            .member("pointer", one.pointer)
            .member("episode_id", one.episode_id)
            .member("step", one.step);
        if (one.count != 1) json.member("count", one.count);
        json.end_object();
    }
    json.end_array();
}

}  // namespace

std::string diagnostics_json(const ReadResult& result, const CheckFacts& facts) {
    const DiagnosticLog& log = result.diagnostics;
    JsonWriter json;
    json.begin_object().member("schema_version", 1);
    json.key("tool").begin_object().member("name", "havln-validate").member("version", version());
    json.end_object().member("verdict", result.rejected() ? "reject" : "pass");
    json.member("manifest", facts.manifest_digest);
    json.key("splits").begin_object();
    std::set<std::string_view> written;  // A second file of a split is an error of its own.
    for (const SplitSummary& summary : result.summaries) {
        if (!written.insert(summary.split).second) continue;
        json.key(summary.split).begin_object().member("file", summary.file);
        if (!summary.member.empty()) json.member("member", summary.member);
        json.member("episodes", summary.episodes).member("actions", summary.actions).end_object();
    }
    json.end_object();
    if (facts.fix) {
        json.key("fix").begin_object();
        if (!facts.fix->written_to.empty()) json.member("written_to", facts.fix->written_to);
        json.key("changes").begin_array();
        for (const std::string& change : facts.fix->changes) json.value(change);
        json.end_array().end_object();
    }
    json.key("errors");
    write_list(json, log, Severity::kError, facts.max_shown);
    json.key("warnings");
    write_list(json, log, Severity::kWarning, facts.max_shown);
    json.key("counts").begin_object();
    for (const auto& [code, count] : log.counts()) json.member(diagnostic_code_name(code), count);
    return json.end_object().end_object().take();
}

}  // namespace havln
