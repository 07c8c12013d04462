#include "demo/episodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

#include "havln/batch.h"
#include "havln/error.h"
#include "havln/random.h"

namespace havln::demo {

namespace {

constexpr float kFromWalls_m = 0.25f;
constexpr double kFromPeople_m = 1.2;
constexpr double kInfluence_m = 1.5;
constexpr double kPathSpacing_m = 2.0;
constexpr int kMaxDraws = 20'000;

/// A start heading in steps of 15 degrees, as a rotation about +y. Rounded, since sine and cosine
/// differ between libraries in their last bit.
std::array<double, 4> heading_rotation(std::uint64_t steps) {
    const double half_angle = static_cast<double>(steps) * std::numbers::pi / 24;
    const auto rounded = [](double value) { return std::round(value * 1e9) / 1e9; };
    return {0, rounded(std::sin(half_angle)), 0, rounded(std::cos(half_angle))};
}

Quatf to_quatf(const std::array<double, 4>& r) {
    return {static_cast<float>(r[0]), static_cast<float>(r[1]), static_cast<float>(r[2]),
            static_cast<float>(r[3])};
}

/// Points of the shortest path, no further apart than kPathSpacing_m, each on the navmesh.
std::vector<Vec3f> spaced_points(NavMeshQuery& query, const std::vector<Vec3f>& corners) {
    std::vector<Vec3f> points = {corners.front()};
    for (std::size_t i = 1; i < corners.size(); ++i) {
        const Vec3d a = to_double(corners[i - 1]);
        const Vec3d b = to_double(corners[i]);
        const int pieces =
            std::max(1, static_cast<int>(std::ceil(distance_m(a, b) / kPathSpacing_m)));
        for (int k = 1; k < pieces; ++k) {
            const double t = static_cast<double>(k) / pieces;
            const Vec3f between =
                to_float({a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t});
            points.push_back(query.snap(between).value_or(between));
        }
        points.push_back(corners[i]);
    }
    return points;
}

bool comes_near(const Person& person, const std::vector<Vec3f>& path) {
    return std::ranges::any_of(person.position, [&](const std::optional<Vec3d>& at) {
        return at && std::ranges::any_of(path, [&](const Vec3f& point) {
                   return distance_m(to_double(point), *at) <= kInfluence_m;
               });
    });
}

/// Draws starts and goals in one home and puts the way into words.
class Drawer {
  public:
    Drawer(const Home& home, const EpisodeSettings& settings)
        : home_(home), settings_(settings), random_(mix_seed(settings.seed, home.plan.scan)) {
        query_.bind(home.empty_scene.frame(0));
    }

    /// A trajectory, with a change of floor where `other_floor` asks for one.
    DemoEpisode trajectory(bool other_floor) {
        for (int draw = 0; draw < kMaxDraws; ++draw) {
            const std::optional<Vec3f> start = place();
            const std::optional<Vec3f> goal = place();
            if (!start || !goal || !is_free_of_people(*start)) continue;
            const FloorPlan& plan = home_.plan;
            if (other_floor && floor_at(plan, start->y) == floor_at(plan, goal->y)) continue;
            if (distance_m(to_double(*start), to_double(*goal)) < kLeastEuclidean_m) continue;
            const PathResult path = query_.find_path(*start, *goal);
            if (!path.found() || path.distance_m < settings_.least_geodesic_m ||
                path.distance_m > settings_.most_geodesic_m) {
                continue;
            }
            DemoEpisode episode;
            episode.task.start.position = *start;
            episode.task.goal = *goal;
            episode.geodesic_distance_m = path.distance_m;
            episode.reference_path = spaced_points(query_, path.points);
            turn_start(episode);
            return episode;
        }
        throw Error(ExitCode::kInternal, home_.plan.scan, "no further episode fits the home");
    }

    void turn_start(DemoEpisode& episode) {
        episode.start_rotation_xyzw = heading_rotation(random_.below(24));
        episode.task.start.rotation_xyzw = to_quatf(episode.start_rotation_xyzw);
    }

    std::string instruction(const DemoEpisode& episode, std::size_t wording) const;

  private:
    static constexpr double kLeastEuclidean_m = 3.5;

    std::optional<Vec3f> place() {
        const auto& floors = home_.plan.floors;
        const Floor& floor = floors[random_.below(floors.size())];
        const Rect& box = floor.rooms[random_.below(floor.rooms.size())].box;
        const auto inside = [&](double low, double high) {
            const double margin = 0.4;
            const double value = low + margin + random_.uniform() * (high - low - 2 * margin);
            return std::round(value * 100) / 100;
        };
        const double x = inside(box.x0, box.x1);
        const double z = inside(box.z0, box.z1);
        const Vec3f wanted = to_float({x, floor.y_m + 0.1, z});
        if (!query_.is_navigable(wanted)) return std::nullopt;
        const std::optional<Vec3f> point = query_.snap(wanted);
        if (!point || query_.distance_to_closest_obstacle_m(*point) < kFromWalls_m) {
            return std::nullopt;
        }
        return point;
    }

    bool is_free_of_people(const Vec3f& point) const {
        return std::ranges::all_of(home_.people.people, [&](const Person& person) {
            return !person.position[0] ||
                   distance_m(to_double(point), *person.position[0]) >= kFromPeople_m;
        });
    }

