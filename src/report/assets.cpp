#include "report/assets.h"

#include <cstddef>
#include <map>

#include "havln/error.h"
#include "io/embedded.h"
#include "io/text.h"

namespace havln {

extern const EmbeddedFile report_files[];
extern const std::size_t report_files_count;

namespace {

using Values = std::map<std::string_view, std::string_view>;

/// "--a: 1; --b: 2;" by name.
Values declarations(std::string_view rule) {
    Values values;
    while (!rule.empty()) {
        const std::size_t end = std::min(rule.find(';'), rule.size());
        const std::string_view one = rule.substr(0, end);
        const std::size_t colon = one.find(':');
        if (colon != one.npos) {
            values[trimmed(one.substr(0, colon))] = trimmed(one.substr(colon + 1));
        }
        rule.remove_prefix(std::min(end + 1, rule.size()));
    }
    return values;
}

}  // namespace

std::string_view asset(std::string_view name) {
    for (std::size_t k = 0; k < report_files_count; ++k) {
        if (report_files[k].name == name) return report_files[k].bytes;
    }
    fail_check("a file of data/report is compiled in", __FILE__, __LINE__);
}

std::string resolve_css_variables(std::string_view css) {
    constexpr std::string_view kUse = "var(";
    Values values;
    if (css.substr(0, 5) == ":root") {
        const std::size_t open = css.find('{'), close = css.find('}');
        if (open != css.npos && close != css.npos && open < close) {
            values = declarations(css.substr(open + 1, close - open - 1));
            css.remove_prefix(close + 1);
        }
    }
    std::string out;
    for (std::size_t at = css.find(kUse); at != css.npos; at = css.find(kUse)) {
        const std::size_t end = css.find(')', at);
        if (end == css.npos) break;
        const std::string_view name = css.substr(at + kUse.size(), end - at - kUse.size());
        const auto value = values.find(name);
        out += css.substr(0, at);
        out += value == values.end() ? css.substr(at, end + 1 - at) : value->second;
        css.remove_prefix(end + 1);
    }
    out += css;
    return out;
}

std::string plain_map_css() {
    return resolve_css_variables(asset("map.css"));
}

}  // namespace havln
