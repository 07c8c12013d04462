#include "io/zip_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "io/escape.h"

namespace havln {

namespace {

constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocator64Signature = 0x07064b50;
constexpr std::uint32_t kDescriptorSignature = 0x08074b50;

constexpr std::uint64_t kLocalBytes = 30;
constexpr std::uint64_t kCentralBytes = 46;
constexpr std::uint64_t kEndBytes = 22;
constexpr std::uint64_t kEnd64Bytes = 56;
constexpr std::uint64_t kLocator64Bytes = 20;

constexpr std::uint16_t kFlagEncrypted = 1u << 0;
constexpr std::uint16_t kFlagDescriptor = 1u << 3;
constexpr std::uint16_t kFlagStrongEncryption = 1u << 6;
constexpr std::uint16_t kFlagMaskedHeader = 1u << 13;

constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kAes = 99;

constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // "See the zip64 field."
constexpr std::uint16_t kIn64Short = 0xFFFF;

const char* const kPackAgain = "make the archive again, e.g. zip -j submission.zip *.json";

/// Little-endian fields at checked offsets.
class Fields {
  public:
    explicit Fields(std::string_view bytes) : bytes_(bytes) {}

    bool has(std::uint64_t offset, std::uint64_t count) const {
        return offset <= bytes_.size() && count <= bytes_.size() - offset;
    }
    /// @pre has(offset, sizeof(T)).
    template <typename T>
    T at(std::uint64_t offset) const {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            value |= std::uint64_t{static_cast<unsigned char>(bytes_[offset + i])} << (8 * i);
        }
        return static_cast<T>(value);
    }
    std::uint16_t u16(std::uint64_t offset) const { return at<std::uint16_t>(offset); }
    std::uint32_t u32(std::uint64_t offset) const { return at<std::uint32_t>(offset); }
    std::uint64_t u64(std::uint64_t offset) const { return at<std::uint64_t>(offset); }
    bool signature(std::uint64_t offset, std::uint32_t expected) const {
        return has(offset, 4) && u32(offset) == expected;
    }
    std::string_view part(std::uint64_t offset, std::uint64_t count) const {
        return bytes_.substr(offset, count);
    }
    std::uint64_t size() const { return bytes_.size(); }

  private:
    std::string_view bytes_;
};

Diagnostic fault(DiagnosticCode code, std::string message, std::string hint = kPackAgain) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    return diagnostic;
}

/// A size in words: whole MiB as such, everything else in bytes.
std::string size_text(std::uint64_t bytes) {
    constexpr std::uint64_t kMib = 1u << 20;
    return bytes >= kMib && bytes % kMib == 0 ? fmt::format("{} MiB", bytes / kMib)
                                              : fmt::format("{} bytes", bytes);
}

Diagnostic inconsistent(std::string message) {
    return fault(DiagnosticCode::kArchiveInconsistentHeader, std::move(message));
}

/// What the end record, or its zip64 form, says.
struct EndRecord {
    std::uint64_t end_offset = 0;  ///< Of the plain end record.
    std::uint64_t record_offset =
        0;  ///< Of the zip64 one where there is one: the directory ends here.
    std::uint64_t comment_end = 0;
    std::uint64_t entries = 0;
    std::uint64_t directory_bytes = 0;
    std::uint64_t directory_offset = 0;  ///< As declared, from the archive's first byte.
    std::uint64_t archive_offset = 0;
    std::uint64_t directory_begin() const { return archive_offset + directory_offset; }
};

using EndResult = std::pair<std::optional<EndRecord>, std::optional<Diagnostic>>;

/// The zip64 record that a locator right before the end record points to.
std::optional<std::uint64_t> find_end64(const Fields& file, std::uint64_t end_offset) {
    if (end_offset < kLocator64Bytes + kEnd64Bytes) return std::nullopt;
    const std::uint64_t locator = end_offset - kLocator64Bytes;
    if (!file.signature(locator, kLocator64Signature)) return std::nullopt;
    // Right before the locator, as every writer puts it; else where the locator says.
    const std::uint64_t before = locator - kEnd64Bytes;
    if (file.signature(before, kEnd64Signature)) return before;
    const std::uint64_t stated = file.u64(locator + 8);
    if (stated <= before && file.signature(stated, kEnd64Signature)) return stated;
    return std::nullopt;
}

