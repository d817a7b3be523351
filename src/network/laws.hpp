// The laws at the cuts: the force of every cut element, which may have several components, as a function of
// the states of the two bodies that it joins and of time, (2.18)-(2.20). Whoever cuts a model hands them out
// (model/cut_laws.hpp); schemes need not know what kind of element is behind them. Signals are couplings
// without a law.
//
//   laws.evaluate(t, y, u);               // all forces at the states y of all ends
//   laws.force(cut, t, ends, u);          // of one, with its ends anywhere
//   laws.slopes(cut, t, ends, rows);      // its derivatives
//
// No function allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "network/cut_layout.hpp"
#include "network/cut_states.hpp"
#include "numerics/switch.hpp"
#include "numerics/tolerances.hpp"

namespace cosimo {

inline constexpr std::size_t most_coordinates = 7;  ///< of a body
inline constexpr std::size_t most_components = 9;   ///< of a force

/// Derivatives with respect to a position and to its velocity.
struct Slope {
  double x = 0, v = 0;
};

class Laws {
 public:
  struct Ends {
    BodyMotion from, to;
  };
  /// Where derivatives go: those of component k by the coordinates of an end begin at from + k * stride and
  /// to + k * stride.
  struct Rows {
    Slope *from = nullptr, *to = nullptr;
    std::size_t stride = 0;
  };
  /// force = c (x_to - x_from) + d (v_to - v_from)
  struct Linear {
    double c = 0, d = 0;
  };

  virtual ~Laws() = default;
  Laws(const Laws&) = delete;
  Laws& operator=(const Laws&) = delete;

  std::size_t size() const { return layout_.couplings(); }
  std::size_t cuts() const { return cuts_; }  ///< they come before the signals
  const CutLayout& layout() const { return layout_; }
  /// Force components of all couplings together, and the first of each.
  std::size_t components() const { return first_.back(); }
  std::size_t components(std::size_t coupling) const { return first_[coupling + 1] - first_[coupling]; }
  std::size_t first_component(std::size_t coupling) const { return first_[coupling]; }
  /// Where the body at an end of a coupling is in states of this layout.
  BodyMotion body(const CutStates& y, std::size_t coupling, CutSide side) const {
    const std::size_t first = layout_.first(coupling, side);
    return {y.x(side).data() + first, y.v(side).data() + first};
  }
  Ends ends(const CutStates& y, std::size_t coupling) const {
    return {body(y, coupling, CutSide::from), body(y, coupling, CutSide::to)};
  }
  /// Whether coordinate k at an end is an angle or part of a quaternion.
  bool is_angle(std::size_t coupling, CutSide side, std::size_t k) const {
    return coupling >= cuts_ ? signal_angles_[coupling - cuts_] != 0 : is_cut_angle(coupling, side, k);
  }

  /// u = phi(y), all components of all cuts, or of some.
  void evaluate(double t, const CutStates& y, std::span<double> u) const { evaluate(t, y, {0, cuts_}, u); }
  virtual void evaluate(double t, const CutStates& y, Range cuts, std::span<double> u) const = 0;
  /// All components of one.
  virtual void force(std::size_t cut, double t, const Ends& at, double* u) const = 0;
  virtual void slopes(std::size_t cut, double t, const Ends& at, const Rows& out) const = 0;
  /// Of a force with one component between ends with one coordinate each, where it is linear.
  virtual std::optional<Linear> linear(std::size_t /*cut*/) const { return {}; }

  /// What a component of a cut is off by when states are off by so much.
  virtual double resolution(std::size_t cut, std::size_t component, const MotionSizes& off) const = 0;
  /// The arm at which its force turns a body as much as it moves it; zero where nothing turns.
  virtual double arm(std::size_t /*cut*/) const { return 0; }
  /// Fastest rate of change (1/time) that a cut and its two bodies show at the state y. Zero when all are
  /// slack.
  virtual double fastest_rate(double t, const CutStates& y) const = 0;

  /// Some law takes an angle for continuous that may jump by a turn (Switch::angle).
  virtual bool counts_turns() const { return false; }
  /// The first coupling where such an angle jumped between two states; not valid: none did.
  virtual CouplingId lost_turn(double /*t*/, const CutStates& /*y*/, double /*t_before*/,
                               const CutStates& /*before*/, std::vector<Switch>& /*scratch*/) const {
    return {};
  }

 protected:
  /// The couplings must know their sizes (model/size_couplings.hpp).
  explicit Laws(const Interface& interface) : layout_(interface) {
    for (const Coupling& coupling : interface.couplings) {
      first_.push_back(first_.back() + coupling.components);
      if (coupling.is_signal())
        signal_angles_.push_back(coupling.from.angle ? 1 : 0);
      else
        ++cuts_;
    }
  }

 private:
  virtual bool is_cut_angle(std::size_t /*cut*/, CutSide /*side*/, std::size_t /*k*/) const { return false; }

  CutLayout layout_;
  std::vector<std::size_t> first_{0};
  std::size_t cuts_ = 0;
  std::vector<std::uint8_t> signal_angles_;
};

}  // namespace cosimo
