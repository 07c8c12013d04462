#include "predictions/id_check.h"

namespace havln {

IdCheck::IdCheck(const SplitManifest& ids, FileReport& report)
    : manifest_{{ids}, {}}, index_(manifest_), check_(index_, 0, report) {}

bool IdCheck::take(const std::string& id, const ValueReader& reader) {
    return check_.take(id, reader.place(), [&] { return reader.pointer(); });
}

void IdCheck::finish() {
    check_.finish({}, "");
}

}  // namespace havln
