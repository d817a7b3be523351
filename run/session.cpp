#include "run/session.hpp"

#include <algorithm>

#include "run/translate.hpp"

namespace cosimo {

namespace {

bool compares(Estimator e) {
  return e == Estimator::exLE || e == Estimator::exMD;
}

Estimator used_estimator(const config::Scenario& scenario, const Assembly& assembly) {
  if (assembly.laws->size() == 0) return Estimator::none;
  return assembly.overlap ? Estimator::exOV : estimator(scenario.control);
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
  // A fixed step cannot be mended, but the layers of its overlaps can.
  loop.judge = a.laws->size() > 0 && (!s.control.step || (a.overlap && !s.couple.layers));
  loop.meet_outputs = a.overlap != nullptr && s.simulate.output.has_value();
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
  const bool repeatable = compares(estimator) || loop.judge || hooks.rollback_every > 0;
  lanes = std::make_unique<LaneSet>(assembly.subsystems, assembly.recorded, pool, compares(estimator),
                                    repeatable);
  if (assembly.overlap)
    couple_by_overlap(scenario, assembly);
  else
    couple_classic(scenario, assembly);
  if (scenario.simulate.local_error && assembly.laws->size() > 0)
    local.emplace(assembly.model, assembly.partition);
}

void Session::couple_classic(const config::Scenario& s, const Assembly& assembly) {
  ExplicitOptions options = explicit_options(s);
  options.estimate.estimator = estimator;
  auto classic = std::make_unique<ExplicitScheme>(*lanes, *assembly.laws, 0.0, options);
  const double first = automatic_first_step(assembly, options.estimate.rtol, s.simulate.end);
  control = std::make_unique<ClassicControl>(*classic, control_options(s.control, first), 0.0, s.simulate.end,
                                             loop.judge);
  scheme = std::move(classic);
}

void Session::couple_by_overlap(const config::Scenario& s, const Assembly& assembly) {
  const Assembly::Overlap& o = *assembly.overlap;
  auto overlap =
      std::make_unique<OverlapScheme>(*lanes, assembly.subsystems,
                                      OverlapModel{assembly.model, o.surroundings, o.part_of,
                                                   assembly.partition.interface.couplings, o.carriers},
                                      *assembly.laws, overlap_options(s), pool);
  control = std::make_unique<OverlapControl>(*overlap, overlap_control_options(s));
  scheme = std::move(overlap);
}

}  // namespace cosimo
