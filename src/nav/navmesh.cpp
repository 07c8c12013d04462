#include "havln/navmesh.h"

#include <DetourNavMesh.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "havln/error.h"
#include "io/file.h"
#include "nav/navmesh_impl.h"

namespace havln {

namespace nav {

float norm(const float* v) {
    return std::sqrt(v[0] * v[0] + (v[1] * v[1] + v[2] * v[2]));
}

float poly_area_m2(const dtMeshTile& tile, int index) {
    const dtPoly& poly = tile.polys[index];
    const dtPolyDetail& detail = tile.detailMeshes[index];
    float area = 0;
    for (unsigned int i = 0; i < detail.triCount; ++i) {
        const unsigned char* tri = tile.detailTris + 4 * (detail.triBase + i);
        const float* v0 = detail_corner(tile, poly, detail, tri[0]);
        const float* v1 = detail_corner(tile, poly, detail, tri[1]);
        const float* v2 = detail_corner(tile, poly, detail, tri[2]);
        const float a[3] = {v1[0] - v0[0], v1[1] - v0[1], v1[2] - v0[2]};
        const float b[3] = {v2[0] - v1[0], v2[1] - v1[1], v2[2] - v1[2]};
        const float cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                a[0] * b[1] - a[1] * b[0]};
        area = static_cast<float>(area + 0.5 * static_cast<double>(norm(cross)));
    }
    return area;
}

namespace {

/// Largest distance from the vertices' mean.
float radius_m(const std::vector<Vec3f>& verts) {
    Vec3f mean;
    for (const Vec3f& v : verts) mean = {mean.x + v.x, mean.y + v.y, mean.z + v.z};
    const auto count = static_cast<float>(verts.size());
    mean = {mean.x / count, mean.y / count, mean.z / count};
    float radius = 0;
    for (const Vec3f& v : verts) {
        const float offset[3] = {v.x - mean.x, v.y - mean.y, v.z - mean.z};
        radius = std::max(radius, norm(offset));
    }
    return radius;
}

}  // namespace

}  // namespace nav

void NavMesh::Impl::add_tiles(nav::NavMeshFile file, const std::filesystem::path& origin) {
    format_version = file.version;
    settings = file.settings;
    tile_data = std::move(file.tiles);
    if (dtStatusFailed(mesh.init(&file.params))) {
        throw ground_truth_error(origin, "Detour cannot hold a mesh with the file's parameters");
    }
    for (nav::TileData& tile : tile_data) {
        // Without DT_TILE_FREE_DATA the bytes stay ours.
        const dtStatus status = mesh.addTile(tile.bytes.get(), tile.size, 0, tile.ref, nullptr);
        const dtMeshHeader& header = tile.header();
        if (dtStatusFailed(status)) {
            throw ground_truth_error(
                origin, fmt::format("not a sound navmesh: Detour refuses tile ({}, {}, {}) with "
                                    "status {:#x}: its place is taken, by position or reference",
                                    header.x, header.y, header.layer, status));
        }
        const Bounds box = {nav::to_vec(header.bmin), nav::to_vec(header.bmax)};
        if (&tile == tile_data.data()) bounds = box;
        bounds.min = {std::min(bounds.min.x, box.min.x), std::min(bounds.min.y, box.min.y),
                      std::min(bounds.min.z, box.min.z)};
        bounds.max = {std::max(bounds.max.x, box.max.x), std::max(bounds.max.y, box.max.y),
                      std::max(bounds.max.z, box.max.z)};
    }
}

void NavMesh::Impl::disable_small_polys() {
    for_each_poly([this](const dtMeshTile& tile, int index) {
        dtPoly& poly = tile.polys[index];
        if (nav::is_off_mesh(poly)) return;
        const float area = nav::poly_area_m2(tile, index);
        if (area < nav::kLeastPolyArea_m2) {
            poly.flags = nav::kDisabled;
        } else if (nav::passes_filter(poly)) {
            navigable_area_m2 += area;
        }
    });
}

void NavMesh::Impl::label_islands() {
    std::size_t polys = 0;
    for (int i = 0; i < mesh.getMaxTiles(); ++i) {
        const dtMeshTile* tile = std::as_const(mesh).getTile(i);
        first_poly.push_back(polys);
        if (tile->header != nullptr) polys += static_cast<std::size_t>(tile->header->polyCount);
    }
    poly_island.assign(polys, -1);
    std::vector<Vec3f> verts;
    for_each_poly([&](const dtMeshTile& tile, int index) {
        const dtPolyRef seed = mesh.getPolyRefBase(&tile) | static_cast<dtPolyRef>(index);
        if (island(seed) >= 0) return;
        expand_island(seed, verts);
        island_radii_m.push_back(nav::radius_m(verts));
    });
}

