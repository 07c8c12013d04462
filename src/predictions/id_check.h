#pragma once

#include <string>

#include "contract/file_report.h"
#include "contract/split_check.h"
#include "havln/contract.h"
#include "predictions/value_reader.h"

namespace havln {

/// Checks that a file names every id of a split exactly once, and none besides.
class IdCheck {
  public:
    /// @pre `ids` and `report` outlive the check.
    IdCheck(const SplitManifest& ids, FileReport& report);

    /// Takes the id whose value is being read.
    /// @return whether it is official and new.
    bool take(const std::string& id, const ValueReader& reader);

    /// Reports the ids that did not come, at the document's begin.
    void finish();

  private:
    const Manifest manifest_;
    ManifestIndex index_;
    SplitCheck check_;
};

}  // namespace havln
