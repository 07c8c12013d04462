#include "nav/frame_pack.h"

#include <fmt/format.h>

#include <unordered_map>

#include "havln/error.h"
#include "io/sha256.h"

namespace havln::nav {

namespace {

constexpr std::string_view kMagic = "HVNP";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kDigestDigits = 64;
constexpr std::size_t kHeadBytes = kMagic.size() + 4 + kDigestDigits;

template <typename Unsigned>
void put(std::string& out, Unsigned value) {
    for (std::size_t i = 0; i < sizeof value; ++i) out += static_cast<char>(value >> (8 * i));
}

class PackReader {
  public:
    PackReader(std::string_view bytes, const std::filesystem::path& origin)
        : bytes_(bytes), origin_(origin) {}

    std::string_view take(std::uint64_t size, const char* what) {
        if (size > bytes_.size() - at_) {
            throw fault(fmt::format("ends within {}: {} bytes wanted, {} left", what, size,
                                    bytes_.size() - at_));
        }
        const std::string_view piece = bytes_.substr(at_, static_cast<std::size_t>(size));
        at_ += piece.size();
        return piece;
    }

    template <typename Unsigned>
    Unsigned number(const char* what) {
        Unsigned value = 0;
        const std::string_view piece = take(sizeof value, what);
        for (std::size_t i = 0; i < piece.size(); ++i) {
            value |= static_cast<Unsigned>(static_cast<unsigned char>(piece[i])) << (8 * i);
        }
        return value;
    }

    std::string_view rest() const { return bytes_.substr(at_); }

    Error fault(const std::string& detail) const {
        return ground_truth_error(origin_, "navmesh pack " + detail +
                                               "; make it again with havln-navmesh pack, or "
                                               "delete it to use the frames' own files");
    }

  private:
    std::string_view bytes_;
    const std::filesystem::path& origin_;
    std::size_t at_ = 0;
};

}  // namespace

FramePack read_frame_pack(std::string_view bytes, const std::filesystem::path& origin) {
    PackReader reader(bytes, origin);
    if (bytes.substr(0, kMagic.size()) != kMagic) throw reader.fault("does not begin with HVNP");
    reader.take(kMagic.size(), "its head");
    const auto version = reader.number<std::uint32_t>("its head");
    if (version != kVersion) throw reader.fault(fmt::format("has version {}, not 1", version));
    const std::string_view digest = reader.take(kDigestDigits, "its digest");
    if (sha256_hex(reader.rest()) != digest) throw reader.fault("does not have its own digest");
    const auto frames = reader.number<std::uint32_t>("its frame count");
    const auto meshes = reader.number<std::uint32_t>("its mesh count");
    if (frames != kFrameCount || meshes == 0 || meshes > kFrameCount) {
        throw reader.fault(fmt::format("has {} frames and {} meshes; expected {} and 1 to {}",
                                       frames, meshes, kFrameCount, kFrameCount));
    }
    FramePack pack;
    for (std::uint32_t& mesh : pack.mesh_of_frame) {
        mesh = reader.number<std::uint32_t>("its frames");
        if (mesh >= meshes) throw reader.fault(fmt::format("names mesh {} of {}", mesh, meshes));
    }
    std::vector<std::uint64_t> sizes;
    for (std::uint32_t i = 0; i < meshes; ++i) {
        sizes.push_back(reader.number<std::uint64_t>("its sizes"));
    }
    for (const std::uint64_t size : sizes) pack.meshes.push_back(reader.take(size, "a mesh"));
    if (!reader.rest().empty()) throw reader.fault("goes on after its last mesh");
    return pack;
}

std::string write_frame_pack(const std::vector<std::string>& frames) {
    HAVLN_CHECK(frames.size() == kFrameCount);
    std::unordered_map<std::string_view, std::uint32_t> index;
    std::vector<std::string_view> meshes;
    std::string mesh_of_frame;
    for (const std::string& frame : frames) {
        const auto [at, is_new] = index.emplace(frame, static_cast<std::uint32_t>(meshes.size()));
        if (is_new) meshes.push_back(frame);
        put(mesh_of_frame, at->second);
    }
    std::string body;
    put(body, static_cast<std::uint32_t>(kFrameCount));
    put(body, static_cast<std::uint32_t>(meshes.size()));
    body += mesh_of_frame;
    for (const std::string_view mesh : meshes) put(body, static_cast<std::uint64_t>(mesh.size()));
    for (const std::string_view mesh : meshes) body += mesh;
    std::string pack(kMagic);
    pack.reserve(kHeadBytes + body.size());
    put(pack, kVersion);
    pack += sha256_hex(body);
    pack += body;
    return pack;
}

}  // namespace havln::nav
