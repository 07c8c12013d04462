// Any text as a prediction. The first byte says how the text is cut into pieces.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "contract/fix.h"
#include "contract/prediction.h"
#include "fuzz_support.h"
#include "havln/error.h"
#include "io/byte_source.h"
#include "io/json_stream.h"
#include "io/json_tree.h"

namespace {

using havln::fuzz::require;

struct Walk {
    std::string tokens;
    bool clean = true;
    bool complete = false;
    bool operator==(const Walk&) const = default;
};

Walk walk(std::string_view text, std::size_t piece_bytes) {
    Walk walk;
    havln::MemorySource source(text, piece_bytes);
    havln::JsonStream stream(source, 64, [&](const havln::JsonFault& fault) {
        walk.clean = false;
        walk.tokens += 'F' + std::to_string(fault.place.line) + ':' +
                       std::to_string(fault.place.column) + fault.message;
    });
    for (;;) {
        const havln::JsonToken token = stream.next();
        walk.tokens += static_cast<char>('a' + static_cast<int>(token));
        if (token == havln::JsonToken::kEnd || token == havln::JsonToken::kFailed) {
            walk.complete = token == havln::JsonToken::kEnd;
            return walk;
        }
        walk.tokens +=
            std::to_string(stream.place().line) + ':' + std::to_string(stream.place().column) + ' ';
        walk.tokens += stream.text();
        require(stream.text().size() <= havln::JsonStream::kMaxTextBytes);
    }
}

bool is_json(const std::string& text) {
    try {
        havln::JsonTree::parse(text, "input.json");
        return true;
    } catch (const havln::Error&) {
        return false;
    }
}

void check_prediction(std::string_view text, std::size_t piece_bytes) {
    static const havln::Manifest manifest = havln::fuzz::tiny_manifest();
    static const havln::ContractRules rules = havln::fuzz::tiny_rules();
    havln::ManifestIndex index(manifest);
    havln::MemorySource first_look(text, piece_bytes);
    const havln::SplitSniff sniff = havln::sniff_split(first_look, index, 64);
    const std::size_t split = sniff.split.value_or(0);
    havln::DiagnosticLog log(20);
    havln::FileReport report(log, "input.json", std::nullopt);
    havln::UnknownKeys unknown_keys;
    havln::SplitSummary summary;
    havln::MemorySource source(text, piece_bytes);
    const havln::SplitSubmission submission =
        havln::read_prediction(source, split, index, rules, unknown_keys, report, summary);
    require(submission.episodes.size() <= manifest.splits[split].episode_ids.size());
    require(submission.actions.size() <= 500 * submission.episodes.size());
    if (!log.rejected()) {
        require(submission.episodes.size() == manifest.splits[split].episode_ids.size());
    }
}

void check_fixing(const std::string& text) {
    std::string mended = text;
    std::string change;
    if (havln::to_plain_utf8(mended, change)) {
        const bool was_json = is_json(mended);
        const std::size_t before = mended.size();
        const std::size_t quoted = havln::quote_number_ids(mended, 64);
        require(mended.size() == before + 2 * quoted);
        require(!was_json || is_json(mended));
        require(havln::quote_number_ids(mended, 64) == 0);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece_bytes = data[0] % 17 + 1;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const Walk whole = walk(text, text.size() + 1);
    require(whole == walk(text, piece_bytes));
    require((whole.clean && whole.complete) == is_json(text));
    check_prediction(text, piece_bytes);
    check_fixing(text);
    return 0;
}
