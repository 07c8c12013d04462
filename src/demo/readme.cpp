#include "demo/readme.h"

#include <fmt/format.h>

namespace havln::demo {

namespace {

constexpr const char* kDemoText = R"(
## What is where

| path | what |
|---|---|
| HA-R2R/demo/demo.json.gz | the episodes: start, goal, shortest path, instruction |
| HA-R2R/demo/demo_gt.json.gz | the reference walk of each: locations and actions |
| HA-R2R-tools/collision_num_demo.json | the unavoidable collisions of each |
| Multi-Human-Annotations/human_motion.json | where everybody is in each of 120 frames; null: not there |
| recompute_navmesh/SCAN/SCAN_FFF.navmesh | the navmesh of each frame, people cut out as obstacles |
| scene_datasets/mp3d/SCAN/SCAN.navmesh | the navmesh without people |
| manifest.json | the split's size, for havln-validate |
| submissions/ | three submissions to try |

## How it was made

- Homes are boxes from floor plans; a person is a prism of eight sides, 0.25 m in radius and 1.7 m high,
  moved every second frame. Navmeshes are built as Habitat-Sim 0.1.7 builds them (agent radius 0.1 m,
  height 1.5 m, cells of 0.05 x 0.2 m).
- The reference walk follows the shortest path in the home without people.
- Unavoidable collisions: the reference walk is replayed at one frame per action, 0, 6, 12, 18 and 24 steps late.
  A run of consecutive steps that a person blocks is one encounter; the fewest encounters over the five
  departures are the baseline. So it counts the people who cannot be avoided by waiting at the start.
- Human-influenced: on the reference walk, somebody is within 1.5 m of the agent.

## The submissions

- hasty.zip plans a walk in the home without people and plays it blindly. People block it and push it off its
  course; from then on it also runs into walls, and it stops where it believes the goal to be.
- careful.zip knows where people stood one frame ago. It walks around them or waits (LOOK_DOWN, LOOK_UP). It still
  brushes against someone now and then, since people move on; and where somebody stays in the only doorway, it waits
  until its 500 steps are used up.
- faulty.zip is hasty.zip with the mistakes below.

Compare `--collisions contact` (blocked while a person is within 1 m) with `--collisions released` (every blocked step):
a step that is blocked by a wall far from everybody counts in the second only, so the hasty agent, which scrapes along
walls, falls further behind.

| episode in faulty.zip | mistake |
|---|---|
| (all) | format_version is the string "1" |
| 2 | an action in lower case |
| 3 | an action as Habitat's number |
| 4 | STOP, and actions after it |
| 5 | no STOP |
| 6 | no actions |
| 7 | 501 actions |
| 8 | the id is a number |
| 9 | missing; 10 stands twice |
| 11 | the key is "action" |
| 9999 | no such episode |
)";

}  // namespace

std::string demo_readme(const DemoSummary& summary, const std::vector<Home>& homes) {
    const DemoSummary::SplitFacts& split = summary.splits.front();
    std::string text = fmt::format(
        "# A data root to try havln on\n\n"
        "Synthetic, in the official layout: {} scenes, {} people, split `{}` with {} episodes, {} "
        "of them human-influenced.\n"
        "Made by havln-demo; no licensed data, free to use (MIT, as havln).\n\n",
        summary.scenes, summary.people, split.name, split.episodes, split.human_influenced);
    for (const Home& home : homes) {
        text += fmt::format("- {}: {}. People:\n", home.plan.scan, home.plan.title);
        for (const Walker& walker : home.plan.people) {
            text += fmt::format("  - somebody {}\n", walker.doing);
        }
    }
    return text + kDemoText;
}

std::string full_set_readme(const DemoSummary& summary) {
    std::string text = fmt::format(
        "# A data root like the challenge's phase 1, for benchmarks\n\n"
        "Synthetic, in the official layout: {} scenes drawn at random, {} people, 120 frames "
        "each.\nMade by havln-demo --full; no licensed data, free to use (MIT, as havln).\n\n",
        summary.scenes, summary.people);
    for (const DemoSummary::SplitFacts& split : summary.splits) {
        text +=
            fmt::format("- {0}: {1} episodes with the ids 1 to {1}\n", split.name, split.episodes);
    }
    return text +
           "\nThe manifest's human-influenced counts are the challenge's share, not counted here.\n"
           "submissions/recorded.zip holds the reference walks, long.zip 500 actions an episode "
           "(the reference, then a\nrandom walk), mixed.zip 20 to 500 of those. Scores on this set "
           "mean nothing.\n";
}

}  // namespace havln::demo
