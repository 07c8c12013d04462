#pragma once

#include <cstdint>
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

    /// Names the clock and all of its parameters, for signatures, e.g. "fpa=1".
    virtual std::string name() const = 0;

    /// Frame in force at each action, {actions}, each in [0, 119], never falling.
    /// @param split, episode_id  a clock may differ by episode; never by the order of episodes.
    virtual void frames(std::string_view split, std::string_view episode_id, std::size_t actions,
                        std::vector<std::uint16_t>& out) const = 0;
};

/// frame(k) = min(floor(k * frames_per_action), 119), product in double; held at the last frame.
/// @pre frames_per_action is finite and >= 0.
std::unique_ptr<Clock> make_constant_clock(double frames_per_action);

}  // namespace havln
