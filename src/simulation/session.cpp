#include "simulation/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/flush_tiny.hpp"
#include "parallel/shares.hpp"
#include "scheme/explicit.hpp"
#include "scheme/implicit.hpp"
#include "scheme/waveform.hpp"
#include "simulation/connect.hpp"
#include "simulation/team_sizes.hpp"
#include "subsystem/overlapping.hpp"

namespace cosimo {

namespace {

int useful_threads(const Assembly& assembly, int threads) {
  std::size_t lanes = assembly.subsystems.size();
  if (assembly.plan.beside == Beside::comparison) lanes *= 2;
  if (assembly.plan.beside == Beside::perturbed)
    for (const auto& subsystem : assembly.subsystems) lanes += subsystem->inputs().size();
  return std::clamp(threads, 1, static_cast<int>(std::clamp<std::size_t>(lanes, 1, 1U << 20U)));
}

/// Threads that subsystems leave over take steps together.
void hire_teams(const Assembly& assembly, int threads, bool crowd) {
  std::vector<double> cost;
  std::vector<int> most;
  for (std::size_t i = 0; i < assembly.teams.size(); ++i) {
    const std::size_t coordinates = assembly.subsystems[i]->places().size();
    const std::size_t worth = coordinates * highest_cost / worth_a_thread;
    most.push_back(static_cast<int>(std::clamp<std::size_t>(worth, 1, 1U << 10U)));
    cost.push_back(assembly.costs.empty() ? 1 : assembly.costs[assembly.local.parts[i].index()]);
  }
  const std::vector<int> sizes = team_sizes(cost, most, threads);
  for (std::size_t i = 0; i < sizes.size(); ++i) assembly.teams[i]->hire(sizes[i], crowd);
}

/// Signals that are recorded only: no error estimate sees to it that they could be interpolated.
bool shows_unjudged(const Assembly& assembly) {
  const auto unjudged = [](const SignalPort& input) { return !input.judged; };
  return std::ranges::any_of(assembly.wiring.components, [&](const auto& component) {
    return std::ranges::any_of(component->inputs(), unjudged);
  });
}

LoopOptions loop_options(const config::Scenario& s, const Assembly& a, const TestHooks& hooks) {
  LoopOptions loop;
  loop.end = s.simulate.end;
  loop.output = s.simulate.output;
  loop.fixed_step = a.plan.step;
  loop.even_steps = !std::ranges::all_of(
      a.wiring.components, [](const auto& component) { return component->capabilities().any_step; });
  loop.judge = a.plan.judged;
  loop.meet_outputs = a.overlap != nullptr && s.simulate.output.has_value();
  loop.meet_all_outputs = shows_unjudged(a) && s.simulate.output.has_value();
  loop.max_steps = s.control.max_steps;
  loop.rollback_every = hooks.rollback_every;
  return loop;
}

/// What is wrong with an algebraic loop, with the names of its signals and the place of the first.
Error named_loop(const Error& error, const Assembly& a) {
  std::vector<Fault> faults = error.faults();
  const CouplingVariables& variables = a.conditions->variables();
  const std::size_t cuts = a.conditions->laws().cuts();
  std::vector<std::string> names;
  for (const std::size_t variable : a.conditions->feed_graph().loop())
    names.push_back(a.signals[variables[variable].coupling.index() - cuts]);
  const std::size_t first = variables[a.conditions->feed_graph().loop().front()].coupling.index() - cuts;
  for (Fault& fault : faults) {
    const Wiring::Link& link = a.wiring.links[first];
    fault.file = link.file;
    fault.line = link.line;
    fault.column = link.column;
    fault.value = fmt::format("{}", fmt::join(names, ", "));
  }
  return Error(std::move(faults));
}

}  // namespace

Session::Session(const config::Scenario& scenario, const Assembly& assembly, int threads,
                 const TestHooks& hooks)
    : loop(loop_options(scenario, assembly, hooks)), pool(useful_threads(assembly, threads)) {
  const FlushTiny tiny;
  hire_teams(assembly, threads, hooks.crowd);
  *assembly.scale = assembly.scale_at_start;
  assembly.wiring.outer->begin();
  bool repeatable = assembly.plan.repeats() || hooks.rollback_every > 0;
  for (const auto& spec : assembly.wiring.components) repeatable = repeatable || spec->ends_early();
  lanes = std::make_unique<LaneSet>(assembly.subsystems, assembly.recorded, pool, assembly.plan.beside,
                                    repeatable, assembly.seam.get(), assembly.teams);
  if (assembly.overlap)
    couple_by_overlap(assembly);
  else
    couple_classic(assembly);
  if (scenario.simulate.local_error && assembly.cut())
    local.emplace(*assembly.model, assembly.partition, *assembly.conditions, *assembly.scale);
}

std::unique_ptr<ClassicScheme> Session::make_classic(const Assembly& assembly) {
  const CouplingPlan& plan = assembly.plan;
  ClassicOptions options = plan.classic;
  if (!plan.stages.empty())
    for (const PartId part : assembly.local.parts) options.stages.push_back(plan.stages[part.index()]);
  const CouplingConditions& conditions = *assembly.conditions;
  switch (plan.scheme) {
    case SchemeKind::waveform:
      return std::make_unique<WaveformScheme>(*lanes, conditions, 0.0, options, plan.corrector,
                                              plan.relaxation);
    case SchemeKind::implicit:
    case SchemeKind::semi_implicit:
      return std::make_unique<ImplicitScheme>(
          *lanes, conditions, 0.0, options,
          ImplicitOptions{plan.jacobian, plan.corrector, plan.scheme == SchemeKind::semi_implicit});
    case SchemeKind::explicit_:
      break;
  }
  return std::make_unique<ExplicitScheme>(*lanes, conditions, 0.0, options);
}

/// True when nothing but inputs from outside is coupled: then nothing is predicted, and steps may be long.
bool Session::follow_inputs(const Assembly& assembly) {
  const CouplingVariables& variables = assembly.conditions->variables();
  std::vector<ClassicScheme::Known> known = outer_variables(assembly, variables);
  const bool all = !known.empty() && known.size() == variables.size();
  classic->follow(assembly.wiring.outer, std::move(known));
  return all;
}

void Session::couple_classic(const Assembly& assembly) {
  std::unique_ptr<ClassicScheme> made;
  try {
    made = make_classic(assembly);
  } catch (const Error& error) {
    if (assembly.conditions->feed_graph().loop().empty()) throw;
    throw named_loop(error, assembly);
  }
  classic = made.get();
  ControlOptions options = assembly.plan.control;
  if (follow_inputs(assembly) && !(options.first_step > 0)) options.first_step = loop.end;
  if (!(options.first_step > 0))
    options.first_step = automatic_first_step(assembly, assembly.plan.rtol, loop.end);
  control = std::make_unique<ClassicControl>(*classic, options, 0.0, loop.end, loop.judge);
  scheme = std::move(made);
}

void Session::couple_by_overlap(const Assembly& assembly) {
  const Assembly::Overlap& o = *assembly.overlap;
  const auto& couplings = assembly.local.interface.couplings;
  Reach reach;
  if (ChainWindow* const window = assembly.window.get())
    reach = [window](std::size_t depth) { window->reach(depth); };
  overlapping = make_overlapping(*assembly.model, *assembly.graph, couplings, assembly.plan.layers.states(),
                                 std::move(reach));
  const std::span<const std::int32_t> part_of =
      assembly.window ? assembly.window->number_of_body() : o.numbers;
  auto overlap = std::make_unique<OverlapScheme>(*lanes, assembly.subsystems,
                                                 OverlapModel{*overlapping, part_of, couplings, o.carriers},
                                                 *assembly.laws, assembly.plan.layers, pool);
  control = std::make_unique<OverlapControl>(*overlap, assembly.plan.layers_control);
  scheme = std::move(overlap);
}

}  // namespace cosimo
