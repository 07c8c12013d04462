#pragma once

#include <string>
#include <vector>

#include "havln/diagnostics.h"

namespace havln::test {

/// "CODE POINTER: MESSAGE" of every fault kept, in order.
inline std::vector<std::string> faults_of(const DiagnosticLog& log) {
    std::vector<std::string> out;
    for (const Diagnostic& one : log.kept()) {
        out.push_back(std::string(diagnostic_code_name(one.code)) + " " +
                      one.pointer.value_or("-") + ": " + one.message);
    }
    return out;
}

using Faults = std::vector<std::string>;

}  // namespace havln::test
