#include "contract/fix.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "contract/input_files.h"
#include "contract/prediction.h"
#include "contract/split_check.h"
#include "io/byte_source.h"
#include "io/escape.h"
#include "io/json_stream.h"
#include "io/utf8.h"
#include "io/zip_writer.h"

namespace havln {

namespace {

/// Reads code units of `Unit` bytes.
class CodeUnits {
  public:
    CodeUnits(std::string_view bytes, std::size_t unit_bytes, bool big_endian)
        : bytes_(bytes), unit_bytes_(unit_bytes), big_endian_(big_endian) {}

    bool more() const { return at_ < bytes_.size(); }
    /// @return nothing where the text ends within a unit.
    std::optional<std::uint32_t> next() {
        if (bytes_.size() - at_ < unit_bytes_) return std::nullopt;
        std::uint32_t unit = 0;
        for (std::size_t i = 0; i < unit_bytes_; ++i) {
            const std::size_t from = big_endian_ ? i : unit_bytes_ - 1 - i;
            unit = (unit << 8) | static_cast<unsigned char>(bytes_[at_ + from]);
        }
        at_ += unit_bytes_;
        return unit;
    }

  private:
    std::string_view bytes_;
    std::size_t unit_bytes_;
    bool big_endian_;
    std::size_t at_ = 0;
};

bool is_high(std::uint32_t unit) {
    return unit >= 0xD800 && unit <= 0xDBFF;
}
bool is_low(std::uint32_t unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

std::optional<std::string> transcode(CodeUnits units, bool pairs) {
    std::string out;
    while (units.more()) {
        const std::optional<std::uint32_t> unit = units.next();
        if (!unit || is_low(*unit) || *unit > 0x10FFFF) return std::nullopt;
        std::uint32_t code = *unit;
        if (is_high(code)) {
            const std::optional<std::uint32_t> low = pairs ? units.next() : std::nullopt;
            if (!low || !is_low(*low)) return std::nullopt;
            code = 0x10000 + ((code - 0xD800) << 10) + (*low - 0xDC00);
        }
        append_utf8(out, code);
    }
    return out;
}

/// Walks a prediction and notes where a whole number stands as episode id.
class NumberIds {
  public:
    NumberIds(std::string_view text, int max_depth)
        : source_(text), json_(source_, max_depth, [](const JsonFault&) {}) {
        if (json_.next() != JsonToken::kBeginObject) return;
        each_member([&](std::string_view key, JsonToken token) {
            if (key == "episodes" && token == JsonToken::kBeginArray) return read_episodes();
            json_.skip_value(token);
        });
    }

    /// Offset and length of each number, in order.
    const std::vector<std::pair<std::size_t, std::size_t>>& found() const { return found_; }

  private:
    template <typename OnMember>
    void each_member(OnMember on_member) {
        while (json_.next() == JsonToken::kKey) {
            const std::string key(json_.text());
            on_member(key, json_.next());
        }
    }

    void read_episodes() {
        for (JsonToken token = json_.next();
             token != JsonToken::kEndArray && token != JsonToken::kFailed; token = json_.next()) {
            if (token == JsonToken::kBeginObject) {
                each_member([&](std::string_view key, JsonToken value) {
                    if (key == "episode_id" && value == JsonToken::kNumber) note_number();
                    json_.skip_value(value);
                });
            } else {
                json_.skip_value(token);
            }
        }
    }

    void note_number() {
        const std::string_view text = json_.text();
        const bool whole =
            !json_.text_is_cut() && text.find_first_not_of("0123456789") == std::string_view::npos;
        if (whole) {
            found_.emplace_back(static_cast<std::size_t>(json_.token_offset()), text.size());
        }
    }

    MemorySource source_;
    JsonStream json_;
    std::vector<std::pair<std::size_t, std::size_t>> found_;
};

/// Errors of a submission that fixing can take away; the others make it pointless to begin.
bool may_be_mended(DiagnosticCode code) {
    switch (code) {
        case DiagnosticCode::kArchiveNestedPath:
        case DiagnosticCode::kJsonEncoding:
        case DiagnosticCode::kEpisodeIdType:
        case DiagnosticCode::kSplitMissing:  // In a file that is UTF-16, or in a folder.
            return true;
        default:
            return false;
    }
}

std::string read_all(ByteSource& source) {
    std::string bytes;
    for (std::string_view piece = source.next(); !piece.empty(); piece = source.next()) {
        bytes += piece;
    }
    return bytes;
}

std::string_view base_name(std::string_view path) {
    const std::size_t slash = path.find_last_of("/\\");
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// A file is held in memory while it is mended. A full prediction has less than 40 MB.
constexpr std::uint64_t kMaxFixBytes = 64u << 20;

/// Makes the mended archive of one submission.
class Fixer {
  public:
    Fixer(const Manifest& manifest, const ContractRules& rules)
        : manifest_(manifest), rules_(rules), index_(manifest) {
        rules_.limits.max_member_bytes = std::min(rules.limits.max_member_bytes, kMaxFixBytes);
    }

    FixResult fix(const std::vector<std::filesystem::path>& inputs);

  private:
    void mend_file(const InputFile& input);
    std::size_t rank_of(const std::string& member) const;
    void say(std::string change) { result_.changes.push_back(std::move(change)); }

    const Manifest& manifest_;
    ContractRules rules_;
    ManifestIndex index_;
    FixResult result_;
    std::vector<ArchiveMember> members_;
};

void Fixer::mend_file(const InputFile& input) {
    const std::string name = input.member ? *input.member : input.file;
    if (!input.candidate) {
        say(fmt::format("left out {}", quote(name)));
        return;
    }
    std::string text = read_all(*input.open());
    std::string encoding_change;
    if (!to_plain_utf8(text, encoding_change)) return;  // Stays a fault of the second check.
    MemorySource source(text);
    const SplitSniff sniff = sniff_split(source, index_, rules_.limits.max_json_depth);
    const auto required = [&](std::size_t split) {
        return std::find(rules_.required_splits.begin(), rules_.required_splits.end(),
                         index_.facts(split).name) != rules_.required_splits.end();
    };
    if (!sniff.split || !required(*sniff.split)) {
        say(fmt::format("left out {}, which is no prediction for a required split", quote(name)));
        return;
    }
    if (!encoding_change.empty()) say(fmt::format("{}: {}", quote(name), encoding_change));
    if (const std::size_t count = quote_number_ids(text, rules_.limits.max_json_depth)) {
        say(fmt::format("{}: put {} episode id{} in quotes", quote(name), count,
                        count == 1 ? "" : "s"));
    }
    std::string member = index_.facts(*sniff.split).name + ".json";
    if (name != member && base_name(name) != member) {
        say(fmt::format("renamed {} to {}", quote(name), quote(member)));
    } else if (input.in_archive && name != member) {
        say(fmt::format("moved {} to the archive's root", quote(name)));
    }
    members_.push_back({std::move(member), std::move(text)});
}

std::size_t Fixer::rank_of(const std::string& member) const {
    std::size_t rank = 0;
    for (const std::string& split : rules_.required_splits) {
        if (member == split + ".json") break;
        ++rank;
    }
    return rank;
}

FixResult Fixer::fix(const std::vector<std::filesystem::path>& inputs) {
    result_.check = read_submission(inputs, manifest_, rules_);
    for (const auto& [code, count] : result_.check.diagnostics.counts()) {
        const bool in_the_way =
            result_.check.diagnostics.count(code, Severity::kError) > 0 && !may_be_mended(code);
        if (in_the_way) return std::move(result_);
    }
    const InputFiles files = open_inputs(inputs, rules_.limits);
    for (const InputFile& input : files.files) mend_file(input);
    if (members_.empty()) return std::move(result_);
    // In the splits' order, so that the archive does not depend on how the files came.
    std::stable_sort(members_.begin(), members_.end(),
                     [&](const ArchiveMember& a, const ArchiveMember& b) {
                         return rank_of(a.name) < rank_of(b.name);
                     });
    std::string archive = zip_archive(members_);
    result_.check = read_submission_archive(archive, files.name, manifest_, rules_);
    if (!result_.check.rejected()) result_.archive = std::move(archive);
    return std::move(result_);
}

}  // namespace

bool to_plain_utf8(std::string& text, std::string& changed) {
    using namespace std::string_view_literals;
    const TextEncoding found = detect_encoding(text);
    std::string_view content(text);
    content.remove_prefix(found.mark_bytes);
    if (found.unit_bytes == 1) {
        if (found.mark_bytes == 0) return true;
        changed = "removed the byte-order mark";
        text.erase(0, found.mark_bytes);
        return true;
    }
    std::optional<std::string> plain =
        transcode(CodeUnits(content, found.unit_bytes, found.big_endian), found.unit_bytes == 2);
    if (!plain) return false;
    changed = fmt::format("changed the encoding from UTF-{} to UTF-8", 8 * found.unit_bytes);
    text = std::move(*plain);
    return true;
}

std::size_t quote_number_ids(std::string& text, int max_depth) {
    const NumberIds ids(text, max_depth);
    if (ids.found().empty()) return 0;
    std::string quoted;
    quoted.reserve(text.size() + 2 * ids.found().size());
    std::size_t from = 0;
    for (const auto& [offset, length] : ids.found()) {
        quoted.append(text, from, offset - from);
        quoted += '"';
        quoted.append(text, offset, length);
        quoted += '"';
        from = offset + length;
    }
    quoted.append(text, from);
    text = std::move(quoted);
    return ids.found().size();
}

FixResult fix_submission(const std::vector<std::filesystem::path>& inputs, const Manifest& manifest,
                         const ContractRules& rules) {
    return Fixer(manifest, rules).fix(inputs);
}

}  // namespace havln