    const Home& home_;
    const EpisodeSettings& settings_;
    Random random_;
    NavMeshQuery query_;
};

/// The rooms along the reference path, in order, each with its floor.
std::vector<std::pair<std::string_view, std::size_t>> rooms_along(const FloorPlan& plan,
                                                                  const std::vector<Vec3f>& path) {
    std::vector<std::pair<std::string_view, std::size_t>> rooms;
    for (const Vec3f& point : path) {
        const std::string_view room = room_at(plan, to_double(point));
        const std::size_t floor = floor_at(plan, point.y);
        if (room.empty() || (!rooms.empty() && rooms.back().first == room)) continue;
        rooms.emplace_back(room, floor);
    }
    HAVLN_CHECK(!rooms.empty());
    return rooms;
}

/// Two ways to say the same, {} being a room's name.
struct Wording {
    std::string_view first, next, last, stay;
};
constexpr std::array<Wording, 2> kWordings = {
    {{"Leave the {}", ", go through the {}", " and stop in the {}.", " and stop there."},
     {"Start in the {}", ", pass the {}", " and wait in the {}.", " and wait at its other end."}}};

std::string Drawer::instruction(const DemoEpisode& episode, std::size_t wording) const {
    const auto rooms = rooms_along(home_.plan, episode.reference_path);
    const Wording& words = kWordings[wording % kWordings.size()];
    std::string text = fmt::format(fmt::runtime(words.first), rooms.front().first);
    for (std::size_t i = 1; i < rooms.size(); ++i) {
        const auto& [name, floor] = rooms[i];
        const std::size_t before = rooms[i - 1].second;
        if (floor != before) text += floor > before ? ", go up the stairs" : ", go down the stairs";
        text += fmt::format(fmt::runtime(i + 1 < rooms.size() ? words.next : words.last), name);
    }
    if (rooms.size() == 1) text += words.stay;
    for (const Person& person : home_.people.people) {
        if (!comes_near(person, episode.reference_path)) continue;
        text += fmt::format(" On the way somebody is {}: keep clear.", person.category);
        break;
    }
    return text;
}

/// Runs of consecutive steps that a person blocked.
std::int64_t count_encounters(const Trace& trace) {
    std::int64_t encounters = 0;
    bool in_encounter = false;
    for (const BlockCause cause : trace.causes) {
        const bool by_person = cause == BlockCause::kHuman || cause == BlockCause::kBoth;
        if (by_person && !in_encounter) ++encounters;
        in_encounter = by_person;
    }
    return encounters;
}

}  // namespace

std::vector<DemoEpisode> draw_episodes(std::span<const Home> homes, std::size_t home,
                                       const EpisodeSettings& settings) {
    Drawer drawer(homes[home], settings);
    std::vector<DemoEpisode> episodes;
    const bool has_stairs = !homes[home].plan.stairs.empty();
    for (std::size_t i = 0; episodes.size() < settings.count; ++i) {
        DemoEpisode episode = drawer.trajectory(has_stairs && i % 2 == 0);
        episode.home = home;
        episode.trajectory = i;
        const std::size_t texts = settings.texts[i % settings.texts.size()];
        for (std::size_t k = 0; k < texts && episodes.size() < settings.count; ++k) {
            drawer.turn_start(episode);
            episode.instruction = drawer.instruction(episode, k);
            episodes.push_back(episode);
        }
    }
    return episodes;
}

std::vector<DemoEpisode> make_split(std::span<const Home> homes,
                                    const std::vector<EpisodeSettings>& per_home,
                                    unsigned threads) {
    std::vector<std::vector<DemoEpisode>> drawn(per_home.size());
    for_each_parallel(per_home.size(), threads,
                      [&](std::size_t i) { drawn[i] = draw_episodes(homes, i, per_home[i]); });
    std::vector<DemoEpisode> episodes;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> trajectories;
    for (std::size_t round = 0; round < drawn.front().size(); ++round) {
        for (std::vector<DemoEpisode>& of_home : drawn) {
            if (round >= of_home.size()) continue;
            DemoEpisode& episode = of_home[round];
            const std::pair key(episode.home, episode.trajectory);
            episode.trajectory = trajectories.emplace(key, trajectories.size()).first->second;
            episodes.push_back(std::move(episode));
        }
    }
    for_each_parallel(episodes.size(), threads,
                      [&](std::size_t i) { walk_and_rate(homes[episodes[i].home], episodes[i]); });
    return episodes;
}

std::int64_t unavoidable_collisions(const Home& home, const DemoEpisode& episode) {
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (const std::size_t late : {0u, 6u, 12u, 18u, 24u}) {
        std::vector<Action> actions(late, Action::kLookUp);
        actions.insert(actions.end(), episode.reference_actions.begin(),
                       episode.reference_actions.end());
        const Trace trace = replay_with_people(home, episode.task.start, actions);
        fewest = std::min(fewest, count_encounters(trace));
        if (fewest == 0) break;
    }
    return fewest;
}

void walk_and_rate(const Home& home, DemoEpisode& episode) {
    episode.reference_actions = walk_reference(home, episode.task);
    episode.baseline = unavoidable_collisions(home, episode);
    Trace trace = replay_empty(home, episode.task.start, episode.reference_actions);
    locate_people(trace, home.people);
    episode.human_influenced = false;
    for (std::size_t k = 0; k < trace.steps(); ++k) {
        if (trace.nearest_person[k] < 0) continue;
        if (trace.nearest_person_distance_m[k] <= kInfluence_m) episode.human_influenced = true;
    }
}

}  // namespace havln::demo