EndResult read_end(const Fields& file, std::uint64_t offset) {
    EndRecord end;
    end.end_offset = offset;
    end.record_offset = offset;
    end.comment_end = offset + kEndBytes + file.u16(offset + 20);
    std::uint32_t disk = file.u16(offset + 4) | file.u16(offset + 6);
    end.entries = file.u16(offset + 10);
    end.directory_bytes = file.u32(offset + 12);
    end.directory_offset = file.u32(offset + 16);
    const bool wants_64 =
        end.entries == kIn64Short || end.directory_bytes == kIn64 || end.directory_offset == kIn64;
    if (const auto record = find_end64(file, offset)) {
        const EndRecord narrow = end;
        disk = file.u32(*record + 16) | file.u32(*record + 20);
        end.record_offset = *record;
        end.entries = file.u64(*record + 32);
        end.directory_bytes = file.u64(*record + 40);
        end.directory_offset = file.u64(*record + 48);
        const auto agrees = [](std::uint64_t small, std::uint64_t mark, std::uint64_t wide) {
            return small == mark || small == wide;
        };
        if (!agrees(narrow.entries, kIn64Short, end.entries) ||
            !agrees(narrow.directory_bytes, kIn64, end.directory_bytes) ||
            !agrees(narrow.directory_offset, kIn64, end.directory_offset)) {
            return {std::nullopt,
                    inconsistent("the zip64 end record and the plain one contradict each other")};
        }
    } else if (wants_64 && (end.directory_bytes == kIn64 || end.directory_offset == kIn64)) {
        return {std::nullopt, inconsistent("the end record refers to a zip64 record that is not "
                                           "there")};
    }
    if (disk != 0) {
        return {std::nullopt, inconsistent("the archive is one part of several (a split archive)")};
    }
    if (end.directory_bytes > end.record_offset ||
        end.directory_offset > end.record_offset - end.directory_bytes) {
        return {std::nullopt,
                fault(DiagnosticCode::kArchiveTruncated,
                      fmt::format("the directory should begin at byte {} and have {} bytes, but "
                                  "only {} bytes stand before its end",
                                  end.directory_offset, end.directory_bytes, end.record_offset),
                      "part of the file is missing: copy or upload it again, or make the archive "
                      "again")};
    }
    end.archive_offset = end.record_offset - end.directory_bytes - end.directory_offset;
    if (end.directory_bytes > 0 && !file.signature(end.directory_begin(), kCentralSignature)) {
        return {std::nullopt,
                inconsistent(fmt::format("no directory stands at byte {}, where the end record "
                                         "places it",
                                         end.directory_begin()))};
    }
    return {end, std::nullopt};
}

bool same_directory(const EndRecord& a, const EndRecord& b) {
    return a.directory_begin() == b.directory_begin() && a.archive_offset == b.archive_offset &&
           a.directory_bytes == b.directory_bytes && a.entries == b.entries;
}

bool is_empty(const EndRecord& end) {
    return end.entries == 0 && end.directory_bytes == 0;
}

Diagnostic as_warning(Diagnostic diagnostic) {
    diagnostic.severity = Severity::kWarning;
    return diagnostic;
}

/// The end records of a file, sorted out: a comment may hold the bytes of another one.
class EndCandidates {
  public:
    explicit EndCandidates(const Fields& file) : file_(file) {}

    /// Looks at the bytes at `offset`, which have the signature. Call from the file's end forwards
    /// to its begin.
    void look_at(std::uint64_t offset) {
        auto [end, problem] = read_end(file_, offset);
        if (!end) {
            note(std::move(*problem));
        } else if (end->comment_end > file_.size()) {
            note(fault(DiagnosticCode::kArchiveTruncated,
                       fmt::format("the archive's comment should end at byte {}, but the file has "
                                   "only {} bytes",
                                   end->comment_end, file_.size()),
                       "part of the file is missing: copy or upload it again"));
        } else if (end->comment_end < file_.size()) {
            if (!loose_) loose_ = end;
        } else if (is_empty(*end)) {
            if (!empty_) empty_ = end;
        } else if (!exact_) {
            exact_ = end;
        } else if (!same_directory(*exact_, *end)) {
            ambiguous_ = true;
        }
    }

