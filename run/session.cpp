#include "run/session.hpp"

#include <algorithm>

#include "run/translate.hpp"

namespace cosimo {

namespace {

bool compares(Estimator e) {
  return e == Estimator::exLE || e == Estimator::exMD;
}

Estimator used_estimator(const config::Scenario& scenario, const Assembly& assembly) {
  return assembly.laws->size() == 0 ? Estimator::none : estimator(scenario.control);
}

int useful_threads(const config::Scenario& scenario, const Assembly& assembly, int threads) {
  const std::size_t lanes =
      assembly.subsystems.size() * (compares(used_estimator(scenario, assembly)) ? 2 : 1);
  return std::clamp(threads, 1, static_cast<int>(lanes));
}

LoopOptions loop_options(const config::Scenario& s, const Assembly& a, const TestHooks& hooks) {
  LoopOptions loop;
  loop.end = s.simulate.end;
  loop.output = s.simulate.output;
  loop.fixed_step = s.control.step;
  loop.judge = a.laws->size() > 0 && !s.control.step;
  loop.control = control_options(s.control, automatic_first_step(a, s.control.rtol, s.simulate.end));
  loop.max_steps = s.control.max_steps;
  loop.rollback_every = hooks.rollback_every;
  return loop;
}

}  // namespace

Session::Session(const config::Scenario& scenario, const Assembly& assembly, int threads,
                 const TestHooks& hooks)
    : estimator(used_estimator(scenario, assembly)),
      loop(loop_options(scenario, assembly, hooks)),
      pool(useful_threads(scenario, assembly, threads)) {
  ExplicitOptions options = explicit_options(scenario);
  options.estimate.estimator = estimator;
  const bool repeatable = compares(estimator) || loop.judge || hooks.rollback_every > 0;
  lanes = std::make_unique<LaneSet>(assembly.subsystems, assembly.recorded, pool, compares(estimator),
                                    repeatable);
  scheme = std::make_unique<ExplicitScheme>(*lanes, *assembly.laws, 0.0, options);
  if (scenario.simulate.local_error && assembly.laws->size() > 0)
    local.emplace(assembly.model, assembly.partition);
}

}  // namespace cosimo
