#include "cli/submissions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "groundtruth/layout.h"
#include "havln/error.h"
#include "io/file.h"

namespace havln::cli {

std::vector<Paths> group_submissions(const Paths& inputs) {
    std::vector<Paths> groups;
    Paths loose;
    for (const auto& input : inputs) {
        if (input.extension() == ".json" && !is_folder(input)) {
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

void require_whole_data(const Paths& submission, const Manifest& of_data, const Manifest& challenge,
                        const ContractRules& rules, const std::filesystem::path& data_root) {
    const auto sorted = [](std::vector<std::string> ids) {
        std::sort(ids.begin(), ids.end());
        return ids;
    };
    Manifest official = of_data;
    const SplitManifest* other = nullptr;
    std::size_t ids_of_data = 0;
    for (SplitManifest& split : official.splits) {
        const SplitManifest* known = challenge.find(split.name);
        if (known == nullptr || sorted(known->episode_ids) == sorted(split.episode_ids)) continue;
        if (other == nullptr) {
            other = known;
            ids_of_data = split.episode_ids.size();
        }
        split.episode_ids = known->episode_ids;
    }
    if (other == nullptr || read_submission(submission, official, rules).rejected()) return;
    throw ground_truth_error(
        splits_folder(data_root) / other->name,
        fmt::format("holds {} episodes, which are not the {} of the challenge's {}, for which the "
                    "submission is valid; see havln-check-data",
                    ids_of_data, other->episode_ids.size(), other->name));
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
