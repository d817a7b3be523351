#include "core/error.hpp"
#include "integrator/constrained_system.hpp"
#include "integrator/end_projection.hpp"
#include "integrator/ida.hpp"
#include "integrator/integrator.hpp"
#include "integrator/one_step.hpp"
#include "integrator/radau.hpp"
#include "integrator/rk.hpp"
#include "integrator/rosenbrock.hpp"

namespace cosimo {
namespace {

[[noreturn]] void refuse(std::string value, std::string problem, std::string remedy,
                         std::string field = "solve.method") {
  throw Error(Fault{.field = std::move(field),
                    .value = std::move(value),
                    .problem = std::move(problem),
                    .remedy = std::move(remedy)});
}

bool wanted(const IntegratorOptions& options, Method method) {
  return options.method == method || options.method == Method::automatic;
}

std::unique_ptr<Integrator> make_constrained(const ConstrainedSystem& system,
                                             const IntegratorOptions& options) {
  if (options.method == Method::rosenbrock)
    refuse("rosenbrock", "it cannot integrate bodies in space or joints",
           "use radau, rk, merson, ida or auto");
  if (options.method == Method::ida) return make_ida(system, options);
  const Tolerances& tolerances = options.tolerances;
  std::vector<std::unique_ptr<Stepper>> steppers;
  // Where coordinates are freedoms and nothing holds them, no step drifts.
  const bool drifts = system.constraints() > 0 || system.freedoms() != system.size();
  const auto add = [&](std::unique_ptr<Stepper> stepper) {
    steppers.push_back(drifts ? make_projected_stepper(system, tolerances, std::move(stepper), options.team)
                              : std::move(stepper));
  };
  if (wanted(options, Method::rk)) add(make_rk_stepper(system, tolerances, options.judged, options.team));
  if (wanted(options, Method::merson))
    add(make_merson_stepper(system, tolerances, options.judged, options.team));
  if (wanted(options, Method::radau))
    steppers.push_back(make_radau_stepper(system, tolerances, options.judged, options.linear, options.team));
  return std::make_unique<OneStepIntegrator>(system, options, std::move(steppers));
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(const System& system, const IntegratorOptions& options) {
  const Extent extent = system.extent();
  if (options.method == Method::ida && options.stop == Stop::limit && extent.s + extent.roots > 0)
    refuse("limit",
           "steps must not pass the end of a macro step where there are events or elements with memory",
           "use adjusted or exact", "solve.stop");
  if (const ConstrainedSystem* const constrained = system.constrained())
    return make_constrained(*constrained, options);
  if (options.method == Method::radau)
    refuse("radau", "it integrates bodies in space and joints only",
           "use rosenbrock, rk, merson, ida or auto");
  if (options.method == Method::ida) return make_ida(system, options);
  std::vector<std::unique_ptr<Stepper>> steppers;
  if (wanted(options, Method::rk))
    steppers.push_back(make_rk_stepper(system, options.tolerances, options.judged, options.team));
  if (options.method == Method::merson)
    steppers.push_back(make_merson_stepper(system, options.tolerances, options.judged, options.team));
  if (wanted(options, Method::rosenbrock))
    steppers.push_back(
        make_rosenbrock_stepper(system, options.tolerances, options.linear, options.judged, options.team));
  return std::make_unique<OneStepIntegrator>(system, options, std::move(steppers));
}

std::string reason_of(const AdvanceResult& result, const System& system) {
  const std::string law = result.law < 0 ? std::string() : system.law_name(result.law);
  return (law.empty() ? law : law + ": ") + std::string(result.reason);
}

}  // namespace cosimo
