#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/json_tree.h"

namespace havln::test {

/// What stands between two texts, the first of each from the start on.
std::string between(const std::string& text, const std::string& before, const std::string& after);
/// A page's JSON document of that id.
JsonTree data_of(const std::string& html, const std::string& id);
/// The page without its scripts and styles: what a browser reads as markup.
std::string markup_of(std::string html);
/// The inverse of append_packed, written from its description.
std::vector<std::int64_t> unpack(const std::string& text);

}  // namespace havln::test
