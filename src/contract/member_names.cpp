#include "contract/member_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

#include "io/escape.h"

namespace havln {

namespace {

constexpr std::uint32_t kTypeMask = 0170000;
constexpr std::uint32_t kRegular = 0100000;
constexpr std::uint32_t kFolder = 0040000;

/// Where macOS's Finder puts what a zip archive cannot hold of its files.
constexpr std::string_view kMacFolder = "__MACOSX";

bool is_separator(char c) {
    return c == '/' || c == '\\';
}

/// The name's parts between '/' and '\', empty ones included.
std::vector<std::string_view> parts_of(std::string_view name) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= name.size(); ++i) {
        if (i == name.size() || is_separator(name[i])) {
            parts.push_back(name.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    return parts;
}

/// Why the name is unsafe to extract; empty where it is not.
std::string unsafe_reason(std::string_view name) {
    if (name.empty()) return "the member has no name";
    if (name.find('\0') != std::string_view::npos) return "the name holds a zero byte";
    if (is_separator(name[0])) return "the path is absolute";
    const bool letter = (name[0] >= 'A' && name[0] <= 'Z') || (name[0] >= 'a' && name[0] <= 'z');
    if (letter && name.size() > 1 && name[1] == ':') return "the path names a drive";
    for (const std::string_view part : parts_of(name)) {
        if (part == "..") return "the path leaves the archive with \"..\"";
    }
    return {};
}

/// The same for the name in an archive's Unicode Path field. It may not lead into a folder of which
/// the plain name says nothing.
std::string unsafe_other_name(std::string_view name, std::string_view plain_name) {
    std::string reason = unsafe_reason(name);
    if (reason.empty() && parts_of(name).size() != parts_of(plain_name).size()) {
        reason = "the path leads into another folder";
    }
    return reason.empty() ? reason : reason + " in its Unicode Path field";
}

/// What a special file is called; empty for regular files and folders.
std::string_view special_kind(std::uint32_t unix_mode) {
    switch (unix_mode & kTypeMask) {
        case 0:
        case kRegular:
        case kFolder:
            return {};
        case 0120000:
            return "a symbolic link";
        case 0060000:
            return "a block device";
        case 0020000:
            return "a character device";
        case 0010000:
            return "a named pipe";
        case 0140000:
            return "a socket";
        default:
            return "no regular file";
    }
}

NameFindings::Fault fault(std::size_t member, DiagnosticCode code, std::string message,
                          std::string hint) {
    NameFindings::Fault found;
    found.member = member;
    found.diagnostic.code = code;
    found.diagnostic.severity = default_severity(code);
    found.diagnostic.message = std::move(message);
    found.diagnostic.hint = std::move(hint);
    return found;
}

/// Members below one folder, reported together.
struct Folder {
    std::size_t first_member = 0;
    std::uint64_t files = 0;
    bool backslash = false;
};

/// The name as one word of a shell's command line.
std::string shell_word(std::string_view name) {
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
    });
    if (plain) return std::string(name);
    std::string word = "'";
    for (const char c : name) word += c == '\'' ? "'\\''" : std::string(1, c);
    return word + "'";
}

Diagnostic nested_fault(std::string_view folder, const Folder& found, bool holds_all) {
    Diagnostic diagnostic;
    diagnostic.code = DiagnosticCode::kArchiveNestedPath;
    const std::string name = quote(folder);
    if (folder == kMacFolder) {
        diagnostic.message = fmt::format("the folder {} of macOS's Finder is in the archive", name);
        diagnostic.hint =
            "remove it: zip -d submission.zip '__MACOSX/*', or zip in the terminal: zip -j "
            "submission.zip *.json";
    } else if (found.backslash) {
        diagnostic.message = fmt::format(
            "a path with a backslash, below {}; all files must stand at the archive's root", name);
        diagnostic.hint =
            "make the archive with forward slashes and no folders: zip -j "
            "submission.zip *.json";
    } else {
        diagnostic.message =
            holds_all ? fmt::format("the folder {} was zipped instead of the files in it ({} {})",
                                    name, found.files, found.files == 1 ? "file" : "files")
                      : fmt::format(
                            "the folder {} is in the archive ({} {}); all files must "
                            "stand at the archive's root",
                            name, found.files, found.files == 1 ? "file" : "files");
        diagnostic.hint = fmt::format(
            "zip the files without their folder: zip -j submission.zip "
            "{}/*.json",
            shell_word(folder.substr(0, 80)));
    }
    return diagnostic;
}

bool is_folder_entry(const NamedMember& member) {
    return (!member.name.empty() && is_separator(member.name.back())) ||
           (member.unix_mode & kTypeMask) == kFolder;
}

/// Judges names one after the other and collects what belongs together.
class NameCheck {
  public:
    explicit NameCheck(const std::vector<NamedMember>& members)
        : members_(members), folder_of_(members.size()) {
        findings_.candidate.assign(members.size(), false);
    }

