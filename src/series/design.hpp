// Where to try: the points of a series of runs.
//
//   const auto points = unit_points(DesignKind::sobol, ranges.size(), 64, 0);   64 rows in [0, 1)^d
//   double k = from_unit(ranges[j], points[i][j]);
//   std::vector<double> axis = values({.from = 1e6, .to = 4e6, .points = 5, .log = true});   of a grid
//
// Sobol' points: Sobol', "On the distribution of points in a cube and the approximate evaluation of
// integrals", USSR Comput. Math. Math. Phys. 7(4), 1967; in Gray code order (Antonov, Saleev 1979), from the
// numbers of Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM J.
// Sci. Comput. 30, 2008 (their set new-joe-kuo-6). They are those of scipy.stats.qmc.Sobol(d,
// scramble=False). Latin hypercube: McKay, Beckman, Conover, Technometrics 21(2), 1979.
//
// Point i of a random or Sobol' design does not depend on n: a longer series only adds points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cosimo::series {

enum class DesignKind { grid, list, latin_hypercube, sobol, random };

/// Dimensions that Sobol' points may have: all primitive polynomials of degree 10 and less.
inline constexpr std::size_t sobol_dimensions = 161;

/// n points with so many coordinates in [0, 1). Of a Latin hypercube, each of the n equal slices of every
/// coordinate holds one point. The seed moves nothing in Sobol' points. Throws Error for more Sobol'
/// dimensions than there are. A grid and a list have no such points: asking for them is a bug.
std::vector<std::vector<double>> unit_points(DesignKind kind, std::size_t dimensions, std::size_t n,
                                             std::uint64_t seed);

/// Values from one end to the other, equally far apart, or with equal ratios.
struct Range {
  double from = 0, to = 0;
  std::size_t points = 2;  ///< of values()
  bool log = false;
};

/// Throws Error, without a place in a file, for ends that are not finite or equal, and for a logarithmic
/// scale that begins at zero or changes sign.
void check(const Range& range);

/// The value at this fraction of the way.
double from_unit(const Range& range, double unit);

/// `points` of them with both ends, which are exact; a single one is the beginning.
std::vector<double> values(const Range& range);

}  // namespace cosimo::series
