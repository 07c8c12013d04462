#include "io/zip_directory.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "io/zip_reader.h"
#include "support/catch.h"
#include "support/zip_builder.h"

namespace havln {

namespace {

using test::contains_text;
using test::ZipEntry;
using test::ZipFile;

ZipEntry entry(std::string name, std::string data) {
    ZipEntry one;
    one.name = std::move(name);
    one.data = std::move(data);
    return one;
}

ZipFile two_members() {
    ZipFile archive;
    archive.entries = {entry("a.json", "{\"a\": 1}"), entry("b.txt", std::string(5000, 'b'))};
    return archive;
}

/// Faults of the archive and of its members: "error CODE, a.json: warning CODE".
std::string faults_of(const std::string& bytes, const ReadLimits& limits = {}) {
    const ZipDirectory directory = read_zip_directory(bytes, limits);
    std::string text;
    const auto add = [&](std::string_view name, const Diagnostic& fault) {
        text += fmt::format("{}{}{} {}", text.empty() ? "" : ", ", name,
                            fault.severity == Severity::kError ? "error" : "warning",
                            diagnostic_code_name(fault.code));
    };
    for (const Diagnostic& fault : directory.faults) add("", fault);
    for (const ZipDirectoryMember& member : directory.members) {
        for (const Diagnostic& fault : member.faults) add(std::string(member.name) + ": ", fault);
    }
    return text;
}

struct Content {
    std::string bytes;
    std::string fault;
};

/// Inflates one member of an archive whose directory is right.
Content content_of(const std::string& bytes, std::size_t index) {
    const ZipDirectory directory = read_zip_directory(bytes, {});
    REQUIRE(directory.readable);
    const ZipReader reader(bytes, directory);
    if (reader.fault()) return {"", reader.fault()->message};
    const auto source = reader.open(index);
    Content content;
    for (std::string_view piece = source->next(); !piece.empty(); piece = source->next()) {
        content.bytes += piece;
    }
    if (source->fault()) content.fault = diagnostic_code_name(source->fault()->code);
    return content;
}

}  // namespace

TEST_CASE("zip: archives that are right are read without a fault", "[io][zip]") {
    std::vector<std::pair<const char*, ZipFile>> archives;
    archives.emplace_back("deflated", two_members());
    archives.emplace_back("stored", two_members());
    archives.back().second.entries[0].method = 0;
    archives.back().second.entries[1].method = 0;
    archives.emplace_back("data descriptors", two_members());
    for (ZipEntry& one : archives.back().second.entries) one.descriptor = true;
    archives.emplace_back("data descriptors without signature", two_members());
    for (ZipEntry& one : archives.back().second.entries) {
        one.descriptor = true;
        one.descriptor_signature = false;
    }
    archives.emplace_back("zip64 sizes", two_members());
    for (ZipEntry& one : archives.back().second.entries) one.zip64 = true;
    archives.emplace_back("zip64 sizes and descriptors", two_members());
    for (ZipEntry& one : archives.back().second.entries) one.zip64 = one.descriptor = true;
    archives.emplace_back("zip64 end record", two_members());
    archives.back().second.zip64_end = true;
    archives.emplace_back("all of zip64", two_members());
    archives.back().second.zip64_end = true;
    for (ZipEntry& one : archives.back().second.entries) one.zip64 = true;
    archives.emplace_back("a comment", two_members());
    archives.back().second.comment = "made by hand";
    archives.emplace_back("a comment of full length", two_members());
    archives.back().second.comment = std::string(65535, 'c');
    archives.emplace_back("a comment that holds the end record's signature", two_members());
    archives.back().second.comment = "PK\x05\x06 is how it ends";
    archives.emplace_back("a comment that holds an empty archive", two_members());
    archives.back().second.comment = "PK\x05\x06" + std::string(18, '\0');
    archives.emplace_back("a comment that holds a whole archive", two_members());
    archives.back().second.comment = "x" + ZipFile{}.bytes();
    archives.emplace_back("further extra fields", two_members());
    archives.back().second.entries[0].extra = std::string("UT\x05\x00\x03\x01\x02\x03\x04", 9);
    archives.emplace_back("bytes between the members", two_members());
    archives.back().second.entries[1].gap_before = "unused";
    archives.emplace_back("an empty member", two_members());
    archives.back().second.entries[0].data = "";
    archives.emplace_back("names of any bytes", two_members());
    archives.back().second.entries[1].name = "\xFF\x80 \x1b[31m\n\".txt";
    for (const auto& [what, archive] : archives) {
        INFO(what);
        const std::string bytes = archive.bytes();
        CHECK(faults_of(bytes).empty());
        const ZipDirectory directory = read_zip_directory(bytes, {});
        REQUIRE(directory.members.size() == 2);
        CHECK(directory.members[0].name == archive.entries[0].name);
        CHECK(directory.members[1].name == archive.entries[1].name);
        for (std::size_t i = 0; i < 2; ++i) {
            const Content content = content_of(bytes, i);
            CHECK(content.fault.empty());
            CHECK(content.bytes == archive.entries[i].data);
        }
    }
}

TEST_CASE("zip: bytes around the archive are passed over with a warning", "[io][zip]") {
    ZipFile archive = two_members();
    archive.before = "#!/bin/sh\n";
    CHECK(faults_of(archive.bytes()) == "warning archive-inconsistent-header");
    CHECK(content_of(archive.bytes(), 0).bytes == archive.entries[0].data);
    archive.before.clear();
    archive.after = "\n";
    CHECK(faults_of(archive.bytes()) == "warning archive-inconsistent-header");
    CHECK(content_of(archive.bytes(), 1).bytes == archive.entries[1].data);
    CHECK(content_of(archive.bytes(), 1).fault.empty());
}

TEST_CASE("zip: an archive without members is an archive", "[io][zip]") {
    const std::string bytes = ZipFile{}.bytes();
    REQUIRE(bytes.size() == 22);
    CHECK(faults_of(bytes).empty());
    CHECK(read_zip_directory(bytes, {}).members.empty());
}

TEST_CASE("zip: headers that contradict each other are refused", "[io][zip]") {
    const std::string expected = "a.json: error archive-inconsistent-header";
    const auto with = [](auto change) {
        ZipFile archive = two_members();
        change(archive.entries[0]);
        return faults_of(archive.bytes());
    };
    CHECK(with([](ZipEntry& one) { one.local_name = "c.json"; }) == expected);
    CHECK(with([](ZipEntry& one) { one.local_name = "A.json"; }) == expected);
    CHECK(with([](ZipEntry& one) { one.local_method = 0; }) == expected);
    CHECK(with([](ZipEntry& one) { one.local_crc32 = 1; }) == expected);
    CHECK(with([](ZipEntry& one) { one.local_inflated_bytes = 9; }) == expected);
    CHECK(with([](ZipEntry& one) { one.local_compressed_bytes = 9; }) == expected);
    CHECK(with([](ZipEntry& one) { one.local_flags = 1; }) == expected);
    CHECK(with([](ZipEntry& one) { one.local_offset = 1; }) == expected);
    CHECK(with([](ZipEntry& one) { one.local_offset = 0x7FFFFFFF; }) == expected);
    CHECK(with([](ZipEntry& one) { one.compressed_bytes = 0x7FFFFFFF; }) == expected);
    CHECK(with([](ZipEntry& one) {
              one.method = 0;
              one.inflated_bytes = 100;
          }) == expected);
    // Right: the sizes come behind the data, so the local header may hold zeros.
    CHECK(with([](ZipEntry& one) { one.descriptor = true; }).empty());
    // The descriptor itself is read by no one who has the directory.
    CHECK(with([](ZipEntry& one) {
              one.descriptor = true;
              one.descriptor_crc32 = 7;
          }) == "a.json: warning archive-inconsistent-header");
}

TEST_CASE("zip: an end record that lies is refused", "[io][zip]") {
    ZipFile archive = two_members();
    archive.counted_entries = 3;
    CHECK(faults_of(archive.bytes()) == "error archive-inconsistent-header");
    archive = two_members();
    archive.directory_bytes = 60;
    CHECK(faults_of(archive.bytes()) == "error archive-inconsistent-header");
    archive = two_members();
    archive.directory_offset = 0x7FFFFFFF;
    CHECK(faults_of(archive.bytes()) == "error archive-truncated");
    archive = two_members();
    archive.directory_bytes = 0xFFFFFFFF;
    CHECK(faults_of(archive.bytes()) == "error archive-inconsistent-header");
    archive = two_members();
    archive.disk = 1;
    CHECK(faults_of(archive.bytes()) == "error archive-inconsistent-header");
    archive = two_members();
    archive.comment_bytes = 5;
    CHECK(faults_of(archive.bytes()) == "error archive-truncated");
    archive = two_members();
    archive.comment_bytes = 65535;
    CHECK(faults_of(archive.bytes()) == "error archive-truncated");
}

TEST_CASE("zip: two directories in one file are refused", "[io][zip]") {
    ZipFile inner;
    inner.entries = {entry("c.json", "{}")};
    ZipFile outer = two_members();
    outer.comment = inner.bytes();
    CHECK(faults_of(outer.bytes()) == "error archive-inconsistent-header");
}

TEST_CASE("zip: members that share bytes are refused", "[io][zip]") {
    ZipFile archive = two_members();
    archive.entries[1] = archive.entries[0];
    archive.entries[1].name = "b.json";
    archive.entries[1].local_offset = 0;
    CHECK(faults_of(archive.bytes()) ==
          "b.json: error archive-inconsistent-header, b.json: error archive-inconsistent-header");
    archive.entries[1].name = "a.json";  // Now the local header agrees, the bytes still overlap.
    CHECK(faults_of(archive.bytes()) == "a.json: error archive-inconsistent-header");
    // A member hidden in the data of another.
    ZipFile inner;
    inner.entries = {entry("b.json", "{}")};
    ZipFile quoted;
    quoted.entries = {entry("a.bin", inner.bytes()), entry("b.json", "{}")};
    quoted.entries[0].method = 0;
    quoted.entries[1].local_offset = 30 + 5;  // Right behind a.bin's header.
    CHECK(faults_of(quoted.bytes()) == "b.json: error archive-inconsistent-header");
}

TEST_CASE("zip: encrypted members are named", "[io][zip]") {
    for (const std::uint16_t flag : std::initializer_list<std::uint16_t>{1, 1 << 6, 1 << 13}) {
        ZipFile archive = two_members();
        archive.entries[0].flags = flag;
        CHECK(faults_of(archive.bytes()) == "a.json: error archive-encrypted-member");
    }
    ZipFile archive = two_members();
    archive.entries[0].method = 99;
    CHECK(faults_of(archive.bytes()) == "a.json: error archive-encrypted-member");
}

TEST_CASE("zip: every other compression method is refused by name", "[io][zip]") {
    const std::pair<std::uint16_t, const char*> methods[] = {
        {1, "Shrink"}, {6, "Implode"},    {9, "Deflate64"}, {12, "bzip2"},   {14, "LZMA"},
        {95, "XZ"},    {93, "Zstandard"}, {98, "PPMd"},     {97, "WavPack"}, {77, "unknown"},
    };
    for (const auto& [method, name] : methods) {
        ZipFile archive = two_members();
        archive.entries[0].method = method;
        const std::string bytes = archive.bytes();
        REQUIRE(faults_of(bytes) == "a.json: error archive-unsupported-method");
        CHECK_THAT(read_zip_directory(bytes, {}).members[0].faults[0].message, contains_text(name));
    }
}

TEST_CASE("zip: limits hold at their value and not beyond", "[io][zip]") {
    const std::string bytes = two_members().bytes();  // 8 and 5000 bytes.
    ReadLimits limits;
    limits.max_members = 2;
    limits.max_member_bytes = 5000;
    limits.max_total_bytes = 5008;
    CHECK(faults_of(bytes, limits).empty());
    limits.max_members = 1;
    CHECK(faults_of(bytes, limits) == "error archive-too-large");
    limits.max_members = 2;
    limits.max_member_bytes = 4999;
    CHECK(faults_of(bytes, limits) == "b.txt: error archive-too-large");
    limits.max_member_bytes = 5000;
    limits.max_total_bytes = 5007;
    CHECK(faults_of(bytes, limits) == "error archive-too-large");
}

TEST_CASE("zip: content that differs from what the headers say is found", "[io][zip]") {
    ZipFile archive = two_members();
    archive.entries[1].crc32 = 12345;
    CHECK(content_of(archive.bytes(), 1).fault == "archive-checksum-mismatch");
    for (const std::uint32_t lie : {4999u, 5001u, 1u, 0u, 1u << 20}) {
        archive = two_members();
        archive.entries[1].inflated_bytes = lie;
        const Content content = content_of(archive.bytes(), 1);
        CHECK(content.fault == "archive-inconsistent-header");
        CHECK(content.bytes.size() <= 5000);
        CHECK(content.bytes.size() <= lie);
    }
    archive = two_members();
    std::string packed = test::deflate_raw(archive.entries[1].data);
    packed.resize(packed.size() / 2);
    archive.entries[1].packed = packed;
    CHECK_FALSE(content_of(archive.bytes(), 1).fault.empty());
    archive.entries[1].packed = std::string(40, '\xFF');
    CHECK(content_of(archive.bytes(), 1).fault == "archive-checksum-mismatch");
}

TEST_CASE("zip: every truncation of an archive is refused", "[io][zip]") {
    ZipFile archive = two_members();
    archive.comment = "comment";
    const std::string bytes = archive.bytes();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        INFO(size);
        CHECK(faults_of(bytes.substr(0, size)) == "error archive-truncated");
    }
    for (std::size_t size = 1; size < bytes.size(); ++size) {
        INFO(size);
        // Cut from the front: the directory would begin before the file, or a member is gone.
        CHECK_THAT(faults_of(bytes.substr(size)), contains_text("error archive-"));
    }
}

TEST_CASE("zip: every changed byte is survived, and the content is right or refused", "[io][zip]") {
    const ZipFile archive = two_members();
    const std::string good = archive.bytes();
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const char change : {'\x01', '\x80', '\xFF'}) {
            std::string bytes = good;
            bytes[at] = static_cast<char>(bytes[at] ^ change);
            const ZipDirectory directory = read_zip_directory(bytes, {});
            if (!directory.readable || directory.members.size() != 2) continue;
            const ZipReader reader(bytes, directory);
            if (reader.fault()) continue;
            for (std::size_t i = 0; i < 2; ++i) {
                if (!directory.members[i].readable) continue;
                const auto source = reader.open(i);
                std::string content;
                for (auto piece = source->next(); !piece.empty(); piece = source->next()) {
                    content += piece;
                }
                INFO(at);
                CHECK((source->fault().has_value() || content == archive.entries[i].data));
            }
        }
    }
}

}  // namespace havln
