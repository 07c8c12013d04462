#include "io/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

#include "havln/error.h"
#include "io/descriptor.h"

namespace havln {

bool stands(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::symlink_status(path, error).type() !=
           std::filesystem::file_type::not_found;
}

bool is_folder(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

namespace {

std::string read_to_end(const Descriptor& file, const std::filesystem::path& path,
                        std::uint64_t expected, std::uint64_t max_bytes) {
    std::string bytes(static_cast<std::size_t>(expected), '\0');
    std::size_t used = 0;
    for (;;) {
        if (used == bytes.size()) {
            // The declared size is reached; one more read tells whether the file grew.
            char probe[4096];
            const std::size_t more = read_some(file, probe, sizeof probe, path);
            if (more == 0) break;
            bytes.append(probe, more);
            used = bytes.size();
        } else {
            const std::size_t got = read_some(file, bytes.data() + used, bytes.size() - used, path);
            if (got == 0) break;
            used += got;
        }
        if (used > max_bytes) {
            throw usage_error(path, fmt::format("is larger than the limit of {} bytes", max_bytes));
        }
    }
    bytes.resize(used);
    return bytes;
}

}  // namespace

std::string read_whole_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
    std::uint64_t size = 0;
    const Descriptor file = open_regular_file(path, size);
    if (size > max_bytes) {
        throw usage_error(path, fmt::format("has {} bytes; the limit is {}", size, max_bytes));
    }
    return read_to_end(file, path, size, max_bytes);
}

std::string read_ground_truth_file(const std::filesystem::path& path, std::uint64_t max_bytes) {
    try {
        return read_whole_file(path, max_bytes);
    } catch (const Error& error) {
        throw ground_truth_error(error.path(), error.detail());
    }
}

namespace {

/// How much a gzip file says that it inflates to: the last member's size modulo 2^32. A hint, not
/// trusted beyond what deflate can reach (1032 to 1), nor for more memory than is cheap.
std::size_t inflated_size_hint(std::string_view compressed, std::uint64_t max_bytes) {
    if (compressed.size() < 18) return 0;
    std::uint64_t size = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto byte = static_cast<unsigned char>(compressed[compressed.size() - 4 + i]);
        size |= static_cast<std::uint64_t>(byte) << (8 * i);
    }
    constexpr std::uint64_t kCheap = 64ull << 20;
    return static_cast<std::size_t>(
        std::min<std::uint64_t>({size, 1032 * compressed.size(), max_bytes, kCheap}));
}

}  // namespace

std::string gunzip(std::string_view compressed, const std::filesystem::path& origin,
                   std::uint64_t max_bytes) {
    if (compressed.size() >= 2 && !compressed.starts_with("\x1f\x8b")) {
        throw ground_truth_error(origin, "is no gzip data; compress it, or name it without .gz");
    }
    z_stream stream = {};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) {
        throw Error(ExitCode::kInternal, origin, "zlib cannot start");
    }
    struct End {
        z_stream* stream;
        ~End() { inflateEnd(stream); }
    } const end{&stream};

    std::string out(inflated_size_hint(compressed, max_bytes), '\0');
    std::size_t used = 0;
    std::size_t offset = 0;
    bool finished = false;
    for (;;) {
        if (stream.avail_in == 0 && offset < compressed.size()) {
            const std::size_t piece = std::min<std::size_t>(compressed.size() - offset, 1u << 30);
            stream.next_in =
                reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data() + offset));
            stream.avail_in = static_cast<uInt>(piece);
            offset += piece;
        }
        if (finished) {
            if (stream.avail_in == 0) {
                out.resize(used);
                return out;
            }
            inflateReset(&stream);  // gzip allows several members in a row
            finished = false;
        }
        // One byte of room at least, so that inflate can meet the end of the stream or the limit.
        if (used == out.size()) out.resize(out.size() + std::max<std::size_t>(used / 2, 1u << 16));
        const std::size_t room = std::min<std::size_t>(out.size() - used, 1u << 30);
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + used);
        stream.avail_out = static_cast<uInt>(room);
        const int status = inflate(&stream, Z_NO_FLUSH);
        used += room - stream.avail_out;
        if (used > max_bytes) {
            throw ground_truth_error(
                origin, fmt::format("inflates to more than the limit of {} bytes", max_bytes));
        }
        if (status == Z_STREAM_END) {
            finished = true;
        } else if (status == Z_BUF_ERROR ||
                   (status == Z_OK && stream.avail_in == 0 && offset == compressed.size() &&
                    stream.avail_out != 0)) {
            throw ground_truth_error(
                origin, fmt::format("gzip data ends too early, after {} inflated bytes: the file "
                                    "is truncated; fetch it again",
                                    used));
        } else if (status != Z_OK) {
            throw ground_truth_error(
                origin, fmt::format("gzip data is corrupt after {} inflated bytes ({}); fetch the "
                                    "file again",
                                    used, stream.msg != nullptr ? stream.msg : "zlib error"));
        }
    }
}

