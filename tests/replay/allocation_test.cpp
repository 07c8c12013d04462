// A step of the replay must not allocate: counted over everything that C++ and Detour ask for.
// In a test binary of its own, since it replaces the global operator new.
#include <DetourAlloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "havln/clock.h"
#include "havln/metrics.h"
#include "havln/random.h"
#include "havln/replay.h"
#include "support/catch.h"
#include "support/data_root.h"
#include "support/toy_navmesh.h"

namespace {

std::atomic<std::uint64_t> allocations = 0;

void* counted(std::size_t size) noexcept {
    ++allocations;
    return std::malloc(size != 0 ? size : 1);
}

void* counted_or_throw(std::size_t size) {
    if (void* memory = counted(size)) return memory;
    throw std::bad_alloc();
}

void* counted_for_detour(std::size_t size, dtAllocHint) {
    return counted(size);
}

}  // namespace

void* operator new(std::size_t size) {
    return counted_or_throw(size);
}
void* operator new[](std::size_t size) {
    return counted_or_throw(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return counted(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return counted(size);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace havln::test {

namespace {

constexpr std::size_t kWalks = 20;

/// A room of 8 x 16 m; a person stands in another cell in each of the first 100 frames.
std::shared_ptr<const SceneNavMeshes> busy_room(const ToyFloor& room) {
    std::vector<ToyFloor> frames;
    for (std::size_t frame = 0; frame < 100; ++frame) {
        frames.push_back(room);
        frames.back().rows[2 + frame % 12][frame % 8] = '#';
    }
    return toy_scene(frames, &room);
}

std::vector<Action> random_walk(std::size_t length, std::uint64_t seed) {
    Random random(seed);
    std::vector<Action> actions;
    for (std::size_t k = 0; k < length; ++k) {
        const std::uint64_t dice = random.below(10);
        actions.push_back(dice < 6   ? Action::kMoveForward
                          : dice < 8 ? Action::kTurnLeft
                          : dice < 9 ? Action::kTurnRight
                                     : Action::kLookUp);
    }
    return actions;
}

struct Counted {
    std::uint64_t allocations = 0, blocked = 0;
};

/// Everything that the episodes of a scene cost once it is loaded: clock, replay, causes of blocked
/// steps, nearest people, metrics.
Counted walk_all(std::size_t length, ReplayEngine& engine, const SceneNavMeshes& scene) {
    const Episode episode = make_episode("1");
    const std::vector<Vec3d> gt_locations(20, Vec3d{4.5, 0, 3});
    ScenePeople people;
    people.people.resize(3);
    for (Person& person : people.people) person.position.fill(Vec3d{4, 0, 4});
    const auto clock = make_constant_clock(1);
    std::vector<std::uint16_t> frames(500);
    Counted counted;
    for (std::size_t i = 0; i < kWalks; ++i) {
        const std::vector<Action> actions = random_walk(length, i);
        const std::uint64_t before = allocations;
        clock->frames("val", "1", actions.size(), frames);
        Trace trace = engine.replay({{4.5f, 0, 8.5f}, {0, 0, 0, 1}}, actions, frames, scene);
        locate_people(trace, people);
        MetricInputs inputs;
        inputs.episode = &episode;
        inputs.trace = &trace;
        inputs.gt_locations = &gt_locations;
        inputs.people_known = true;
        counted.blocked +=
            static_cast<std::uint64_t>(compute_episode_metrics(inputs, Profile()).blocked_steps);
        counted.allocations += allocations - before;
    }
    return counted;
}

}  // namespace

TEST_CASE("allocation: the counter sees what is allocated", "[replay][allocation]") {
    const std::uint64_t before = allocations;
    { const std::vector<int> some(10); }
    CHECK(allocations == before + 1);
}

TEST_CASE("allocation: an episode of 500 actions allocates no more often than one of 50",
          "[replay][allocation]") {
    dtAllocSetCustom(counted_for_detour, std::free);
    ToyFloor room;
    room.rows.assign(16, "........");
    const auto scene = busy_room(room);
    ReplaySettings settings;
    settings.attribute_blocks = true;
    ReplayEngine engine(settings);
    walk_all(500, engine, *scene);  // The engine's own tables grow once, with the first scene.
    const Counted brief = walk_all(50, engine, *scene);
    const Counted extended = walk_all(500, engine, *scene);
    CHECK(brief.blocked > kWalks);
    CHECK(extended.blocked > 5 * brief.blocked);
    CHECK(extended.allocations == brief.allocations);
    // The trace's lists, and those of the metrics: a few for each episode.
    CHECK(extended.allocations <= 30 * kWalks);
}

}  // namespace havln::test
