// Signal blocks of the scenario file: what an engineer puts between a sensor and an actuator.
//
//   pid   out = kp e + ki z + kd (e - w) / filter,  z' = e,  w' = (e - w) / filter,  e = reference - measured
//   lag   time_constant out' = gain in - out
//
// Inputs and outputs are in the order in which these functions list them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "integrator/integrator.hpp"
#include "network/component_spec.hpp"
#include "network/course.hpp"
#include "numerics/expression.hpp"

namespace cosimo {

struct PidGains {
  double kp = 0, ki = 0, kd = 0;
  double filter = 0.01;  ///< time constant of the derivative
};

/// Inputs `measured`, `reference`; output `out`. `reference`: a formula of t and of these curves, for when
/// nothing is connected there. It may jump.
std::unique_ptr<ComponentSpec> make_pid(std::string name, const PidGains& gains, const Expression& reference,
                                        std::span<const NamedCurve> curves, const IntegratorOptions& options);

/// Input `in`, output `out`.
std::unique_ptr<ComponentSpec> make_lag(std::string name, double time_constant, double gain, double initial,
                                        const IntegratorOptions& options);

/// An input and an output of the same name: out = factor in + offset, at once.
struct Scaled {
  std::string name;
  double factor = 1, offset = 0;
  double nominal = 0;  ///< of the output: what counts as an ordinary value; zero: not known
};
std::unique_ptr<ComponentSpec> make_scaling(std::string name, std::vector<Scaled> signals);

/// Output `out`: input number `input` from outside, on its course.
std::unique_ptr<ComponentSpec> make_source(std::shared_ptr<const OuterInputs> outer, std::size_t input);

/// Takes what its inputs are called, and does nothing with it: what arrives there is recorded with all other
/// signals, and judged by nobody.
std::unique_ptr<ComponentSpec> make_sink(std::string name, std::span<const std::string> inputs);

}  // namespace cosimo