std::string gzip(std::string_view bytes) {
    HAVLN_CHECK(bytes.size() <= std::numeric_limits<uInt>::max());
    z_stream stream = {};
    HAVLN_CHECK(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int status = deflate(&stream, Z_FINISH);
    out.resize(out.size() - stream.avail_out);
    deflateEnd(&stream);
    HAVLN_CHECK(status == Z_STREAM_END);
    return out;
}

std::string read_maybe_gzip(const std::filesystem::path& path) {
    std::string bytes = read_ground_truth_file(path);
    return path.extension() == ".gz" ? gunzip(bytes, path) : bytes;
}

namespace {

/// Where a path leads through symbolic links; the last one's target need not exist.
std::filesystem::path behind_links(std::filesystem::path path) {
    constexpr int kMaxLinks = 40;
    std::error_code error;
    for (int links = 0; std::filesystem::is_symlink(path, error); ++links) {
        if (links == kMaxLinks) throw usage_error(path, "cannot be written: too many links");
        const std::filesystem::path target = std::filesystem::read_symlink(path, error);
        if (error) throw usage_error(path, "cannot be written: " + error.message());
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path;
}

/// @return 0, or errno.
int write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(fd, bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return 0;
}

/// What is a device or a pipe must stay one: it takes the bytes as they come.
void write_into(const std::filesystem::path& path, std::string_view bytes) {
    Descriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    int error = fd.get() < 0 ? errno : write_all(fd.get(), bytes);
    if (fd.get() >= 0 && ::close(fd.release()) != 0 && error == 0) error = errno;
    if (error != 0) throw usage_error(path, "cannot be written: " + system_message(error));
}

}  // namespace

void write_file_atomically(const std::filesystem::path& given, std::string_view bytes) {
    const std::filesystem::path path = behind_links(given);
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    if (is_directory(status)) throw usage_error(given, "cannot be written: it is a folder");
    if (exists(status) && !is_regular_file(status)) return write_into(path, bytes);
    // Not mkstemp: its files are private to the user, and the umask cannot be read safely in a
    // process with threads.
    static std::atomic<unsigned> counter = 0;
    const std::string beside =
        fmt::format("{}.{}.{}.part", path.string(), static_cast<long>(::getpid()), counter++);
    Descriptor fd(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (fd.get() < 0) throw usage_error(path, "cannot be written: " + system_message(errno));
    int error = write_all(fd.get(), bytes);
    if (::close(fd.release()) != 0 && error == 0) error = errno;
    if (error == 0 && ::rename(beside.c_str(), path.c_str()) != 0) error = errno;
    if (error == 0) return;
    ::unlink(beside.c_str());
    throw usage_error(path, "cannot be written: " + system_message(error));
}

void make_folder(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw usage_error(path, "cannot be created: " + error.message());
}

}  // namespace havln
