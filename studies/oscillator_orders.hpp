// Orders of convergence of couplings of two masses (appendices B and C): several fixed macro steps, local
// errors against local references and the global error against the same oscillator uncut, NRMSE (5.2).
//
//   OscillatorBench bench(lab, {.end = 2, .rows = 20});
//   Orders o = bench.measure("exMD", "scheme: explicit", 2, H);   the inside of `couple:`, the degree, steps
//   o.pos(), o.vel(), o.glob()                                    least-squares slopes
//
// The subsystems are solved to 1e-13, so that approximating coupling variables is all that errs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "studies/lab.hpp"

namespace cosimo::studies {

/// A damped linear two-mass oscillator without symmetries (Figures B.1, C.1): the documents give no numbers.
struct DampedOscillator {
  static constexpr double coupling_c = 80, coupling_d = 1.5;
  static std::string text();       ///< version and `model:` section
  static std::string described();  ///< for the settings of a study
  /// Of the element that is cut.
  static double force(double dx, double dv) { return coupling_c * dx + coupling_d * dv; }
};

struct Orders {
  std::vector<double> H, local_pos, local_vel, global_pos, global_vel, global;
  double pos() const { return observed_order(H, local_pos); }
  double vel() const { return observed_order(H, local_vel); }
  double glob() const { return observed_order(H, global); }
};

/// An observed order is the expected one: a quarter is allowed.
bool is_order(double observed, double expected);
bool are_orders(const Orders& o, double pos, double vel, double global);

class OscillatorBench {
 public:
  struct Span {
    double end;  ///< simulated time
    int rows;    ///< output times after the start; every macro step used must divide end / rows
  };
  OscillatorBench(Lab& lab, Span span);

  /// `look` sees every trial. `control`: more keys of the section.
  using Look = std::function<void(const Trial& trial)>;
  Orders measure(std::string_view name, std::string_view couple, int kappa, std::span<const double> steps,
                 const Look& look = {}, std::string_view control = {});
  const Trial& reference() const { return reference_; }

 private:
  Lab& lab_;
  std::string simulate_;
  Trial reference_;
};

}  // namespace cosimo::studies
