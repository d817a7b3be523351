// Angles and displacements of joints, and the constraint that gears and motors share: a sum of them follows a
// function of time,
//
//   g = wrap(n_1 m_1 + n_2 m_2 - offset - c(t)) / divisor,
//
// m_i the angle or the displacement of pair i. Angles are atan2(b_x . a_y, b_x . a_x) and jump after each
// turn. With whole numbers n_i the sum jumps by whole turns, and wrap() takes them away: it reduces angles
// to [-pi, pi] and leaves lengths alone. Near g = 0 the row is smooth and its derivatives are those of the
// sum. (The sine of the sum would be smooth everywhere, but it is zero half a turn off as well, and an
// assembly from there would be wrong without a sign of it.)
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "mechanics/joint_rows.hpp"
#include "mechanics/joints.hpp"
#include "mechanics/prescribed_motion.hpp"

namespace cosimo {

enum class Quantity { angle, displacement };

double measure(Quantity quantity, const PairView& pair);
/// J and H as in joint_rows.hpp.
Vec12 measure_gradient(Quantity quantity, const PairView& pair);
Mat12 measure_hessian(Quantity quantity, const PairView& pair);

/// Refuses sides whose angle or displacement cannot change or has no meaning.
void check_measure(const std::string& name, Quantity quantity, const JointSides& sides);

class MeasuredConstraint final : public Constraint {
 public:
  struct Term {
    Marker from, to;
    int factor = 1;
  };
  /// One or two terms. `kind` must be a literal.
  MeasuredConstraint(std::string constraint_name, std::string_view kind, Quantity quantity,
                     std::span<const Term> terms, double offset, std::optional<PrescribedMotion> motion);

  std::span<const BodyId> bodies() const override { return bodies_.ids(); }
  std::size_t rows() const override { return 1; }
  std::string_view kind() const override { return kind_; }
  bool is_length(std::size_t /*row*/) const override { return quantity_ == Quantity::displacement; }
  void residual(double t, BodyFrames frames, RowVector& g) const override;
  void jacobian(double t, BodyFrames frames, ConstraintRows& J) const override;
  void drift(double t, BodyFrames frames, RowVector& g_t) const override;
  void curvature(double t, BodyFrames frames, RowVector& c) const override;
  void force_gradient(double t, BodyFrames frames, const RowVector& lambda,
                      ConstraintBlock& out) const override;
  void rate_gradient(double t, BodyFrames frames, ConstraintRows& out) const override;
  double next_breakpoint(double t) const override;
  void reaction(double t, BodyFrames frames, const RowVector& lambda, Vec3& force,
                Vec3& torque) const override;

 private:
  struct Weighted {
    JoinedPair pair;
    double factor;  ///< a whole number
  };
  Eigen::Index columns() const { return 6 * static_cast<Eigen::Index>(bodies_.ids().size()); }

  std::string_view kind_;
  Quantity quantity_;
  BodyList bodies_;
  std::vector<Weighted> terms_;
  double offset_ = 0, divisor_ = 1;
  std::optional<PrescribedMotion> motion_;
};

}  // namespace cosimo
