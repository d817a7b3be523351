// The models of the benchmarks: the chain of Table 5.9 and its variants.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "integrator/integrator.hpp"
#include "model/equations.hpp"
#include "model/model.hpp"
#include "subsystem/driven_part.hpp"

namespace cosimo::bench {

/// Table 5.9 with random initial conditions.
Model table_5_9(std::size_t masses);

/// The chain section of a scenario file for it; `extra` is added inside `chain:` (loads, initial).
std::string table_5_9_yaml(std::size_t masses, const std::string& extra = "");

/// The nonlinear chain of Table 5.1: 50 masses, a harmonic force at the free end.
std::string table_5_1_yaml();

/// The steel rod of A.3, example 1 (Table A.3), as so many equal masses, fixed at one end, struck for 5e-5 s
/// at the other. `damping_ratio` is that of the elements, d / (2 sqrt(c m)).
std::string steel_rod_yaml(std::size_t elements, double damping_ratio);

/// The two-mass oscillator of Section 5.5 (Table 5.6) with m_2/m_1 and the coupling's damping.
std::string asymmetric_yaml(double mass_ratio, double damping);

/// `simulate:` and `partition:` of equal parts, recording the bodies beside the cuts a hundred times; these
/// are told one by one, so that an uncut run of the same text records them, too.
std::string run_yaml(std::size_t masses, std::size_t parts, double end);

/// The uncut model as an integrator sees it.
struct Whole {
  Model model;
  Equations equations;
  DrivenPart system;
  explicit Whole(Model m);
};

/// States of up to 200 evenly chosen bodies at 100 times.
struct Trajectory {
  std::vector<double> position, velocity;
  std::size_t columns = 0;
};
/// Root mean square over the columns of the NRMSE (5.1), positions and velocities together.
double rms_nrmse(const Trajectory& a, const Trajectory& reference);

struct Sampler {
  std::vector<std::int32_t> dofs;
  std::vector<double> times;
  Sampler(std::size_t masses, double end);
};

/// One integration of the uncut model; `seconds` without the set-up.
struct Integration {
  Trajectory trajectory;
  double seconds = 0;
  Counters counters;
};
Integration integrate(const Whole& whole, const IntegratorOptions& options, const Sampler& sampler);

/// The uncut chain of Table 5.9 on its way, past the start of the method.
class Underway {
 public:
  Underway(std::size_t masses, Method method);
  Integrator& integrator() { return *integrator_; }
  double time() const { return time_; }
  /// Goes on to t; throws when the method fails.
  void advance(double t);
  /// Seconds per accepted micro step over the next 1e-4 of simulated time.
  double micro_step_seconds();

 private:
  Whole whole_;
  std::unique_ptr<Integrator> integrator_;
  double time_ = 0;
};

}  // namespace cosimo::bench
