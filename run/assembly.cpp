#include "run/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "run/choose_scheme.hpp"
#include "run/coupling_options.hpp"
#include "run/decompose.hpp"
#include "run/generate.hpp"
#include "run/one_sided.hpp"
#include "run/translate.hpp"
#include "run/unsupported.hpp"
#include "scheme/sequence.hpp"
#include "subsystem/multibody.hpp"

namespace cosimo {

namespace {

/// Ascending labels of the bodies whose motion is recorded. `wanted` are the cuts of the file, which `auto`
/// may have decided not to make.
std::vector<std::int64_t> recorded_bodies(const config::Scenario& scenario, const Assembly& a,
                                          const Interface& wanted) {
  std::vector<std::int64_t> labels;
  if (scenario.simulate.record == "coupling") {
    for (const Coupling& c : wanted.couplings)
      for (const CutEnd& end : {c.from, c.to}) labels.push_back(end.body.label());
  } else if (scenario.simulate.record == "list") {
    labels = scenario.simulate.record_bodies;
    for (const std::string& name : scenario.simulate.record_names)
      labels.push_back(body_label(a.model, name, "simulate.record"));
    for (const std::int64_t label : labels)
      if (label < 1 || label > static_cast<std::int64_t>(a.model.bodies.count))
        throw Error(Fault{.field = "simulate.record",
                          .value = std::to_string(label),
                          .problem = "there is no such body",
                          .remedy = "bodies are numbered from 1 to " + std::to_string(a.model.bodies.count)});
  } else {
    for (std::size_t i = 0; i < a.model.bodies.count; ++i) labels.push_back(static_cast<std::int64_t>(i) + 1);
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

/// Which coordinates of which subsystems are collected, and where they go.
void map_columns(Assembly& a) {
  if (a.model.mechanism) {
    a.collected.resize(a.model.coordinate_count());
    std::iota(a.collected.begin(), a.collected.end(), std::size_t{0});
  } else {
    for (const std::int64_t label : a.layout.bodies)
      a.collected.push_back(static_cast<std::size_t>(label - 1));
  }
  std::vector<std::int64_t> column(a.model.coordinate_count(), -1);
  for (std::size_t i = 0; i < a.collected.size(); ++i) column[a.collected[i]] = static_cast<std::int64_t>(i);
  a.recorded.resize(a.subsystems.size());
  a.part_of_body.assign(a.model.bodies.count, 0);
  for (std::size_t s = 0; s < a.subsystems.size(); ++s) {
    std::int32_t dof = 0;
    for (const BodyId body : a.subsystems[s]->bodies()) {
      a.part_of_body[body.index()] = static_cast<std::int32_t>(s);
      const Range coordinates = a.model.coordinates(body);
      for (std::size_t c = coordinates.first; c < coordinates.last; ++c, ++dof) {
        if (column[c] < 0) continue;
        a.recorded[s].dofs.push_back(dof);
        a.recorded[s].columns.push_back(static_cast<std::size_t>(column[c]));
      }
    }
  }
}

/// Solvers that the kind of model does not have.
void check_methods(const config::Scenario& scenario, const Model& model) {
  const bool general = model.mechanism || model.pendulum;
  const auto check = [&](const std::string& method) {
    if (general && method == "rosenbrock")
      throw Error(Fault{.field = "solve.method",
                        .value = method,
                        .problem = "it solves models whose bodies have one coordinate each",
                        .remedy = "write `radau` for stiff mechanisms, or `auto`, `rk`, `ida`"});
    if (!general && method == "radau")
      throw Error(
          Fault{.field = "solve.method",
                .value = method,
                .problem = "it solves mechanisms: models with bodies, joints and elements of their own",
                .remedy = "write `rosenbrock` for stiff chains and scalar lattices, or `auto`, `rk`, `ida`"});
  };
  check(scenario.solve.method);
  for (const config::SolveOverride& o : scenario.solve_overrides) check(o.solve.method);
}

/// Tells when the layers asked for reach over the whole model from every part.
void check_layers(const config::Scenario& scenario, Assembly& a) {
  if (!scenario.couple.layers) return;
  std::size_t smallest = a.model.bodies.count;
  for (const Part& part : a.partition.parts) smallest = std::min(smallest, part.bodies.size());
  if (static_cast<std::size_t>(*scenario.couple.layers) < a.model.bodies.count - smallest) return;
  a.choices.push_back(
      fmt::format("layers: {} -> all: every subsystem carries the whole model, and cutting saves nothing",
                  *scenario.couple.layers));
}

/// Decides between overlaps, classic cuts and no cut, and prepares the first.
void couple(const config::Scenario& scenario, Assembly& a) {
  const std::string& wanted = scenario.couple.decomposition;
  if (a.partition.interface.couplings.empty()) return;
  if (!wanted.empty() && wanted != "overlap") return decompose(scenario, a.model, a.partition.interface);
  auto overlap = std::make_unique<Assembly::Overlap>(
      Assembly::Overlap{Surroundings(a.model), {}, breakpoints(a.model.loads), {}});
  if (wanted.empty()) {
    const SchemeChoice choice = choose_scheme(scenario, a.model, a.partition, overlap->surroundings);
    a.choices.push_back(choice.reason);
    if (choice.kind == SchemeChoice::Kind::uncut) {
      a.partition = uncut(a.model);
      if (!scenario.solve_overrides.empty())
        a.choices.emplace_back("solve.parts -> without effect: the model is not cut");
    }
    if (choice.kind != SchemeChoice::Kind::overlap) return;
  }
  overlap->part_of.resize(a.model.bodies.count);
  for (std::size_t p = 0; p < a.partition.parts.size(); ++p)
    for (const BodyId body : a.partition.parts[p].bodies)
      overlap->part_of[body.index()] = static_cast<std::int32_t>(p);
  CarrierChoice sides =
      choose_carriers(a.model, a.partition, overlap->surroundings,
                      expected_layers(scenario, a.model, a.partition, overlap->surroundings));
  overlap->carriers = std::move(sides.carriers);
  if (!sides.reason.empty()) a.choices.push_back(sides.reason);
  check_layers(scenario, a);
  a.overlap = std::move(overlap);
}

/// Errors of later modules do not know the file; the scenario does.
[[noreturn]] void rethrow_with_file(const Error& error, const std::string& file) {
  std::vector<Fault> faults = error.faults();
  for (Fault& f : faults)
    if (f.file.empty()) f.file = file;
  throw Error(std::move(faults));
}

}  // namespace

std::unique_ptr<Assembly> assemble(const config::Scenario& scenario, const std::atomic<bool>* interrupt) try {
  auto a = std::make_unique<Assembly>();
  a->model = generate_model(scenario);
  check_methods(scenario, a->model);
  for (std::string& warning : unsupported_bodies(a->model)) a->choices.push_back(std::move(warning));
  const PartitionRequest request = partition_request(scenario.partition, a->model);
  a->partition = scenario.partition.given ? make_partition(a->model, request) : uncut(a->model);
  size_couplings(a->model, a->partition.interface);
  const auto parts = static_cast<std::int64_t>(a->partition.parts.size());
  check_consistency(scenario, parts);
  if (scenario.partition.given && scenario.partition.parts == 0 && scenario.partition.method != "manual")
    a->choices.push_back(fmt::format("parts: auto -> {} part{} of about {} bodies", parts,
                                     parts == 1 ? "" : "s",
                                     static_cast<std::int64_t>(a->model.bodies.count) / parts));
  const Interface wanted = a->partition.interface;
  if (scenario.simulate.record == "coupling" && wanted.couplings.empty())
    throw Error(
        {Fault{"", 0, 0, "simulate.record", "coupling", "nothing is cut, so that no body stands at a cut",
               "write `record: all` or a list of bodies, or cut the model into more parts"}});
  if (parts > 1) couple(scenario, *a);

  const bool cut = a->partition.parts.size() > 1;
  std::vector<IntegratorOptions> options(a->partition.parts.size(), integrator_options(scenario.solve));
  if (cut == (parts > 1))
    for (const config::SolveOverride& o : scenario.solve_overrides)
      for (const std::int64_t part : o.parts)
        options[static_cast<std::size_t>(part - 1)] = integrator_options(o.solve);
  if (a->overlap && !may_be_stiff(a->model, a->overlap->surroundings))
    for (IntegratorOptions& o : options)
      if (o.method == Method::automatic) o.method = Method::rk;
  // A subsystem that needs this many micro steps in one macro step is being torn apart: fail early.
  for (IntegratorOptions& o : options) {
    if (cut) o.max_steps = 100'000;
    o.interrupt = interrupt;
  }
  for (std::size_t i = 0; i < a->partition.parts.size(); ++i) {
    const Part& part = a->partition.parts[i];
    const Interface& interface = a->partition.interface;
    if (a->overlap)
      a->subsystems.push_back(std::make_unique<OverlapSubsystem>(a->model, part, PartId{i}, interface,
                                                                 options[i], a->overlap->breakpoints));
    else
      a->subsystems.push_back(
          std::make_unique<MultibodySubsystem>(a->model, part, PartId{i}, interface, options[i]));
  }
  a->laws = std::make_unique<ForceLaws>(a->model, a->partition.interface);
  a->conditions = std::make_unique<CouplingConditions>(*a->laws, a->partition.interface);
  if (cut && !a->overlap && scenario.couple.sequence == "gauss-seidel")
    a->stages = gauss_seidel_stages(a->partition, part_order(scenario, parts));

  a->vtk = scenario.simulate.vtk;
  a->layout.model_hash = hash(a->model);
  a->layout.couplings = a->laws->size();
  a->layout.variables = a->conditions->size();
  for (const Coupling& c : a->partition.interface.couplings)
    a->layout.cut_elements.push_back(c.element.label());
  if (scenario.simulate.local_error) a->layout.local_bodies = a->laws->layout().count();
  a->layout.bodies = recorded_bodies(scenario, *a, wanted);
  map_columns(*a);
  return a;
} catch (const Error& error) {
  rethrow_with_file(error, scenario.file);
}

double automatic_first_step(const Assembly& a, double rtol, double end) {
  const CutStates y = initial_states(a.model, a.partition.interface);
  // A constant extrapolation over H errs by about rate * H: keep it well inside the tolerance.
  // The start phase doubles H with every step, so a cautious start costs a few steps only.
  const double rate = a.laws->fastest_rate(0, y);
  const double slowest = 1e-3 * end;
  const double careful = 0.1 * std::min(rtol, 1e-2) / rate;
  return careful > 1e-14 * end ? std::min(slowest, careful) : slowest;
}

}  // namespace cosimo
