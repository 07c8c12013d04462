#pragma once

#include <cstdint>
#include <string>

#include "demo/floor_plan.h"

namespace havln::demo {

/// A floor of rooms along one or two corridors with five people, drawn from a seed: for scenes by
/// the dozen. The same plan for the same name and seed.
FloorPlan random_plan(const std::string& scan, std::uint64_t seed);

}  // namespace havln::demo
