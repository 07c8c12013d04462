#include "contract/input_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "contract/member_names.h"
#include "havln/error.h"
#include "io/file.h"
#include "io/file_source.h"
#include "io/text.h"
#include "io/zip_directory.h"
#include "io/zip_reader.h"

namespace havln {

namespace {

constexpr std::size_t kMaxShownName = 1024;

bool ends_with_json(std::string_view name) {
    constexpr std::string_view kEnding = ".json";
    if (name.size() < kEnding.size()) return false;
    const std::string_view tail = name.substr(name.size() - kEnding.size());
    return std::equal(tail.begin(), tail.end(), kEnding.begin(), [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
}

bool is_apple_double(std::string_view name) {
    const std::size_t slash = name.find_last_of('/');
    if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
    return name.substr(0, 2) == "._";
}

bool begins(std::string_view bytes, std::string_view with) {
    return bytes.substr(0, with.size()) == with;
}

/// What a file that is no zip archive is; empty where that does not show.
std::string_view kind_of(std::string_view bytes) {
    using namespace std::string_view_literals;
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kMagic = {{
        {"\x1F\x8B"sv, "a gzip file"},
        {"7z\xBC\xAF\x27\x1C"sv, "a 7z archive"},
        {"Rar!\x1A\x07"sv, "a RAR archive"},
        {"BZh"sv, "a bzip2 file"},
        {"\xFD"
         "7zXZ\0"sv,
         "an xz file"},
        {"\x28\xB5\x2F\xFD"sv, "a Zstandard file"},
        {"%PDF"sv, "a PDF"},
        {"\x7F"
         "ELF"sv,
         "a program"},
        {"\x89PNG"sv, "a PNG image"},
        {"version https://git-lfs"sv, "a Git LFS pointer, not the file itself"},
    }};
    for (const auto& [magic, kind] : kMagic) {
        if (begins(bytes, magic)) return kind;
    }
    if (bytes.size() > 262 && bytes.substr(257, 5) == "ustar") return "a tar archive";
    if (begins(bytes, "\xEF\xBB\xBF")) bytes.remove_prefix(3);
    bytes = trimmed(bytes);
    if (bytes.starts_with('<')) return "an HTML or XML page";
    if (bytes.starts_with('{') || bytes.starts_with('[')) return "a JSON file";
    return {};
}

Diagnostic not_zip(const std::string& file, std::string_view bytes) {
    Diagnostic diagnostic;
    diagnostic.code = DiagnosticCode::kArchiveNotZip;
    diagnostic.file = file;
    diagnostic.hint = "make the archive with zip -j submission.zip *.json";
    const std::string_view kind = kind_of(bytes);
    if (bytes.empty()) {
        diagnostic.message = "the file is empty, no zip archive";
    } else if (kind.empty()) {
        diagnostic.message = "the file is no zip archive";
    } else {
        diagnostic.message = fmt::format("the file is no zip archive but {}", kind);
    }
    if (kind == "a JSON file") {
        diagnostic.hint =
            "name it .json to check it alone; to submit, make an archive: zip -j "
            "submission.zip *.json";
    } else if (kind == "an HTML or XML page") {
        diagnostic.hint = "a download probably gave an error or log-in page: download it again";
    }
    return diagnostic;
}

/// A zip archive in memory. Its parts refer to one another, so it never moves.
struct OpenArchive {
    std::string bytes;
    ZipDirectory directory;
    std::unique_ptr<ZipReader> reader;
};

void add_members(const std::shared_ptr<OpenArchive>& archive, InputFiles& inputs) {
    std::vector<NamedMember> names;
    for (const ZipDirectoryMember& member : archive->directory.members) {
        names.push_back({member.name, member.unix_mode, member.unicode_name});
    }
    NameFindings findings = check_names(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const ZipDirectoryMember& member = archive->directory.members[i];
        InputFile file;
        file.file = inputs.name;
        // A name can have 64 KiB, and every diagnostic repeats it.
        file.member = std::string(member.name.substr(0, kMaxShownName));
        file.in_archive = true;
        file.faults = member.faults;
        file.candidate = findings.candidate[i] && member.readable && inputs.readable;
        file.json_name = ends_with_json(member.name);
        file.apple_double = is_apple_double(member.name);
        file.open = [archive, i] { return archive->reader->open(i); };
        inputs.files.push_back(std::move(file));
    }
    for (NameFindings::Fault& fault : findings.faults) {
        inputs.files[fault.member].faults.push_back(std::move(fault.diagnostic));
    }
}

struct stat status_of(const std::filesystem::path& path, bool follow) {
    struct stat info = {};
    if ((follow ? ::stat(path.c_str(), &info) : ::lstat(path.c_str(), &info)) != 0) {
        throw usage_error(path, "cannot be opened: " + std::generic_category().message(errno));
    }
    return info;
}

InputFiles open_archive(const std::filesystem::path& path, const ReadLimits& limits) {
    // Deflate never makes bytes much longer, so a larger archive inflates beyond the limit anyhow.
    const std::uint64_t max_bytes = limits.max_total_bytes + (64u << 20);
    const auto size = static_cast<std::uint64_t>(status_of(path, true).st_size);
    if (size <= max_bytes) {
        return open_archive_in_memory(path.string(), read_whole_file(path, max_bytes), limits);
    }
    InputFiles inputs;
    inputs.name = path.string();
    Diagnostic diagnostic;
    diagnostic.code = DiagnosticCode::kArchiveTooLarge;
    diagnostic.message = fmt::format("the archive has {} bytes; the limit is {}", size, max_bytes);
    diagnostic.hint = "leave other data out of the archive";
    diagnostic.file = inputs.name;
    inputs.faults.push_back(std::move(diagnostic));
    inputs.readable = false;
    return inputs;
}

InputFile file_on_disk(const std::filesystem::path& path, std::uint64_t size,
                       const ReadLimits& limits) {
    InputFile file;
    file.file = path.string();
    file.json_name = ends_with_json(file.file);
    file.apple_double = is_apple_double(file.file);
    file.candidate = true;
    if (size > limits.max_member_bytes) {
        Diagnostic diagnostic;
        diagnostic.code = DiagnosticCode::kArchiveTooLarge;
        diagnostic.message =
            fmt::format("the file has {} bytes; the limit is {}", size, limits.max_member_bytes);
        diagnostic.hint = "a full prediction is below 40 MB";
        file.faults.push_back(std::move(diagnostic));
        file.candidate = false;
    }
    file.open = [path, limits] { return open_file_source(path, limits.max_member_bytes); };
    return file;
}

InputFiles open_folder(const std::filesystem::path& folder, const ReadLimits& limits) {
    InputFiles inputs;
    inputs.name = folder.string();
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        names.push_back(entry->path().filename().string());
        if (names.size() > limits.max_members) {
            Diagnostic diagnostic;
            diagnostic.code = DiagnosticCode::kArchiveTooLarge;
            diagnostic.message = fmt::format("more than {} files", limits.max_members);
            diagnostic.hint = "a submission needs one file for each split";
            diagnostic.file = inputs.name;
            inputs.faults.push_back(std::move(diagnostic));
            inputs.readable = false;
            return inputs;
        }
    }
    if (error) throw usage_error(folder, "cannot be read: " + error.message());
    std::sort(names.begin(), names.end());
    std::vector<NamedMember> members;
    for (const std::string& name : names) {
        const struct stat info = status_of(folder / name, false);
        members.push_back({name, info.st_mode});
        InputFile file =
            file_on_disk(folder / name, static_cast<std::uint64_t>(info.st_size), limits);
        file.member = name;
        inputs.files.push_back(std::move(file));
    }
    NameFindings findings = check_names(members);
    for (std::size_t i = 0; i < names.size(); ++i) {
        inputs.files[i].candidate = inputs.files[i].candidate && findings.candidate[i];
    }
    for (NameFindings::Fault& fault : findings.faults) {
        inputs.files[fault.member].faults.push_back(std::move(fault.diagnostic));
    }
    return inputs;
}

InputFiles open_loose(const std::vector<std::filesystem::path>& paths, const ReadLimits& limits) {
    InputFiles inputs;
    for (const std::filesystem::path& path : paths) {
        const struct stat info = status_of(path, true);
        if (!S_ISREG(info.st_mode)) throw usage_error(path, "is not a regular file");
        inputs.files.push_back(
            file_on_disk(path, static_cast<std::uint64_t>(info.st_size), limits));
        inputs.name += (inputs.name.empty() ? "" : ", ") + path.string();
    }
    return inputs;
}

}  // namespace

InputFiles open_archive_in_memory(std::string name, std::string bytes, const ReadLimits& limits) {
    auto archive = std::make_shared<OpenArchive>();
    archive->bytes = std::move(bytes);
    InputFiles inputs;
    inputs.name = std::move(name);
    archive->directory = read_zip_directory(archive->bytes, limits);
    const bool begins_like_zip =
        begins(archive->bytes, "PK\x03\x04") || begins(archive->bytes, "PK\x05\x06");
    if (archive->directory.members.empty() && !archive->directory.readable && !begins_like_zip) {
        inputs.readable = false;
        inputs.faults.push_back(not_zip(inputs.name, archive->bytes));
        return inputs;
    }
    inputs.faults = archive->directory.faults;
    inputs.readable = archive->directory.readable;
    if (inputs.readable) {
        archive->reader = std::make_unique<ZipReader>(archive->bytes, archive->directory);
        if (archive->reader->fault()) {
            inputs.readable = false;
            inputs.faults.push_back(*archive->reader->fault());
        }
    }
    for (Diagnostic& diagnostic : inputs.faults) diagnostic.file = inputs.name;
    add_members(archive, inputs);
    return inputs;
}

InputFiles open_inputs(const std::vector<std::filesystem::path>& inputs, const ReadLimits& limits) {
    if (inputs.empty()) throw usage_error({}, "no submission was given");
    const auto loose = [](const std::filesystem::path& path) {
        return ends_with_json(path.string());
    };
    if (inputs.size() > 1 || loose(inputs[0])) {
        for (const std::filesystem::path& path : inputs) {
            if (!loose(path)) {
                throw usage_error(path, "a submission is one .zip, one folder, or .json files");
            }
        }
        if (inputs.size() > 1 || !S_ISDIR(status_of(inputs[0], true).st_mode)) {
            return open_loose(inputs, limits);
        }
    }
    if (S_ISDIR(status_of(inputs[0], true).st_mode)) return open_folder(inputs[0], limits);
    return open_archive(inputs[0], limits);
}

}  // namespace havln
