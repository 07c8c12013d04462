#pragma once

#include <string>
#include <vector>

#include "demo/home.h"
#include "havln/demo.h"

namespace havln::demo {

/// README.md of the demo's data root.
std::string demo_readme(const DemoSummary& summary, const std::vector<Home>& homes);
/// README.md of the benchmark set.
std::string full_set_readme(const DemoSummary& summary);

}  // namespace havln::demo
