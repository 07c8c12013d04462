#include "io/zip_writer.h"

#include <zip.h>

#include <memory>

#include "havln/error.h"

namespace havln {

namespace {

constexpr zip_uint16_t kFirstDosDate = 1 << 5 | 1;  // 1980-01-01
constexpr zip_uint32_t kDeflateLevel = 6;

struct FreeSource {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Source = std::unique_ptr<zip_source_t, FreeSource>;

struct DiscardArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, DiscardArchive>;

/// Writing into memory fails only for want of memory or by a bug of ours.
[[noreturn]] void fail(const char* what, const char* why) {
    throw Error(ExitCode::kInternal, {},
                std::string("a ZIP archive cannot be made: ") + what + ": " + why);
}

void add(zip_t* archive, const ArchiveMember& member) {
    Source content(zip_source_buffer(archive, member.bytes.data(), member.bytes.size(), 0));
    if (content == nullptr) fail("content", zip_strerror(archive));
    const zip_int64_t index =
        zip_file_add(archive, member.name.c_str(), content.get(), ZIP_FL_ENC_UTF_8);
    if (index < 0) fail("member", zip_strerror(archive));
    content.release();  // the archive frees it now
    const auto place = static_cast<zip_uint64_t>(index);
    if (zip_set_file_compression(archive, place, ZIP_CM_DEFLATE, kDeflateLevel) != 0 ||
        zip_file_set_dostime(archive, place, 0, kFirstDosDate, 0) != 0) {
        fail("member", zip_strerror(archive));
    }
}

std::string content_of(zip_source_t* source) {
    zip_stat_t info;
    zip_stat_init(&info);
    if (zip_source_stat(source, &info) != 0 || zip_source_open(source) != 0) {
        fail("result", zip_error_strerror(zip_source_error(source)));
    }
    std::string bytes(info.size, '\0');
    const zip_int64_t got = zip_source_read(source, bytes.data(), bytes.size());
    zip_source_close(source);
    if (got < 0 || static_cast<std::size_t>(got) != bytes.size()) {
        fail("result", zip_error_strerror(zip_source_error(source)));
    }
    return bytes;
}

}  // namespace

std::string zip_archive(std::span<const ArchiveMember> members) {
    HAVLN_CHECK(!members.empty());  // libzip writes nothing for an empty archive
    zip_error_t error;
    zip_error_init(&error);
    const Source target(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (target == nullptr) fail("memory", zip_error_strerror(&error));
    Archive archive(zip_open_from_source(target.get(), ZIP_TRUNCATE, &error));
    if (archive == nullptr) fail("memory", zip_error_strerror(&error));
    zip_source_keep(target.get());  // closing the archive frees one of two references
    for (const ArchiveMember& member : members) add(archive.get(), member);
    if (zip_close(archive.get()) != 0) fail("closing", zip_strerror(archive.get()));
    archive.release();
    return content_of(target.get());
}

}  // namespace havln