    /// The record whose comment ends where the file ends and that has members; else an empty one
    /// like that; else the last record with bytes behind it. Where two that fit name different
    /// directories, readers would disagree about the content, and both are refused.
    EndResult choose() const {
        if (ambiguous_) {
            return {std::nullopt, inconsistent("two end records name two different directories")};
        }
        if (exact_) return {exact_, std::nullopt};
        if (empty_) return {empty_, std::nullopt};
        if (loose_) return {loose_, std::nullopt};
        return {std::nullopt, first_fault_};
    }

  private:
    void note(Diagnostic diagnostic) {
        if (!first_fault_) first_fault_ = std::move(diagnostic);
    }

    const Fields& file_;
    std::optional<EndRecord> exact_, empty_, loose_;
    std::optional<Diagnostic> first_fault_;
    bool ambiguous_ = false;
};

EndResult find_end(const Fields& file) {
    if (file.size() < kEndBytes) return {};
    EndCandidates candidates(file);
    const std::uint64_t last = file.size() - kEndBytes;
    const std::uint64_t first = last > 0xFFFF ? last - 0xFFFF : 0;
    for (std::uint64_t i = last + 1; i-- > first;) {
        if (file.signature(i, kEndSignature)) candidates.look_at(i);
    }
    return candidates.choose();
}

/// Bytes around the archive, which every reader passes over.
void warn_of_bytes_around(const EndRecord& end, std::uint64_t file_bytes,
                          std::vector<Diagnostic>& faults) {
    if (end.comment_end < file_bytes) {
        faults.push_back(as_warning(
            inconsistent(fmt::format("{} bytes stand behind the archive's end and are ignored",
                                     file_bytes - end.comment_end))));
    }
    if (end.archive_offset > 0) {
        faults.push_back(as_warning(inconsistent(fmt::format(
            "{} bytes stand before the archive's begin and are ignored", end.archive_offset))));
    }
}

/// Content of the first extra field of that id; nothing where it is missing or cut.
std::optional<std::string_view> extra_field(std::string_view extra, std::uint16_t id) {
    const Fields fields(extra);
    for (std::uint64_t at = 0; fields.has(at, 4);) {
        const std::uint16_t size = fields.u16(at + 2);
        if (fields.u16(at) == id) {
            if (!fields.has(at + 4, size)) return std::nullopt;
            return fields.part(at + 4, size);
        }
        at += 4u + size;
    }
    return std::nullopt;
}

/// Takes the 64-bit values that stand in a zip64 extra field for those marked as such.
/// @return false where the field is missing or too short.
bool widen(std::string_view extra, const std::vector<std::uint64_t*>& marked) {
    if (marked.empty()) return true;
    const std::optional<std::string_view> field = extra_field(extra, 1);
    if (!field || field->size() < 8 * marked.size()) return false;
    const Fields values(*field);
    for (std::size_t i = 0; i < marked.size(); ++i) *marked[i] = values.u64(8 * i);
    return true;
}

/// The name in an Info-ZIP Unicode Path field (0x7075): version, CRC-32 of the plain name, name.
std::optional<std::string_view> unicode_path(std::string_view extra) {
    const std::optional<std::string_view> field = extra_field(extra, 0x7075);
    if (!field || field->size() < 5 || (*field)[0] != 1) return std::nullopt;
    return field->substr(5);
}

void add_fault(ZipDirectoryMember& member, Diagnostic diagnostic, bool readable = false) {
    member.faults.push_back(std::move(diagnostic));
    if (!readable) member.readable = false;
}

void check_method(ZipDirectoryMember& member) {
    if ((member.flags & (kFlagEncrypted | kFlagStrongEncryption | kFlagMaskedHeader)) != 0 ||
        member.method == kAes) {
        add_fault(member, fault(DiagnosticCode::kArchiveEncryptedMember, "the member is encrypted",
                                "make the archive without a password"));
    } else if (member.method != kStored && member.method != kDeflated) {
        add_fault(member,
                  fault(DiagnosticCode::kArchiveUnsupportedMethod,
                        fmt::format("compressed with {} (method {}); only stored and deflated "
                                    "members can be read",
                                    zip_method_name(member.method), member.method),
                        "make the archive with plain deflate, e.g. zip -j submission.zip *.json"));
    }
}

