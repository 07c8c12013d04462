#include "havln/clock.h"

#include <cmath>

#include "havln/error.h"
#include "havln/replay.h"
#include "havln/scene.h"
#include "io/json_writer.h"

namespace havln {

namespace {

class ConstantClock : public Clock {
  public:
    explicit ConstantClock(double frames_per_action) : frames_per_action_(frames_per_action) {}

    std::string name() const override { return "fpa=" + number_text(frames_per_action_); }

    void frames(std::string_view, std::string_view, std::size_t actions,
                std::vector<std::uint16_t>& out) const override {
        out.resize(actions);
        for (std::size_t k = 0; k < actions; ++k) out[k] = clock_frame(k, frames_per_action_);
    }

  private:
    double frames_per_action_;
};

}  // namespace

std::unique_ptr<Clock> make_constant_clock(double frames_per_action) {
    HAVLN_CHECK(std::isfinite(frames_per_action) && frames_per_action >= 0);
    return std::make_unique<ConstantClock>(frames_per_action);
}

}  // namespace havln
