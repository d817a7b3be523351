// The coupling variables u of an interface, numbered: what drives the parts at their cuts (Section 2.1).
//
//   force/force                 one variable, the element's force; it drives both ends
//   force/displacement          the force, and position and velocity of the force-driven body
//   displacement/displacement   position and velocity of the `to` body (they drive the `from` part),
//                               then position and velocity of the `from` body
//
// Couplings follow each other in their order; within a coupling first what drives `from`, then what drives
// `to`. With force/force cuts only, variable i is the force of coupling i.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "model/part.hpp"

namespace cosimo {

enum class Quantity { force, position, velocity };

struct CouplingVariable {
  CouplingId coupling;
  Quantity quantity = Quantity::force;
  CutSide of = CutSide::from;  ///< position, velocity: the end whose motion it is
};

class CouplingVariables {
 public:
  CouplingVariables() = default;
  explicit CouplingVariables(const Interface& interface);

  std::size_t size() const { return variables_.size(); }
  std::size_t couplings() const { return driving_.size(); }
  const CouplingVariable& operator[](std::size_t i) const { return variables_[i]; }
  /// The variable that drives this end: a force, or a position with its velocity as the next variable.
  std::size_t driving(CouplingId coupling, CutSide side) const {
    const Driving& d = driving_[coupling.index()];
    return side == CutSide::from ? d.from : d.to;
  }

 private:
  struct Driving {
    std::size_t from = 0, to = 0;
  };
  std::vector<CouplingVariable> variables_;
  std::vector<Driving> driving_;  ///< per coupling
};

}  // namespace cosimo
