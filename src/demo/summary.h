#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "demo/episodes.h"
#include "demo/home.h"
#include "havln/demo.h"

namespace havln::demo {

/// Counts of scenes and people; splits and submissions are the caller's.
DemoSummary summarise(const std::vector<Home>& homes);

DemoSummary::SplitFacts facts_of(std::string_view split, const std::vector<DemoEpisode>& episodes);

/// manifest.json for havln-validate --manifest.
std::string manifest_json(const DemoSummary& summary);

}  // namespace havln::demo
