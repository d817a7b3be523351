// A force element between two markers, either of which may be on the ground.
//
// What an element does is its *effort*: a force, and torques. The force acts on the `from` body at its
// marker, and opposite on the `to` body at its own; each side has its torque:
//
//   from:  +force at the marker,  +torque_from          to:  -force at the marker,  +torque_to
//
// Efforts are all that two subsystems exchange when the element is cut: with its own frame each side makes
// the wrench on its body of them. Action and reaction balance: the moments about the origin,
// r_from x force + torque_from and -r_to x force + torque_to, cancel exactly when
//
//   torque_from + torque_to = (r_to - r_from) x force    (r of the markers),
//
// which elements see to, save those whose `from` is always the ground.
//
// Efforts and their derivatives are functions of the markers' frames and time alone.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "mechanics/body.hpp"
#include "mechanics/effort_mask.hpp"
#include "numerics/switch.hpp"

namespace cosimo {

struct Effort {
  Vec3 force = Vec3::Zero(), torque_from = Vec3::Zero(), torque_to = Vec3::Zero();
};

/// Derivatives of an effort with respect to (dr, dtheta, dv, dw) of each frame, in the order of the
/// components.
struct EffortGradient {
  using Block = Eigen::Matrix<double, 9, 12>;
  Block from = Block::Zero(), to = Block::Zero();
};

class ElementMemory;
struct BushingSpec;
struct GroundContactSpec;
struct SpringSpec;

class ForceElement {
 public:
  ForceElement(std::string element_name, const Marker& from, const Marker& to)
      : name(std::move(element_name)), at_from(from), at_to(to) {}
  virtual ~ForceElement() = default;

  /// Components that can differ from zero, whatever the bodies' dimensions. Where some of torque_from are
  /// among them and none of torque_to, torque_to is the opposite of torque_from.
  virtual EffortMask components() const = 0;
  /// The frames are those of the markers. False when the effort is not finite.
  [[nodiscard]] virtual bool effort(double t, const Frame& from, const Frame& to, Effort& out) const = 0;
  /// Exact, with respect to the markers' frames.
  virtual void gradient(double t, const Frame& from, const Frame& to, EffortGradient& out) const = 0;
  /// Partial derivative with respect to time at fixed frames.
  virtual Effort time_derivative(double /*t*/, const Frame& /*from*/, const Frame& /*to*/) const {
    return {};
  }
  /// Energy stored; zero for elements that store none.
  virtual double potential(double /*t*/, const Frame& /*from*/, const Frame& /*to*/) const { return 0; }
  /// First instant after t that no step may jump over.
  virtual double next_breakpoint(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  /// First of those at which the effort itself may jump.
  virtual double next_jump(double t) const { return next_breakpoint(t); }
  /// No step from t to the next breakpoint may be longer than this.
  virtual double longest_step(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  /// Where its law switches (numerics/switch.hpp), at the markers' frames.
  virtual std::size_t switch_count() const { return 0; }
  virtual void switches(double /*t*/, const Frame& /*from*/, const Frame& /*to*/, Switch* /*out*/) const {}
  /// Acts like an external load or contact on its bodies: they make bad coupling bodies.
  virtual bool is_load() const { return false; }
  /// A load that is none until a body meets something: a contact.
  virtual bool strikes() const { return false; }
  /// What it remembers (mechanics/element_memory.hpp); null: nothing.
  virtual const ElementMemory* memory() const { return nullptr; }
  /// It is a bushing (mechanics/elements.hpp) and nothing else; null: it is not.
  virtual const BushingSpec* bushing() const { return nullptr; }
  /// The law of a spring between points, for those who evaluate many together; null: it is none.
  virtual const SpringSpec* spring() const { return nullptr; }
  /// What it is that touches the ground there, and the ground; null: it is no such contact.
  virtual const GroundContactSpec* ground_contact() const { return nullptr; }
  /// Runs code from a user's library: threads do not share a step that calls it.
  virtual bool foreign() const { return false; }
  /// What the element is, for messages and pictures: "spring", "bushing", ...
  virtual std::string_view kind() const = 0;
  /// Whose fault it was that there was no effort at or after `since`, text that lives as long as the element;
  /// empty: there is nothing to say.
  virtual std::string_view complaint(double /*since*/) const { return {}; }

  const std::string name;
  const Marker at_from, at_to;
};

/// Force and torque about the centre of mass of a body.
struct Wrench {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

/// The wrench on the body at one end. `body` is the frame of its centre of mass.
Wrench wrench_on_from(const Effort& effort, const Frame& body, const Marker& marker);
Wrench wrench_on_to(const Effort& effort, const Frame& body, const Marker& marker);
/// Of a force along a freedom of the body, at its reference point, or of a torque about it.
Wrench wrench_along(std::size_t freedom, double value, const Body& body, const Frame& centre);

/// Turns derivatives with respect to a marker's frame (columns dr, dtheta, dv, dw) into those with respect to
/// its body's: right-multiplies by d(marker)/d(body), 12 x 12.
Eigen::Matrix<double, 12, 12> marker_jacobian(const Frame& body, const Marker& marker);

/// The components that matter between bodies of these kinds: forces and torques that one of them can feel. An
/// end on the ground is passed as `rigid`, and only the other one counts: use the body's kind twice.
EffortMask felt_by(BodyKind from, BodyKind to);

}  // namespace cosimo
