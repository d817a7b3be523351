// The laws at the cuts: every cut element's force as a function of the states of the two bodies it joins,
// (2.18)-(2.20). In a scalar model that is one number by law (2.9), in a mechanism the components of the
// element's effort that matter between its bodies (model/cut_effort.hpp), which may depend on time too.
// Signals are couplings without a law.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/model.hpp"
#include "network/cut_layout.hpp"
#include "numerics/switch.hpp"
#include "numerics/tolerances.hpp"
#include "partition/part.hpp"

namespace cosimo {

class CutEffort;

/// States at both ends of every coupling, one entry per coordinate (model/cut_layout.hpp).
struct CutStates {
  std::vector<double> from_x, from_v, to_x, to_v;
  /// Of a scalar model.
  explicit CutStates(std::size_t couplings = 0)
      : from_x(couplings), from_v(couplings), to_x(couplings), to_v(couplings) {}
  explicit CutStates(const CutLayout& layout)
      : from_x(layout.count(CutSide::from)),
        from_v(from_x.size()),
        to_x(layout.count(CutSide::to)),
        to_v(to_x.size()) {}

  std::vector<double>& x(CutSide side) { return side == CutSide::from ? from_x : to_x; }
  std::vector<double>& v(CutSide side) { return side == CutSide::from ? from_v : to_v; }
  const std::vector<double>& x(CutSide side) const { return side == CutSide::from ? from_x : to_x; }
  const std::vector<double>& v(CutSide side) const { return side == CutSide::from ? from_v : to_v; }
};

/// The initial states of the coupling bodies.
CutStates initial_states(const Model& model, const Interface& interface);

class ForceLaws {
 public:
  /// The couplings must know their sizes (size_couplings()). The model's mechanism must outlive it.
  ForceLaws(const Model& model, const Interface& interface);
  ForceLaws(const ForceLaws&);
  ForceLaws(ForceLaws&&) noexcept;
  ~ForceLaws();

  std::size_t size() const { return layout_.couplings(); }
  const CutLayout& layout() const { return layout_; }
  /// Force components of all couplings together, and the first of each.
  std::size_t components() const { return first_.back(); }
  std::size_t first_component(std::size_t coupling) const { return first_[coupling]; }

  bool scalar() const { return scalar_; }
  const SpringLaw& law(std::size_t coupling) const { return laws_[coupling]; }  ///< scalar models
  const CutEffort& effort(std::size_t coupling) const;                          ///< mechanisms
  /// Whether coordinate k of the body at an end is an angle or part of a quaternion.
  bool is_angle(std::size_t coupling, CutSide side, std::size_t k) const {
    if (coupling >= cuts_) return signal_angles_[coupling - cuts_] != 0;
    return !scalar() && is_angle_of_effort(coupling, side, k);
  }
  /// Where the body at an end of a coupling is in states of this layout.
  BodyMotion body(const CutStates& y, std::size_t coupling, CutSide side) const {
    const std::size_t first = layout_.first(coupling, side);
    return {y.x(side).data() + first, y.v(side).data() + first};
  }

  /// u = phi(y), all components.
  void evaluate(double t, const CutStates& y, std::span<double> u) const;
  /// Some law takes an angle for continuous that may jump by a turn (Switch::angle).
  bool counts_turns() const { return !turning_.empty(); }
  /// The first coupling where such an angle jumped between two states; not valid: none did.
  CouplingId lost_turn(double t, const CutStates& y, double t_before, const CutStates& before,
                       std::vector<Switch>& scratch) const;
  /// What a component of a coupling is off by when states are off by so much: law(dx, dv); of mechanisms
  /// linearised at the initial state.
  double resolution(std::size_t coupling, std::size_t component, const MotionSizes& off) const;
  /// Fastest rate of change (1/time) that a coupling and its two bodies show at the state y:
  /// max of sqrt(k (1/m_a + 1/m_b)) and d (1/m_a + 1/m_b). Zero when all couplings are slack.
  double fastest_rate(double t, const CutStates& y) const;

 private:
  void add_mechanism(const Model& model, const Interface& interface);
  void find_turning(const CutStates& y);
  bool is_angle_of_effort(std::size_t coupling, CutSide side, std::size_t k) const;

  CutLayout layout_;
  std::vector<std::size_t> first_{0};
  // Of the cuts, which come before the signals.
  std::vector<SpringLaw> laws_;
  std::vector<double> inverse_mass_;  ///< 1/m_a + 1/m_b
  std::vector<CutEffort> efforts_;
  std::vector<std::size_t> turning_;  ///< couplings with angles that must not jump
  bool scalar_ = true;                ///< there are no efforts
  std::size_t cuts_ = 0;              ///< how many couplings have a law
  std::vector<std::uint8_t> signal_angles_;
  /// Per unit of each, of every component of a mechanism, with one body moving.
  std::vector<MotionSizes> steepest_;
};

}  // namespace cosimo
