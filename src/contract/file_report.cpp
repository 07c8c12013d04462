#include "contract/file_report.h"

#include <fmt/format.h>

namespace havln {

void FileReport::add(Diagnostic diagnostic) {
    diagnostic.file = file_;
    diagnostic.member = member_;
    if (episode_index_) {
        pending_.push_back(std::move(diagnostic));
    } else {
        log_.add(std::move(diagnostic));
    }
}

void FileReport::begin_episode(std::uint64_t index) {
    episode_index_ = index;
    episode_id_.reset();
}

void FileReport::end_episode() {
    for (Diagnostic& diagnostic : pending_) {
        if (!diagnostic.episode_id) diagnostic.episode_id = episode_id_;
        log_.add(std::move(diagnostic));
    }
    pending_.clear();
    episode_index_.reset();
}

std::string FileReport::episode_pointer() const {
    return episode_index_ ? fmt::format("/episodes/{}", *episode_index_) : std::string();
}

Diagnostic diagnostic_at(TextPlace place, std::string pointer, std::string message,
                         std::string hint) {
    Diagnostic diagnostic;
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    diagnostic.line = place.line;
    diagnostic.column = place.column;
    diagnostic.pointer = std::move(pointer);
    return diagnostic;
}

}  // namespace havln
