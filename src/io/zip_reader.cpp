#include "io/zip_reader.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "havln/error.h"

namespace havln {

namespace {

Diagnostic make_fault(DiagnosticCode code, std::string message) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    diagnostic.hint = "make the archive again, or copy it again if it was copied";
    return diagnostic;
}

Diagnostic read_fault(zip_error_t* error) {
    switch (zip_error_code_zip(error)) {
        case ZIP_ER_CRC:
            return make_fault(DiagnosticCode::kArchiveChecksumMismatch,
                              "the bytes do not match their checksum (CRC-32)");
        case ZIP_ER_INCONS:
            return make_fault(DiagnosticCode::kArchiveInconsistentHeader,
                              "the member does not have the size that the directory declares");
        default:
            return make_fault(
                DiagnosticCode::kArchiveChecksumMismatch,
                fmt::format("the compressed bytes are damaged ({})", zip_error_strerror(error)));
    }
}

class MemberSource : public ByteSource {
  public:
    MemberSource(zip_t* archive, std::size_t index, std::uint64_t declared_bytes)
        : file_(zip_fopen_index(archive, index, 0)), declared_bytes_(declared_bytes) {
        if (file_ == nullptr) fault_ = read_fault(zip_get_error(archive));
    }
    ~MemberSource() override {
        if (file_ != nullptr) zip_fclose(file_);
    }

    std::string_view next() override {
        if (file_ == nullptr || fault_ || ended_) return {};
        const zip_int64_t got = zip_fread(file_, buffer_.data(), buffer_.size());
        if (got < 0) {
            fault_ = read_fault(zip_file_get_error(file_));
            return {};
        }
        const auto size = static_cast<std::uint64_t>(got);
        if (size > declared_bytes_ - given_bytes_ ||
            (size == 0 && given_bytes_ != declared_bytes_)) {
            fault_ =
                make_fault(DiagnosticCode::kArchiveInconsistentHeader,
                           fmt::format("the directory declares {} bytes, but the member holds {}",
                                       declared_bytes_, size > 0 ? "more" : "fewer"));
            return {};
        }
        ended_ = size == 0;
        given_bytes_ += size;
        return {buffer_.data(), static_cast<std::size_t>(size)};
    }

  private:
    zip_file_t* file_;
    std::uint64_t declared_bytes_;
    std::uint64_t given_bytes_ = 0;
    bool ended_ = false;
    std::array<char, 1u << 16> buffer_;
};

}  // namespace

ZipReader::ZipReader(std::string_view bytes, const ZipDirectory& directory)
    : directory_(directory) {
    // What stands before and behind the archive, and its comment, is kept from libzip, so that it
    // finds the same end record as we did.
    static std::array<zip_uint8_t, 2> no_comment = {0, 0};
    std::string_view archive = bytes.substr(directory.archive_offset, directory.archive_bytes);
    const std::array<zip_buffer_fragment_t, 2> parts = {{
        {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(archive.data())), archive.size()},
        {no_comment.data(), no_comment.size()},
    }};
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_fragment_create(parts.data(), parts.size(), 0, &error);
    if (source != nullptr) {
        archive_ = zip_open_from_source(source, ZIP_RDONLY, &error);
        if (archive_ == nullptr) zip_source_free(source);
    }
    if (archive_ == nullptr) {
        fault_ = make_fault(DiagnosticCode::kArchiveInconsistentHeader,
                            fmt::format("libzip cannot read it: {}", zip_error_strerror(&error)));
    }
    zip_error_fini(&error);
    if (archive_ != nullptr) compare();
}

ZipReader::~ZipReader() {
    if (archive_ != nullptr) zip_discard(archive_);
}

/// We decide on our own reading of the directory and inflate through libzip; the two must agree.
void ZipReader::compare() {
    const auto count = static_cast<std::size_t>(zip_get_num_entries(archive_, 0));
    bool agrees = count == directory_.members.size();
    for (std::size_t i = 0; agrees && i < count; ++i) {
        const ZipDirectoryMember& member = directory_.members[i];
        // libzip shows a zero byte in a name, which the contract refuses anyhow, as a space.
        if (!member.readable || member.name.find('\0') != std::string_view::npos) continue;
        zip_stat_t stat;
        zip_stat_init(&stat);
        agrees = zip_stat_index(archive_, i, ZIP_FL_ENC_RAW, &stat) == 0 &&
                 stat.size == member.inflated_bytes && stat.comp_size == member.compressed_bytes &&
                 stat.crc == member.crc32 && stat.comp_method == member.method &&
                 std::string_view(stat.name) == member.name;
    }
    if (!agrees) {
        fault_ = make_fault(DiagnosticCode::kArchiveInconsistentHeader,
                            "two readers see two different directories in the archive");
    }
}

std::unique_ptr<ByteSource> ZipReader::open(std::size_t index) const {
    HAVLN_CHECK(archive_ != nullptr && !fault_ && index < directory_.members.size());
    const ZipDirectoryMember& member = directory_.members[index];
    HAVLN_CHECK(member.readable);
    return std::make_unique<MemberSource>(archive_, index, member.inflated_bytes);
}

}  // namespace havln
