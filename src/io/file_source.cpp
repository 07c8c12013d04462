#include "io/file_source.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "io/descriptor.h"

namespace havln {

namespace {

class FileSource : public ByteSource {
  public:
    FileSource(std::filesystem::path path, Descriptor file, std::uint64_t max_bytes)
        : path_(std::move(path)), file_(std::move(file)), max_bytes_(max_bytes) {}

    std::string_view next() override {
        if (fault_) return {};
        const std::size_t got = read_some(file_, buffer_.data(), buffer_.size(), path_);
        given_bytes_ += got;
        if (given_bytes_ > max_bytes_) {
            fault_.emplace();
            fault_->code = DiagnosticCode::kArchiveTooLarge;
            fault_->message =
                fmt::format("the file has more bytes than the limit of {}", max_bytes_);
            fault_->hint = "a full prediction is below 40 MB";
            return {};
        }
        return {buffer_.data(), got};
    }

  private:
    std::filesystem::path path_;
    Descriptor file_;
    std::uint64_t max_bytes_;
    std::uint64_t given_bytes_ = 0;
    std::array<char, 1u << 16> buffer_;
};

}  // namespace

std::unique_ptr<ByteSource> open_file_source(const std::filesystem::path& path,
                                             std::uint64_t max_bytes) {
    std::uint64_t size = 0;
    Descriptor file = open_regular_file(path, size);
    return std::make_unique<FileSource>(path, std::move(file), max_bytes);
}

}  // namespace havln
