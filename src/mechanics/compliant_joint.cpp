// A joint made of springs and dampers: each row h of the joint, measured in the axes of the `from` marker,
// has the potential stiffness h^2/2 and the damping force damping h'. With mu = stiffness h + damping h' the
// generalised force on the markers is -mu J^T; force and torques balance exactly, because h does not change
// when both bodies move as one.
#include <cmath>
#include <utility>

#include "mechanics/joint_layout.hpp"
#include "mechanics/joint_rows.hpp"

namespace cosimo {

namespace {

struct CompliantRow {
  BilinearRow row;
  double stiffness, damping;
};

class CompliantJoint final : public ForceElement {
 public:
  CompliantJoint(std::string joint_name, const Marker& from, const Marker& to, std::vector<CompliantRow> rows)
      : ForceElement(std::move(joint_name), from, to), rows_(std::move(rows)) {}

  /// Forces along the axes of `from` turn with it: their torque is all on its side, and not that of `to`.
  EffortMask components() const override { return EffortMask{}.set(); }
  std::string_view kind() const override { return "bushing"; }

  bool effort(double /*t*/, const Frame& from, const Frame& to, Effort& out) const override {
    const PairView pair = seen(from, to);
    Vec12 sum = Vec12::Zero();
    for (const CompliantRow& r : rows_) {
      const Vec12 J = cosimo::gradient(r.row, pair);
      sum -= (r.stiffness * value(r.row, pair) + r.damping * J.dot(pair.twist)) * J;
    }
    out = {sum.head<3>(), sum.segment<3>(3), sum.tail<3>()};
    return sum.allFinite();
  }

  void gradient(double /*t*/, const Frame& from, const Frame& to, EffortGradient& out) const override {
    Mat12 place, speed;
    pair_gradient(seen(from, to), place, speed);
    // Rows of the pair: force on `from`, its torque, force on `to` (the opposite), its torque.
    constexpr std::array<Eigen::Index, 3> taken{0, 3, 9};
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(3 * i);
      out.from.block<3, 6>(at, 0) = place.block<3, 6>(taken[i], 0);
      out.from.block<3, 6>(at, 6) = speed.block<3, 6>(taken[i], 0);
      out.to.block<3, 6>(at, 0) = place.block<3, 6>(taken[i], 6);
      out.to.block<3, 6>(at, 6) = speed.block<3, 6>(taken[i], 6);
    }
  }

  double potential(double /*t*/, const Frame& from, const Frame& to) const override {
    const PairView pair = seen(from, to);
    double energy = 0;
    for (const CompliantRow& r : rows_) {
      const double h = value(r.row, pair);
      energy += 0.5 * r.stiffness * h * h;
    }
    return energy;
  }

 private:
  /// The frames are the markers' own.
  static PairView seen(const Frame& from, const Frame& to) { return view_pair(from, to, Marker{}, Marker{}); }

  /// Derivatives of -mu J^T with respect to displacements and velocities of both markers.
  void pair_gradient(const PairView& pair, Mat12& place, Mat12& speed) const {
    place.setZero();
    speed.setZero();
    for (const CompliantRow& r : rows_) {
      const Vec12 J = cosimo::gradient(r.row, pair);
      const Mat12 H = hessian(r.row, pair);
      const double mu = r.stiffness * value(r.row, pair) + r.damping * J.dot(pair.twist);
      const Vec12 change = r.stiffness * J + r.damping * (H.transpose() * pair.twist);
      place -= J * change.transpose() + mu * H;
      speed -= r.damping * J * J.transpose();
    }
  }

  std::vector<CompliantRow> rows_;
};

}  // namespace

std::unique_ptr<ForceElement> make_compliant_joint(std::string name, JointKind kind, const Marker& from,
                                                   const Marker& to, const Compliance& compliance) {
  check_ends(name, {from, to});
  const auto check = [&](double number, const char* what) {
    if (!(number >= 0) || !std::isfinite(number))
      refuse(name, std::string(what) + " of a compliant joint is " + std::to_string(number),
             "give a number >= 0");
  };
  check(compliance.stiffness, "stiffness");
  check(compliance.damping, "damping");
  check(compliance.rotational_stiffness, "rotational stiffness");
  check(compliance.rotational_damping, "rotational damping");
  std::vector<CompliantRow> rows;
  for (BilinearRow row : rows_of(kind)) {
    // Global axes would not turn with the bodies, and leave a torque without its opposite.
    if (row.u.origin == JointVector::Origin::global) row.u.origin = JointVector::Origin::from;
    const bool moves = row.is_length();
    rows.push_back({row, moves ? compliance.stiffness : compliance.rotational_stiffness,
                    moves ? compliance.damping : compliance.rotational_damping});
  }
  return std::make_unique<CompliantJoint>(std::move(name), from, to, std::move(rows));
}

}  // namespace cosimo
