#include "mechanics/along.hpp"
#include "mechanics/along_rates.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "mechanics/measure.hpp"

namespace cosimo {
namespace {

using Origin = JointVector::Origin;

constexpr BilinearRow half_square{{Origin::difference, 0}, {Origin::difference, 0}, 0.5};

PairView view(const Frame& from, const Frame& to) {
  PairView pair{{from.R, to.R}, {Vec3::Zero(), Vec3::Zero()}, to.r - from.r, {}};
  pair.twist << from.v, from.w, to.v, to.w;
  return pair;
}

Quantity quantity_of(Along along) {
  return along == Along::angle ? Quantity::angle : Quantity::displacement;
}

Travel travel(Along along, const PairView& pair) {
  Travel out;
  if (along == Along::length) {
    out.s = pair.d.norm();
    out.J = gradient(half_square, pair) / out.s;
  } else {
    out.s = measure(quantity_of(along), pair);
    out.J = measure_gradient(quantity_of(along), pair);
  }
  out.rate = out.J.dot(pair.twist);
  return out;
}

/// dJ/dx.
Mat12 curvature(Along along, const PairView& pair, const Travel& at) {
  if (along != Along::length) return measure_hessian(quantity_of(along), pair);
  return (hessian(half_square, pair) - at.J * at.J.transpose()) / at.s;
}

}  // namespace

Travel travel(Along along, const Frame& from, const Frame& to, const double* last) {
  Travel out = travel(along, view(from, to));
  if (along == Along::angle) out.s = with_all_turns(out.s, from, to, last);
  return out;
}

Vec12 rate_by_place(Along along, const Frame& from, const Frame& to) {
  const PairView pair = view(from, to);
  return curvature(along, pair, travel(along, pair)).transpose() * pair.twist;
}

double with_all_turns(double angle, const Frame& from, const Frame& to, const double* last) {
  if (turns_counted(from, to)) return with_turns(angle, from, to);
  if (last == nullptr) return angle;
  const double since = std::remainder(angle - *last, 2 * std::numbers::pi);
  return std::fabs(since) < most_turned ? *last + since : std::numeric_limits<double>::quiet_NaN();
}

Effort effort_along(Along along, const Travel& at, double force) {
  Effort out;
  out.force = -force * at.J.head<3>();
  out.torque_from = -force * at.J.segment<3>(3);
  // No torque where only points count; a pure torque is opposite, to the last bit.
  if (along == Along::angle) {
    out.force.setZero();
    out.torque_to = -out.torque_from;
  } else if (along == Along::length) {
    out.torque_from.setZero();
  }
  return out;
}

void gradient_along(Along along, const Frame& from, const Frame& to, const ForceAlong& law,
                    EffortGradient& out) {
  const PairView pair = view(from, to);
  const Travel at = travel(along, pair);
  const Mat12 H = curvature(along, pair, at);
  const Mat12 by_x =
      -at.J * (law.by_s * at.J + law.by_rate * (H.transpose() * pair.twist)).transpose() - law.force * H;
  const Mat12 by_w = -law.by_rate * at.J * at.J.transpose();
  const auto put = [&](Eigen::Index side, EffortGradient::Block& block) {
    block.setZero();
    for (const auto& [row, first] : {std::pair<Eigen::Index, Eigen::Index>{0, 0}, {3, 3}, {6, 9}}) {
      block.block<3, 6>(row, 0) = by_x.block<3, 6>(first, side);
      block.block<3, 6>(row, 6) = by_w.block<3, 6>(first, side);
    }
  };
  put(0, out.from);
  put(6, out.to);
}

EffortMask components_along(Along along) {
  constexpr EffortMask force(0b111U), torque(0b111000U);
  if (along == Along::length) return force;
  return along == Along::angle ? torque : EffortMask().set();
}

}  // namespace cosimo
