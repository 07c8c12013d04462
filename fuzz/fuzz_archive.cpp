// Any bytes as a submission's archive: read, checked and reported in every format.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>

#include "fuzz_support.h"
#include "havln/contract.h"
#include "report/diagnostics_github.h"
#include "report/diagnostics_json.h"
#include "report/diagnostics_junit.h"
#include "report/diagnostics_sarif.h"
#include "report/diagnostics_text.h"

namespace {

using havln::fuzz::require;

/// No byte of the input may reach a terminal or a log as a control byte.
void require_plain(const std::string& text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        require(byte == '\n' || (byte >= 0x20 && byte != 0x7f));
    }
}

/// One report for each input, which one depends on its bytes: all six would take most of the time.
void check_report(const havln::ReadResult& result, std::size_t which) {
    const havln::CheckFacts facts;
    switch (which % 6) {
        case 0:
            return require_plain(havln::diagnostics_text(result, facts));
        case 1:
            return require_plain(havln::diagnostics_github(result, facts));
        case 2:
            return require_plain(havln::diagnostics_github_summary(result, facts));
        case 3:
            return require_plain(havln::diagnostics_junit(result, facts));
        case 4:
            return require_plain(havln::diagnostics_json(result, facts));
        default:
            return require_plain(havln::diagnostics_sarif(result, facts));
    }
}

/// What passed must be complete.
void check_accepted(const havln::ReadResult& result, const havln::Manifest& manifest) {
    require(result.splits.size() == 2);
    for (const havln::SplitSubmission& split : result.splits) {
        require(split.episodes.size() == manifest.find(split.split)->episode_ids.size());
        for (const havln::SubmittedEpisode& episode : split.episodes) {
            const auto actions = split.actions_of(episode);
            require(!actions.empty() && actions.size() <= 500);
            require(actions.size() == 500 || actions.back() == havln::Action::kStop);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const havln::Manifest manifest = havln::fuzz::tiny_manifest();
    static const havln::ContractRules rules = havln::fuzz::tiny_rules();
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const havln::ReadResult result =
        havln::read_submission_archive(bytes, "input.zip", manifest, rules);
    check_report(result, std::accumulate(data, data + size, std::size_t{0}));
    if (!result.rejected()) check_accepted(result, manifest);
    return 0;
}
