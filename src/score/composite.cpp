#include "havln/scorecard.h"

namespace havln {

double navigation_score(double SR, double NE) {
    return 0.80 * SR + 0.20 * (3 / (3 + NE));
}

double social_score(double CR, double TCR) {
    return 0.75 * (1 - CR) + 0.25 / (1 + TCR);
}

double composite_score(double navigation, double social) {
    return 100 * navigation * (0.70 + 0.30 * social);
}

ScoreComponents complete(ScoreComponents components) {
    components.navigation = navigation_score(components.SR, components.NE);
    components.social = social_score(components.CR, components.TCR);
    components.score = composite_score(components.navigation, components.social);
    return components;
}

std::array<double, 5> tie_break_key(const ScoreComponents& components) {
    // Subtracted from 0 so that a rate of 0 gives 0 and not -0, which prints differently.
    return {components.score, components.SR, 0 - components.NE, 0 - components.CR,
            0 - components.TCR};
}

}  // namespace havln
