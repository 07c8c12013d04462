#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace havln {

/// An open file, closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
    int get() const { return fd_; }
    int release();

  private:
    int fd_;
};

/// The system's words for an errno.
std::string system_message(int error);

/// Opens a regular file for reading; nothing else, and without hanging on a named pipe.
/// @param size  set to its size now [bytes].
/// @throws Error (kUsage) saying why it cannot be read.
Descriptor open_regular_file(const std::filesystem::path& path, std::uint64_t& size);

/// One read(2), repeated where a signal interrupted it. @return bytes read, 0 at the end.
/// @throws Error (kUsage) naming `path`.
std::size_t read_some(const Descriptor& file, char* bytes, std::size_t count,
                      const std::filesystem::path& path);

}  // namespace havln
