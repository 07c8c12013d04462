// The navmesh reader on arbitrary bytes: it loads or refuses them, and what loads is safe to use.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "havln/error.h"
#include "havln/navmesh.h"
#include "havln/random.h"
#include "support/exercise_navmesh.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace havln;
    std::shared_ptr<const NavMesh> mesh;
    try {
        mesh = NavMesh::from_bytes({reinterpret_cast<const char*>(data), size}, "fuzzed.navmesh");
    } catch (const Error& error) {
        if (error.code() != ExitCode::kGroundTruth || error.detail().empty()) std::abort();
        return 0;
    }
    Random random(size);
    test::exercise_navmesh(mesh, random);
    return 0;
}
