// Macro-step size and order control (Sections 3.2 to 3.4): a pure function of numbers.
// It never sees a state or a clock; the caller hands it norms and gets H and kappa.
//
//   accepted / rejected / failed -> next {H, kappa}
//
// Call sequence:
//
//   Decision next = controller.first();
//   loop:  try a step of next.H (or shorter) and next.kappa (or less, if the history is short)
//     done, error test passed:   next = controller.accepted(T_{N+1}, H, next.H, kappa, norms, sdn)
//     done, error test failed:   next = controller.rejected(T_N, H, kappa, norms, sdn)
//     a subsystem or corrector failed:  next = controller.failed(T_N, H, kappa)
//     next.too_small: give up
//
// Start phase (3.4): H_init and kappa = 0; every accepted step doubles H and raises kappa by one. It ends
// when kappa_max is reached, a step fails, or H (r < 1) or kappa has to be reduced.
//
// A step that was shortened by the caller (H < planned) says little about the planned size: on the real
// grid its error shrinks slower than H^(kappa+1), since the older points stay where they are. Therefore
//   r >= 1:  the planned size is kept, or r * H is taken where that is more;
//   r < 1:   even the short step was too long: the factor applies to it.
// Shortening is no reduction of H by the controller: the step counts in N_succ like any other.
//
// The order stays at order_max with `order_fixed`, whatever fails; in the beginning it rises with the
// history. With `step_fixed` the sizes are those of Listing 5.1 and only the order is controlled.
//
// A plain value: copying a controller copies what it remembers, and archive() makes bytes of it. Options and
// the end of the run are not among that.
#pragma once

#include <cstdint>
#include <limits>

#include "control/norms.hpp"
#include "control/order.hpp"
#include "control/step.hpp"
#include "core/archive.hpp"
#include "numerics/polynomial.hpp"

namespace cosimo {

struct ControlOptions {
  double safety = 6;
  double r_min = 0.5, r_max = 1.5;
  bool dead_zone = true;
  double first_step = 0;  ///< H_init, already chosen by the caller; H itself with step_fixed
  double min_step = 0;
  double max_step = std::numeric_limits<double>::infinity();
  int order_max = 5;         ///< 0 to max_degree - 1
  bool order_fixed = false;  ///< kappa = order_max as soon as the history allows
  OrderStrategy strategy = OrderStrategy::standard;
  bool step_fixed = false;  ///< the estimate is recorded, the step stays (Listing 5.1 start)
  /// History points the estimator needs beyond the kappa + 1 of the prediction: 1 for exLE and exMD
  /// (T_{N-kappa-1}), 0 for exCV. kappa is kept below accordingly; the very first step is exempt.
  int spare_points = 0;
  /// After a change of order: the error found, times what (3.26) says of the new degree against the old one.
  /// Otherwise (3.26) alone decides, which knows coupling variables only: right where they are what is
  /// judged, far too strict where a corrector keeps the states right although the coupling variables are not.
  bool calibrate = false;
};

struct Decision {
  double H = 0;
  int kappa = 0;
  /// A step of the minimum size failed (or, with a fixed step, any): the run must end.
  bool too_small = false;
};

class Controller {
 public:
  Controller(const ControlOptions& options, double t_start, double t_end);

  /// H and kappa of the very first step.
  Decision first() const;
  /// From an event on: as at the start, but steps of fixed size stay.
  Decision restart(double t);

  /// Local error test (3.21)-(3.23).
  static bool passes(const ErrorNorms& norms) { return norms.largest() <= 1.0; }

  /// `t` is where the next step starts. `H` is the size of the step just done (it may have been shortened
  /// to meet an output, a breakpoint or the end: `planned` then says what the controller had asked for),
  /// `kappa` the degree it was really done with.
  Decision accepted(double t, double H, double planned, int kappa, const ErrorNorms& norms,
                    const DerivativeNorms& sdn);
  /// Norms that are not finite count as a failed step.
  Decision rejected(double t, double H, int kappa, const ErrorNorms& norms, const DerivativeNorms& sdn);
  /// A subsystem failed or a corrector did not converge: factor 0.25.
  Decision failed(double t, double H, int kappa);

  bool starting() const { return starting_; }
  /// No step is made smaller: the user's minimum or 1e-14 max(|t|, t_end).
  double smallest_step(double t) const;

  void archive(Archive& a) {
    a.section("controller");
    a(starting_, order_, n_fail_, last_chance_, n_succ_, steps_);
  }

 private:
  int highest_order(const DerivativeNorms& sdn) const;
  int choose_order(int kappa, int n_succ, const DerivativeNorms& sdn) const;
  bool start_goes_on(int kappa, const ErrorNorms& norms, const DerivativeNorms& sdn) const;
  double factor_after_change(double H, int kappa, int kappa_next, const ErrorNorms& norms,
                             const DerivativeNorms& sdn) const;
  bool calibrated(const ErrorNorms& norms) const;
  double resized(double H, double planned, double r) const;
  double next_size(double H, double planned, int kappa, int kappa_next, const ErrorNorms& norms,
                   const DerivativeNorms& sdn) const;
  Decision repeat(double t, double H, double factor, int kappa);
  FactorLimits limits() const { return {options_.r_min, options_.r_max, options_.dead_zone}; }

  ControlOptions options_;
  double t_start_ = 0, t_end_ = 0;
  bool starting_ = true;      ///< H doubles and kappa grows in every step
  int order_ = 0;             ///< kappa of the last decision
  int n_fail_ = 0;            ///< consecutive failed attempts
  bool last_chance_ = false;  ///< the smallest step has been asked for
  int n_succ_ = 0;            ///< consecutive successes of one order, H never reduced in between
  std::int64_t steps_ = 0;    ///< accepted steps
};

}  // namespace cosimo
