// FastDTW (Salvador and Chan 2007) with the choices of the Python package fastdtw 0.3.4, module
// fastdtw.fastdtw: its window, its order among equal costs and its treatment of odd lengths. (The
// package's compiled twin, _fastdtw, widens one window row and breaks ties otherwise.)
#include <algorithm>
#include <cstdint>
#include <vector>

#include "havln/error.h"
#include "havln/metrics.h"

namespace havln {

namespace {

using Points = std::vector<Vec3d>;

struct Cell {
    std::size_t i = 0, j = 0;
};

/// Columns of one row that the alignment may pass: first to last, both included.
struct RowWindow {
    std::size_t first = 0, last = 0;
};

struct Alignment {
    double distance = 0;
    std::vector<Cell> cells;  ///< From (0, 0) to the last pair.
};

enum class From : std::uint8_t { kUp, kLeft, kCorner };

/// Cheapest alignment inside the window.
Alignment align(const Points& x, const Points& y, const std::vector<RowWindow>& window) {
    std::vector<std::size_t> row_start(x.size());
    std::size_t cells = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        row_start[i] = cells;
        cells += window[i].last - window[i].first + 1;
    }
    std::vector<From> from(cells);
    std::vector<double> above, row;
    const auto cost_above = [&](std::size_t i, std::size_t j) {
        const RowWindow& w = window[i - 1];
        return j >= w.first && j <= w.last ? above[j - w.first] : kInfinity;
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
        const RowWindow& w = window[i];
        row.resize(w.last - w.first + 1);
        for (std::size_t j = w.first; j <= w.last; ++j) {
            const double local = distance_m(x[i], y[j]);
            const double up = (i > 0 ? cost_above(i, j) : kInfinity) + local;
            const double left = (j > w.first ? row[j - w.first - 1] : kInfinity) + local;
            double corner = i > 0 && j > 0 ? cost_above(i, j - 1) : kInfinity;
            if (i == 0 && j == 0) corner = 0;
            corner += local;
            // Of equal costs the package keeps the first of up, left, corner.
            double best = up;
            From way = From::kUp;
            if (left < best) best = left, way = From::kLeft;
            if (corner < best) best = corner, way = From::kCorner;
            row[j - w.first] = best;
            from[row_start[i] + j - w.first] = way;
        }
        std::swap(above, row);
    }

    Alignment result{above.back(), {}};
    for (Cell cell{x.size() - 1, y.size() - 1};;) {
        result.cells.push_back(cell);
        if (cell.i == 0 && cell.j == 0) break;
        const From way = from[row_start[cell.i] + cell.j - window[cell.i].first];
        if (way != From::kLeft) --cell.i;
        if (way != From::kUp) --cell.j;
    }
    std::reverse(result.cells.begin(), result.cells.end());
    return result;
}

/// Means of neighbouring pairs; the last point of an odd count is dropped.
Points half_resolution(const Points& points) {
    Points coarse(points.size() / 2);
    for (std::size_t k = 0; k < coarse.size(); ++k) {
        const Vec3d &a = points[2 * k], &b = points[2 * k + 1];
        coarse[k] = {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
    }
    return coarse;
}

/// The coarse alignment widened by `radius` cells in every direction, at double resolution.
/// An alignment is connected, so each row of it, widened, is one run of columns.
std::vector<RowWindow> expand(const std::vector<Cell>& coarse, std::size_t rows,
                              std::size_t columns, std::size_t radius) {
    std::vector<RowWindow> window(rows, {columns - 1, 0});
    for (const Cell& cell : coarse) {
        const std::size_t first = 2 * (cell.j - std::min(cell.j, radius));
        const std::size_t last = std::min(columns - 1, 2 * (cell.j + radius) + 1);
        const std::size_t top = 2 * (cell.i - std::min(cell.i, radius));
        const std::size_t bottom = std::min(rows - 1, 2 * (cell.i + radius) + 1);
        for (std::size_t i = top; i <= bottom; ++i) {
            window[i].first = std::min(window[i].first, first);
            window[i].last = std::max(window[i].last, last);
        }
    }
    return window;
}

Alignment fast_align(const Points& x, const Points& y, std::size_t radius) {
    const std::size_t coarsest = radius + 2;
    if (x.size() < coarsest || y.size() < coarsest) {
        return align(x, y, std::vector<RowWindow>(x.size(), {0, y.size() - 1}));
    }
    const Alignment coarse = fast_align(half_resolution(x), half_resolution(y), radius);
    return align(x, y, expand(coarse.cells, x.size(), y.size(), radius));
}

}  // namespace

double fastdtw_distance(std::span<const Vec3d> path, std::span<const Vec3d> reference, int radius) {
    HAVLN_CHECK(!path.empty() && !reference.empty() && radius >= 1);
    return fast_align(Points(path.begin(), path.end()), Points(reference.begin(), reference.end()),
                      static_cast<std::size_t>(radius))
        .distance;
}

}  // namespace havln
