#pragma once

#include <string>
#include <vector>

#include "support/command.h"
#include "support/data_root.h"
#include "support/support.h"
#include "support/toy_navmesh.h"

namespace havln::test {

/// An empty floor of 9 x 12 m: the agent starts at the origin, 10 m from the wall it faces, where a
/// person stands. The goal is 5 m ahead.
class PlotRoot : public DataRoot {
  public:
    PlotRoot() {
        ToyFloor floor;
        floor.rows.assign(12, ".........");
        floor.origin = {-4.5f, 0, -10};
        write_toy_scene(path(), "scan", {floor}, &floor);
        write_split("toy");
        Person person;
        person.viewpoint = "vp";
        person.category = "standing";
        for (auto& position : person.position) position = Vec3d{0, 0, -9.5};
        write_people({ScenePeople{"scan", {person}}});
        test::write_file(*this / "walk.json", prediction(42));
    }

    void write_split(const std::string& name) {
        write_episodes(name, {make_episode("1")});
        write_baselines(name, {{"1", 0}});
    }

    static std::string prediction(int steps) {
        std::string actions;
        for (int i = 0; i < steps; ++i) actions += "\"MOVE_FORWARD\",";
        return R"({"format_version": 1, "split": "toy", "episodes": [{"episode_id": "1", )"
               R"("actions": [)" +
               actions + "\"STOP\"]}]}";
    }

    CommandResult plot(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--data", path().string()});
        return run(binary("havln-plot"), arguments);
    }
    std::string walk() const { return (*this / "walk.json").string(); }
};

}  // namespace havln::test
