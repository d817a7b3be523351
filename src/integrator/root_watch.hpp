// On which side of its root functions a motion is, and where it goes over (integrator/whole.hpp).
//
//   RootWatch watch(system, tolerances);
//   watch.begin(state.sides);                     the sides that are kept in the state
//   watch.find_unknown(t, y, rates, ahead);       at the start
//   if (watch.crossed(t, y)) ...                  at the end of a step: another side, strictly
//   watch.confirm()                               it was not
//   const Bracket b = watch.locate(t, h, motion); where between both ends, by a fixed number of halvings
//   watch.passed()                                what has crossed at b.after
//   watch.settle(fired, t, y, rates, ahead)       the sides after an event
//
// A side changes with events alone. Those of the roots that fired are then the signs a short explicit step
// ahead: what bounces stays on its side, what passes is on the other one, and neither fires again. All other
// roots keep theirs, so that what a jump has carried over fires next.
//
// A side that was foreseen like that, while the root itself is still at zero or beyond, is not confirmed
// before a step has ended there. Until then the other side counts only where the tolerances tell it from
// zero: what is within them would be noise that sets off the same event again and again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "integrator/system.hpp"
#include "numerics/tolerances.hpp"

namespace cosimo {

/// "Short" in terms of steps: well above the width of a bracket.
inline constexpr double short_step = 1e-8;

/// Sides that are not known become the signs at this state, where they have one.
void find_signs(const System& system, double t, const Whole& y, std::span<std::int8_t> sides);

class RootWatch {
 public:
  struct Bracket {
    double before = 0, after = 1;  ///< parts of the step
  };
  /// Of the state that goes with it.
  struct Rates {
    const double* a = nullptr;
    const double* z = nullptr;
  };

  RootWatch(const System& system, const Tolerances& tolerances);

  bool idle() const { return g_.empty(); }
  void begin(std::span<const std::int8_t> sides) { std::copy(sides.begin(), sides.end(), sides_.begin()); }
  std::span<const std::int8_t> sides() const { return sides_; }
  /// The last that crossed(), due() or locate() found: the side it is on now, 0 where it has not crossed.
  std::span<const std::int8_t> passed() const { return passed_; }

  /// Signs at the state; a short step ahead where the sign is neither.
  void find_unknown(double t, const Whole& y, const Rates& rates, double ahead);
  bool crossed(double t, const Whole& y);
  /// After a crossed() that was false at the end of a step.
  void confirm();
  /// `ahead` later by an explicit step.
  bool due(double t, const Whole& y, const Rates& rates, double ahead);
  /// motion(theta): the state at t + theta h. crossed() is true at the end.
  template <class Motion>
  Bracket locate(double t, double h, Motion&& motion);
  /// Whether what has passed() was so near to zero at the state `from` that the tolerances cannot tell on
  /// which side.
  bool doubtful(double t, const Whole& from);
  void settle(std::span<const std::int8_t> fired, double t, const Whole& y, const Rates& rates, double ahead);

 private:
  static constexpr int halvings = 40;
  bool compare(double t, const Whole& y);
  void find_noise(double t, const Whole& y);
  void evaluate_ahead(double t, const Whole& y, const Rates& rates, double ahead);

  const System& system_;
  Tolerances tolerances_;
  std::size_t n_, m_;
  std::vector<double> g_, q_, v_, z_;
  std::vector<double> ahead_g_, shifted_g_, noise_;
  std::vector<std::int8_t> sides_, passed_;
};

template <class Motion>
RootWatch::Bracket RootWatch::locate(double t, double h, Motion&& motion) {
  Bracket bracket;
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (bracket.before + bracket.after);
    (crossed(t + middle * h, motion(middle)) ? bracket.after : bracket.before) = middle;
  }
  crossed(t + bracket.after * h, motion(bracket.after));
  return bracket;
}

}  // namespace cosimo
