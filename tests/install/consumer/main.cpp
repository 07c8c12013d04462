#include <cstdio>

#include "every_header.h"

namespace {

/// The exit code of the error that the call ends in; 0 where it ends in none.
template <typename Call>
int error_of(Call call) {
    try {
        call();
        return 0;
    } catch (const havln::Error& error) {
        return static_cast<int>(error.code());
    }
}

}  // namespace

int main() {
    std::printf("havln %s: ", havln::version());
    const char* separator = "";
    const havln::Manifest manifest = havln::builtin_manifest();
    for (const havln::SplitManifest& split : manifest.splits) {
        std::printf("%s%s %zu", separator, split.name.c_str(), split.episode_ids.size());
        separator = ", ";
    }
    std::printf("; SPL %.1f\n", havln::spl(true, 4, 8));
    // These link the archive reader and the path finder.
    const int reading = error_of([&] { havln::read_submission({"absent.zip"}, manifest, {}); });
    const int loading = error_of([] { havln::load_scene_navmeshes("absent", "scan", {true}, false); });
    return reading == 2 && loading == 3 ? 0 : 1;
}
