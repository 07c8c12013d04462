#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "havln/contract.h"
#include "havln/diagnostics.h"
#include "io/byte_source.h"

namespace havln {

/// One file of a submission, wherever it stands.
struct InputFile {
    std::string file;                   ///< On disk: the archive, or the file itself.
    std::optional<std::string> member;  ///< Name in the archive or folder.
    bool in_archive = false;            ///< `file` is the archive, and places name the member.
    std::vector<Diagnostic> faults;     ///< Of its name and its archive headers.
    bool candidate = false;             ///< May be a prediction, and open() may be called.
    bool json_name = false;             ///< Its name says that it is JSON.
    bool apple_double = false;          ///< Its name is that of a macOS resource fork, "._NAME".
    /// Its bytes from the start. Sources of one submission are read one after the other.
    std::function<std::unique_ptr<ByteSource>()> open;
};

/// The files of a submission and what keeps them readable.
struct InputFiles {
    std::string name;                ///< The submission, as the user named it.
    std::vector<Diagnostic> faults;  ///< Of the archive as a whole.
    std::vector<InputFile> files;
    bool readable = true;  ///< False where an archive cannot be read at all.
};

/// Opens a submission: one .zip, one folder, or loose .json files. What is no zip archive although
/// it should be is a fault of the result.
/// @throws Error (kUsage) where an input cannot be opened.
InputFiles open_inputs(const std::vector<std::filesystem::path>& inputs, const ReadLimits& limits);

/// The same for the bytes of an archive. @param name  what messages call it.
InputFiles open_archive_in_memory(std::string name, std::string bytes, const ReadLimits& limits);

}  // namespace havln
