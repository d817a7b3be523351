// The force of a cut element over a macro step that one side has already integrated.
//
// Where only one side of a cut carries copies (it has both bodies of the element), the other side is
// driven by what the first one went through: between two micro steps the stretch of the element is the
// quintic Hermite polynomial of its value, rate and acceleration at both, and the force law does the
// rest. Both sides feel the same force, so momentum is conserved across the cut.
#pragma once

#include <cstddef>
#include <vector>

#include "integrator/integrator.hpp"
#include "model/spring_damper.hpp"
#include "numerics/polynomial.hpp"

namespace cosimo {

class RecordedForce {
 public:
  explicit RecordedForce(const SpringLaw& law) : law_(law) {}

  /// `from` and `to` are columns of the trace: the element's two bodies.
  void record(const Trace& trace, std::size_t from, std::size_t to);

  /// There is nothing to tell: the side that should have recorded it failed. The force counts as zero.
  void clear();

  double value(double t) const;
  double rate(double t) const;  ///< d(force)/dt

 private:
  const Polynomial& piece(double t) const;

  SpringLaw law_;
  std::vector<double> end_;  ///< of each piece
  std::vector<Polynomial> stretch_;
};

}  // namespace cosimo
