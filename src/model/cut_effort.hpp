// A cut element of a mechanism: its effort (mechanics/force_element.hpp) as a function of the coordinates of
// the two bodies it joins, and back from the effort to what either body feels.
//
//   CutEffort law(model, element);
//   law.evaluate(t, from, to, u);      // the coupling forces: the components of the effort that matter
//   law.slopes(t, from, to, d);        // exact derivatives of the effort with respect to coordinates
//   Wrench on_body = law.wrench(side, law.effort_of(u), frame);
//
// The chain from coordinates to efforts has three links: the body's frame changes with its coordinates
// (frame_slopes()), the marker's with the body's, the effort with the markers'. For a quaternion p with
// rate p'
//
//   dtheta = 2 E(p) dp / |p|^2,   w = 2 E(p) p' / |p|^2,   E(p) a = p0 a_v - a0 p_v + p_v x a_v,
//
// and E(p) a = -E(a) p. No function allocates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mechanics/force_element.hpp"
#include "model/model.hpp"
#include "network/laws.hpp"
#include "partition/part.hpp"

namespace cosimo {

static_assert(effort_size == most_components);

/// Derivatives of all components of an effort with respect to the coordinates of one body and to their rates;
/// as many columns count as it has coordinates.
struct EffortSlopes {
  using Block = Eigen::Matrix<double, 9, static_cast<int>(most_coordinates)>;
  Block x = Block::Zero(), v = Block::Zero();
};

/// Derivatives of a frame (dr, dtheta, dv, dw) with respect to coordinates and to their rates.
struct FrameSlopes {
  using Block = Eigen::Matrix<double, 12, static_cast<int>(most_coordinates)>;
  Block x = Block::Zero(), v = Block::Zero();
};
FrameSlopes frame_slopes(BodyKind kind, const double* q, const double* v);

class CutEffort {
 public:
  /// The element must join two bodies. The mechanism must outlive it.
  CutEffort(const Model& model, ElementId element);

  /// Components that matter, by their numbers in an effort, ascending.
  std::span<const std::uint8_t> active() const { return {active_.data(), count_}; }
  std::size_t components() const { return count_; }
  BodyKind kind(CutSide side) const { return (side == CutSide::from ? from_ : to_)->kind; }
  const Marker& marker(CutSide side) const {
    return side == CutSide::from ? element_->at_from : element_->at_to;
  }
  const ForceElement& element() const { return *element_; }

  /// False when it is not finite.
  [[nodiscard]] bool effort(double t, const Frame& from, const Frame& to, Effort& out) const;
  /// The components that matter; all NaN when the effort is not finite.
  void evaluate(double t, BodyMotion from, BodyMotion to, double* u) const;
  /// Those of the element (ForceElement::switches()).
  void switches(double t, BodyMotion from, BodyMotion to, Switch* out) const;
  /// The effort with these components; a torque on `to` that is no component of its own is that on `from`,
  /// reversed.
  Effort effort_of(const double* u) const;
  Wrench wrench(CutSide side, const Effort& effort, const Frame& body) const {
    return side == CutSide::from ? wrench_on_from(effort, body, marker(side))
                                 : wrench_on_to(effort, body, marker(side));
  }

  /// Derivatives of the effort with respect to the frames (dr, dtheta, dv, dw) of the bodies.
  void gradient(double t, const Frame& from, const Frame& to, EffortGradient& out) const;
  /// The same with respect to their coordinates.
  void slopes(double t, BodyMotion from, BodyMotion to, EffortSlopes& by_from, EffortSlopes& by_to) const;

  /// Fastest rate of change (1/time) of the two bodies joined by this element alone: the larger of
  /// sqrt(k / m) and d / m, both summed over the bodies, with the norms of the blocks of stiffness and
  /// damping that each body feels when it moves itself, per mass and least moment of inertia.
  double fastest_rate(double t, BodyMotion from, BodyMotion to) const;
  /// The least radius of gyration of the two bodies: at this arm a force turns a body as much as it moves it.
  /// Zero when neither can turn.
  double arm() const;

 private:
  struct Rate {
    double stiffness = 0, damping = 0;  ///< per mass
  };
  Rate own_rate(CutSide side, const Frame& body, const EffortGradient& gradient) const;

  const ForceElement* element_;
  const Body *from_, *to_;
  std::array<std::uint8_t, effort_size> active_{};
  std::size_t count_ = 0;
  bool reverse_torque_ = false;  ///< torque_to is the opposite of torque_from
};

/// How a wrench on the body at one end changes with its frame when the effort does (`effort_slopes`, 9 x n):
/// 6 x n. The moment arm is held; its turning is arm_turning().
template <class Slopes>
Eigen::Matrix<double, 6, Slopes::ColsAtCompileTime> wrench_slopes(CutSide side, const Vec3& arm,
                                                                  const Slopes& effort_slopes) {
  const double sign = side == CutSide::from ? 1 : -1;
  Eigen::Matrix<double, 6, Slopes::ColsAtCompileTime> out;
  out.template topRows<3>() = sign * effort_slopes.template topRows<3>();
  out.template bottomRows<3>() = skew(arm) * out.template topRows<3>() +
                                 effort_slopes.template middleRows<3>(side == CutSide::from ? 3 : 6);
  return out;
}

/// d(arm x force)/dtheta of the body that the arm is fixed to; `force` is the one on that body.
inline Mat3 arm_turning(const Vec3& arm, const Vec3& force) {
  return skew(force) * skew(arm);
}

}  // namespace cosimo
