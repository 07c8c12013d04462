#include "cli/submissions.h"

namespace havln::cli {

std::vector<Paths> group_submissions(const Paths& inputs) {
    std::vector<Paths> groups;
    Paths loose;
    for (const auto& input : inputs) {
        if (input.extension() == ".json" && !std::filesystem::is_directory(input)) {
            loose.push_back(input);
        } else {
            groups.push_back({input});
        }
    }
    if (!loose.empty()) groups.push_back(loose);
    return groups;
}

}  // namespace havln::cli
