#include "simulation/distribute.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "model/graphs.hpp"
#include "model/traits.hpp"
#include "multibody/generate.hpp"
#include "partition/place.hpp"
#include "simulation/choose_partition.hpp"
#include "simulation/expected_costs.hpp"
#include "simulation/translate.hpp"

namespace cosimo {

namespace {

/// Solvers that the model does not have.
void check_methods(const config::Scenario& scenario, const Model& model) {
  const ModelTraits traits = traits_of(model);
  const auto check = [&](const config::Solve& solve) {
    const auto method = std::string(word_of(solve.method));
    if (traits.constrained && (solve.linear == Linear::dense || solve.linear == Linear::structured))
      throw Error(Fault{
          .field = "solve.linear",
          .value = std::string(word_of(solve.linear)),
          .problem = "it solves the equations of chains and scalar lattices",
          .remedy = "leave it out: models with bodies are solved in blocks of their own, or with `klu`"});
    if (traits.constrained && solve.method == Method::rosenbrock)
      throw Error(Fault{.field = "solve.method",
                        .value = method,
                        .problem = "it solves models whose bodies have one coordinate each",
                        .remedy = "write `radau` for stiff mechanisms, or `auto`, `rk`, `merson`, `ida`"});
    if (!traits.explicit_only.empty() && (solve.method == Method::radau || solve.method == Method::ida))
      throw Error(Fault{.field = "solve.method",
                        .value = method,
                        .problem = traits.explicit_only + ", too many for an implicit method",
                        .remedy = "write `rk`, `merson` or `auto`, or let them act on fewer bodies"});
    if (!traits.constrained && solve.method == Method::radau)
      throw Error(Fault{
          .field = "solve.method",
          .value = method,
          .problem = "it solves mechanisms: models with bodies, joints and elements of their own",
          .remedy =
              "write `rosenbrock` for stiff chains and scalar lattices, or `auto`, `rk`, `merson`, `ida`"});
  };
  check(scenario.solve);
  for (const config::SolveOverride& o : scenario.solve_overrides) check(o.solve);
}

/// Bodies beyond its own that a rank knows from the start: what most overlaps look at.
std::size_t first_margin(const config::Scenario& scenario) {
  constexpr std::size_t usual = 66;
  // Given layers are carried whether they are needed or not, and their far edges look at one body more.
  const auto given = static_cast<std::size_t>(scenario.couple.layers.value_or(0));
  return std::max(usual, given + 4);
}

/// The bodies of those parts of the window that are placed here.
void open_window(const config::Scenario& scenario, Assembly& a) {
  a.window->open(a.placement.rank_of_part, a.exchange->rank(), first_margin(scenario));
  a.partition.parts = a.window->partition().parts;
}

/// Largest load of a rank.
double largest_load(std::span<const double> cost, std::span<const int> rank_of_part, int ranks) {
  std::vector<double> load(static_cast<std::size_t>(ranks));
  for (std::size_t p = 0; p < cost.size(); ++p) load[static_cast<std::size_t>(rank_of_part[p])] += cost[p];
  return *std::max_element(load.begin(), load.end());
}

/// Who runs which part. Collective.
void place(const config::Scenario& scenario, Assembly& a) {
  constexpr double not_worth_it = 1.05;  // to build a window anew
  const auto& couplings = a.interface.couplings;
  const int ranks = a.exchange->ranks();
  if (a.components() > 1) {
    a.costs = expected_costs(*a.graph, a.partition, *a.exchange);
    a.costs.resize(a.components(), 1.0);
  }
  if (ranks == 1 || a.components() == 1) {
    a.placement.rank_of_part.assign(a.components(), 0);
    return;
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t c = 0; c < a.plan.cuts.size(); ++c)
    if (a.plan.cuts[c].carrier != Carrier::both)
      pairs.emplace_back(couplings[c].from.part.index(), couplings[c].to.part.index());
  std::vector<int> placed = place_parts(a.costs, couplings, pairs, ranks);
  std::vector<int>& before = a.placement.rank_of_part;
  if (a.window && pairs.empty() &&
      largest_load(a.costs, before, ranks) <= not_worth_it * largest_load(a.costs, placed, ranks))
    return;
  before = std::move(placed);
  if (!a.window) return;
  open_window(scenario, a);
}

/// Of all bodies that are known the local number of the part.
void number_bodies(Assembly& a) {
  if (a.window) {
    std::vector<std::int32_t> local(a.local.parts.size());
    for (std::size_t l = 0; l < local.size(); ++l)
      local[a.local.parts[l].index()] = static_cast<std::int32_t>(l);
    a.window->number(std::move(local));
    return;
  }
  a.overlap->numbers.resize(a.model->bodies.count);
  for (std::size_t l = 0; l < a.local.parts.size(); ++l)
    for (const BodyId body : a.partition.parts[a.local.parts[l].index()].bodies)
      a.overlap->numbers[body.index()] = static_cast<std::int32_t>(l);
}

}  // namespace

void build_model(const config::Scenario& scenario, Assembly& a) {
  const config::Partition& given = scenario.partition;
  const bool open = !given.given && !given.whole;
  const bool over_ranks = open && !a.exchange->single() && a.wiring.links.empty();
  std::optional<ChainGenerator> generator = stretch_generator(scenario);
  const CutMethod open_method = generator ? CutMethod::equal : CutMethod::automatic;
  const auto request = [&](const BodyGraph& graph) -> PartitionRequest {
    if (over_ranks) return {.parts = 0, .method = open_method};
    const PartitionRequest wanted = partition_request(given, graph);
    return given.given ? wanted : PartitionRequest{};
  };
  const bool judged = open && !over_ranks;  // it must be known as a whole
  if (generator) {
    const Model nothing = generator->make({0, 0});
    check_methods(scenario, nothing);
    if (const PartitionRequest wanted = request(*make_graph(nothing));
        !judged && divides_chain(wanted.method) && a.wiring.links.empty()) {
      a.window = std::make_shared<ChainWindow>(std::move(*generator), wanted);
      a.model = {a.window, &a.window->model()};
      a.graph = {a.window, &a.window->graph()};
      a.partition = a.window->partition();
      a.placement.rank_of_part =
          place_parts(a.window->sizes(), a.partition.interface.couplings, {}, a.exchange->ranks());
      open_window(scenario, a);
      a.breakpoints = a.window->generator().breakpoints();
      return;
    }
    a.model = std::make_shared<const Model>(generator->make());
  } else {
    a.model = std::make_shared<const Model>(generate_model(scenario, &a.shifts));
    check_methods(scenario, *a.model);
  }
  a.graph = make_graph(*a.model);
  a.breakpoints = breakpoints(a.model->loads);
  if (!judged || a.graph->bodies() == 0) {
    a.partition = make_partition(*a.graph, request(*a.graph));
    return;
  }
  PartitionChoice choice = choose_partition(scenario, *a.model, *a.graph);
  a.choices.push_back(std::move(choice.reason));
  a.partition = choice.cut ? std::move(*choice.cut) : uncut(*a.graph);
}

void leave_uncut(const config::Scenario& scenario, Assembly& a) {
  if (!a.window) {
    a.partition = uncut(*a.graph);
    return;
  }
  a.window->unite();
  a.placement.rank_of_part.assign(1, 0);
  a.partition.interface = {};
  open_window(scenario, a);
}

void distribute(const config::Scenario& scenario, Assembly& a) {
  Exchange& exchange = *a.exchange;
  if (scenario.simulate.local_error && !exchange.single())
    throw Error(
        Fault{.field = "simulate.local_error",
              .value = "true",
              .problem = "the local reference is the uncut model, which one rank cannot follow for all",
              .remedy = "run with one rank, or without local errors"});
  a.placement.whole = a.plan.newton() || a.plan.signals;
  place(scenario, a);
  a.local = local_view(a.interface, a.placement, exchange.rank());
  a.seam = std::make_unique<Seam>(exchange, a.interface, a.placement);
  if (!a.overlap) return;
  number_bodies(a);
  for (const CouplingId c : a.local.couplings) a.overlap->carriers.push_back(a.plan.cuts[c.index()].carrier);
}

}  // namespace cosimo
