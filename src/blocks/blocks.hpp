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

#include "integrator/integrator.hpp"
#include "network/component_spec.hpp"
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

}  // namespace cosimo
