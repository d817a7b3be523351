// The coupling conditions of the force/force decomposition (2.18)-(2.20): every cut
// element's force as a function of the states of the two bodies it joins. There is no
// feed-through, so the consistent update (2.25) is a plain evaluation.
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"
#include "model/part.hpp"

namespace cosimo {

/// States at both ends of every coupling, one entry each.
struct CutStates {
  std::vector<double> from_x, from_v, to_x, to_v;
  explicit CutStates(std::size_t couplings = 0)
      : from_x(couplings), from_v(couplings), to_x(couplings), to_v(couplings) {}
};

class ForceLaws {
 public:
  ForceLaws(const Model& model, const Interface& interface);

  std::size_t size() const { return laws_.size(); }
  const SpringLaw& law(std::size_t coupling) const { return laws_[coupling]; }
  /// u = phi(y).
  void evaluate(const CutStates& y, std::span<double> u) const;
  /// The force of every coupling when its ends are dx apart and part with dv.
  void forces_at(double dx, double dv, std::span<double> u) const;
  /// Fastest rate of change (1/time) that a coupling and its two bodies show at the state y:
  /// max of sqrt(k (1/m_a + 1/m_b)) and d (1/m_a + 1/m_b). Zero when all couplings are slack.
  double fastest_rate(const CutStates& y) const;

 private:
  std::vector<SpringLaw> laws_;
  std::vector<double> inverse_mass_;  ///< 1/m_a + 1/m_b
};

}  // namespace cosimo
