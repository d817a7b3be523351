// How far a body is turned against another, as up to three numbers phi that laws can act on.
//
// B = R_from^T R_to; a further small rotation chi of `to`, along the axes of `from`, makes it
// (1 + skew(chi)) B and phi changes by G chi. With the relative angular velocity Omega along the axes of
// `from`, dphi/dt = G Omega, and generalised torques tau about phi are the torque G^T tau along these axes.
//
//   vector   phi = rotation vector of B.   G = 1 - S/2 + b S^2,  S = skew(phi),
//            b = (1 - theta/2 cot(theta/2)) / theta^2. Equal stiffnesses act alike in all directions.
//   tilt     u = B e_z, cos(beta) = u_z, phi = beta / sin(beta) (e_z x u): (phi_x, phi_y, 0)
//            Rotations about z are free and not seen.
//
// Both jump half a turn away.
#pragma once

#include <cstdint>

#include "mechanics/space.hpp"

namespace cosimo {

enum class RotationMeasure : std::uint8_t { vector, tilt };

struct MeasuredRotation {
  Vec3 phi = Vec3::Zero();
  Mat3 G = Mat3::Zero();
};
MeasuredRotation measure_rotation(RotationMeasure measure, const Mat3& B);

/// Derivatives with respect to chi of G Omega and of G^T tau, Omega and tau held.
struct RotationCurvature {
  Mat3 rate = Mat3::Zero(), torque = Mat3::Zero();
};
RotationCurvature rotation_curvature(RotationMeasure measure, const Mat3& B, const Vec3& Omega,
                                     const Vec3& tau);

}  // namespace cosimo
