// A law over any number of bodies: contacts whose touching pairs change, a rope over many pulleys.
//
// It sees the frames of its bodies, in the order of bodies(), and says the wrench on each of them about its
// centre of mass. The ground is not among them: it does not move, and what acts on it nobody asks. Action and
// reaction are the law's own affair, as is its energy: where it dissipates nothing, wrenches are the gradient
// of the potential. A Dynamics that has the bodies of a group takes it; they stay in one subsystem.
//
// Memory s is as in mechanics/element_memory.hpp: of fixed size, frozen within a step, and commit() makes the
// next one of the state that an accepted step has reached. Null where nobody keeps it: then the law acts as
// it would at a beginning.
//
// A group is immutable. What an evaluation may find again in the next one (who is near whom) goes into a
// Scratch, one for each lane; results must not depend on what is in it, nor on whether there is one.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/fellow.hpp"
#include "mechanics/force_element.hpp"
#include "numerics/switch.hpp"

namespace cosimo {

/// Derivatives of the wrenches (force, torque) by (dr, dtheta) and by (dv, dw) of the frames of the bodies.
class GroupGradient {
 public:
  explicit GroupGradient(std::size_t bodies)
      : displacement(Eigen::MatrixXd::Zero(size(bodies), size(bodies))),
        velocity(Eigen::MatrixXd::Zero(size(bodies), size(bodies))) {}
  /// Of the wrench on `acted` by the frame of `moved`.
  auto by_displacement(std::size_t acted, std::size_t moved) {
    return displacement.block<6, 6>(size(acted), size(moved));
  }
  auto by_velocity(std::size_t acted, std::size_t moved) {
    return velocity.block<6, 6>(size(acted), size(moved));
  }

  Eigen::MatrixXd displacement, velocity;

 private:
  static Eigen::Index size(std::size_t bodies) { return static_cast<Eigen::Index>(6 * bodies); }
};

/// A straight piece of a law, for pictures; the points may be centres of pulleys.
struct GroupLine {
  Marker from, to;
  double radius_from = 0, radius_to = 0;
};

class ForceGroup {
 public:
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };
  /// Where the bodies are, with their velocities.
  struct At {
    double t = 0;
    std::span<const Frame> frames{};
    const double* s = nullptr;
    Scratch* scratch = nullptr;  ///< may be null
  };

  ForceGroup(std::string group_name, std::vector<BodyId> members)
      : name(std::move(group_name)), bodies_(std::move(members)) {}
  virtual ~ForceGroup() = default;

  /// Each once, in any order.
  std::span<const BodyId> bodies() const { return bodies_; }
  virtual std::unique_ptr<Scratch> make_scratch() const { return nullptr; }

  /// `out`: one for each body, all zero. False when one is not finite.
  [[nodiscard]] virtual bool wrenches(const At& at, std::span<Wrench> out) const = 0;
  /// The same by threads that call together (core/fellow.hpp), with the same arguments; all of them meet
  /// before it is done. Only where it is worth it for so many.
  virtual std::size_t most_fellows() const { return 1; }
  [[nodiscard]] virtual bool wrenches(const At& at, std::span<Wrench> out, const Fellow& me) const {
    const bool fine = !me.leads() || wrenches(at, out);
    me.meet();
    return fine;
  }
  /// Energy stored.
  virtual double potential(const At& at) const = 0;
  /// Whether gradient() may be asked for: it is a full matrix, which is costly for many bodies. Where it may
  /// not, only explicit methods integrate the bodies.
  virtual bool has_gradient() const { return true; }
  /// Exact. `out` comes with the right size, all zero.
  virtual void gradient(const At& at, GroupGradient& out) const = 0;
  /// Partial derivatives of the wrenches with respect to time; `out` as for wrenches().
  virtual void time_derivative(const At& /*at*/, std::span<Wrench> /*out*/) const {}

  /// Numbers that it remembers, their values at the start of a run, and after an accepted step that ended
  /// at `at`; then `s` holds at.s when it is called.
  virtual std::size_t remembers() const { return 0; }
  virtual void begin(const At& /*at*/, double* /*s*/) const {}
  virtual void commit(const At& /*at*/, double* /*s*/) const {}

  // As of a force element.
  virtual double next_breakpoint(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  virtual double longest_step(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  virtual std::size_t switch_count() const { return 0; }
  virtual void switches(const At& /*at*/, Switch* /*out*/) const {}
  /// None acts until bodies meet something.
  virtual bool strikes() const { return false; }
  /// What it is, for messages and pictures: "contacts", "rope", ...
  virtual std::string_view kind() const = 0;
  virtual std::vector<GroupLine> lines() const { return {}; }
  /// What results tell of it: what its numbers are called ("F1", "ball.Fx"), and the numbers.
  virtual std::vector<std::string> readings() const { return {}; }
  virtual void read(const At& /*at*/, std::span<double> /*out*/) const {}
  /// All that makes it this group and no other, beside name, kind and bodies: for the digest of the model.
  virtual std::vector<double> parameters() const = 0;

  const std::string name;

 private:
  std::vector<BodyId> bodies_;
};

}  // namespace cosimo