/// Where the data descriptor behind the data ends; nothing where none of its four forms is there.
std::optional<std::uint64_t> descriptor_end(const Fields& file, const ZipDirectoryMember& member,
                                            std::uint64_t at) {
    for (const std::uint64_t begin : {at + 4, at}) {
        if (begin != at && !file.signature(at, kDescriptorSignature)) continue;
        if (file.has(begin, 12) && file.u32(begin) == member.crc32 &&
            file.u32(begin + 4) == member.compressed_bytes &&
            file.u32(begin + 8) == member.inflated_bytes) {
            return begin + 12;
        }
        if (file.has(begin, 20) && file.u32(begin) == member.crc32 &&
            file.u64(begin + 4) == member.compressed_bytes &&
            file.u64(begin + 12) == member.inflated_bytes) {
            return begin + 20;
        }
    }
    return std::nullopt;
}

/// A member's local header.
struct LocalHeader {
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t crc32 = 0;
    std::uint64_t compressed_bytes = 0;
    std::uint64_t inflated_bytes = 0;
    std::string_view name;
    std::uint64_t end_offset = 0;

    bool deferred() const { return (flags & kFlagDescriptor) != 0; }
    /// Whether a value agrees with the directory's: with a data descriptor it may be left open.
    bool agrees(std::uint64_t local, std::uint64_t central) const {
        return local == central || (deferred() && (local == 0 || local == kIn64));
    }
};

/// The local header at `at`; nothing where none stands there before the directory's begin.
std::optional<LocalHeader> read_local(const Fields& file, std::uint64_t directory_begin,
                                      std::uint64_t at) {
    if (at > directory_begin || directory_begin - at < kLocalBytes ||
        !file.signature(at, kLocalSignature)) {
        return std::nullopt;
    }
    LocalHeader local;
    local.flags = file.u16(at + 6);
    local.method = file.u16(at + 8);
    local.crc32 = file.u32(at + 14);
    local.compressed_bytes = file.u32(at + 18);
    local.inflated_bytes = file.u32(at + 22);
    const std::uint64_t name_bytes = file.u16(at + 26);
    const std::uint64_t extra_bytes = file.u16(at + 28);
    local.end_offset = at + kLocalBytes + name_bytes + extra_bytes;
    if (local.end_offset > directory_begin) return std::nullopt;
    local.name = file.part(at + kLocalBytes, name_bytes);
    std::vector<std::uint64_t*> marked;
    if (local.inflated_bytes == kIn64) marked.push_back(&local.inflated_bytes);
    if (local.compressed_bytes == kIn64) marked.push_back(&local.compressed_bytes);
    // Where the field is missing the marks stay, and differ from the directory's sizes.
    widen(file.part(at + kLocalBytes + name_bytes, extra_bytes), marked);
    return local;
}

void compare_headers(const LocalHeader& local, ZipDirectoryMember& member) {
    if (local.name != member.name) {
        add_fault(member, inconsistent("the local header gives the member another name"));
    }
    if (local.method != member.method) {
        add_fault(member, inconsistent(fmt::format("the directory says {}, the local header {}",
                                                   zip_method_name(member.method),
                                                   zip_method_name(local.method))));
    }
    if (((local.flags ^ member.flags) & kFlagEncrypted) != 0) {
        add_fault(member, inconsistent("the directory and the local header disagree about "
                                       "encryption"));
    }
    if (!local.agrees(local.compressed_bytes, member.compressed_bytes) ||
        !local.agrees(local.inflated_bytes, member.inflated_bytes)) {
        add_fault(member,
                  inconsistent(fmt::format("the directory says {} bytes in {}, the local header {} "
                                           "in {}",
                                           member.inflated_bytes, member.compressed_bytes,
                                           local.inflated_bytes, local.compressed_bytes)));
    }
    if (!local.agrees(local.crc32, member.crc32)) {
        add_fault(member, inconsistent(fmt::format("the directory gives the checksum {:08x}, the "
                                                   "local header {:08x}",
                                                   member.crc32, local.crc32)));
    }
}

