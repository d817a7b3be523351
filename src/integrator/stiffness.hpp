// When `automatic` changes its method: a pure function of the model and of counted work.
//
// Work is counted in attempts of rk. What an attempt of rosenbrock costs follows from the pattern of the
// equations: 2.6 for a chain (25 against 10 nanoseconds per degree of freedom), a hundred for a lattice of
// 300 x 300, whose factors fill up. Numbers of operations with fixed weights, never measured at run time.
// Windows of a few steps give the rate, simulated time per work. At the end of a window:
//
//   rk          if its mean step is near the limit of stability, merson is tried where the fastest motion is
//               a vibration, and rosenbrock elsewhere;
//   merson      at its limit, rosenbrock is tried; and rk, once the error asks for shorter steps than rk can
//               take within its own limit;
//   rosenbrock  if rk (merson, for vibrations) would have the better rate at its limit, that is tried.
//
// Both explicit pairs have one order between them, so merson must gain a quarter. Before it is tried, one
// attempt that leads nowhere tells what its error would allow. What it must beat is a rate that lasts: beyond
// its limit of stability rk takes long steps until vibrations have grown out of nothing. They would stay in
// the result, so the first look comes before the first step, with one attempt of each pair at its limit.
//
// A trial lasts two windows, of which the first is for the step size to settle; it must beat the
// rate of the method that was left, otherwise that method comes back and the next trial waits for
// 4, 8, 16, ... windows. A trial of rosenbrock whose third step is still far behind ends there,
// unless there is enough left to do. None is begun that cannot pay: all that come to nothing share a
// twentieth of the work that is done and, by the explicit method at its limit, left to do; and the step that
// would pay must be allowed. The limit of stability comes from Gershgorin's circles (integrator/circles.hpp):
//   omega^2 <= max_i sum_j |K_ij| / m_i,   delta <= max_i sum_j |C_ij| / m_i,
//   |lambda| <= delta/2 + sqrt(delta^2/4 + omega^2)  for  lambda^2 + delta lambda + omega^2 = 0.
// For systems with constraints radau takes the place of rosenbrock, and omega and delta come from
// integrator/spectrum_probe.hpp.
#pragma once

#include <cstdint>
#include <limits>

#include "core/archive.hpp"
#include "numerics/constrained_tangent.hpp"
#include "numerics/second_order.hpp"

namespace cosimo {

struct SpectralBound {
  double omega = 0;  ///< of the undamped motion
  double delta = 0;  ///< of the damping
  /// Bound of the eigenvalues of the first-order system.
  double lambda() const;
  double damping_ratio() const;  ///< 0: none; at most 1
  bool swings() const;           ///< a vibration with hardly any damping
  /// The longest step for which the Dormand-Prince method is stable: |h lambda| up to 1 on the
  /// imaginary axis, 3.3 on the real axis, in between by the damping ratio.
  double stable_step() const;
  /// The same for Merson's pair: 3.46 on the imaginary axis, and what all ratios of damping up to this one
  /// allow, at least 3.03.
  double merson_step() const;
};

/// The oscillator with this bound of its eigenvalues and this ratio of damping.
SpectralBound oscillator(double lambda, double damping_ratio);

/// Steps of merson are held to this part of merson_step(): the fastest motion is known to a few per cent.
inline constexpr double merson_share = 0.97;

/// An attempt of rosenbrock where elimination leaves no fill.
inline constexpr double rosenbrock_without_fill = 2.6;
double rosenbrock_cost(const TangentPattern& pattern, const SecondOrderSolver& solver);
/// `count`: of its real matrix; the complex one has the same pattern.
double radau_cost(const ConstrainedTangent& tangent, const ForceEntries& entries,
                  const EliminationCount& count);
/// What it costs to find that out: the same currency. Nothing to speak of where forces are found one by one.
double radau_count_cost(const ForceEntries& entries);

/// What decides whether a trial of the implicit method may pay.
struct Prospect {
  double cost = rosenbrock_without_fill;  ///< of one of its attempts
  double time_left = std::numeric_limits<double>::infinity();
  double longest_step = std::numeric_limits<double>::infinity();
  double merson_step = -1;   ///< that Merson's pair would take; -1: nobody asked
  bool costly_look = false;  ///< the bound takes evaluations, as it does in mechanisms
};

/// Memory of the choice; plain data, part of every snapshot.
struct MethodChoice {
  bool implicit = false;
  bool merson = false;  ///< neither: rk
  std::int64_t switches = 0;

  /// One attempt of cost `work` that covered `time` (0 when rejected).
  void record(double time, double work);
  bool window_full() const;
  bool on_trial() const { return trial_ > 0; }
  /// Nobody has looked yet whether the motion swings.
  bool unseen() const { return !seen_; }
  /// Before the first step, with the steps that rk and merson would take; 0: the motion does not swing. True
  /// when merson begins, on trial.
  bool begin(const SpectralBound& bound, double rk_step, double merson_step);
  /// Whether decide() will look at the bound. Where rk was far from its limit it need not look in every
  /// window, as long as its steps stay as they were.
  bool needs_bound() const { return trial_ == 0 && wait_ == 0 && !(looked_wait_ > 0 && steady()); }
  /// Whether the implicit method may pay if it costs next to nothing but this much to look into.
  bool may_look(const SpectralBound& bound, double more, const Prospect& prospect) const;
  /// At the end of a window of an explicit method: its steps are near the limit of stability, and decide()
  /// will look at the prospect.
  bool tempted(const SpectralBound& bound) const;
  /// And at prospect.merson_step.
  bool considers_merson(const SpectralBound& bound, const Prospect& prospect) const;
  /// At the end of a window: true when the method has changed.
  bool decide(const SpectralBound& bound, const Prospect& prospect);

  void archive(Archive& a) {
    a(implicit, merson, switches, steps_, time_, work_, last_rate_, trial_, left_rate_, left_implicit_,
      left_merson_, wait_, back_off_, merson_wait_, merson_back_off_, trial_work_, seen_, spent_, in_vain_,
      looked_step_, looked_wait_, looked_back_off_);
  }

 private:
  struct Explicit {
    double step, rate;  ///< at the limit of stability
  };
  Explicit limit_of(const SpectralBound& bound) const;
  double lasting_rate(const SpectralBound& bound) const;
  bool change(bool to_implicit, bool to_merson);
  bool begin_trial(double rate, bool of_implicit, bool of_merson);
  bool end_trial(double rate, const Prospect& prospect);
  bool may_pay(double stable_step, const Prospect& prospect) const;
  bool affords(double more, double rate, const Prospect& prospect) const;
  bool steady() const;
  void looked(bool near_limit);

  int steps_ = 0;  ///< the window: accepted steps, simulated time, work
  double time_ = 0;
  double work_ = 0;
  double last_rate_ = 0;  ///< of the last step accepted
  int trial_ = 0;         ///< windows left of a trial
  double left_rate_ = 0;  ///< of the method that a trial must beat, and which it is
  bool left_implicit_ = false, left_merson_ = false;
  int wait_ = 0;  ///< windows before the next trial
  int back_off_ = 4;
  int merson_wait_ = 0, merson_back_off_ = 4;  ///< before rk and merson change places again
  double trial_work_ = 0;
  bool seen_ = false;
  double spent_ = 0;                           ///< all work
  double in_vain_ = 0;                         ///< of trials of the implicit method that came to nothing
  double looked_step_ = 0;                     ///< of rk when it was last found far from its limit
  int looked_wait_ = 0, looked_back_off_ = 1;  ///< windows before the next look
};

}  // namespace cosimo
