// A tyre between a wheel and the road.
//
// The marker on the wheel is at its centre, z along the axle, to the left of the way forward. That on the
// ground has the axes of the road: z upwards, x along its waves. With the unit vectors e of the axle and n
// normal to the road below the centre, which is g above it:
//
//   x = e x n/|e x n| forward,   y = n x x,   sin(gamma) = e.n the camber,   d down in the plane of the wheel
//   l = g/cos(gamma) from the centre along d to the road,     deflection p = R - l
//
// Radial force. E(p) stiffness p + progressive p^2 (or a table), and a damper D = damping p' cut off at |D|
// <= E, so that it never pulls and only takes energy. The wheel feels (E + D) grad l, which is E/cos(gamma)
// along n at the point of contact: the gradient of an energy, whatever road and camber.
//
// Slip. Vx is the speed of the centre along x, W = w.e the spin, Re the effective rolling radius:
//
//   Vsx = Vx - Re W,     Vsy = y.(v + w x l d)
//   s_x kappa' = -Vsx - |Vx| kappa,     s_y a' = Vsy - |Vx| a,     a = tan(alpha)
//
// with the relaxation lengths s. kappa and a are the states z: nothing is divided by a speed, and a tyre that
// stands is a spring of the stiffness K/s. The model (brush-inl.hpp, magic_formula-inl.hpp) makes forces and
// moments of them. Fx acts at Re d, Fy at l d, so that the power that they take is -Fx Vsx - Fy Vsy, exactly.
//
// Below the speed `slow` (with the factor h = (1 - (Vx/slow)^2)^2, 0 above it):
//
//   - what the model sees is kappa - 0.1 h Vsx/slow and a + 0.1 h Vsy/slow: the spring has a damper;
//   - slips shrink that are beyond what the largest force asks for, 3 D/K. Else a wheel that was locked would
//     stop with kappa = -1, a spring that is wound by a whole relaxation length.
//
// The sign of Vx and that of W, where moments ask for it, are tanh of 100 W Re/slow. In the air slips fade at
// the rate slow/R.
//
// Energy. potential() is that of the radial spring. What the tread stores as it is sheared is lost when it
// leaves the patch, and counts as lost from the beginning.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "mechanics/force_element.hpp"
#include "tyre/spec.hpp"

namespace cosimo::tyre {

std::unique_ptr<ForceElement> make_tyre(std::string name, const Marker& road, const Marker& wheel,
                                        const Spec& spec);

/// Made here: no other element has this kind.
bool is_tyre(const ForceElement& element);
/// What results tell of a tyre: slips as its states are, camber, and the forces and moments of the road along
/// the axes W of TYDEX.
inline constexpr std::array<std::string_view, 9> readings{"kappa", "alpha", "gamma", "FXW", "FYW",
                                                          "FZW",   "MXW",   "MYW",   "MZW"};
/// Of one that is_tyre(), at the frames of its markers; `z`: its states, null: none.
void take_readings(const ForceElement& element, const Frame& from, const Frame& to, const double* z,
                   double* out);

}  // namespace cosimo::tyre
