#pragma once

namespace havln {

/// The tool's version, "MAJOR.MINOR.PATCH": what --version prints and every signature names.
/// Its one source is project(VERSION) in the top CMakeLists.txt.
const char* version();

}  // namespace havln
