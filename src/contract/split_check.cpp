#include "contract/split_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/escape.h"
#include "io/text.h"

namespace havln {

namespace {

constexpr std::size_t kMaxRanges = 20;

/// The number that an id is the plain decimal form of.
std::optional<std::uint64_t> id_number(std::string_view id) {
    std::uint64_t number = 0;
    const char* const end = id.data() + id.size();
    const auto read = std::from_chars(id.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || (id.size() > 1 && id[0] == '0')) {
        return std::nullopt;
    }
    return number;
}

/// The id without white space around it, needless zeros or a fraction ".0": what was meant by
/// " 7", "007" or "7.0".
std::string_view plain_id(std::string_view id) {
    id = trimmed(id);
    if (id.size() > 2 && id.substr(id.size() - 2) == ".0") id.remove_suffix(2);
    while (id.size() > 1 && id[0] == '0') id.remove_prefix(1);
    return id;
}

}  // namespace

ManifestIndex::ManifestIndex(const Manifest& manifest)
    : manifest_(manifest), tables_(manifest.splits.size()) {}

std::optional<std::size_t> ManifestIndex::split(std::string_view name) const {
    const SplitManifest* found = manifest_.find(name);
    if (found == nullptr) return std::nullopt;
    return static_cast<std::size_t>(found - manifest_.splits.data());
}

std::optional<std::size_t> ManifestIndex::id(std::size_t split, std::string_view episode_id) {
    std::optional<Table>& table = tables_[split];
    if (!table) {
        const std::vector<std::string>& ids = manifest_.splits[split].episode_ids;
        table.emplace();
        table->reserve(ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) table->emplace(ids[i], i);
    }
    const auto found = table->find(episode_id);
    if (found == table->end()) return std::nullopt;
    return found->second;
}

std::string id_ranges(const std::vector<std::string_view>& ids) {
    std::string text;
    std::size_t ranges = 0;
    for (std::size_t i = 0; i < ids.size();) {
        if (ranges == kMaxRanges) {
            text += fmt::format(" and {} more", ids.size() - i);
            break;
        }
        const std::optional<std::uint64_t> first = id_number(ids[i]);
        std::size_t length = 1;
        while (first && i + length < ids.size() && id_number(ids[i + length]) == *first + length) {
            ++length;
        }
        text += fmt::format("{}{}", ranges++ == 0 ? "" : ", ", ids[i].substr(0, 40));
        if (length > 1) text += fmt::format("{}{}", length == 2 ? ", " : "-", ids[i + length - 1]);
        i += length;
    }
    return text;
}

SplitCheck::SplitCheck(ManifestIndex& index, std::size_t split, FileReport& report)
    : index_(index), split_(split), report_(report) {
    seen_.resize(index.facts(split).episode_ids.size());
    seen_unknown_.resize(index.manifest().splits.size());
}

bool SplitCheck::take(std::string_view episode_id, TextPlace place) {
    return take(episode_id, place, [&] { return report_.episode_pointer() + "/episode_id"; });
}

bool SplitCheck::take(std::string_view episode_id, TextPlace place,
                      const std::function<std::string()>& pointer) {
    const std::optional<std::size_t> which = index_.id(split_, episode_id);
    if (!which) {
        note_unknown(episode_id);
        report_.add(DiagnosticCode::kEpisodeUnknown, [&] {
            return diagnostic_at(
                place, pointer(),
                fmt::format("{} is no episode of {}", quote(episode_id), index_.facts(split_).name),
                unknown_hint(episode_id));
        });
        return false;
    }
    Seen& seen = seen_[*which];
    if (seen.yes) {
        report_.add(DiagnosticCode::kEpisodeDuplicate, [&] {
            return diagnostic_at(place, pointer(),
                                 fmt::format("the episode {} stands a second time, first at line "
                                             "{}, column {}",
                                             quote(episode_id), seen.place.line, seen.place.column),
                                 "keep one of the two");
        });
        return false;
    }
    seen = {true, place};
    return true;
}

std::string SplitCheck::unknown_hint(std::string_view episode_id) {
    const std::string_view plain = plain_id(episode_id);
    if (plain != episode_id && index_.id(split_, plain)) {
        return fmt::format("did you mean {}? ids are compared byte by byte", quote(plain));
    }
    for (std::size_t other = 0; other < index_.manifest().splits.size(); ++other) {
        if (other != split_ && index_.id(other, episode_id)) {
            return fmt::format("it is an episode of {}: is the split of this file right?",
                               index_.facts(other).name);
        }
    }
    const std::vector<std::string>& ids = index_.facts(split_).episode_ids;
    return fmt::format("remove it; the ids of {} are {}", index_.facts(split_).name,
                       id_ranges({ids.begin(), ids.end()}));
}

void SplitCheck::note_unknown(std::string_view episode_id) {
    for (std::size_t other = 0; other < seen_unknown_.size(); ++other) {
        if (other == split_) continue;
        if (const auto which = index_.id(other, episode_id)) {
            std::vector<bool>& seen = seen_unknown_[other];
            seen.resize(index_.facts(other).episode_ids.size());
            seen[*which] = true;
        }
    }
}

/// Names another split that the file's ids are exactly those of, which a single id cannot show.
std::string SplitCheck::other_split_hint() {
    const std::vector<std::string>& ids = index_.facts(split_).episode_ids;
    for (std::size_t other = 0; other < seen_unknown_.size(); ++other) {
        if (other == split_) continue;
        const std::size_t expected = index_.facts(other).episode_ids.size();
        auto matched = static_cast<std::size_t>(
            std::count(seen_unknown_[other].begin(), seen_unknown_[other].end(), true));
        bool all_inside = true;
        for (std::size_t i = 0; i < ids.size() && all_inside; ++i) {
            if (!seen_[i].yes) continue;
            all_inside = index_.id(other, ids[i]).has_value();
            ++matched;
        }
        if (all_inside && matched == expected && expected > 0) {
            return fmt::format("these {} ids are {}'s: is the split of this file right?", matched,
                               index_.facts(other).name);
        }
    }
    return {};
}

void SplitCheck::finish(TextPlace place, std::string_view pointer) {
    const SplitManifest& facts = index_.facts(split_);
    std::vector<std::string_view> missing;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        if (!seen_[i].yes) missing.push_back(facts.episode_ids[i]);
    }
    if (missing.empty()) return;
    const std::string other = other_split_hint();
    Diagnostic diagnostic = diagnostic_at(
        place, std::string(pointer),
        fmt::format("{} of the {} episodes of {} {} missing: {}", missing.size(), seen_.size(),
                    facts.name, missing.size() == 1 ? "is" : "are", id_ranges(missing)),
        other.empty() ? "add the missing episodes; one that fails still needs its actions" : other);
    diagnostic.code = DiagnosticCode::kEpisodeMissing;
    diagnostic.count = missing.size();
    if (missing.size() == 1) diagnostic.episode_id = std::string(missing[0]);
    report_.add(std::move(diagnostic));
}

}  // namespace havln