    NameFindings run() {
        for (std::size_t i = 0; i < members_.size(); ++i) judge(i);
        report_folders();
        std::stable_sort(findings_.faults.begin(), findings_.faults.end(),
                         [](const auto& a, const auto& b) { return a.member < b.member; });
        return std::move(findings_);
    }

  private:
    void judge(std::size_t i);
    void judge_nested(std::size_t i, const std::vector<std::string_view>& parts);
    void report_folders();
    void report(std::size_t member, DiagnosticCode code, std::string message, std::string hint) {
        findings_.faults.push_back(fault(member, code, std::move(message), std::move(hint)));
    }

    const std::vector<NamedMember>& members_;
    NameFindings findings_;
    std::unordered_set<std::string_view> names_;
    std::map<std::string_view, Folder> folders_;
    std::vector<std::string_view> folder_of_;  ///< By member: the one folder that it is in.
    bool root_file_ = false;
};

void NameCheck::judge(std::size_t i) {
    const NamedMember& member = members_[i];
    if (!names_.insert(member.name).second) {
        report(i, DiagnosticCode::kArchiveDuplicateMember, "a second member of the same name",
               "keep one of the two and make the archive again");
        return;
    }
    std::string reason = unsafe_reason(member.name);
    if (reason.empty() && member.other_name) {
        reason = unsafe_other_name(*member.other_name, member.name);
    }
    if (!reason.empty()) {
        report(i, DiagnosticCode::kArchiveUnsafePath, std::move(reason),
               "make the archive from inside the folder that holds the files: zip -j "
               "submission.zip *.json");
        return;
    }
    if (const auto kind = special_kind(member.unix_mode); !kind.empty()) {
        report(i, DiagnosticCode::kArchiveSpecialFile, fmt::format("it is {}", kind),
               "put the file itself into the archive, no link or device");
        return;
    }
    const std::vector<std::string_view> parts = parts_of(member.name);
    if (parts.size() > 1 || is_folder_entry(member)) {
        judge_nested(i, parts);
        return;
    }
    if (member.name != ".DS_Store") root_file_ = true;
    findings_.candidate[i] = true;
    if (member.name == "metadata" || member.name == "metadata.yaml") {
        report(i, DiagnosticCode::kArchiveReservedName,
               "the competition server takes a file of this name for a program to run",
               "rename or remove it");
    }
}

void NameCheck::judge_nested(std::size_t i, const std::vector<std::string_view>& parts) {
    const NamedMember& member = members_[i];
    Folder& folder = folders_.try_emplace(parts[0], Folder{i, 0, false}).first->second;
    if (member.name.find('\\') != std::string_view::npos) folder.backslash = true;
    if (is_folder_entry(member)) return;
    ++folder.files;
    if (parts.size() == 2) folder_of_[i] = parts[0];
}

void NameCheck::report_folders() {
    const auto own_folders = std::count_if(folders_.begin(), folders_.end(), [](const auto& entry) {
        return entry.first != kMacFolder;
    });
    for (const auto& [name, folder] : folders_) {
        const bool holds_all = !root_file_ && own_folders == 1 && name != kMacFolder;
        findings_.faults.push_back({folder.first_member, nested_fault(name, folder, holds_all)});
        for (std::size_t i = 0; holds_all && i < members_.size(); ++i) {
            if (folder_of_[i] == name && !name.empty()) findings_.candidate[i] = true;
        }
    }
}

}  // namespace

NameFindings check_names(const std::vector<NamedMember>& members) {
    return NameCheck(members).run();
}

}  // namespace havln
