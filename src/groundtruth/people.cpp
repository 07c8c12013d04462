#include "groundtruth/people.h"

#include <fmt/format.h>

#include <utility>

#include "groundtruth/fields.h"
#include "io/json_reader.h"

namespace havln {

namespace {

void check_frame_count(JsonReader& reader, std::size_t count, const char* what) {
    if (count != kFrameCount) {
        throw reader.fault(
            fmt::format("expected {} {}, one for each frame, found {}", kFrameCount, what, count));
    }
}

void read_translation(JsonReader& reader, Person& person) {
    const std::size_t count = reader.array([&](std::size_t frame) {
        if (frame >= kFrameCount) {
            reader.skip();
        } else if (!reader.skip_null()) {
            person.position[frame] = read_point(reader);
        }
    });
    check_frame_count(reader, count, "positions or nulls");
}

void read_rotation_frames(JsonReader& reader, Person& person) {
    const std::size_t count = reader.array([&](std::size_t frame) {
        if (frame >= kFrameCount) {
            reader.skip();
        } else if (!reader.skip_null()) {
            person.rotation_deg[frame] = read_point(reader);
        }
    });
    check_frame_count(reader, count, "rotations");
}

Person read_person(JsonReader& reader, std::string_view viewpoint) {
    Person person;
    person.viewpoint = viewpoint;
    bool has_translation = false;
    reader.object([&](std::string_view key) {
        if (key == "category") {
            if (!reader.skip_null()) person.category = reader.string();
        } else if (key == "translation") {
            read_translation(reader, person);
            has_translation = true;
        } else if (key == "rotation") {
            read_rotation_frames(reader, person);
        } else {
            reader.skip();
        }
    });
    if (!has_translation) throw reader.fault("the person has no \"translation\"");
    return person;
}

}  // namespace

PeopleByScan read_people(std::string_view json, const std::filesystem::path& origin) {
    JsonReader reader(json, origin);
    PeopleByScan scans;
    reader.object([&](std::string_view scan) {
        auto scene = std::make_shared<ScenePeople>();
        scene->scan = scan;
        reader.object([&](std::string_view viewpoint) {
            scene->people.push_back(read_person(reader, viewpoint));
        });
        scans.emplace(scan, std::move(scene));
    });
    reader.finish();
    return scans;
}

}  // namespace havln
