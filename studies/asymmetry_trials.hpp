// The asymmetric oscillator of [K] 5.5 (Table 5.6) and A.3, example 2, and what the schemes need for it.
//
//   const AsymmetryGrid grid = run_grid(lab, {1, 1e3, 1e6}, {0, 1e2, 1e4, 1e6}, way_list, 0.1, 10000);
//   grid.at(way, ratio, damping).per_second()     macro steps per simulated second
//
// The document stopped a run after 8.5 hours. Here a limit of macro steps does, so that the verdicts do not
// depend on a clock; steps per simulated second of such a run are those of the time that it reached.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "studies/lab.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

/// Version, model and solver: m2 = 1 kg, springs of 1e6 N/m, a damper in the element that is cut.
std::string asymmetric_oscillator(double mass_ratio, double damping);

/// One way to couple the masses: entries of the sections.
struct AsymmetricWay {
  std::string name, couple, control;
  bool operator==(const AsymmetricWay&) const = default;
};
namespace ways {
extern const AsymmetricWay exMD, imMD, waCV;  ///< of 5.5: Jacobian by finite differences, relaxation 0.3
extern const AsymmetricWay imMD_default;      ///< Cosimo's own Jacobian: derivative of the solver's steps
extern const AsymmetricWay sap, sap_loose;    ///< of A.3: first term of the series, tau 0.01 and 0.33
}  // namespace ways

/// The sections beside the model. Explicit runs of the undamped oscillator use Listing 3.1, as in 5.5.
std::string coupled(const AsymmetricWay& way, double damping, double end, double output, double rtol,
                    std::int64_t limit);

struct AsymmetryOutcome {
  bool ended = false;  ///< within the limit
  double reached = 0;  ///< simulated time
  double steps = 0, iterations = 0, failures = 0;
  double error = gap;  ///< NRMSE (5.2) of all states; of runs that ended
  double cpu_s = 0;

  double per_second() const;
  double per_step() const { return iterations / steps; }  ///< corrector iterations
};

struct AsymmetryGrid {
  std::vector<AsymmetricWay> ways;
  std::vector<double> ratios, dampings;
  std::vector<AsymmetryOutcome> outcomes;  ///< way by way, ratio by ratio, damping by damping
  double end = 0;
  std::int64_t limit = 0;

  bool has(double ratio, double damping) const;
  const AsymmetryOutcome& at(const AsymmetricWay& way, double ratio, double damping) const;
};

AsymmetryGrid run_grid(Lab& lab, std::vector<double> ratios, std::vector<double> dampings,
                       std::span<const AsymmetricWay> ways, double end, std::int64_t limit);

/// Figures 5.69 (macro steps), 5.70 (errors) and A.24 (iterations, failures), and all numbers.
void show_grid(const AsymmetryGrid& grid, Finding& finding);
/// The remarks on the undamped oscillator of mass ratio 1e6: order control, numerical damping, Figures 5.71
/// and 5.72. `damped_error`: of a damped run, for comparison.
void study_undamped(Lab& lab, Finding& finding, double damped_error);

}  // namespace cosimo::studies
