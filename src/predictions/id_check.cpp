#include "predictions/id_check.h"

#include <fmt/format.h>

#include <utility>

namespace havln {

IdCheck::IdCheck(const SplitManifest& ids, FileReport& report)
    : manifest_{{ids}, {}},
      report_(report),
      index_(manifest_),
      check_(index_, 0, report),
      seen_(ids.episode_ids.size(), false) {}

bool IdCheck::take(const std::string& id, const ValueReader& reader) {
    if (!check_.take(id, reader.place(), reader.pointer())) return false;
    seen_[*index_.id(0, id)] = true;
    return true;
}

void IdCheck::finish() {
    const SplitManifest& facts = manifest_.splits.front();
    std::vector<std::string_view> missing;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        if (!seen_[i]) missing.push_back(facts.episode_ids[i]);
    }
    if (missing.empty()) return;
    Diagnostic diagnostic = diagnostic_at(
        {}, "",
        fmt::format("{} of the {} episodes of {} {} missing: {}", missing.size(), seen_.size(),
                    facts.name, missing.size() == 1 ? "is" : "are", id_ranges(missing)),
        "add them; an episode that fails still needs its entry");
    diagnostic.code = DiagnosticCode::kEpisodeMissing;
    diagnostic.count = missing.size();
    if (missing.size() == 1) diagnostic.episode_id = std::string(missing.front());
    report_.add(std::move(diagnostic));
}

}  // namespace havln
