#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace havln {

/// Says which animation frame of the people is in force before each action. The official replay
/// follows the wall clock and so differs from run to run; here the clock is named and fixed.
class Clock {
  public:
    virtual ~Clock() = default;

    /// Names the clock and all of its parameters, for signatures, e.g. "frames-per-action=1".
    virtual std::string name() const = 0;

    /// The same clock with its seed raised by `by`, for clocks drawn at random; null for others.
    virtual std::unique_ptr<Clock> reseeded(std::uint64_t /*by*/) const { return nullptr; }

    /// Frame in force at each action, {actions}, each in [0, 119], never falling.
    /// @param split, episode_id  a clock may differ by episode; never by the order of episodes.
    virtual void frames(std::string_view split, std::string_view episode_id, std::size_t actions,
                        std::vector<std::uint16_t>& out) const = 0;
};

/// frame(k) = min(floor(k * frames_per_action), 119), product in double; held at the last frame.
/// @pre frames_per_action is finite and >= 0.
std::unique_ptr<Clock> make_constant_clock(double frames_per_action);

/// Each action advances the clock by a draw from the uniform distribution on
/// [mean - spread, mean + spread] frames, so frame(k) = min(floor(sum of k draws), 119), summed in
/// double in order. Each episode has its own stream, seeded with the seed, split and episode id:
/// a seed gives the same frames everywhere and whatever the order of episodes.
/// @pre finite, 0 <= spread <= mean.
std::unique_ptr<Clock> make_jitter_clock(double mean, double spread, std::uint64_t seed);

/// Replays a logged run: {"episode_id": [frame per action]}, or the same by split,
/// {"split": {"episode_id": [...]}}. frames() throws Error (kUsage) for an episode that is absent
/// or has another number of actions.
/// @throws Error (kUsage) naming the file and place: frames are integers in [0, 119] that never
///         fall.
std::unique_ptr<Clock> load_clock_file(const std::filesystem::path& path);

/// A clock from its command-line text: "jitter:MEAN,SPREAD,SEED" or "file:PATH".
/// @throws Error (kUsage).
std::unique_ptr<Clock> parse_clock(const std::string& text);

/// The clock of that name (Clock::name); null for a logged run, whose name is only a digest.
/// @throws Error (kUsage) where no clock has that name.
std::unique_ptr<Clock> clock_of_name(const std::string& name);

}  // namespace havln
