// Settings of the scenario file that the modules below it know by the same names.
#pragma once

#include "core/choices.hpp"

namespace cosimo {

/// The integrator of a subsystem.
enum class Method { automatic, ida, rk, merson, rosenbrock, radau };
constexpr auto words_of(Method) {
  return wording<Method>({{Method::automatic, "auto"},
                          {Method::ida, "ida"},
                          {Method::rk, "rk"},
                          {Method::merson, "merson"},
                          {Method::rosenbrock, "rosenbrock"},
                          {Method::radau, "radau"}});
}

/// The linear solver of implicit methods.
enum class Linear { automatic, structured, klu, dense };
constexpr auto words_of(Linear) {
  return wording<Linear>({{Linear::automatic, "auto"},
                          {Linear::klu, "klu"},
                          {Linear::structured, "structured"},
                          {Linear::dense, "dense"}});
}

/// How a multistep method meets the end of a macro step (Section 4.3).
enum class Stop {
  adjusted,  ///< Listing 4.1: stretch or halve the last steps, land on the end
  exact,     ///< stop exactly, whatever it costs
  limit      ///< h <= H / n, overshoot, interpolate; refused where steps may be repeated
};
constexpr auto words_of(Stop) {
  return wording<Stop>({{Stop::adjusted, "adjusted"}, {Stop::exact, "exact"}, {Stop::limit, "limit"}});
}

/// How the bodies are divided into parts.
enum class CutMethod { equal, metis, manual, automatic };
constexpr auto words_of(CutMethod) {
  return wording<CutMethod>({{CutMethod::equal, "equal"},
                             {CutMethod::metis, "metis"},
                             {CutMethod::manual, "manual"},
                             {CutMethod::automatic, "auto"}});
}

/// Of a chain or of the rows of a lattice: joined to a wall or not.
enum class End { fixed, free };
constexpr auto words_of(End) {
  return wording<End>({{End::fixed, "fixed"}, {End::free, "free"}});
}

/// Of a load, from body to body.
enum class Sign { plus, alternating, random };
constexpr auto words_of(Sign) {
  return wording<Sign>({{Sign::plus, "plus"}, {Sign::alternating, "alternating"}, {Sign::random, "random"}});
}

/// Of a curve, between its points and outside them.
enum class Between { linear, cubic };
constexpr auto words_of(Between) {
  return wording<Between>({{Between::linear, "linear"}, {Between::cubic, "cubic"}});
}
enum class Outside { hold, zero };
constexpr auto words_of(Outside) {
  return wording<Outside>({{Outside::hold, "hold"}, {Outside::zero, "zero"}});
}

enum class SchemeKind { explicit_, semi_implicit, implicit, waveform };
constexpr auto words_of(SchemeKind) {
  return wording<SchemeKind>({{SchemeKind::explicit_, "explicit"},
                              {SchemeKind::semi_implicit, "semi-implicit"},
                              {SchemeKind::implicit, "implicit"},
                              {SchemeKind::waveform, "waveform"}});
}

/// What the two sides of a cut exchange: states of bodies that both integrate, or what drives the one and the
/// other (Section 2.1).
enum class Decomposition { overlap, force_force, force_displacement, displacement_displacement };
constexpr auto words_of(Decomposition) {
  return wording<Decomposition>({{Decomposition::overlap, "overlap"},
                                 {Decomposition::force_force, "force-force"},
                                 {Decomposition::force_displacement, "force-displacement"},
                                 {Decomposition::displacement_displacement, "displacement-displacement"}});
}

enum class Estimator {
  none,
  exLE,  ///< local extrapolation, 3.1.1
  exMD,  ///< Milne device, 3.1.2
  exCV,  ///< local extrapolation of the coupling variables, 3.1.3
  imMD,  ///< Milne device: predictor against corrector, 3.1.4
  imCV,  ///< predicted against corrected coupling variables, 3.1.5
  waCV,  ///< the same with the waveform scheme
  exOV   ///< mismatch between copies and owners, pushed through the cut (docs/overlap.md)
};
constexpr auto words_of(Estimator) {
  return wording<Estimator>({{Estimator::exOV, "exOV"},
                             {Estimator::exLE, "exLE"},
                             {Estimator::exMD, "exMD"},
                             {Estimator::exCV, "exCV"},
                             {Estimator::imMD, "imMD"},
                             {Estimator::imCV, "imCV"},
                             {Estimator::waCV, "waCV"},
                             {Estimator::none, "none"}});
}

/// How the interface Jacobian is found (Appendix A).
enum class JacobianMethod {
  fd,           ///< finite differences
  sap,          ///< from the masses of the coupling bodies: the first term of the series
  rk,           ///< one Runge-Kutta step of the variational equation
  sensitivity,  ///< the derivative of the integrator's own steps
  series
};
constexpr auto words_of(JacobianMethod) {
  return wording<JacobianMethod>({{JacobianMethod::fd, "fd"},
                                  {JacobianMethod::sap, "sap"},
                                  {JacobianMethod::rk, "rk"},
                                  {JacobianMethod::sensitivity, "sensitivity"},
                                  {JacobianMethod::series, "series"}});
}

/// How the degree of the approximation polynomials is chosen (Section 3.3).
enum class OrderStrategy {
  standard,     ///< Listing 3.2, adapted from IDA
  conservative  ///< Listing 3.1: a strictly decreasing sequence of scaled derivatives
};
constexpr auto words_of(OrderStrategy) {
  return wording<OrderStrategy>(
      {{OrderStrategy::standard, "standard"}, {OrderStrategy::conservative, "conservative"}});
}

}  // namespace cosimo
