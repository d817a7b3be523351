// The coupling variables u of an interface, numbered: what drives the parts at their cuts (Section 2.1).
//
//   force/force                 the element's force; it drives both ends
//   force/displacement          the force, and position and velocity of the force-driven body
//   displacement/displacement   position and velocity of the `to` body (they drive the `from` part),
//                               then position and velocity of the `from` body
//   signal                      one, which drives the `to` end: a plain value, or position or velocity of the
//                               coordinate where the signal begins
//
// A force has as many variables as components (forces first, then torques), a motion one per position
// coordinate of the body and then one per velocity. Couplings follow each other in their order; within a
// coupling first what drives `from`, then what drives `to`. In a scalar model with force/force cuts only,
// variable i is the force of coupling i.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "network/cut_layout.hpp"
#include "network/interface.hpp"

namespace cosimo {

enum class Quantity { force, position, velocity, torque, signal };
inline constexpr std::size_t quantities = 5;

inline bool is_effort(Quantity quantity) {
  return quantity == Quantity::force || quantity == Quantity::torque;
}

struct CouplingVariable {
  CouplingId coupling;
  Quantity quantity = Quantity::force;
  CutSide of = CutSide::from;  ///< position, velocity: the end whose motion it is
  std::size_t component = 0;   ///< of the force, or coordinate of that end
};

class CouplingVariables {
 public:
  CouplingVariables() = default;
  explicit CouplingVariables(const Interface& interface);

  std::size_t size() const { return variables_.size(); }
  std::size_t couplings() const { return driving_.size(); }
  const CouplingVariable& operator[](std::size_t i) const { return variables_[i]; }
  /// The first variable that drives this end. The others follow: components of a force, or positions and
  /// then velocities.
  std::size_t driving(CouplingId coupling, CutSide side) const {
    const Driving& d = driving_[coupling.index()];
    return side == CutSide::from ? d.from : d.to;
  }
  /// How many variables drive this end.
  std::size_t driving_count(CouplingId coupling, CutSide side) const {
    const Driving& d = driving_[coupling.index()];
    return side == CutSide::from ? d.from_count : d.to_count;
  }
  bool driven_by_motion(CouplingId coupling, CutSide side) const {
    return driving_count(coupling, side) > 0 &&
           variables_[driving(coupling, side)].quantity == Quantity::position;
  }
  /// Of the states of the coupling bodies.
  const CutLayout& layout() const { return layout_; }

 private:
  struct Driving {
    std::size_t from = 0, to = 0;
    std::size_t from_count = 0, to_count = 0;
  };
  void add_force(CouplingId id, const Coupling& coupling);
  void add_motion(CouplingId id, CutSide of, std::size_t coordinates);

  CutLayout layout_;
  std::vector<CouplingVariable> variables_;
  std::vector<Driving> driving_;  ///< per coupling
};

}  // namespace cosimo
