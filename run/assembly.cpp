#include "run/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "run/choose_scheme.hpp"
#include "run/coupling_options.hpp"
#include "run/decompose.hpp"
#include "run/one_sided.hpp"
#include "run/translate.hpp"
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
  } else {
    for (std::size_t i = 0; i < a.model.bodies.count; ++i) labels.push_back(static_cast<std::int64_t>(i) + 1);
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

void map_columns(Assembly& a) {
  std::vector<std::int64_t> column(a.model.bodies.count, -1);
  for (std::size_t i = 0; i < a.layout.bodies.size(); ++i)
    column[static_cast<std::size_t>(a.layout.bodies[i] - 1)] = static_cast<std::int64_t>(i);
  a.recorded.resize(a.subsystems.size());
  a.part_of_column.assign(a.layout.bodies.size(), 0);
  for (std::size_t s = 0; s < a.subsystems.size(); ++s) {
    const auto bodies = a.subsystems[s]->bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const std::int64_t c = column[bodies[i].index()];
      if (c < 0) continue;
      a.recorded[s].dofs.push_back(static_cast<std::int32_t>(i));
      a.recorded[s].columns.push_back(static_cast<std::size_t>(c));
      a.part_of_column[static_cast<std::size_t>(c)] = static_cast<std::int32_t>(s);
    }
  }
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
  a->model = make_chain(chain_spec(scenario.chain));
  const PartitionRequest request = partition_request(scenario.partition);
  a->partition = scenario.partition.given ? make_partition(a->model, request) : uncut(a->model);
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

  a->layout.model_hash = hash(a->model);
  a->layout.couplings = a->laws->size();
  a->layout.variables = a->conditions->size();
  for (const Coupling& c : a->partition.interface.couplings)
    a->layout.cut_elements.push_back(c.element.label());
  if (scenario.simulate.local_error) a->layout.local_bodies = 2 * a->laws->size();
  a->layout.bodies = recorded_bodies(scenario, *a, wanted);
  map_columns(*a);
  return a;
} catch (const Error& error) {
  rethrow_with_file(error, scenario.file);
}

double automatic_first_step(const Assembly& a, double rtol, double end) {
  CutStates y(a.laws->size());
  for (std::size_t i = 0; i < a.laws->size(); ++i) {
    const Coupling& c = a.partition.interface.couplings[i];
    y.from_x[i] = a.model.bodies.x[c.from.body.index()];
    y.from_v[i] = a.model.bodies.v[c.from.body.index()];
    y.to_x[i] = a.model.bodies.x[c.to.body.index()];
    y.to_v[i] = a.model.bodies.v[c.to.body.index()];
  }
  // A constant extrapolation over H errs by about rate * H: keep it well inside the tolerance.
  // The start phase doubles H with every step, so a cautious start costs a few steps only.
  const double rate = a.laws->fastest_rate(y);
  const double slowest = 1e-3 * end;
  const double careful = 0.1 * std::min(rtol, 1e-2) / rate;
  return careful > 1e-14 * end ? std::min(slowest, careful) : slowest;
}

}  // namespace cosimo
