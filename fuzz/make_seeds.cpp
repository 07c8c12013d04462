// fuzz_make_seeds DIR: writes the inputs that fuzzing begins with: DIR/archive, DIR/json,
// DIR/navmesh, DIR/people.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/toy_navmesh.h"
#include "support/zip_builder.h"

namespace {

using havln::test::ZipEntry;
using havln::test::ZipFile;

const std::string kSeen =
    R"({"format_version":1,"split":"val_seen","episodes":[{"episode_id":"1","actions":["STOP"]},)"
    R"({"episode_id":"2","actions":["MOVE_FORWARD","TURN_LEFT","TURN_RIGHT","LOOK_UP",)"
    R"("LOOK_DOWN","STOP"]}]})";
const std::string kUnseen =
    R"({"episodes":[{"actions":["STOP"],"episode_id":"3"},{"episode_id":"1","actions":["STOP"]},)"
    R"({"episode_id":"2","actions":["STOP"],"note":{"a":[1,2.5e3,true,null,"\u00e9\ud83d\ude00"]}}],)"
    R"("split":"val_unseen","format_version":1})";

std::string utf16(const std::string& text) {
    std::string out = "\xFF\xFE";
    for (const char c : text) {
        out += c;
        out += '\0';
    }
    return out;
}

std::vector<std::string> json_seeds() {
    return {
        kSeen,
        kUnseen,
        "\xEF\xBB\xBF" + kSeen,
        utf16(kSeen),
        "{\"split\":\"val_seen\",\"split\":\"x\",\"format_version\":NaN,\"episodes\":{},}",
        "{\"split\":\"val_seen\",\"episodes\":[{\"episode_id\":1,\"actions\":[1,\"stop\",[]]},5]}",
        "{\"split\":\"val_seen\",\"x\":[-0,1e308,1e999,\"\\ud800\",\"\xFF\",\"\t\"]}",
        "[[[[[[[[\"" + std::string(2000, 'x') + "\"]]]]]]]]",
        "{\"a\":True}",
        "{\"a\":-Infinity}\n  x"};
}

ZipFile archive() {
    ZipFile file;
    for (const auto& [name, data] : {std::pair{"val_seen.json", kSeen}, {"b.json", kUnseen}}) {
        ZipEntry entry;
        entry.name = name;
        entry.data = data;
        file.entries.push_back(entry);
    }
    return file;
}

std::vector<std::string> archive_seeds() {
    std::vector<ZipFile> files;
    files.push_back(archive());
    for (ZipEntry& entry : files.emplace_back(archive()).entries) entry.method = 0;
    for (ZipEntry& entry : files.emplace_back(archive()).entries) entry.descriptor = true;
    for (ZipEntry& entry : files.emplace_back(archive()).entries) entry.zip64 = true;
    files.emplace_back(archive()).zip64_end = true;
    files.emplace_back(archive()).comment = "PK\x05\x06" + std::string(18, '\0');
    files.emplace_back(archive()).before = "prefix";
    files.emplace_back(archive()).after = "suffix";
    for (ZipEntry& entry : files.emplace_back(archive()).entries) entry.name = "d/" + entry.name;
    files.emplace_back(archive()).entries[0].unix_mode = 0120777;
    files.emplace_back(archive()).entries[0].flags = 1;
    files.emplace_back(archive()).entries[0].method = 9;
    files.emplace_back(archive()).entries[0].crc32 = 1;
    files.emplace_back(archive()).entries[0].inflated_bytes = 1;
    files.emplace_back(archive()).entries[1].local_offset = 0;
    files.emplace_back(archive()).entries[1].name = "..\\\x1b[2J\n::error::x";
    std::vector<std::string> seeds;
    for (const ZipFile& file : files) seeds.push_back(file.bytes());
    seeds.push_back(kSeen);
    seeds.emplace_back("\x1F\x8B\x08");
    return seeds;
}

/// One person for 120 frames, absent in some of them; and what is missing or wrong in turn.
std::vector<std::string> people_seeds() {
    std::string positions, rotations;
    for (int frame = 0; frame < 120; ++frame) {
        if (frame > 0) positions += ",", rotations += ",";
        positions += frame % 7 == 0 ? "null" : "[1,0.5,-2e0]";
        rotations += "[0,90,0]";
    }
    const auto file = [](const std::string& person) {
        return R"({"scan":{"vp":{)" + person + "}}}";
    };
    const std::string category = R"("category":"a","index":0)";
    const std::string translation = R"(,"translation":[)" + positions + "]";
    const std::string rotation = R"(,"rotation":[)" + rotations + "]";
    return {file(category + translation + rotation), file(category + translation),
            file(category + R"(,"translation":[[1,2]])" + rotation), "{}", R"({"scan":{}})"};
}

void write_all(const std::filesystem::path& folder, const std::vector<std::string>& seeds,
               const std::string& prefix) {
    std::filesystem::create_directories(folder);
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        std::ofstream(folder / ("seed" + std::to_string(i)), std::ios::binary)
            << prefix << seeds[i];
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: fuzz_make_seeds DIR\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    write_all(folder / "archive", archive_seeds(), "");
    write_all(folder / "json", json_seeds(), "\x05");
    write_all(folder / "navmesh", havln::test::toy_navmesh_kinds(), "");
    write_all(folder / "people", people_seeds(), "");
    return 0;
}
