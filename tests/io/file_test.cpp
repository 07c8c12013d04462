#include "io/file.h"

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <thread>

#include "havln/error.h"
#include "io/sha256.h"
#include "support/catch.h"
#include "support/support.h"

using havln::Error;
using havln::ExitCode;
using havln::test::TempDir;

namespace {

ExitCode code_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.code();
    }
    return ExitCode::kDone;
}

}  // namespace

TEST_CASE("gunzip undoes gzip, and equal input gives equal bytes", "[io][file]") {
    for (const std::string& text : {std::string(), std::string("abc"), std::string(1 << 20, 'x')}) {
        CHECK(havln::gunzip(havln::gzip(text), "f.gz") == text);
        CHECK(havln::gzip(text) == havln::gzip(text));
    }
}

TEST_CASE("gunzip reads several members in a row", "[io][file]") {
    CHECK(havln::gunzip(havln::gzip("one,") + havln::gzip("two"), "f.gz") == "one,two");
    // The file's last four bytes tell the size of the last member only.
    const std::string large(1 << 20, 'x');
    CHECK(havln::gunzip(havln::gzip(large) + havln::gzip("y"), "f.gz") == large + "y");
    CHECK(havln::gunzip(havln::gzip("y") + havln::gzip(large), "f.gz") == "y" + large);
}

TEST_CASE("gunzip refuses every truncation", "[io][file]") {
    const std::string whole = havln::gzip("some text that is compressed, some text");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CHECK(code_of([&] { havln::gunzip(whole.substr(0, size), "f.gz"); }) ==
              ExitCode::kGroundTruth);
    }
}

TEST_CASE("gunzip refuses corrupt data, trailing bytes and more than the limit", "[io][file]") {
    std::string corrupt = havln::gzip("some text that is compressed");
    corrupt[corrupt.size() - 6] = static_cast<char>(corrupt[corrupt.size() - 6] ^ 1);  // CRC
    CHECK(code_of([&] { havln::gunzip(corrupt, "f.gz"); }) == ExitCode::kGroundTruth);
    CHECK(code_of([&] { havln::gunzip(havln::gzip("a") + "junk", "f.gz"); }) ==
          ExitCode::kGroundTruth);
    CHECK(code_of([&] { havln::gunzip(havln::gzip("12345"), "f.gz", 4); }) ==
          ExitCode::kGroundTruth);
    CHECK(havln::gunzip(havln::gzip("12345"), "f.gz", 5) == "12345");
}

TEST_CASE("read_whole_file says what a path is that it cannot read", "[io][file]") {
    const TempDir dir;
    CHECK(code_of([&] { havln::read_whole_file(dir / "absent"); }) == ExitCode::kUsage);
    CHECK(code_of([&] { havln::read_whole_file(dir.path()); }) == ExitCode::kUsage);
    CHECK(code_of([&] { havln::read_ground_truth_file(dir / "absent"); }) ==
          ExitCode::kGroundTruth);
    REQUIRE(::mkfifo((dir / "fifo").c_str(), 0600) == 0);
    CHECK(code_of([&] { havln::read_whole_file(dir / "fifo"); }) == ExitCode::kUsage);
    havln::test::write_file(dir / "five", "12345");
    CHECK(havln::read_whole_file(dir / "five", 5) == "12345");
    CHECK(code_of([&] { havln::read_whole_file(dir / "five", 4); }) == ExitCode::kUsage);
}

TEST_CASE("write_file_atomically replaces a file and leaves nothing beside it", "[io][file]") {
    const TempDir dir;
    havln::write_file_atomically(dir / "f", "one");
    havln::write_file_atomically(dir / "f", "two");
    CHECK(havln::test::read_file(dir / "f") == "two");
    CHECK(code_of([&] { havln::write_file_atomically(dir / "no/such/folder", "x"); }) ==
          ExitCode::kUsage);
    std::filesystem::create_directory(dir / "folder");
    CHECK(code_of([&] { havln::write_file_atomically(dir / "folder", "x"); }) == ExitCode::kUsage);
    std::size_t entries = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(dir.path())) {
        ++entries;
    }
    CHECK(entries == 2);
}

TEST_CASE("sha256 gives the published digests", "[io][sha256]") {
    // FIPS 180-4 example messages.
    CHECK(havln::sha256_hex("") ==
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(havln::sha256_hex("abc") ==
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    havln::Sha256 pieces;
    pieces.update("abcdbcdecdefdefgefghfghighij");
    pieces.update("hijkijkljklmklmnlmnomnopnopq");
    CHECK(pieces.hex() == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("write_file_atomically writes through links and into pipes", "[io][file]") {
    const TempDir dir;
    havln::test::write_file(dir / "target", "old");
    std::filesystem::create_symlink("target", dir / "link");
    havln::write_file_atomically(dir / "link", "new");
    CHECK(std::filesystem::is_symlink(dir / "link"));
    CHECK(havln::test::read_file(dir / "target") == "new");
    std::filesystem::create_symlink("absent", dir / "dangling");
    havln::write_file_atomically(dir / "dangling", "made");
    CHECK(std::filesystem::is_symlink(dir / "dangling"));
    CHECK(havln::test::read_file(dir / "absent") == "made");
    std::filesystem::create_symlink("loop", dir / "loop");
    CHECK(code_of([&] { havln::write_file_atomically(dir / "loop", "x"); }) == ExitCode::kUsage);
    std::filesystem::create_symlink(dir.path(), dir / "to_folder");
    CHECK(code_of([&] { havln::write_file_atomically(dir / "to_folder", "x"); }) ==
          ExitCode::kUsage);

    REQUIRE(::mkfifo((dir / "fifo").c_str(), 0600) == 0);
    std::string received;
    std::thread reader([&] { received = havln::test::read_file(dir / "fifo"); });
    havln::write_file_atomically(dir / "fifo", "bytes");
    reader.join();
    CHECK(received == "bytes");
    CHECK(std::filesystem::is_fifo(dir / "fifo"));
}
