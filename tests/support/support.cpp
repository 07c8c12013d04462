#include "support/support.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace havln::test {

TempDir::TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "havln-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
}

TempDir::~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path shared(std::string_view relative) {
    return std::filesystem::path(HAVLN_SHARED_DIR) / relative;
}

bool have_shared(std::string_view relative) {
    if (std::filesystem::exists(shared(relative))) return true;
    std::printf("SKIPPED: the reference data ../shared/%.*s is absent\n",
                static_cast<int>(relative.size()), relative.data());
    std::fflush(stdout);
    return false;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out) throw std::runtime_error("cannot write " + path.string());
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace havln::test
