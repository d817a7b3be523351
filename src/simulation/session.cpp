#include "simulation/session.hpp"

#include <algorithm>

#include "simulation/coupling_options.hpp"
#include "simulation/translate.hpp"
#include "scheme/explicit.hpp"
#include "scheme/implicit.hpp"
#include "scheme/waveform.hpp"

namespace cosimo {

namespace {

Estimator used_estimator(const config::Scenario& scenario, const Assembly& assembly) {
  if (!assembly.cut()) return Estimator::none;
  return assembly.overlap ? Estimator::exOV : estimator(scenario);
}

/// Lanes that subsystems need beside the actual ones.
Beside beside(const config::Scenario& scenario, const Assembly& assembly) {
  const Estimator e = used_estimator(scenario, assembly);
  if (e == Estimator::exLE || e == Estimator::exMD) return Beside::comparison;
  if (!assembly.cut()) return Beside::none;
  const bool newton = is_newton(scheme_kind(scenario)) && !assembly.overlap;
  return newton && jacobian_used(scenario, assembly.model) == JacobianMethod::fd ? Beside::perturbed
                                                                                 : Beside::none;
}

/// Every step is done more than once.
bool iterates(const config::Scenario& scenario, const Assembly& assembly) {
  return !assembly.overlap && assembly.cut() && scheme_kind(scenario) != SchemeKind::explicit_;
}

int useful_threads(const config::Scenario& scenario, const Assembly& assembly, int threads) {
  std::size_t lanes = assembly.subsystems.size();
  const Beside extra = beside(scenario, assembly);
  if (extra == Beside::comparison) lanes *= 2;
  if (extra == Beside::perturbed)
    for (const auto& subsystem : assembly.subsystems) lanes += subsystem->inputs().size();
  return std::clamp(threads, 1, static_cast<int>(std::clamp<std::size_t>(lanes, 1, 1U << 20U)));
}

LoopOptions loop_options(const config::Scenario& s, const Assembly& a, const TestHooks& hooks) {
  LoopOptions loop;
  loop.end = s.simulate.end;
  loop.output = s.simulate.output;
  loop.fixed_step = s.control.step;
  // A fixed step cannot be mended, but the layers of its overlaps can.
  loop.judge = a.cut() && (!s.control.step || (a.overlap && !s.couple.layers));
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
  *assembly.scale = assembly.scale_at_start;
  // Uncut windows are long: they can be broken off, and then there must be a way back.
  const bool repeatable =
      iterates(scenario, assembly) || loop.judge || hooks.rollback_every > 0 || !assembly.cut();
  lanes = std::make_unique<LaneSet>(assembly.subsystems, assembly.recorded, pool, beside(scenario, assembly),
                                    repeatable, assembly.seam.get());
  if (assembly.overlap)
    couple_by_overlap(scenario, assembly);
  else
    couple_classic(scenario, assembly);
  if (scenario.simulate.local_error && assembly.cut())
    local.emplace(assembly.model, assembly.partition, *assembly.conditions, *assembly.scale);
}

std::unique_ptr<ClassicScheme> Session::make_classic(const config::Scenario& s, const Assembly& assembly) {
  ClassicOptions options = classic_options(s, *assembly.scale);
  options.estimator = estimator;
  options.stages = assembly.stages;
  const CouplingConditions& conditions = *assembly.conditions;
  const CorrectorOptions corrector = corrector_options(s, !loop.judge, *assembly.scale);
  // Without cuts there is nothing to iterate on.
  switch (assembly.cut() ? scheme_kind(s) : SchemeKind::explicit_) {
    case SchemeKind::waveform:
      return std::make_unique<WaveformScheme>(*lanes, conditions, 0.0, options, corrector,
                                              s.couple.relaxation);
    case SchemeKind::implicit:
    case SchemeKind::semi_implicit:
      return std::make_unique<ImplicitScheme>(*lanes, conditions, 0.0, options,
                                              ImplicitOptions{jacobian_options(s, assembly.model), corrector,
                                                              scheme_kind(s) == SchemeKind::semi_implicit});
    case SchemeKind::explicit_:
      break;
  }
  return std::make_unique<ExplicitScheme>(*lanes, conditions, 0.0, options);
}

void Session::couple_classic(const config::Scenario& s, const Assembly& assembly) {
  auto classic = make_classic(s, assembly);
  const double first = automatic_first_step(assembly, s.control.rtol.value_or(1e-4), s.simulate.end);
  control =
      std::make_unique<ClassicControl>(*classic, control_options(s, first), 0.0, s.simulate.end, loop.judge);
  scheme = std::move(classic);
}

void Session::couple_by_overlap(const config::Scenario& s, const Assembly& assembly) {
  const Assembly::Overlap& o = *assembly.overlap;
  auto overlap =
      std::make_unique<OverlapScheme>(*lanes, assembly.subsystems,
                                      OverlapModel{assembly.model, *assembly.graph, o.part_of,
                                                   assembly.local.interface.couplings, o.carriers, o.reach},
                                      *assembly.laws, overlap_options(s, *assembly.scale), pool);
  control = std::make_unique<OverlapControl>(*overlap, overlap_control_options(s));
  scheme = std::move(overlap);
}

}  // namespace cosimo
