#pragma once

#include <memory>
#include <vector>

#include "havln/navmesh.h"

namespace havln::bench {

/// One move that passes through the filter: on which mesh, from where, to where.
struct Move {
    const NavMesh* mesh = nullptr;
    Vec3f from, end;
};

/// The move filter's Detour calls and nothing around them: project start and end, move along the
/// surface, height, project the result; every call made for every move, turns included. What a
/// plain port of Habitat's filter costs at the least.
class BareDetour {
  public:
    BareDetour();
    ~BareDetour();

    /// Makes a query object per mesh, so that none is rebound between moves.
    void prepare(const std::vector<Move>& moves);

    /// Makes all calls for all moves. @return a sum over the results, to be looked at.
    double run(const std::vector<Move>& moves);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace havln::bench
