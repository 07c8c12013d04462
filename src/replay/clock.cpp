#include "havln/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "havln/error.h"
#include "havln/random.h"
#include "havln/replay.h"
#include "havln/scene.h"
#include "io/escape.h"
#include "io/file.h"
#include "io/json_tree.h"
#include "io/json_writer.h"
#include "io/sha256.h"

namespace havln {

namespace {

class ConstantClock : public Clock {
  public:
    explicit ConstantClock(double frames_per_action) : frames_per_action_(frames_per_action) {}

    std::string name() const override {
        return "frames-per-action=" + number_text(frames_per_action_);
    }

    void frames(std::string_view, std::string_view, std::size_t actions,
                std::vector<std::uint16_t>& out) const override {
        out.resize(actions);
        for (std::size_t k = 0; k < actions; ++k) out[k] = clock_frame(k, frames_per_action_);
    }

  private:
    double frames_per_action_;
};

class JitterClock : public Clock {
  public:
    JitterClock(double mean, double spread, std::uint64_t seed)
        : mean_(mean), spread_(spread), seed_(seed) {}

    std::unique_ptr<Clock> reseeded(std::uint64_t by) const override {
        return std::make_unique<JitterClock>(mean_, spread_, seed_ + by);
    }

    std::string name() const override {
        return fmt::format("jitter=uniform({},{},{})", number_text(mean_), number_text(spread_),
                           seed_);
    }

    void frames(std::string_view split, std::string_view episode_id, std::size_t actions,
                std::vector<std::uint16_t>& out) const override {
        Random random(mix_seed(mix_seed(seed_, split), episode_id));
        out.resize(actions);
        double elapsed = 0;
        for (std::uint16_t& frame : out) {
            frame = static_cast<std::uint16_t>(std::min<double>(std::floor(elapsed), kLastFrame));
            elapsed += mean_ + spread_ * (2 * random.uniform() - 1);
        }
    }

  private:
    double mean_, spread_;
    std::uint64_t seed_;
};

using FramesById = std::unordered_map<std::string, std::vector<std::uint16_t>>;

class LoggedClock : public Clock {
  public:
    LoggedClock(std::filesystem::path path, std::string digest)
        : path_(std::move(path)), digest_(std::move(digest)) {}

    std::string name() const override { return "file=" + digest_.substr(0, 12); }

    void frames(std::string_view split, std::string_view episode_id, std::size_t actions,
                std::vector<std::uint16_t>& out) const override {
        const auto of_split = by_split_.find(std::string(split));
        const FramesById& frames = of_split != by_split_.end() ? of_split->second : any_split_;
        const auto at = frames.find(std::string(episode_id));
        if (at == frames.end()) {
            throw usage_error(
                path_, fmt::format("has no frames for episode {} of split {}", episode_id, split));
        }
        if (at->second.size() != actions) {
            throw usage_error(path_, fmt::format("episode {} of split {} has {} frames, but the "
                                                 "submission has {} actions",
                                                 episode_id, split, at->second.size(), actions));
        }
        out = at->second;
    }

    void read(const JsonTree& tree) {
        if (!tree.is_object()) fail("", "expected an object of episodes");
        for (const auto& [key, value] : tree.object()) {
            if (value.is_object()) {
                for (const auto& [id, frames] : value.object()) {
                    by_split_[key][id] = frames_of(frames, "/" + key + "/" + id);
                }
            } else {
                any_split_[key] = frames_of(value, "/" + key);
            }
        }
    }

  private:
    [[noreturn]] void fail(const std::string& pointer, const std::string& what) const {
        throw usage_error(path_, (pointer.empty() ? "" : "at " + pointer + ": ") + what);
    }

    std::vector<std::uint16_t> frames_of(const JsonTree& value, const std::string& pointer) const {
        if (!value.is_array())
            fail(pointer, fmt::format("expected frames, found {}", value.kind()));
        std::vector<std::uint16_t> frames;
        frames.reserve(value.array().size());
        for (const JsonTree& item : value.array()) {
            const bool in_range =
                item.is_integer() && item.number() >= 0 && item.number() <= kLastFrame;
            if (!in_range) {
                fail(fmt::format("{}/{}", pointer, frames.size()),
                     fmt::format("expected an integer from 0 to {}", kLastFrame));
            }
            const auto frame = static_cast<std::uint16_t>(item.integer());
            if (!frames.empty() && frame < frames.back()) {
                fail(
                    fmt::format("{}/{}", pointer, frames.size()),
                    fmt::format("frame {} follows {}: time never runs back", frame, frames.back()));
            }
            frames.push_back(frame);
        }
        return frames;
    }

