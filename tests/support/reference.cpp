#include "support/reference.h"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <stdexcept>

#include "io/file.h"
#include "support/support.h"

namespace havln::test {

namespace {

std::string text_of(const JsonTree& id) {
    return id.is_string() ? id.string() : std::to_string(id.integer());
}

const JsonTree& at(const JsonTree& object, std::string_view key) {
    const JsonTree* member = object.find(key);
    if (member == nullptr) throw std::runtime_error("reference lacks " + std::string(key));
    return *member;
}

AgentPose start_of(const JsonTree& episode) {
    const JsonTree::Array& q = at(episode, "start_rotation").array();
    return {to_point(at(episode, "start_position")),
            {to_float32(q[0]), to_float32(q[1]), to_float32(q[2]), to_float32(q[3])}};
}

std::string scan_of(const JsonTree& episode) {
    return std::filesystem::path(at(episode, "scene_id").string()).stem().string();
}

}  // namespace

JsonTree read_shared_json(std::string_view relative) {
    return JsonTree::parse(read_maybe_gzip(shared(relative)), shared(relative));
}

float to_float32(const JsonTree& number) {
    return static_cast<float>(number.number());
}

Vec3f to_point(const JsonTree& array) {
    const JsonTree::Array& v = array.array();
    return {to_float32(v.at(0)), to_float32(v.at(1)), to_float32(v.at(2))};
}

bool same_bits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

bool same_bits(const Vec3f& a, const Vec3f& b) {
    return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}

std::string show(const Vec3f& v) {
    return fmt::format("[{:.9g}, {:.9g}, {:.9g}]", v.x, v.y, v.z);
}

std::vector<ReferenceTrace> read_reference_traces(std::string_view relative) {
    const std::string text = read_maybe_gzip(shared(relative));
    std::vector<ReferenceTrace> traces;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const JsonTree line =
            JsonTree::parse(std::string_view(text).substr(begin, end - begin), shared(relative));
        ReferenceTrace& trace = traces.emplace_back();
        trace.episode_id = text_of(at(line, "episode_id"));
        for (const JsonTree& p : at(line, "positions").array()) {
            trace.positions.push_back(to_point(p));
        }
        for (const JsonTree& flag : at(line, "collided").array()) {
            trace.collided.push_back(flag.integer() != 0 ? 1 : 0);
        }
        begin = end + 1;
    }
    return traces;
}

std::vector<ReplayCase> read_replay_cases(std::string_view episodes_file,
                                          std::string_view submission_file) {
    const JsonTree episodes = read_shared_json(episodes_file);
    std::map<std::string, const JsonTree*> by_id;
    for (const JsonTree& episode : at(episodes, "episodes").array()) {
        by_id[text_of(at(episode, "episode_id"))] = &episode;
    }
    std::vector<ReplayCase> cases;
    const JsonTree submission = read_shared_json(submission_file);
    for (const JsonTree& prediction : at(submission, "episodes").array()) {
        const std::string id = text_of(at(prediction, "episode_id"));
        const JsonTree& episode = *by_id.at(id);
        ReplayCase& replay =
            cases.emplace_back(ReplayCase{id, scan_of(episode), start_of(episode), {}});
        for (const JsonTree& name : at(prediction, "actions").array()) {
            replay.actions.push_back(action_from_name(name.string()).value());
        }
    }
    return cases;
}

}  // namespace havln::test
