#include "mechanics/rotation_measure.hpp"

#include <Eigen/Geometry>
#include <array>
#include <cmath>

namespace cosimo {

namespace {

Vec3 rotation_vector(const Mat3& B) {
  const Eigen::Quaterniond p(B);
  const Vec3 v = p.w() < 0 ? Vec3(-p.vec()) : Vec3(p.vec());
  const double sine = v.norm(), cosine = std::fabs(p.w());
  // theta / sin(theta/2) -> 2 where the sine is too small to divide by.
  return sine < 1e-8 ? Vec3(2 / cosine * v) : Vec3(2 * std::atan2(sine, cosine) / sine * v);
}

/// b of the header, and (db/dtheta) / theta.
struct Shape {
  double b, slope;
};
Shape vector_shape(double theta) {
  const double square = theta * theta;
  if (theta < 0.5) {
    // |B_2n| / (2n)!, Bernoulli's numbers.
    constexpr std::array<double, 7> a{1.0 / 12,         1.0 / 720,      1.0 / 30240,
                                      1.0 / 1209600,    1.0 / 47900160, 691.0 / 1307674368000,
                                      1.0 / 74724249600};
    Shape out{0, 0};
    for (std::size_t k = a.size() - 1; k > 0; --k) {
      out.b = (out.b + a[k]) * square;
      out.slope = out.slope * square + 2 * static_cast<double>(k) * a[k];
    }
    out.b += a[0];
    return out;
  }
  const double half = 0.5 * theta, sine = std::sin(half), cotangent = std::cos(half) / sine;
  const double b = (1 - half * cotangent) / square;
  return {b, 0.5 * (half / (sine * sine) - cotangent) / (square * theta) - 2 * b / square};
}

/// g = beta / sin(beta) as a function of c = cos(beta), with two derivatives. It solves (1 - c^2) g' = c g
/// - 1.
struct TiltShape {
  double g, slope, curvature;
};
TiltShape tilt_shape(double c, double sine) {
  const double y = 1 - c;
  if (y < 0.1) {
    // g = sum a_n y^n, a_n = a_(n-1) n / (2n + 1).
    double a = 1, power = 1, before = 0, twice = 0;  // powers of y: n, n - 1, n - 2
    TiltShape out{1, 0, 0};
    for (int n = 1; n < 18; ++n) {
      a *= n / (2.0 * n + 1);
      twice = before;
      before = power;
      power *= y;
      out.g += a * power;
      out.slope -= n * a * before;
      out.curvature += n * (n - 1) * a * twice;
    }
    return out;
  }
  const double square = 1 - c * c, g = std::atan2(sine, c) / sine, slope = (c * g - 1) / square;
  return {g, slope, (g + 3 * c * slope) / square};
}

/// `across` = e_z x u.
struct Tilt {
  explicit Tilt(const Mat3& B)
      : u(B.col(2)), across(Vec3::UnitZ().cross(u)), shape(tilt_shape(u.z(), across.norm())) {}
  Vec3 u, across;
  TiltShape shape;
};

MeasuredRotation measured_tilt(const Mat3& B) {
  const Tilt tilt(B);
  const auto& [g, slope, curvature] = tilt.shape;
  const Vec3 z = Vec3::UnitZ();
  return {g * tilt.across, -(g * skew(z) + slope * tilt.across * z.transpose()) * skew(tilt.u)};
}

RotationCurvature curvature_of_tilt(const Mat3& B, const Vec3& Omega, const Vec3& tau) {
  const Tilt tilt(B);
  const auto& [g, slope, curvature] = tilt.shape;
  const Vec3 z = Vec3::UnitZ();
  const Mat3 E = skew(z);
  // G Omega = -(g E x + g' x_z across), x = u x Omega;  G^T tau = u x y, y = g E^T tau + g' (across.tau) e_z.
  const Vec3 x = tilt.u.cross(Omega), turned = -z.cross(tau);
  const Vec3 y = g * turned + slope * tilt.across.dot(tau) * z;
  const Mat3 W = skew(Omega);
  const Mat3 rate_by_u = -(slope * E * x * z.transpose() - g * E * W + slope * x.z() * E +
                           tilt.across * (curvature * x.z() * z.transpose() - slope * z.transpose() * W));
  const Mat3 y_by_u = slope * turned * z.transpose() +
                      z * (curvature * tilt.across.dot(tau) * z + slope * turned).transpose();
  const Mat3 U = skew(tilt.u);
  return {-rate_by_u * U, -(U * y_by_u - skew(y)) * U};
}

/// d(A x)/dphi for A = 1 + sign S/2 + b S^2.
Mat3 derivative_of_product(double sign, const Vec3& phi, const Shape& shape, const Vec3& x) {
  const double along = phi.dot(x);
  const Vec3 twice = along * phi - phi.squaredNorm() * x;
  return -0.5 * sign * skew(x) +
         shape.b * (phi * x.transpose() + along * Mat3::Identity() - 2 * x * phi.transpose()) +
         shape.slope * twice * phi.transpose();
}

Mat3 vector_map(const Vec3& phi, const Shape& shape) {
  const Mat3 S = skew(phi);
  return Mat3::Identity() - 0.5 * S + shape.b * S * S;
}

}  // namespace

MeasuredRotation measure_rotation(RotationMeasure measure, const Mat3& B) {
  if (measure == RotationMeasure::tilt) return measured_tilt(B);
  const Vec3 phi = rotation_vector(B);
  return {phi, vector_map(phi, vector_shape(phi.norm()))};
}

RotationCurvature rotation_curvature(RotationMeasure measure, const Mat3& B, const Vec3& Omega,
                                     const Vec3& tau) {
  if (measure == RotationMeasure::tilt) return curvature_of_tilt(B, Omega, tau);
  const Vec3 phi = rotation_vector(B);
  const Shape shape = vector_shape(phi.norm());
  const Mat3 G = vector_map(phi, shape);
  return {derivative_of_product(-1, phi, shape, Omega) * G, derivative_of_product(1, phi, shape, tau) * G};
}

}  // namespace cosimo
