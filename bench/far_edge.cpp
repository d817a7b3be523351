#include "bench/far_edge.hpp"
#include "model/media.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "core/random.hpp"
#include "model/dof_map.hpp"
#include "model/graphs.hpp"
#include "partition/halo.hpp"
#include "scheme/halos.hpp"
#include "subsystem/driven_part.hpp"
#include "subsystem/overlap.hpp"

namespace cosimo::bench {

namespace {

/// The least value of a convex function of s, looked for in ln s.
template <class F>
double least(F f, double low, double high) {
  constexpr double golden = 0.6180339887498949;
  double a = std::log(low), b = std::log(high);
  while (b - a > 1e-3) {
    const double left = b - golden * (b - a), right = a + golden * (b - a);
    if (f(std::exp(left)) <= f(std::exp(right)))
      b = right;
    else
      a = left;
  }
  return std::min(f(std::exp(a)), 0.0);
}

/// The part, the interface to all the rest, and where its halo begins.
struct Cut {
  Part core;
  Interface interface;
  std::vector<HaloRoot> roots;

  explicit Cut(const Experiment& e) {
    core.bodies = e.owned;
    core.owned = {0, e.owned.size()};
    const auto own = [&](BodyId body) { return std::binary_search(e.owned.begin(), e.owned.end(), body); };
    for (std::size_t i = 0; i < e.model.elements.count(); ++i) {
      const BodyId from = e.model.elements.from[i], to = e.model.elements.to[i];
      if (own(from) && own(to)) core.elements.push_back(ElementId{i});
      if (own(from) == own(to)) continue;
      const PartId near{std::size_t{0}}, far{std::size_t{1}};
      interface.couplings.push_back(
          {ElementId{i}, {own(from) ? near : far, from}, {own(to) ? near : far, to}});
      roots.push_back({own(from) ? from : to, own(from) ? to : from, static_cast<double>(e.layers)});
    }
  }
};

Halo halo_of(const Experiment& e, const BodyGraph& graph, const Cut& cut) {
  const auto own = [&](BodyId body) { return std::binary_search(e.owned.begin(), e.owned.end(), body); };
  return grow_halo(graph, own, cut.roots, [](BodyId) { return 1.0; });
}

IntegratorOptions solver(const Experiment& e, Range judged) {
  IntegratorOptions options;
  options.method = Method::rk;
  options.tolerances = {1e-2, 1e-2, 1e-2};  // the grid decides
  options.max_step = e.H / e.steps * (1 + 1e-9);
  options.judged = judged;
  return options;
}

/// States of all degrees of freedom at equal instants up to H.
struct States {
  std::vector<double> x, v;
};

States integrate(const Experiment& e, const DrivenPart& system, Range judged, std::span<const double> x,
                 std::span<const double> v, int instants) {
  std::vector<double> times;
  for (int i = 1; i <= instants; ++i) times.push_back(e.H * i / instants);
  std::vector<std::int32_t> dofs(system.size());
  for (std::size_t i = 0; i < dofs.size(); ++i) dofs[i] = static_cast<std::int32_t>(i);
  States states;
  states.x.resize(times.size() * dofs.size());
  states.v = states.x;
  const auto integrator = make_integrator(system, solver(e, judged));
  integrator->start(0.0, x, v);
  integrator->use_grid(e.steps);
  const AdvanceResult done = integrator->advance(e.H, {{times, dofs, states.x, states.v}});
  if (!done.ok || integrator->status().counters.steps != e.steps)
    throw std::runtime_error("the micro steps asked for were not taken");
  return states;
}

/// The part with its copies, driven by forces that are held at the far edges.
States carried_states(const Experiment& e, const OverlappingPart& carried, int instants) {
  const DofMap dof_of(carried.part.bodies);
  const Equations equations(e.model, carried.part);
  std::vector<CutPort> ports;
  std::vector<Polynomial> held;
  for (const FarEdge& edge : carried.edges) {
    const std::size_t from = e.model.elements.from[edge.element.index()].index(),
                      to = e.model.elements.to[edge.element.index()].index();
    const bool side = edge.copy.index() == from;
    CutPort& port = ports.emplace_back();
    port.side = side ? CutSide::from : CutSide::to;
    port.body = edge.copy;
    port.dof = dof_of(edge.copy);
    held.emplace_back().a[0] = e.model.elements.law(edge.element)
                                   .force(e.model.bodies.x[to] - e.model.bodies.x[from],
                                          e.model.bodies.v[to] - e.model.bodies.v[from]);
  }
  number_inputs(ports);
  DrivenPart system(equations, ports);
  system.drive(held);
  return integrate(e, system, carried.judged, equations.initial_position(), equations.initial_velocity(),
                   instants);
}

void compare_with_lane(const Experiment& e, const Cut& cut, const OverlappingPart& carried,
                       const States& states) {
  const OverlapSubsystem subsystem(e.model, cut.core, PartId{std::size_t{0}}, cut.interface, solver(e, {}),
                                   {});
  OverlapLane lane(subsystem);
  BodyStates meeting(e.model.bodies.x, e.model.bodies.v);
  lane.connect(meeting);
  lane.carry(std::make_shared<const OverlappingPart>(carried));
  lane.use_grid(e.steps);
  const std::vector<Polynomial> inputs(subsystem.ports().size());
  const StepResult result = lane.advance({0.0, e.H}, inputs, {});
  const auto last = std::span(states.x).last(carried.part.bodies.size());
  const auto own = last.subspan(carried.part.owned.first, carried.part.owned.size());
  if (result.status != StepStatus::ok || !std::equal(own.begin(), own.end(), lane.position().begin()))
    throw std::runtime_error("a lane of the library comes to other states");
}

/// Initial states with the same energy on every body.
void draw(Model& model, int sample) {
  const RandomStream x(static_cast<std::uint64_t>(sample), 1), v(static_cast<std::uint64_t>(sample), 2);
  for (std::size_t i = 0; i < model.bodies.count; ++i) {
    model.bodies.x[i] = x.uniform(i, -1, 1);
    model.bodies.v[i] = v.uniform(i, -1, 1) / std::sqrt(model.bodies.mass[i]);
  }
}

}  // namespace

Model spring_grid(std::size_t rows, std::size_t columns, const std::function<double(std::size_t)>& mass,
                  double d) {
  Model model;
  model.bodies.count = rows * columns;
  std::vector<double> masses;
  for (std::size_t i = 0; i < model.bodies.count; ++i) masses.push_back(mass(i));
  model.bodies.mass = Field(std::move(masses));
  model.bodies.x.resize(model.bodies.count);
  model.bodies.v.resize(model.bodies.count);
  for (std::size_t i = 0; i < model.bodies.count; ++i) {
    const auto join = [&](std::size_t other) {
      model.elements.from.push_back(BodyId{i});
      model.elements.to.push_back(BodyId{other});
    };
    if ((i + 1) % columns != 0) join(i + 1);
    if (i + columns < model.bodies.count) join(i + columns);
  }
  model.elements.c = Field(1.0);
  model.elements.d = Field(d);
  return model;
}

Spread spread(const Experiment& experiment, int instants) {
  Experiment e = experiment;
  const auto graph = make_graph(e.model);
  const Cut cut(e);
  const OverlappingPart carried = carry(*graph, cut.core, halo_of(e, *graph, cut));
  Spread out{carried.part.bodies, carried.part.owned, {}, 0};
  const std::size_t n = out.bodies.size(), all = e.model.bodies.count;
  out.error.resize(static_cast<std::size_t>(instants) * n);
  for (int sample = 0; sample < e.samples; ++sample) {
    draw(e.model, sample);
    const Part everything = uncut(e.model).parts.front();
    const DofMap dof_of(everything.bodies);
    const Equations equations(e.model, everything);
    const States whole = integrate(e, DrivenPart(equations, {}), {}, equations.initial_position(),
                                   equations.initial_velocity(), instants);
    const States part = carried_states(e, carried, instants);
    if (sample == 0) compare_with_lane(e, cut, carried, part);
    for (std::size_t i = 0; i < out.error.size(); ++i) {
      const BodyId body = out.bodies[i % n];
      const std::size_t at = i / n * all + static_cast<std::size_t>(dof_of(body));
      const double dx = part.x[i] - whole.x[at], dv = part.v[i] - whole.v[at];
      out.error[i] += 0.5 * (dx * dx + dv * dv * e.model.bodies.mass[body.index()]);
    }
  }
  const double mean_square = 1.0 / 3;  // of initial positions
  for (double& error : out.error) error = std::sqrt(error / e.samples / mean_square);
  const auto last = std::span(out.error).last(n).subspan(out.owned.first, out.owned.size());
  out.on_owned = *std::max_element(last.begin(), last.end());
  return out;
}

double exponent(const Experiment& experiment) {
  Experiment e = experiment;
  ++e.layers;  // the bodies beyond
  const auto graph = make_graph(e.model);
  const Media media(e.model, *graph);
  const Cut cut(e);
  Halo halo = halo_of(e, *graph, cut);
  const auto f = [&](double s) {
    measure_halo(
        cut.roots, [&](BodyId body) { return decay(media.at_start(body), s); }, halo);
    double nearest = halo.sides.front().distance;
    for (const HaloSide& side : halo.sides) nearest = std::min(nearest, side.distance);
    return s * e.H - nearest;
  };
  return least(f, 1e-4 / e.H, 1e4 / e.H);
}

double exponent(const Medium& medium, double t, double distance) {
  return least([&](double s) { return s * t - distance * decay(medium, s); }, 1e-4 / t, 1e6 / t);
}

}  // namespace cosimo::bench
