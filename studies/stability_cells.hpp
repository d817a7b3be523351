// The cells of Figures C.3 to C.6: what they publish of every explicit method, and our map of each.
//
// A figure is a way to cut and to advance; its rows are methods. Column d = 0 says with a sign whether the
// method can simulate an undamped system, column d > 0 with one to five pluses how large its stable region
// is. Methods based on accelerations have both columns twice: with their update and without.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cosimo/stability.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

class Lab;

struct StabilityFigure {
  const char *id, *name;
  const char* couple;  ///< decomposition and sequence, as entries of the section
};
inline constexpr std::array stability_figures{
    StabilityFigure{"C.3", "Force/force, Jacobi", "decomposition: force-force"},
    StabilityFigure{"C.4", "Force/force, Gauss-Seidel", "decomposition: force-force, sequence: gauss-seidel"},
    StabilityFigure{"C.5", "Force/displacement, Jacobi", "decomposition: force-displacement"},
    StabilityFigure{"C.6", "Force/displacement, Gauss-Seidel",
                    "decomposition: force-displacement, sequence: gauss-seidel"}};

struct StabilityMethod {
  std::string name;       ///< "accRel kappa_a = 0, kappa_lambda = 1, omega = 1/2, no update"
  std::string predictor;  ///< of the section `couple`
  int order = 0;          ///< kappa_lambda
  bool accelerations = true, updated = true;
};
/// Rows of a figure: classic of degree 0 to 2; then acc and accRel, all with update, then all without.
const std::vector<StabilityMethod>& stability_methods();
inline constexpr std::size_t classic_methods = 3, acceleration_methods = 10;

struct StabilityCell {
  std::size_t figure = 0, method = 0;
  char published_sign = ' ', sign = ' ';  ///< '+': an undamped system can be simulated
  int published_pluses = 0;
  double area = 0;                    ///< of the stable region around the origin
  StabilityLimit undamped, critical;  ///< along the edges of the map
  std::vector<double> limit{};        ///< largest stable |H lambda| per damping ratio of limit_ratios()
};

struct MapExtent {
  std::size_t figures = 4;  ///< of the four, from the first
  std::size_t points = 91;  ///< per axis
  static constexpr double reach = 3;
};

/// Damping ratios that a cell's limits belong to, from 0 to 1.
const std::vector<double>& limit_ratios();
std::vector<StabilityCell> measure_stability(Lab& lab, const MapExtent& extent);

}  // namespace cosimo::studies
