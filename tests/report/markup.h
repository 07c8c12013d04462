#pragma once

#include <string>
#include <string_view>

namespace havln::test {

/// What keeps a text from being well-formed XML of the simple kind that we write (elements,
/// attributes in double quotes, text, the five entities and decimal references); empty where
/// nothing does.
std::string xml_fault(std::string_view text);

/// How often `needle` occurs.
std::size_t count_of(std::string_view text, std::string_view needle);

}  // namespace havln::test
