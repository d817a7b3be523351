// A hydraulic cylinder between two points, with its valve.
//
// x = |r_to - r_from| - retracted is how far the rod is out, 0 <= x <= stroke. The oil of the bore, at the
// pressure p_1, pushes the points apart, that around the rod, at p_2, pulls them together:
//
//   force apart = A_1 p_1 - A_2 p_2 - d x'
//   V_1 p_1'/B = Q_1 - A_1 x' - G (p_1 - p_2),    V_1 = D_1 + A_1 x
//   V_2 p_2'/B = Q_2 + A_2 x' + G (p_1 - p_2),    V_2 = D_2 + A_2 (stroke - x)
//
// B bulk modulus, D dead volumes, G leakage past the piston. The valve opens by u, a formula of time between
// -1 and 1: u > 0 joins the bore to the supply and the rod's side to the tank, u < 0 the other way round. An
// edge that is open by |u| lets through
//
//   Q = |u| flow Dp / (sqrt(drop) (Dp^2 + (1e-3 drop)^2)^(1/4)),
//
// the law of an orifice, |u| flow sqrt(Dp/drop), which is linear where Dp is below a thousandth of `drop`.
// Beyond its ends the piston meets buffers (mechanics/pull.hpp). Pressures are those above the surroundings'.
//
// Energy. Oil of constant bulk modulus, p = B ln(rho/rho_0), stores V (B (e^(p/B) - 1) - p), about V p^2/2B,
// and what flows in at a pressure p brings B (e^(p/B) - 1) for each volume, about p: then
// stored' = sum of Q B (e^(p/B) - 1) over both chambers - (A_1 p_1 - A_2 p_2) x' - what leaks, exactly.
//
// The pressures are states z; without them it is another element, and no cut may part its bodies. Where
// nobody keeps them (equilibria) they are those of the start.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "mechanics/force_element.hpp"
#include "numerics/curve.hpp"

namespace cosimo {

struct CylinderSpec {
  double retracted = 0, stroke = 1;           ///< from point to point with the rod in; way of the rod
  std::array<double, 2> area{1, 1};           ///< of the piston in the bore, and around the rod
  std::array<double, 2> dead{};               ///< volumes that remain in both at the ends of the stroke, > 0
  double bulk = 1, leakage = 0, damping = 0;  ///< damping: d
  double supply = 0, tank = 0;                ///< pressures
  double flow = 0, drop = 1;                  ///< of the open valve at the pressure difference `drop`
  std::string command = "0";                  ///< u
  std::array<double, 2> pressures{};          ///< at the start
  double stop_stiffness = 0, stop_damping = 0;
  std::vector<double> breakpoints{};  ///< instants where the command may jump
  std::vector<NamedCurve> curves{};   ///< that it may use
};
/// Throws Error for a command that is no formula.
std::unique_ptr<ForceElement> make_cylinder(std::string name, const Marker& from, const Marker& to,
                                            const CylinderSpec& spec);

}  // namespace cosimo
