#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

namespace havln {

/// Appends formatted text.
template <typename... Args>
void put(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// 1839 as "1,839".
std::string grouped(std::uint64_t number);

/// With so many decimals; a rounded zero has no sign.
std::string fixed(double value, int decimals);

/// The same with a sign before all but zero; minus as the typographic character.
std::string signed_fixed(double value, int decimals);

}  // namespace havln