void NavMesh::Impl::expand_island(dtPolyRef seed, std::vector<Vec3f>& verts) {
    const int number = static_cast<int>(island_radii_m.size());
    const auto label = [&](dtPolyRef ref) -> int& {
        unsigned int salt = 0, tile = 0, poly = 0;
        mesh.decodePolyId(ref, salt, tile, poly);
        return poly_island[first_poly[tile] + poly];
    };
    verts.clear();
    std::vector<dtPolyRef> stack = {seed};
    label(seed) = number;
    while (!stack.empty()) {
        const dtMeshTile* tile = nullptr;
        const dtPoly* poly = nullptr;
        mesh.getTileAndPolyByRefUnsafe(stack.back(), &tile, &poly);
        stack.pop_back();
        for (int i = 0; i < poly->vertCount; ++i) {
            verts.push_back(nav::to_vec(tile->verts + 3 * poly->verts[i]));
        }
        for (unsigned int i = poly->firstLink; i != DT_NULL_LINK; i = tile->links[i].next) {
            const dtPolyRef neighbour = tile->links[i].ref;
            const dtMeshTile* neighbour_tile = nullptr;
            const dtPoly* neighbour_poly = nullptr;
            mesh.getTileAndPolyByRefUnsafe(neighbour, &neighbour_tile, &neighbour_poly);
            if (label(neighbour) >= 0 || !nav::passes_filter(*neighbour_poly)) continue;
            label(neighbour) = number;
            stack.push_back(neighbour);
        }
    }
}

NavMesh::NavMesh() : impl_(std::make_unique<Impl>()) {}
NavMesh::~NavMesh() = default;

std::shared_ptr<const NavMesh> NavMesh::from_bytes(std::string_view bytes,
                                                   const std::filesystem::path& origin) {
    std::shared_ptr<NavMesh> mesh(new NavMesh());
    mesh->impl_->add_tiles(nav::parse_navmesh_file(bytes, origin), origin);
    mesh->impl_->disable_small_polys();
    mesh->impl_->label_islands();
    mesh->impl_->projection_index = nav::ProjectionIndex::build(mesh->impl_->mesh);
    return mesh;
}

std::shared_ptr<const NavMesh> NavMesh::load(const std::filesystem::path& path) {
    return from_bytes(read_ground_truth_file(path), path);
}

std::optional<NavMeshSettings> NavMesh::settings() const {
    return impl_->settings;
}

NavMeshStats NavMesh::stats() const {
    NavMeshStats stats;
    stats.format_version = impl_->format_version;
    stats.tiles = static_cast<int>(impl_->tile_data.size());
    for (const nav::TileData& tile : impl_->tile_data) {
        stats.verts += tile.header().vertCount;
        stats.off_mesh_links += tile.header().offMeshConCount;
    }
    std::vector<bool> walkable_island(impl_->island_radii_m.size());
    impl_->for_each_poly([&](const dtMeshTile& tile, int index) {
        ++stats.polys;
        if (!nav::passes_filter(tile.polys[index])) {
            ++stats.disabled_polys;
            return;
        }
        const dtPolyRef ref = impl_->mesh.getPolyRefBase(&tile) | static_cast<dtPolyRef>(index);
        walkable_island[static_cast<std::size_t>(impl_->island(ref))] = true;
    });
    stats.islands = static_cast<int>(impl_->island_radii_m.size());
    stats.islands_with_walkable_poly =
        static_cast<int>(std::count(walkable_island.begin(), walkable_island.end(), true));
    stats.navigable_area_m2 = impl_->navigable_area_m2;
    stats.bounds = impl_->bounds;
    stats.island_radii_m = impl_->island_radii_m;
    return stats;
}

std::vector<NavMesh::Polygon> NavMesh::polygons() const {
    std::vector<Polygon> polygons;
    impl_->for_each_poly([&](const dtMeshTile& tile, int index) {
        const dtPoly& poly = tile.polys[index];
        Polygon polygon;
        for (int i = 0; i < poly.vertCount; ++i) {
            polygon.vertices.push_back(nav::to_vec(tile.verts + 3 * poly.verts[i]));
        }
        polygon.island =
            impl_->island(impl_->mesh.getPolyRefBase(&tile) | static_cast<dtPolyRef>(index));
        polygon.walkable = nav::passes_filter(poly);
        polygons.push_back(std::move(polygon));
    });
    return polygons;
}

}  // namespace havln
