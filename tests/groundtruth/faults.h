#pragma once

#include <string>
#include <string_view>

#include "havln/error.h"
#include "support/catch.h"
#include "support/support.h"

namespace havln::test {

/// The message of the ground-truth error that `action` throws; "no error" where it throws none.
template <typename Action>
std::string ground_truth_fault(Action&& action) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kGroundTruth);
        return error.what();
    }
    return "no error";
}

}  // namespace havln::test
