#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "report/report_html.h"

namespace havln {

/// The report's section on one split, readable without scripts: headline, components and how they
/// add up, both collision readings, distributions, success against distance.
std::string split_section_html(const ReportInput& input, const ReportSplit& split,
                               std::size_t index);

/// What one component does to the Score. For SR and NE points rise from 0 to Navigation; CR and
/// TCR take points away; the four add up to the Score.
struct ComponentShare {
    const char* name = "";
    double value = 0;
    double points = 0;   ///< Added (SR, NE) or lost (CR, TCR; at most 0 unless CR is below 0).
    double perfect = 0;  ///< Points that the best value gives: 80, 20, 0, 0.
    double score_if_perfect = 0;  ///< The Score were this component alone at its best.
};
/// In the order SR, NE, CR, TCR.
std::array<ComponentShare, 4> component_shares(const ScoreComponents& components);

}  // namespace havln
