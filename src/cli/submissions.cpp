#include "cli/submissions.h"

#include <map>
#include <utility>

namespace havln::cli {

std::vector<Paths> group_submissions(const Paths& inputs) {
    std::vector<Paths> groups;
    Paths loose;
    for (const auto& input : inputs) {
        if (input.extension() == ".json" && !std::filesystem::is_directory(input)) {
            loose.push_back(input);
        } else {
            groups.push_back({input});
        }
    }
    if (!loose.empty()) groups.push_back(loose);
    return groups;
}

ContractRules contract_rules(const Profile& profile, const std::vector<std::string>& required) {
    ContractRules rules;
    rules.required_splits = required;
    rules.max_actions = profile.max_steps;
    rules.allowed = profile.actions;
    return rules;
}

void add_all(DiagnosticLog& log, const DiagnosticLog& more,
             const std::function<bool(Diagnostic&)>& take) {
    std::map<std::pair<DiagnosticCode, Severity>, std::uint64_t> kept;
    for (Diagnostic diagnostic : more.kept()) {
        kept[{diagnostic.code, diagnostic.severity}] += diagnostic.count;
        if (take(diagnostic)) log.add(std::move(diagnostic));
    }
    for (const auto& [code, total] : more.counts()) {
        for (const Severity severity : {Severity::kError, Severity::kWarning}) {
            log.tally(code, severity, more.count(code, severity) - kept[{code, severity}]);
        }
    }
}

}  // namespace havln::cli
