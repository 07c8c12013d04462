#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace havln::test {

/// A fresh folder below the system's temporary folder, removed with everything in it at the end.
class TempDir {
  public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kAddressSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif
#else
inline constexpr bool kAddressSanitizer = false;
#endif

/// Path of the reference data, below ../shared beside the repository.
std::filesystem::path shared(std::string_view relative);

/// True where `relative` exists in the reference data. Otherwise prints "SKIPPED: ..." so that
/// ctest lists the case as skipped; the caller returns at once.
bool have_shared(std::string_view relative);

/// True where `part` stands somewhere in `text`.
inline bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

void write_file(const std::filesystem::path& path, std::string_view bytes);
std::string read_file(const std::filesystem::path& path);

}  // namespace havln::test

/// Ends the test case, loudly and as "skipped" for ctest, where reference data is absent.
#define HAVLN_NEED_SHARED(relative) \
    if (!havln::test::have_shared(relative)) return
