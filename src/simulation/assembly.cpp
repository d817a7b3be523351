#include "simulation/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "model/size_couplings.hpp"
#include "model/traits.hpp"
#include "multibody/scene.hpp"
#include "simulation/choose_partition.hpp"
#include "simulation/choose_scheme.hpp"
#include "simulation/columns.hpp"
#include "simulation/connect.hpp"
#include "simulation/decompose.hpp"
#include "simulation/distribute.hpp"
#include "simulation/motion_scale.hpp"
#include "simulation/one_sided.hpp"
#include "simulation/resolve_coupling.hpp"
#include "simulation/together.hpp"
#include "simulation/translate.hpp"
#include "simulation/unsupported.hpp"
#include "subsystem/multibody.hpp"
#include "subsystem/overlap.hpp"

namespace cosimo {

namespace {

/// Tells when the layers asked for reach over the whole model from every part.
void check_layers(const config::Scenario& scenario, Assembly& a) {
  if (!scenario.couple.layers) return;
  std::size_t smallest = a.model->bodies.count;
  for (const Part& part : a.partition.parts) smallest = std::min(smallest, part.owned.size());
  if (static_cast<std::size_t>(*scenario.couple.layers) < a.model->bodies.count - smallest) return;
  a.choices.push_back(
      fmt::format("layers: {} -> all: every subsystem carries the whole model, and cutting saves nothing",
                  *scenario.couple.layers));
}

/// Decides between overlaps, classic cuts and no cut, and prepares the first. Collective.
std::vector<CouplingPlan::Cut> choose_cuts(const config::Scenario& scenario, Assembly& a) {
  const std::optional<Decomposition> wanted = scenario.couple.decomposition;
  Interface& interface = a.partition.interface;
  if (interface.couplings.empty()) return {};
  if (wanted && wanted != Decomposition::overlap) return decompose(scenario, *a.graph, interface);
  const std::string remembering = traits_of(*a.model).remembering;
  if (wanted && !remembering.empty())
    throw Error(Fault{.field = "couple.decomposition",
                      .value = "overlap",
                      .problem = remembering + " have a memory, which copies of bodies cannot keep",
                      .remedy = "write `decomposition: force-displacement`, or leave the model uncut"});
  if (!wanted && !remembering.empty()) {
    a.choices.push_back("decomposition: auto -> classic cuts: " + remembering + " have a memory");
    return decompose(scenario, *a.graph, interface);
  }
  if (!wanted && !a.wiring.links.empty()) {
    a.choices.emplace_back("decomposition: auto -> classic cuts: signals go with them");
    return decompose(scenario, *a.graph, interface);
  }
  auto overlap = std::make_unique<Assembly::Overlap>();
  if (!wanted) {
    const SchemeChoice choice = choose_scheme(scenario, *a.model, *a.graph, a.partition);
    a.choices.push_back(choice.reason);
    if (choice.kind == SchemeChoice::Kind::uncut) {
      leave_uncut(scenario, a);
      if (!scenario.solve_overrides.empty())
        a.choices.emplace_back("solve.parts -> without effect: the model is not cut");
    }
    if (choice.kind != SchemeChoice::Kind::overlap) return decompose(scenario, *a.graph, interface);
  }
  const CarrierChoice sides = choose_carriers(
      *a.graph, a.partition, expected_layers(scenario, *a.model, *a.graph, a.partition), *a.exchange);
  if (!sides.reason.empty()) a.choices.push_back(sides.reason);
  check_layers(scenario, a);
  a.overlap = std::move(overlap);
  std::vector<CouplingPlan::Cut> cuts(interface.couplings.size(), {.decomposition = Decomposition::overlap});
  for (std::size_t c = 0; c < sides.carriers.size(); ++c) cuts[c].carrier = sides.carriers[c];
  return cuts;
}

/// How each part is integrated. `wanted_cut`: the file cuts the model, though `auto` may not.
std::vector<IntegratorOptions> solvers(const config::Scenario& scenario, const Assembly& a, bool stiff,
                                       bool wanted_cut, const std::atomic<bool>* interrupt) {
  const bool cut = a.partition.parts.size() > 1;
  std::vector<IntegratorOptions> options(a.components(),
                                         integrator_options(scenario, scenario.solve, *a.scale));
  if (cut == wanted_cut)
    for (const config::SolveOverride& o : scenario.solve_overrides)
      for (const std::int64_t part : o.parts)
        options[static_cast<std::size_t>(part - 1)] = integrator_options(scenario, o.solve, *a.scale);
  if (a.overlap && !stiff)
    for (IntegratorOptions& o : options)
      if (o.method == Method::automatic) o.method = Method::rk;
  if (!traits_of(*a.model).explicit_only.empty())
    for (IntegratorOptions& o : options)
      if (o.method == Method::automatic) o.method = Method::rk;
  // A subsystem that needs this many micro steps in one macro step is being torn apart: fail early.
  for (IntegratorOptions& o : options) {
    if (a.cut()) o.max_steps = 100'000;
    // Short steps of fixed size are never taken back: they are not broken off either.
    o.interrupt = a.plan.repeats() ? interrupt : nullptr;
  }
  return options;
}

void make_subsystems(const config::Scenario& scenario, Assembly& a, bool stiff, bool wanted_cut,
                     const std::atomic<bool>* interrupt) {
  std::vector<IntegratorOptions> options = solvers(scenario, a, stiff, wanted_cut, interrupt);
  const Interface& interface = a.local.interface;
  if (a.plan.beside == Beside::none)
    for (std::size_t i = 0; i < a.local.own_parts; ++i) a.teams.push_back(std::make_unique<Team>());
  for (std::size_t i = 0; i < a.local.own_parts; ++i) {
    const std::size_t global = a.local.parts[i].index();
    if (!a.teams.empty()) options[global].team = a.teams[i].get();
    if (global >= a.partition.parts.size()) {
      const ComponentSpec& spec = *a.wiring.components[global - a.partition.parts.size()];
      a.subsystems.push_back(spec.make(interface, PartId{i}));
      continue;
    }
    const Part& part = a.partition.parts[global];
    if (a.overlap)
      a.subsystems.push_back(std::make_unique<OverlapSubsystem>(*a.model, part, PartId{i}, interface,
                                                                options[global], a.breakpoints));
    else
      a.subsystems.push_back(
          std::make_unique<MultibodySubsystem>(*a.model, part, PartId{i}, interface, options[global]));
  }
}

/// What is not seen in time through classic cuts, and what the model does not have.
void tell_limits(const config::Scenario& scenario, Assembly& a) {
  for (const Coupling& c : a.partition.interface.couplings)
    if (a.graph->sets_in(c.element) && (c.from.drive == Drive::force || c.to.drive == Drive::force))
      a.choices.push_back(fmt::format(
          "{} is cut, and its force may set in between macro points, unseen: keep it inside one subsystem "
          "(partition: {{forbid: [{}]}}), or write decomposition: displacement-displacement",
          a.graph->name(c.element), a.graph->label(c.element)));
  if (a.plan.newton() && a.plan.jacobian.method != scenario.couple.jacobian)
    a.choices.push_back(fmt::format(
        "jacobian: {} -> {}: {}", word_of(scenario.couple.jacobian), word_of(a.plan.jacobian.method),
        a.plan.signals ? "it works with every component"
                       : "models with bodies, joints and elements of their own know fd and sap"));
}

/// What components cannot do is refused where the plan needs it, and told where it does not.
void respect_limits(const config::Scenario& scenario, Assembly& a) {
  CouplingPlan& plan = a.plan;
  std::vector<Fault> faults;
  for (const auto& spec : a.wiring.components) {
    const Capabilities can = spec->capabilities();
    const auto refuse = [&](std::string problem, std::string remedy) {
      faults.push_back({.field = "subsystems",
                        .value = spec->name(),
                        .problem = std::move(problem),
                        .remedy = std::move(remedy)});
    };
    if (!can.goes_back && plan.cut()) {
      if (plan.scheme != SchemeKind::explicit_ || plan.judged || plan.beside != Beside::none)
        refuse(fmt::format("it cannot go back to an earlier state (canGetAndSetFMUState), which {} needs",
                           plan.scheme != SchemeKind::explicit_
                               ? fmt::format("the {} scheme", word_of(plan.scheme))
                           : plan.judged ? "step control"
                                         : "the estimator"),
               "write `couple: {scheme: explicit}` and `control: {step: ..., estimator: exCV}`");
      // A fixed step asks nothing of it, and tells how good it is.
      if (plan.estimator == Estimator::none) plan.estimator = plan.classic.estimator = Estimator::exCV;
      a.choices.push_back(
          fmt::format("{} cannot go back to an earlier state: macro steps are of fixed size and taken "
                      "once; the estimated error is shown",
                      spec->name()));
    }
    if (!can.any_step && !plan.step)
      refuse("it takes steps of one size only (canHandleVariableCommunicationStepSize)",
             "write `control: {step: ...}` with this size, use it as model exchange, or export it again with "
             "steps of any size");
    else if (!can.any_step)
      a.choices.push_back(
          fmt::format("{} takes steps of one size only: the run begins with a whole one", spec->name()));
    if (!can.archives) {
      if (scenario.run.checkpoint.seconds > 0 || scenario.run.checkpoint.steps > 0)
        refuse("its state cannot be part of a checkpoint (canSerializeFMUState)",
               "leave out `run.checkpoint`");
      a.choices.push_back(fmt::format(
          "{} cannot be part of a checkpoint: a run that is interrupted cannot go on", spec->name()));
    }
  }
  if (!faults.empty()) throw Error(std::move(faults));
}

/// Errors of later modules do not know the file; the scenario does.
[[noreturn]] void rethrow_with_file(const Error& error, const std::string& file) {
  std::vector<Fault> faults = error.faults();
  for (Fault& f : faults)
    if (f.file.empty()) f.file = file;
  throw Error(std::move(faults));
}

}  // namespace

std::unique_ptr<const Assembly> assemble(const config::Scenario& scenario, const std::atomic<bool>* interrupt,
                                         Exchange* exchange, const Wiring& wiring) try {
  auto a = std::make_unique<Assembly>();
  if (exchange == nullptr) a->none = alone();
  a->exchange = exchange != nullptr ? exchange : a->none.get();
  IntegratorOptions options = integrator_options(scenario, scenario.solve, *a->scale);
  options.interrupt = interrupt;
  a->wiring = wiring_of(scenario, options, wiring);
  together(*a->exchange, [&] { build_model(scenario, *a); });
  a->choices.insert(a->choices.end(), scenario.notes.begin(), scenario.notes.end());
  for (std::string& warning : unsupported_bodies(*a->graph)) a->choices.push_back(std::move(warning));
  size_couplings(*a->model, a->partition.interface);
  const auto parts = static_cast<std::int64_t>(a->partition.parts.size());
  check_consistency(scenario, parts);
  if (const config::Partition& given = scenario.partition;
      given.given && given.parts == 0 && given.method != CutMethod::manual)
    a->choices.push_back(describe_parts("parts", a->partition.parts.size(), a->model->bodies.count));
  else if (!given.given && !given.whole && parts > 1 && !a->exchange->single())
    a->choices.push_back(describe_parts("partition", a->partition.parts.size(), a->model->bodies.count) +
                         ": ranks cannot share a step");
  const Interface wanted = a->partition.interface;
  if (scenario.simulate.record == config::Record::coupling && wanted.couplings.empty())
    throw Error({Fault{"", 0, 0, "simulate.record", "coupling", "nothing is cut, so no body is at a cut",
                       "write `record: all` or a list of bodies, or cut the model into more parts"}});
  std::vector<CouplingPlan::Cut> cuts;
  if (parts > 1) cuts = choose_cuts(scenario, *a);
  connect(a->wiring, scenario.simulate.end, *a);
  a->plan = resolve_coupling(scenario, *a->model, a->interface, a->components(), std::move(cuts), *a->scale);
  respect_limits(scenario, *a);
  distribute(scenario, *a);
  a->layout.model_hash = a->window ? a->window->hash(*a->exchange) : hash(*a->model);
  a->layout.units = scenario.units;
  a->layout.scene = ground_scene_json(scenario);
  if (!scenario.model) {  // what there is instead
    Digest digest;
    for (const std::string& signal : a->signals) digest.add(signal + "\n");
    a->layout.model_hash = digest.value();
  }
  if (!scenario.subsystems.empty())  // their references may follow curves
    for (const NamedCurve& each : scenario.curves)
      a->layout.model_hash = 0x100000001b3U * a->layout.model_hash ^ each.curve->digest();
  const bool stiff = a->overlap && any(*a->exchange, may_be_stiff(*a->model, *a->graph, a->partition));

  a->laws = make_laws(*a->model, a->local.interface);
  a->conditions = std::make_unique<CouplingConditions>(a->laws, a->local.interface);
  std::vector<std::size_t> given;
  for (const auto& each : outer_variables(*a, a->conditions->variables())) given.push_back(each.variable);
  a->conditions->give(given);
  *a->scale = a->scale_at_start = initial_scale(*a, scenario.simulate.end, interrupt);
  make_subsystems(scenario, *a, stiff, parts > 1, interrupt);
  if (!a->overlap) tell_limits(scenario, *a);

  a->vtk = scenario.simulate.vtk;
  a->layout.couplings = a->interface.couplings.size();
  a->layout.variables = CouplingVariables(a->interface).size();
  for (const Coupling& c : a->interface.couplings)
    a->layout.cut_elements.push_back(c.is_signal() ? 0 : c.element.label());
  if (scenario.simulate.local_error) a->layout.local_bodies = a->laws->layout().count();
  choose_columns(scenario, wanted, *a);
  return a;
} catch (const Error& error) {
  rethrow_with_file(error, scenario.file);
}

double automatic_first_step(const Assembly& a, double rtol, double end) {
  const CutStates y = initial_states(*a.model, a.local.interface);
  // A constant extrapolation over H errs by about rate * H: keep it well inside the tolerance.
  // The start phase doubles H with every step, so a cautious start costs a few steps only.
  const double rate = a.seam->largest(a.laws->fastest_rate(0, y));
  const double slowest = 1e-3 * end;
  const double careful = 0.1 * std::min(rtol, 1e-2) / rate;
  return careful > 1e-14 * end ? std::min(slowest, careful) : slowest;
}

}  // namespace cosimo