/// Compares the local header with the directory's entry; sets where the data stands.
void check_local(const Fields& file, std::uint64_t directory_begin, ZipDirectoryMember& member) {
    const std::optional<LocalHeader> local = read_local(file, directory_begin, member.local_offset);
    if (!local) {
        add_fault(member, inconsistent(fmt::format("no member stands at byte {}, where the "
                                                   "directory places it",
                                                   member.local_offset)));
        return;
    }
    if (member.compressed_bytes > directory_begin - local->end_offset) {
        add_fault(member, inconsistent(fmt::format("the member's {} bytes do not fit before the "
                                                   "directory",
                                                   member.compressed_bytes)));
        return;
    }
    member.end_offset = local->end_offset + member.compressed_bytes;
    compare_headers(*local, member);
    if (!local->deferred()) return;
    if (const auto end = descriptor_end(file, member, member.end_offset)) {
        member.end_offset = *end;
    } else {
        add_fault(member,
                  as_warning(inconsistent("the data descriptor behind the member is missing or "
                                          "contradicts the directory")),
                  true);
    }
}

void check_size(const ReadLimits& limits, ZipDirectoryMember& member) {
    if (member.inflated_bytes > limits.max_member_bytes) {
        add_fault(member, fault(DiagnosticCode::kArchiveTooLarge,
                                fmt::format("inflates to {}; the limit for one member is {}",
                                            size_text(member.inflated_bytes),
                                            size_text(limits.max_member_bytes)),
                                "a full prediction is below 40 MB; leave other data out of the "
                                "archive"));
    } else if (member.method == kStored && member.inflated_bytes != member.compressed_bytes &&
               member.readable) {
        add_fault(member,
                  inconsistent(fmt::format("a stored member of {} bytes claims to hold {}",
                                           member.compressed_bytes, member.inflated_bytes)));
    }
}

/// One entry of the directory. @return its length, or nothing where it does not fit.
std::optional<std::uint64_t> read_entry(const Fields& file, const EndRecord& end, std::uint64_t at,
                                        std::uint64_t limit, ZipDirectoryMember& member) {
    if (limit - at < kCentralBytes || !file.signature(at, kCentralSignature)) return std::nullopt;
    const std::uint64_t name_bytes = file.u16(at + 28);
    const std::uint64_t extra_bytes = file.u16(at + 30);
    const std::uint64_t comment_bytes = file.u16(at + 32);
    const std::uint64_t length = kCentralBytes + name_bytes + extra_bytes + comment_bytes;
    if (length > limit - at) return std::nullopt;
    member.flags = file.u16(at + 8);
    member.method = file.u16(at + 10);
    member.crc32 = file.u32(at + 16);
    member.compressed_bytes = file.u32(at + 20);
    member.inflated_bytes = file.u32(at + 24);
    member.unix_mode = file.u32(at + 38) >> 16;
    member.local_offset = file.u32(at + 42);
    member.name = file.part(at + kCentralBytes, name_bytes);
    const std::string_view extra = file.part(at + kCentralBytes + name_bytes, extra_bytes);
    member.unicode_name = unicode_path(extra);
    std::vector<std::uint64_t*> marked;
    if (member.inflated_bytes == kIn64) marked.push_back(&member.inflated_bytes);
    if (member.compressed_bytes == kIn64) marked.push_back(&member.compressed_bytes);
    if (member.local_offset == kIn64) marked.push_back(&member.local_offset);
    if (!widen(extra, marked)) {
        add_fault(member, inconsistent("the member's zip64 sizes are missing"));
        return length;
    }
    if (member.local_offset > file.size()) {
        add_fault(member, inconsistent(fmt::format("the directory places the member at byte {}, "
                                                   "beyond the file's end",
                                                   member.local_offset)));
        return length;
    }
    member.local_offset += end.archive_offset;
    return length;
}

