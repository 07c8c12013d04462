#include "support/zip_builder.h"

#include <zlib.h>

#include <stdexcept>

namespace havln::test {

namespace {

template <typename T>
std::string le(T value, std::size_t bytes = sizeof(T)) {
    std::string out;
    for (std::size_t i = 0; i < bytes; ++i) {
        out += static_cast<char>((static_cast<std::uint64_t>(value) >> (8 * i)) & 0xFF);
    }
    return out;
}

std::string le16(std::uint64_t value) {
    return le(value, 2);
}
std::string le32(std::uint64_t value) {
    return le(value, 4);
}

struct Sizes {
    std::uint32_t crc32 = 0;
    std::uint32_t compressed = 0;
    std::uint32_t inflated = 0;
};

std::string zip64_field(const Sizes& sizes) {
    return le16(1) + le16(16) + le(std::uint64_t{sizes.inflated}) +
           le(std::uint64_t{sizes.compressed});
}

std::string local_header(const ZipEntry& entry, std::uint16_t flags, Sizes sizes) {
    if (entry.descriptor) sizes = {};
    const std::string name = entry.local_name.value_or(entry.name);
    const std::string extra = (entry.zip64 ? zip64_field(sizes) : "") + entry.extra;
    const std::uint32_t compressed = entry.zip64 ? 0xFFFFFFFF : sizes.compressed;
    const std::uint32_t inflated = entry.zip64 ? 0xFFFFFFFF : sizes.inflated;
    return "PK\x03\x04" + le16(20) + le16(entry.local_flags.value_or(flags)) +
           le16(entry.local_method.value_or(entry.method)) + le32(0x58210000) +
           le32(entry.local_crc32.value_or(sizes.crc32)) +
           le32(entry.local_compressed_bytes.value_or(compressed)) +
           le32(entry.local_inflated_bytes.value_or(inflated)) + le16(name.size()) +
           le16(extra.size()) + name + extra;
}

std::string central_header(const ZipEntry& entry, std::uint16_t flags, const Sizes& sizes,
                           std::size_t offset) {
    const std::string extra = (entry.zip64 ? zip64_field(sizes) : "") + entry.extra;
    return "PK\x01\x02" + le16(20u | (std::uint64_t{entry.host} << 8)) + le16(20) + le16(flags) +
           le16(entry.method) + le32(0x58210000) + le32(sizes.crc32) +
           le32(entry.zip64 ? 0xFFFFFFFF : sizes.compressed) +
           le32(entry.zip64 ? 0xFFFFFFFF : sizes.inflated) + le16(entry.name.size()) +
           le16(extra.size()) + le16(0) + le16(0) + le16(0) +
           le32(std::uint64_t{entry.unix_mode} << 16) +
           le32(entry.local_offset.value_or(static_cast<std::uint32_t>(offset))) + entry.name +
           extra;
}

}  // namespace

std::string deflate_raw(std::string_view data) {
    z_stream stream = {};
    if (deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::runtime_error("deflateInit2 failed");
    }
    std::string out(deflateBound(&stream, static_cast<uLong>(data.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int status = deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    if (status != Z_STREAM_END) throw std::runtime_error("deflate failed");
    return out;
}

std::string ZipFile::bytes() const {
    std::string body;
    std::string directory;
    for (const ZipEntry& entry : entries) {
        const std::string packed =
            entry.packed.value_or(entry.method == 0 ? entry.data : deflate_raw(entry.data));
        Sizes sizes;
        sizes.crc32 = entry.crc32.value_or(
            static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(entry.data.data()),
                                               static_cast<uInt>(entry.data.size()))));
        sizes.compressed =
            entry.compressed_bytes.value_or(static_cast<std::uint32_t>(packed.size()));
        sizes.inflated =
            entry.inflated_bytes.value_or(static_cast<std::uint32_t>(entry.data.size()));
        const auto flags =
            static_cast<std::uint16_t>(entry.flags | (entry.descriptor ? 1u << 3 : 0u));
        body += entry.gap_before;
        directory += central_header(entry, flags, sizes, body.size());
        body += local_header(entry, flags, sizes) + packed;
        if (entry.descriptor) {
            if (entry.descriptor_signature) body += "PK\x07\x08";
            body += le32(entry.descriptor_crc32.value_or(sizes.crc32));
            body += entry.zip64
                        ? le(std::uint64_t{sizes.compressed}) + le(std::uint64_t{sizes.inflated})
                        : le32(sizes.compressed) + le32(sizes.inflated);
        }
    }
    std::string out = before + body + directory;
    if (zip64_end) {
        const std::uint64_t record = body.size() + directory.size();
        out += "PK\x06\x06" + le(std::uint64_t{44}) + le16(45) + le16(45) + le32(0) + le32(0) +
               le(std::uint64_t{entries.size()}) + le(std::uint64_t{entries.size()}) +
               le(std::uint64_t{directory.size()}) + le(std::uint64_t{body.size()});
        out += "PK\x06\x07" + le32(0) + le(record) + le32(1);
    }
    const std::uint64_t count = zip64_end ? 0xFFFF : entries.size();
    out += "PK\x05\x06" + le16(disk.value_or(0)) + le16(disk.value_or(0));
    out += le16(counted_entries.value_or(static_cast<std::uint16_t>(count)));
    out += le16(counted_entries.value_or(static_cast<std::uint16_t>(count)));
    out += le32(zip64_end ? 0xFFFFFFFF
                          : directory_bytes.value_or(static_cast<std::uint32_t>(directory.size())));
    out += le32(zip64_end ? 0xFFFFFFFF
                          : directory_offset.value_or(static_cast<std::uint32_t>(body.size())));
    return out + le16(comment_bytes.value_or(static_cast<std::uint16_t>(comment.size()))) +
           comment + after;
}

}  // namespace havln::test
