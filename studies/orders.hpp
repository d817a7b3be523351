// Errors over the macro step on the chain of Table 5.1, and the largest step that is stable ([K] 5.1).
//
//   const ConvergenceBench bench(lab, {.linear = true, .half = true});        runs the reference
//   const Sweep s = bench.sweep({.name = "explicit", .couple = "scheme: explicit", .kappa = 2,
//                                .divisors = {50, 100, 200}});
//   s.order(s.local_pos)                                                    kappa + 3 is expected
#pragma once

#include <span>
#include <string>
#include <vector>

#include "studies/chains.hpp"
#include "studies/lab.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

/// Errors of one setting over its macro steps, largest step first; `gap` where the run was not stable.
struct Sweep {
  std::string name;
  int kappa = 0;
  std::vector<double> H, local_pos, local_vel, global;
  std::size_t fitted = 3;  ///< of the smallest steps: what orders are fitted to

  double order(const std::vector<double>& errors) const;
};

struct SweepSettings {
  std::string name;
  std::string couple;  ///< entries of the section
  int kappa = 2;
  std::vector<int> divisors;  ///< of the output step: H = 1e-3 s / divisor, ascending
  std::string solve = "method: rk, rtol: 1.0e-12, atol_pos: 1.0e-15, atol_vel: 1.0e-12";
};

class ConvergenceBench {
 public:
  static constexpr double output_step = 1e-3;

  /// Runs the uncut model, nearly exactly.
  ConvergenceBench(Lab& lab, ConvergenceChain chain);

  Sweep sweep(const SweepSettings& settings) const;
  const ConvergenceChain& chain() const { return chain_; }
  const Trial& reference() const { return reference_; }

 private:
  Lab* lab_;
  ConvergenceChain chain_;
  Trial reference_;
};

/// What a climb down a ladder of macro steps found, on the nonlinear chain of the published size.
struct StabilityLimit51 {
  double stable = 0;    ///< largest step of the ladder whose run stays bounded; 0: none
  double unstable = 0;  ///< smallest step above it that does not; 0: none was tried
};
/// `ladder`: descending. Bounded: the run ends, and no displacement exceeds twice the true 5 m.
StabilityLimit51 stability_limit(Lab& lab, const std::string& couple, int kappa,
                                 std::span<const double> ladder);

/// "5.02, 4.01, 3.00": orders of sweeps.
std::string order_list(std::span<const Sweep> sweeps, std::vector<double> Sweep::*errors);
/// All orders within a quarter of kappa + `more`.
bool orders_agree(std::span<const Sweep> sweeps, std::vector<double> Sweep::*errors, int more);

/// Errors of several sweeps, log over log, with a line of slope kappa + `more` beside each.
Figure error_figure(std::string id, std::string title, std::string where, std::span<const Sweep> sweeps,
                    std::vector<double> Sweep::*errors, int more);
Table order_table(std::string id, std::string title, std::span<const Sweep> sweeps);

}  // namespace cosimo::studies
