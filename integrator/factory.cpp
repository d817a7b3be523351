#include "integrator/ida.hpp"
#include "integrator/integrator.hpp"
#include "integrator/one_step.hpp"
#include "integrator/rk.hpp"
#include "integrator/rosenbrock.hpp"

namespace cosimo {

std::unique_ptr<Integrator> make_integrator(const System& system, const IntegratorOptions& options) {
  if (options.method == Method::ida) return make_ida(system, options);
  std::vector<std::unique_ptr<Stepper>> steppers;
  if (options.method != Method::rosenbrock)
    steppers.push_back(make_rk_stepper(system, options.tolerances, options.judged));
  if (options.method != Method::rk)
    steppers.push_back(make_rosenbrock_stepper(system, options.tolerances, options.linear, options.judged));
  return std::make_unique<OneStepIntegrator>(system, options, std::move(steppers));
}

}  // namespace cosimo
