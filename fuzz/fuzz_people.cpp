// human_motion.json's reader on arbitrary bytes: it reads or refuses them, with the file's name.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "groundtruth/people.h"
#include "havln/error.h"
#include "havln/replay.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace havln;
    try {
        const PeopleByScan people =
            read_people({reinterpret_cast<const char*>(data), size}, "human_motion.json");
        Trace trace;
        trace.positions.resize(kFrameCount + 1);
        trace.collided.assign(kFrameCount, 1);
        for (std::uint16_t frame = 0; frame < kFrameCount; ++frame) trace.frames.push_back(frame);
        for (const auto& [scan, scene] : people) {
            locate_people(trace, *scene);
            if (contact_steps(trace).size() != trace.steps()) std::abort();
        }
    } catch (const Error& error) {
        if (error.code() != ExitCode::kGroundTruth || error.detail().empty()) std::abort();
    }
    return 0;
}
