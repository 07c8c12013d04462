#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "havln/contract.h"
#include "havln/error.h"
#include "io/embedded.h"
#include "io/escape.h"
#include "io/file.h"
#include "io/json_tree.h"
#include "io/json_writer.h"
#include "io/sha256.h"

namespace havln {

extern const EmbeddedFile manifests[];
extern const std::size_t manifests_count;

namespace {

/// Far above any real one: a million ids take about a half.
constexpr std::uint64_t kMaxManifestBytes = 16ull << 20;
constexpr std::int64_t kMaxEpisodes = 10'000'000;

/// Reads a manifest's JSON into a Manifest; every fault is thrown with the place in the file.
class ManifestReader {
  public:
    explicit ManifestReader(std::filesystem::path path) : path_(std::move(path)) {}

    Manifest read(std::string_view text) const {
        const JsonTree root = JsonTree::parse(text, path_, static_cast<int>(ExitCode::kUsage));
        const JsonTree* splits = root.find("splits");
        if (splits == nullptr || !splits->is_object() || splits->object().empty()) {
            throw error("expected {\"splits\": {NAME: ...}} with at least one split");
        }
        Manifest manifest;
        for (const auto& [name, entry] : splits->object()) {
            manifest.splits.push_back(read_split(name, entry));
        }
        manifest.digest = manifest_digest(manifest);
        return manifest;
    }

  private:
    Error error(std::string detail) const { return usage_error(path_, std::move(detail)); }

    SplitManifest read_split(const std::string& name, const JsonTree& entry) const {
        if (name.empty()) throw error("a split has an empty name");
        SplitManifest split;
        split.name = name;
        const JsonTree* ids = entry.find("episode_ids");
        const JsonTree* count = entry.find("count");
        if ((ids != nullptr) == (count != nullptr)) {
            throw error(
                fmt::format("split {}: expected either \"episode_ids\" or \"count\"", quote(name)));
        }
        split.episode_ids = ids != nullptr ? listed_ids(name, *ids) : counted_ids(name, *count);
        if (split.episode_ids.empty()) {
            throw error(
                fmt::format("split {}: has no episode, so that anything would pass; list "
                            "its ids or leave the split out",
                            quote(name)));
        }
        if (const JsonTree* influenced = entry.find("human_influenced")) {
            split.human_influenced =
                whole_number(name, "human_influenced", *influenced, 1, std::int64_t{1} << 53);
        }
        return split;
    }

    std::vector<std::string> listed_ids(const std::string& name, const JsonTree& ids) const {
        if (!ids.is_array()) {
            throw error(fmt::format("split {}: \"episode_ids\" is no list", quote(name)));
        }
        std::vector<std::string> listed;
        std::unordered_set<std::string_view> seen;
        listed.reserve(ids.array().size());
        for (const JsonTree& id : ids.array()) {
            if (!id.is_string() && !id.is_integer()) {
                throw error(fmt::format("split {}: episode id {} is no string", quote(name),
                                        listed.size() + 1));
            }
            listed.push_back(id.is_string() ? id.string() : std::to_string(id.integer()));
            if (!seen.insert(listed.back()).second) {
                throw error(fmt::format("split {}: the id {} stands twice", quote(name),
                                        quote(listed.back())));
            }
        }
        return listed;
    }

    /// The ids "1" to "count".
    std::vector<std::string> counted_ids(const std::string& name, const JsonTree& count) const {
        const std::uint64_t last = whole_number(name, "count", count, 0, kMaxEpisodes);
        std::vector<std::string> ids;
        ids.reserve(last);
        for (std::uint64_t id = 1; id <= last; ++id) ids.push_back(std::to_string(id));
        return ids;
    }

    std::uint64_t whole_number(const std::string& name, std::string_view key, const JsonTree& value,
                               std::int64_t least, std::int64_t most) const {
        if (!value.is_integer() || value.number() < static_cast<double>(least) ||
            value.number() > static_cast<double>(most)) {
            throw error(fmt::format("split {}: \"{}\" is no whole number from {} to {}",
                                    quote(name), key, least, most));
        }
        return static_cast<std::uint64_t>(value.integer());
    }

    std::filesystem::path path_;
};

}  // namespace

const SplitManifest* Manifest::find(std::string_view split) const {
    const auto found = std::find_if(splits.begin(), splits.end(),
                                    [&](const SplitManifest& one) { return one.name == split; });
    return found == splits.end() ? nullptr : &*found;
}

std::string manifest_digest(const Manifest& manifest) {
    JsonWriter writer(JsonWriter::Style::kCompact);
    writer.begin_object().key("splits").begin_object();
    std::vector<const SplitManifest*> order;
    for (const SplitManifest& split : manifest.splits) order.push_back(&split);
    std::sort(order.begin(), order.end(),
              [](const auto* a, const auto* b) { return a->name < b->name; });
    for (const SplitManifest* split : order) {
        writer.key(split->name).begin_object().key("episode_ids").begin_array();
        for (const std::string& id : split->episode_ids) writer.value(id);
        writer.end_array().member("human_influenced", split->human_influenced).end_object();
    }
    writer.end_object().end_object();
    return sha256_hex(writer.take());
}

Manifest builtin_manifest() {
    const auto* const end = manifests + manifests_count;
    const auto* const found = std::find_if(
        manifests, end, [](const EmbeddedFile& file) { return file.name == "challenge.json"; });
    HAVLN_CHECK(found != end);
    return ManifestReader(std::filesystem::path(found->name)).read(found->bytes);
}

Manifest load_manifest(const std::filesystem::path& path) {
    return ManifestReader(path).read(read_whole_file(path, kMaxManifestBytes));
}

std::vector<std::string> phase_splits(int phase) {
    HAVLN_CHECK(phase == 1 || phase == 2);
    if (phase == 1) return {"val_seen", "val_unseen"};
    return {"test"};
}

}  // namespace havln
