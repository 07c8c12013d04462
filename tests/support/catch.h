#pragma once
// Catch2 2 (Debian 12) and 3 under one name.
#include <string>
#ifdef HAVLN_CATCH2_V3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

namespace havln::test {

/// Matches text that holds `part`.
inline auto contains_text(const std::string& part) {
#ifdef HAVLN_CATCH2_V3
    return Catch::Matchers::ContainsSubstring(part);
#else
    return Catch::Matchers::Contains(part);
#endif
}

}  // namespace havln::test
