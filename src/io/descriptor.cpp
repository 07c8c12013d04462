#include "io/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "havln/error.h"

namespace havln {

Descriptor::~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
}

int Descriptor::release() {
    return std::exchange(fd_, -1);
}

std::string system_message(int error) {
    return std::generic_category().message(error);
}

Descriptor open_regular_file(const std::filesystem::path& path, std::uint64_t& size) {
    // O_NONBLOCK: opening a FIFO must not hang before fstat can refuse it.
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) throw usage_error(path, "cannot be opened: " + system_message(errno));
    struct stat info = {};
    if (::fstat(file.get(), &info) != 0) {
        throw usage_error(path, "cannot be read: " + system_message(errno));
    }
    if (S_ISDIR(info.st_mode)) throw usage_error(path, "is a folder; expected a file");
    if (!S_ISREG(info.st_mode)) throw usage_error(path, "is not a regular file");
    size = static_cast<std::uint64_t>(info.st_size);
    return file;
}

std::size_t read_some(const Descriptor& file, char* bytes, std::size_t count,
                      const std::filesystem::path& path) {
    for (;;) {
        const ssize_t got = ::read(file.get(), bytes, count);
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR) throw usage_error(path, "cannot be read: " + system_message(errno));
    }
}

}  // namespace havln
