#include "nav/no_sliding.h"

#include <DetourCommon.h>

#include <limits>

#include "nav/navmesh_impl.h"

namespace havln::nav {

namespace {

constexpr int kMaxNodes = 64;
constexpr int kMaxQueue = 48;
constexpr int kMaxNeighbours = 8;  // on one edge

/// Polygons looked at so far, like Detour's small node pool: one stays known even where the search
/// did not enter it.
class NodePool {
  public:
    struct Node {
        dtPolyRef ref = 0;
        bool entered = false;
    };

    /// The polygon's node, a new one if need be; null when all are taken.
    Node* get(dtPolyRef ref) {
        for (int i = 0; i < count_; ++i) {
            if (nodes_[i].ref == ref) return &nodes_[i];
        }
        if (count_ == kMaxNodes) return nullptr;
        nodes_[count_] = {ref, false};
        return &nodes_[count_++];
    }

  private:
    Node nodes_[kMaxNodes];
    int count_ = 0;
};

/// First in, first out. Entries are never taken twice, so kMaxNodes places do.
class Queue {
  public:
    bool empty() const { return first_ == end_; }
    bool full() const { return end_ - first_ == kMaxQueue; }
    void push(dtPolyRef ref) { refs_[end_++] = ref; }
    dtPolyRef pop() { return refs_[first_++]; }

  private:
    dtPolyRef refs_[kMaxNodes];
    int first_ = 0, end_ = 0;
};

struct Neighbours {
    dtPolyRef refs[kMaxNeighbours];
    int count = 0;
};

/// Polygons that pass the filter beyond an edge.
Neighbours neighbours_of(const dtNavMesh& mesh, const dtMeshTile& tile, const dtPoly& poly,
                         int edge) {
    Neighbours found;
    const unsigned short neighbour = poly.neis[edge];
    if ((neighbour & DT_EXT_LINK) != 0) {
        for (unsigned int i = poly.firstLink; i != DT_NULL_LINK; i = tile.links[i].next) {
            const dtLink& link = tile.links[i];
            if (link.edge != edge || link.ref == 0) continue;
            const dtMeshTile* other_tile = nullptr;
            const dtPoly* other = nullptr;
            mesh.getTileAndPolyByRefUnsafe(link.ref, &other_tile, &other);
            if (passes_filter(*other) && found.count < kMaxNeighbours) {
                found.refs[found.count++] = link.ref;
            }
        }
    } else if (neighbour != 0 && passes_filter(tile.polys[neighbour - 1])) {
        found.refs[found.count++] =
            mesh.getPolyRefBase(&tile) | static_cast<dtPolyRef>(neighbour - 1);
    }
    return found;
}

/// One search; see move_without_sliding.
class Search {
  public:
    Search(const dtNavMesh& mesh, const float* start, const float* end)
        : mesh_(mesh), start_(start), end_(end) {}

    StraightMove run(dtPolyRef start_ref) {
        pool_.get(start_ref)->entered = true;
        queue_.push(start_ref);
        // A crossed wall does not end the search: a later one may lie nearer to the end.
        while (!queue_.empty()) {
            if (take(queue_.pop())) break;
        }
        return best_;
    }

  private:
    /// True where the end lies in the polygon.
    bool take(dtPolyRef ref) {
        const dtMeshTile* tile = nullptr;
        const dtPoly* poly = nullptr;
        mesh_.getTileAndPolyByRefUnsafe(ref, &tile, &poly);
        const int count = poly->vertCount;
        float verts[3 * DT_VERTS_PER_POLYGON];
        for (int i = 0; i < count; ++i) {
            dtVcopy(verts + 3 * i, tile->verts + 3 * poly->verts[i]);
        }
        if (dtPointInPolygon(end_, verts, count)) {
            best_.last = ref;
            dtVcopy(best_.point, end_);
            return true;
        }
        for (int i = 0, j = count - 1; i < count; j = i++) {
            const Neighbours beyond = neighbours_of(mesh_, *tile, *poly, j);
            float along_edge = 0;
            const bool crossed = crosses(verts + 3 * j, verts + 3 * i, along_edge);
            if (beyond.count > 0) {
                enter(beyond, crossed);
            } else if (crossed) {
                hit_wall(ref, verts + 3 * j, verts + 3 * i, along_edge);
            }
        }
        return false;
    }

    bool crosses(const float* from, const float* to, float& along_edge) const {
        float along_step = 0;
        return dtIntersectSegSeg2D(start_, end_, from, to, along_step, along_edge) &&
               along_step >= 0 && along_step <= 1 && along_edge >= 0 && along_edge <= 1;
    }

    /// A neighbour takes a node also where the step does not cross to it.
    void enter(const Neighbours& beyond, bool crossed) {
        for (int i = 0; i < beyond.count; ++i) {
            NodePool::Node* node = pool_.get(beyond.refs[i]);
            if (node == nullptr || node->entered || !crossed || queue_.full()) continue;
            node->entered = true;
            queue_.push(node->ref);
        }
    }

    void hit_wall(dtPolyRef ref, const float* from, const float* to, float along_edge) {
        float point[3];
        dtVlerp(point, from, to, along_edge);
        const float distance = dtVdist2DSqr(point, end_);
        if (distance < best_distance_) {
            best_distance_ = distance;
            best_.last = ref;
            dtVcopy(best_.point, point);
        }
    }

    const dtNavMesh& mesh_;
    const float* start_;
    const float* end_;
    NodePool pool_;
    Queue queue_;
    StraightMove best_;
    float best_distance_ = std::numeric_limits<float>::max();
};

}  // namespace

StraightMove move_without_sliding(const dtNavMesh& mesh, dtPolyRef start_ref, const float* start,
                                  const float* end) {
    return Search(mesh, start, end).run(start_ref);
}

}  // namespace havln::nav
