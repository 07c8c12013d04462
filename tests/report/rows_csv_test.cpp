#include "report/rows_csv.h"

#include "support/catch.h"
#include "support/data_root.h"

using namespace havln;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find("\r\n", at);
        lines.push_back(text.substr(at, end - at));
        at = end + 2;
    }
    return lines;
}

}  // namespace

TEST_CASE("episode_rows_csv: header, quoting, and empty cells for what an episode lacks",
          "[report][csv]") {
    Split split;
    split.name = "toy";
    split.episodes = {test::make_episode("1"), test::make_episode("a,\"b\"")};
    split.episodes[0].trajectory_id = FileId{"7", true};
    split.episodes[1].trajectory_id.reset();
    split.episodes[0].scene_id = split.episodes[1].scene_id = "s";
    std::vector<EpisodeMetrics> rows(2);
    rows[0].path_length = 0.1;
    rows[0].ndtw = 0.25;
    rows[1].episode_index = 1;
    RunSettings settings;
    settings.reading = CollisionReading::kReleased;
    const SplitRows part{&split, rows};
    const auto lines = lines_of(episode_rows_csv(std::span(&part, 1), settings));
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].rfind("split,episode_id,trajectory_id,scene_id,", 0) == 0);
    CHECK(lines[1].rfind("toy,1,7,s,", 0) == 0);
    CHECK(lines[2].rfind("toy,\"a,\"\"b\"\"\",,s,", 0) == 0);
    CHECK(lines[1].find(",0.1,") != std::string::npos);
    // nDTW's column: 0.25 in the first row, nothing in the second.
    const auto column_of = [&](const std::string& line, const std::string& name) {
        std::size_t column = 0, at = 0;
        for (std::size_t i = 0; i < lines[0].find(name); ++i) column += lines[0][i] == ',' ? 1 : 0;
        for (; column > 0; --column) at = line.find(',', at) + 1;
        return line.substr(at, line.find(',', at) - at);
    };
    CHECK(column_of(lines[1], "ndtw") == "0.25");
    const std::string without_quotes = "toy,x,,s" + lines[2].substr(lines[2].find(",,s") + 3);
    CHECK(column_of(without_quotes, "ndtw").empty());
}

TEST_CASE("episode_rows_csv: no rows give a header only", "[report][csv]") {
    CHECK(episode_rows_csv({}, RunSettings()) == "split,episode_id,trajectory_id,scene_id\r\n");
}