/// Members whose bytes overlap: one of the ways to make a small archive inflate to anything.
void check_overlaps(std::vector<ZipDirectoryMember>& members) {
    std::vector<ZipDirectoryMember*> order;
    for (ZipDirectoryMember& member : members) {
        if (member.end_offset > 0) order.push_back(&member);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const ZipDirectoryMember* a, const ZipDirectoryMember* b) {
                         return a->local_offset < b->local_offset;
                     });
    const ZipDirectoryMember* furthest = nullptr;
    for (ZipDirectoryMember* member : order) {
        if (furthest != nullptr && member->local_offset < furthest->end_offset) {
            add_fault(*member, inconsistent(fmt::format("the member's bytes overlap those of {}",
                                                        quote(furthest->name))));
        }
        if (furthest == nullptr || member->end_offset > furthest->end_offset) furthest = member;
    }
}

void walk(const Fields& file, const EndRecord& end, const ReadLimits& limits,
          ZipDirectory& directory) {
    const std::uint64_t limit = end.record_offset;
    std::uint64_t total_bytes = 0;
    for (std::uint64_t at = end.directory_begin(); at < limit;) {
        if (directory.members.size() >= limits.max_members) {
            directory.faults.push_back(
                fault(DiagnosticCode::kArchiveTooLarge,
                      fmt::format("more than {} members", limits.max_members),
                      "a submission needs one member for each split"));
            directory.readable = false;
            return;
        }
        ZipDirectoryMember& member = directory.members.emplace_back();
        const auto length = read_entry(file, end, at, limit, member);
        if (!length) {
            directory.members.pop_back();
            directory.faults.push_back(
                inconsistent(fmt::format("the directory is broken at byte {}", at)));
            directory.readable = false;
            return;
        }
        at += *length;
        const bool placed = member.faults.empty();
        check_method(member);
        if (placed) check_local(file, end.directory_begin(), member);
        check_size(limits, member);
        total_bytes += std::min(member.inflated_bytes, limits.max_total_bytes + 1);
    }
    if (directory.members.size() != end.entries) {
        directory.faults.push_back(
            inconsistent(fmt::format("the end record counts {} members, the directory holds {}",
                                     end.entries, directory.members.size())));
    }
    if (total_bytes > limits.max_total_bytes) {
        directory.faults.push_back(
            fault(DiagnosticCode::kArchiveTooLarge,
                  fmt::format("the members inflate to more than the limit of {}",
                              size_text(limits.max_total_bytes)),
                  "leave other data out of the archive"));
        directory.readable = false;
    }
    check_overlaps(directory.members);
}

}  // namespace

ZipDirectory read_zip_directory(std::string_view bytes, const ReadLimits& limits) {
    const Fields file(bytes);
    ZipDirectory directory;
    auto [end, problem] = find_end(file);
    if (!end) {
        directory.readable = false;
        directory.faults.push_back(
            problem ? std::move(*problem)
                    : fault(DiagnosticCode::kArchiveTruncated,
                            "the end of the archive is missing (no end-of-central-directory "
                            "record)",
                            "part of the file is missing: copy or upload it again, or make the "
                            "archive again"));
        return directory;
    }
    directory.archive_offset = end->archive_offset;
    directory.archive_bytes = end->end_offset + kEndBytes - 2 - end->archive_offset;
    warn_of_bytes_around(*end, file.size(), directory.faults);
    walk(file, *end, limits, directory);
    return directory;
}

std::string_view zip_method_name(std::uint16_t method) {
    switch (method) {
        case 0:
            return "no compression (stored)";
        case 1:
            return "Shrink";
        case 2:
        case 3:
        case 4:
        case 5:
            return "Reduce";
        case 6:
            return "Implode";
        case 7:
            return "Tokenize";
        case 8:
            return "Deflate";
        case 9:
            return "Deflate64";
        case 10:
            return "PKWARE DCL Implode";
        case 12:
            return "bzip2";
        case 14:
            return "LZMA";
        case 16:
            return "IBM z/OS CMPSC";
        case 18:
            return "IBM TERSE";
        case 19:
            return "IBM LZ77";
        case 20:
            return "Zstandard (old number)";
        case 93:
            return "Zstandard";
        case 94:
            return "MP3";
        case 95:
            return "XZ";
        case 96:
            return "JPEG";
        case 97:
            return "WavPack";
        case 98:
            return "PPMd";
        case 99:
            return "AES encryption";
        default:
            return "an unknown method";
    }
}

}  // namespace havln
