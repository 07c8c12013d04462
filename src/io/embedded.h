#pragma once

#include <cstddef>
#include <string_view>

namespace havln {

/// A data file compiled into the library (cmake/HavlnEmbed.cmake).
struct EmbeddedFile {
    std::string_view name;
    std::string_view bytes;
};

}  // namespace havln
