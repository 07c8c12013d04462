#pragma once

#include <string>

#include "havln/data_check.h"

namespace havln {

/// What a data root holds and what it is good for, for people. Untrusted text is escaped.
std::string data_check_text(const DataCheck& check);

/// The same as JSON, schema_version 1. Absent facts are left out.
std::string data_check_json(const DataCheck& check);

}  // namespace havln
