#include "report/diagnostics_sarif.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "havln/version.h"
#include "io/escape.h"
#include "io/json_writer.h"

namespace havln {

namespace {

/// A path as a URI reference (RFC 3986): every byte that is not plain becomes %XX.
std::string path_uri(std::string_view path) {
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~' ||
                           c == '/';
        if (plain) {
            uri += c;
        } else {
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return uri;
}

/// The files that results speak of, each once: archives, and in them their members.
class Artifacts {
  public:
    /// @return the index of the file, or of the member in it.
    std::size_t index_of(const Diagnostic& diagnostic) {
        const std::size_t file = add(path_uri(diagnostic.file), kNone);
        if (!diagnostic.member) return file;
        return add(path_uri(*diagnostic.member), file);
    }
    const std::string& uri(std::size_t index) const { return items_[index].first; }

    void write(JsonWriter& json) const {
        json.key("artifacts").begin_array();
        for (const auto& [uri, parent] : items_) {
            json.begin_object().key("location").begin_object().member("uri", uri).end_object();
            if (parent != kNone) json.member("parentIndex", parent);
            json.end_object();
        }
        json.end_array();
    }

  private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    std::size_t add(std::string uri, std::size_t parent) {
        const auto [found, is_new] = index_.try_emplace({uri, parent}, items_.size());
        if (is_new) items_.emplace_back(std::move(uri), parent);
        return found->second;
    }

    std::vector<std::pair<std::string, std::size_t>> items_;
    std::map<std::pair<std::string, std::size_t>, std::size_t> index_;
};

void write_rules(JsonWriter& json) {
    json.key("rules").begin_array();
    for (int i = 0; i < kDiagnosticCodeCount; ++i) {
        const auto code = static_cast<DiagnosticCode>(i);
        const bool error = default_severity(code) == Severity::kError;
        json.begin_object().member("id", diagnostic_code_name(code));
        json.key("shortDescription").begin_object();
        json.member("text", diagnostic_code_summary(code)).end_object();
        json.key("defaultConfiguration").begin_object();
        json.member("level", error ? "error" : "warning").end_object().end_object();
    }
    json.end_array();
}

void write_result(JsonWriter& json, const Diagnostic& one, Artifacts& artifacts) {
    std::string message = escape_control(one.message);
    if (!one.hint.empty()) message += " -> " + escape_control(one.hint);
    json.begin_object()
        .member("ruleId", diagnostic_code_name(one.code))
        .member("ruleIndex", static_cast<int>(one.code))
        .member("level", one.severity == Severity::kError ? "error" : "warning");
    json.key("message").begin_object().member("text", message).end_object();
    json.key("locations").begin_array().begin_object();
    const std::size_t artifact = artifacts.index_of(one);
    json.key("physicalLocation").begin_object().key("artifactLocation").begin_object();
    json.member("uri", artifacts.uri(artifact)).member("index", artifact).end_object();
    if (one.line && one.column) {
        json.key("region").begin_object().member("startLine", one.line);
        json.member("startColumn", one.column).end_object();
    }
    json.end_object();
    if (one.pointer && !one.pointer->empty()) {
        json.key("logicalLocations").begin_array().begin_object();
        json.member("fullyQualifiedName", one.pointer).end_object().end_array();
    }
    json.end_object().end_array();
    if (one.count > 1) json.member("occurrenceCount", one.count);
    json.end_object();
}

}  // namespace

std::string diagnostics_sarif(const ReadResult& result, const CheckFacts& facts) {
    JsonWriter json;
    json.begin_object()
        .member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
        .member("version", "2.1.0");
    json.key("runs").begin_array().begin_object();
    json.key("tool").begin_object().key("driver").begin_object();
    json.member("name", "havln-validate").member("version", version());
    write_rules(json);
    json.end_object().end_object();
    Artifacts artifacts;
    std::array<std::size_t, kDiagnosticCodeCount> shown{};
    json.key("results").begin_array();
    for (const Diagnostic& one : result.diagnostics.kept()) {
        if (shown[static_cast<std::size_t>(one.code)]++ >= facts.max_shown) continue;
        write_result(json, one, artifacts);
    }
    json.end_array();
    artifacts.write(json);
    json.end_object().end_array();
    return json.end_object().take();
}

}  // namespace havln