    std::filesystem::path path_;
    std::string digest_;
    std::unordered_map<std::string, FramesById> by_split_;
    FramesById any_split_;
};

template <typename Number>
std::optional<Number> to_number(std::string_view text) {
    Number number = {};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Of "MEAN,SPREAD,SEED"; null where it is no such text.
std::unique_ptr<Clock> jitter_of(std::string_view text) {
    const std::size_t first = text.find(',');
    const std::size_t second = first == text.npos ? text.npos : text.find(',', first + 1);
    if (second != text.npos) {
        const auto mean = to_number<double>(text.substr(0, first));
        const auto spread = to_number<double>(text.substr(first + 1, second - first - 1));
        const auto seed = to_number<std::uint64_t>(text.substr(second + 1));
        const bool valid =
            mean && spread && seed && std::isfinite(*mean) && *spread >= 0 && *spread <= *mean;
        if (valid) return make_jitter_clock(*mean, *spread, *seed);
    }
    return nullptr;
}

std::unique_ptr<Clock> parse_jitter(std::string_view text) {
    if (auto clock = jitter_of(text)) return clock;
    throw usage_error({}, fmt::format("--clock jitter:{}: expected jitter:MEAN,SPREAD,SEED with "
                                      "0 <= SPREAD <= MEAN (frames per action) and an integer seed",
                                      text));
}

}  // namespace

std::unique_ptr<Clock> make_constant_clock(double frames_per_action) {
    HAVLN_CHECK(std::isfinite(frames_per_action) && frames_per_action >= 0);
    return std::make_unique<ConstantClock>(frames_per_action);
}

std::unique_ptr<Clock> make_jitter_clock(double mean, double spread, std::uint64_t seed) {
    HAVLN_CHECK(std::isfinite(mean) && spread >= 0 && spread <= mean);
    return std::make_unique<JitterClock>(mean, spread, seed);
}

std::unique_ptr<Clock> load_clock_file(const std::filesystem::path& path) {
    // Frames of all 10,819 episodes of train at 500 actions take up to 26 MiB.
    constexpr std::uint64_t kMaxBytes = 32ull << 20;
    const std::string text = read_whole_file(path, kMaxBytes);
    auto clock = std::make_unique<LoggedClock>(path, sha256_hex(text));
    clock->read(JsonTree::parse(text, path, static_cast<int>(ExitCode::kUsage)));
    return clock;
}

std::unique_ptr<Clock> parse_clock(const std::string& text) {
    constexpr std::string_view kJitter = "jitter:", kFile = "file:";
    if (text.starts_with(kJitter))
        return parse_jitter(std::string_view(text).substr(kJitter.size()));
    if (text.starts_with(kFile)) return load_clock_file(text.substr(kFile.size()));
    throw usage_error(
        {}, fmt::format("--clock {}: expected jitter:MEAN,SPREAD,SEED or file:PATH", text));
}

std::unique_ptr<Clock> clock_of_name(const std::string& name) {
    constexpr std::string_view kRate = "frames-per-action=", kJitter = "jitter=uniform(",
                               kFile = "file=";
    const std::string_view text = name;
    if (text.starts_with(kFile)) return nullptr;
    std::unique_ptr<Clock> clock;
    if (text.starts_with(kRate)) {
        const auto rate = to_number<double>(text.substr(kRate.size()));
        if (rate && std::isfinite(*rate) && *rate >= 0) clock = make_constant_clock(*rate);
    } else if (text.starts_with(kJitter) && text.ends_with(')')) {
        clock = jitter_of(text.substr(kJitter.size(), text.size() - kJitter.size() - 1));
    }
    if (!clock || clock->name() != name) {
        throw usage_error({}, fmt::format("no clock has the name {}", quote(name)));
    }
    return clock;
}

}  // namespace havln
