// What overlap needs to know of physics. A producer whose components can integrate copies of each other's
// bodies hands this out; schemes, halos and the estimator exOV know nothing else of a model.
//
//   Overlapping   of the whole: which bodies there are and how they are joined, their states at the macro
//                 points, what their surroundings let through, what a wrong copy does to its neighbours
//   Copying       of one lane: what it carries and what became of it
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "network/body_states.hpp"
#include "network/component.hpp"
#include "network/cut_states.hpp"
#include "numerics/medium.hpp"

namespace cosimo {

class BodyGraph;         // partition/body_graph.hpp
struct OverlappingPart;  // partition/part.hpp
struct Part;

/// A lane that carries copies. At the beginning of advance() they take the states that their owners published
/// for T_N; at its end the owned bodies' states are published for T_{N+1}.
class Copying {
 public:
  /// Where owners and carriers meet; must outlive the lane.
  virtual void connect(BodyStates& states) = 0;
  /// Its own bodies, without copies.
  virtual const Part& core() const = 0;
  /// New copies from the next advance() on.
  virtual void carry(std::shared_ptr<const OverlappingPart> part) = 0;
  /// Every advance() in so many equal micro steps, if the error allows.
  virtual void use_grid(std::int64_t steps) = 0;
  /// The bodies behind its ports, at the end reached.
  struct Behind {
    const double *x = nullptr, *v = nullptr;
    std::span<const std::int32_t> first;  ///< per port: first coordinate of the body there; -1: not carried

    bool carries(std::size_t port) const { return first[port] >= 0; }
    BodyMotion motion(std::size_t port) const { return {x + first[port], v + first[port]}; }
  };
  virtual Behind behind() const = 0;
  bool carries(std::size_t port) const { return behind().carries(port); }
  /// Of any body it carries, at the end reached.
  virtual BodyMotion carried_motion(BodyId body) const = 0;
  /// The owned bodies' present states, for the instant that accept() makes the present one. advance() does
  /// it; lanes that were loaded need it once to meet again.
  virtual void publish() const = 0;
  /// Of a one-sided cut: this lane carries the body behind `port`. `follower`, which carries nothing there,
  /// is driven at its `far` port by the force that this one sees.
  virtual void lead(std::size_t port, Copying& follower, std::size_t far) = 0;

 protected:
  ~Copying() = default;
};

class Overlapping {
 public:
  /// An owned body with cut elements.
  struct CutBody {
    BodyId body;
    Range copies;                   ///< that act on it
    std::span<const BodyId> inner;  ///< owned bodies next to it
    std::span<const BodyId> mates;  ///< that constraints hold together with it
  };
  /// A copy that acts on it, or on whose far side it acts, through a cut.
  struct Copy {
    CouplingId coupling;
    CutSide side = CutSide::from;  ///< where the cut body is
    BodyId body;
    BodyMotion motion;  ///< at the end of the step; null: nobody carries it
    double most = 0;    ///< the highest power of t that its mismatch can have grown with
  };

  virtual ~Overlapping() = default;

  virtual const BodyGraph& graph() const = 0;
  virtual BodyStates& states() = 0;
  /// Where the coordinates of a body are in the states.
  virtual Range coordinates(BodyId body) const = 0;
  /// The same, and where that is what the elements remember that go with the body.
  virtual std::vector<std::size_t> places(BodyId body) const = 0;
  /// The surroundings of bodies when all bodies have these states.
  virtual void media(std::span<const BodyId> bodies, std::span<const double> x, std::span<const double> v,
                     std::span<Medium> out) const = 0;

  /// Makes everything known for this many elements beyond this rank's parts. Called while no task runs.
  virtual void reach(std::size_t depth) = 0;

  /// What a copy of a body is off its owner by at the end of a step, in units of the tolerance.
  virtual double mismatch(BodyId body, BodyMotion copy) const = 0;
  /// The errors that the mismatches of copies leave on bodies, those next to them included, in units of the
  /// tolerance; `y` are the owners' states at the end of the step. See scheme/overlap_estimator.hpp.
  virtual void push(std::span<const CutBody> bodies, std::span<const Copy> copies, const Window& step,
                    const CutStates& y, std::span<double> errors) const = 0;
};

}  // namespace cosimo
