#include "simulation/motion_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "integrator/circles.hpp"
#include "integrator/constrained_system.hpp"
#include "integrator/spectrum_probe.hpp"
#include "model/traits.hpp"
#include "simulation/together.hpp"
#include "simulation/translate.hpp"
#include "subsystem/cut_ports.hpp"
#include "subsystem/part_equations.hpp"

namespace cosimo {

namespace {

constexpr int instants = 16;    ///< at which loads are looked at, and as many between their edges
constexpr double brief = 1e-2;  ///< of the run: no time scale is longer, as uncut runs look that often
constexpr double rounding_share = 0.1;  ///< of the largest error that rounding can make of an acceleration

/// A part at rest in its initial state, with the coupling forces of that state.
class PartAtStart {
 public:
  PartAtStart(const Assembly& a, std::size_t number, std::span<const double> u,
              const std::atomic<bool>* interrupt)
      : interrupt_(interrupt),
        model_(*a.model),
        graph_(*a.graph),
        part_(a.partition.parts[a.local.parts[number].index()]),
        equations_(make_part_equations(model_, part_, interrupt)),
        ports_(ports_of(model_, a.local.interface, PartId{number}, part_.bodies)),
        driven_(equations_->make_system(ports_)),
        angles_(angles_of(model_, part_.bodies)),
        a_(driven_->system().size()) {
    std::vector<Polynomial> inputs;
    for (const std::size_t variable : inputs_of(ports_, a.conditions->variables()))
      inputs.push_back({.a = {u[variable]}});
    driven_->drive(inputs);
  }

  MotionScale scale(double end) {
    check(q(), "position", 0);
    check(v(), "velocity", 0);
    MotionScale out;
    if (!accelerate(0)) return out;  // the first step will say why
    const double fastest = rate();
    const double tau = fastest > 0 ? std::min(brief * end, 1 / fastest) : brief * end;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      MotionSize& own = is_angle(i) ? out.seen.angle : out.seen.length;
      own.velocity = std::max(own.velocity, std::fabs(v()[i]));
      own.position = std::max(own.position, std::fabs(v()[i]) * tau);
      MotionSize& noise = is_angle(i) ? out.rounding.angle : out.rounding.length;
      noise.position = std::max(noise.position, known_to() * std::fabs(q()[i]));
    }
    for (MotionSize* noise : {&out.rounding.length, &out.rounding.angle})
      noise->velocity = rounding_share * fastest * noise->position;
    pushed(tau, out);
    if (equations_->autonomous()) return out;
    double edge = 0;
    for (int k = 1; k <= instants; ++k) {
      if (accelerate(end * k / instants)) pushed(tau, out);
      const double next = std::min(equations_->next_breakpoint(edge), end);
      if (next > edge && accelerate(0.5 * (edge + next))) pushed(tau, out);
      // A cubic is bounded up to its greatest value (numerics/curve.hpp).
      if (std::isfinite(driven_->system().longest_step(edge)) && accelerate(next)) pushed(tau, out);
      edge = next;
    }
    return out;
  }

 private:
  std::span<const double> q() const { return equations_->initial_position(); }
  std::span<const double> v() const { return equations_->initial_velocity(); }
  /// Constraints are met to some rounding errors; no method could take a step to less.
  double known_to() const {
    const auto* constrained = driven_->system().constrained();
    const bool tied = constrained != nullptr && constrained->constraints() > 0;
    return (tied ? 50 : 1) * std::numeric_limits<double>::epsilon();
  }
  bool is_angle(std::size_t i) const { return !angles_.empty() && angles_[i] != 0; }

  bool accelerate(double t) {
    if (interrupt_ != nullptr && interrupt_->load(std::memory_order_relaxed)) return false;
    if (!driven_->system().acceleration(t, q().data(), v().data(), a_.data(), {0, a_.size()})) return false;
    check(a_, "acceleration", t);
    return true;
  }

  void pushed(double tau, MotionScale& out) const {
    for (std::size_t i = 0; i < a_.size(); ++i) {
      MotionSize& own = is_angle(i) ? out.seen.angle : out.seen.length;
      own.velocity = std::max(own.velocity, std::fabs(a_[i]) * tau);
      own.position = std::max(own.position, std::fabs(a_[i]) * tau * tau);
    }
  }

  /// The fastest rate (1/time) of the part by itself.
  double rate() const {
    const System& system = driven_->system();
    if (const auto* constrained = system.constrained()) {
      State state(system.size(), 0);
      std::copy(q().begin(), q().end(), state.q.begin());
      std::copy(v().begin(), v().end(), state.v.begin());
      std::copy(a_.begin(), a_.end(), state.a.begin());
      Counters unused;
      return SpectrumProbe().estimate(*constrained, state, {}, unused).lambda();
    }
    return Circles(system).bound(0, q().data(), v().data(), nullptr).lambda();
  }

  void check(std::span<const double> x, std::string_view what, double t) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(std::fabs(x[i]) > largest_state)) continue;
      std::size_t first = 0;
      for (const BodyId body : part_.bodies) {
        first += model_.coordinates(body).size();
        if (i >= first) continue;
        throw Error(Fault{
            .field = "model",
            .value = fmt::format("{:.3g}", x[i]),
            .problem = fmt::format("the {} of {} at t = {:.6g} is beyond {:.0e}, where double precision ends",
                                   what, graph_.name(body), t, largest_state),
            .remedy = "check its initial state, its mass, and the forces on it, all in the same units"});
      }
    }
  }

  const std::atomic<bool>* interrupt_;
  const Model& model_;
  const BodyGraph& graph_;
  const Part& part_;
  std::unique_ptr<PartEquations> equations_;
  std::vector<CutPort> ports_;
  std::unique_ptr<DrivenSystem> driven_;
  std::vector<std::uint8_t> angles_;
  AlignedVector a_;
};

/// A model at rest that a controller is about to move: as far as the controller wants.
void expect_measured(const Assembly& a, double end, MotionSizes& seen) {
  for (const Coupling& coupling : a.interface.couplings) {
    const std::size_t to = coupling.to.part.index(), parts = a.partition.parts.size();
    if (!coupling.is_signal() || !coupling.from.motion || to < parts) continue;
    const double expected = a.wiring.components[to - parts]->expected(coupling.to.variable, end);
    MotionSize& own = coupling.from.angle ? seen.angle : seen.length;
    if (!coupling.rate) own.position = std::max(own.position, expected);
    own.velocity = std::max(own.velocity, coupling.rate ? expected : expected / end);
  }
}

void find_arms(const Assembly& a, MotionScale& scale) {
  for (const Part& part : a.partition.parts)
    for (const BodyId body : part.bodies) {
      const double arm = a.graph->arm(body);
      if (arm == 0) continue;
      scale.least_arm = scale.largest_arm > 0 ? std::min(scale.least_arm, arm) : arm;
      scale.largest_arm = std::max(scale.largest_arm, arm);
    }
}

/// A motion is hidden when both of its levels are: accurate velocities make accurate positions.
bool hides(double pos, double vel, const MotionSize& motion) {
  constexpr double part = 1e-2;
  return pos > part * motion.position && vel > part * motion.velocity;
}

template <class Section>
void look_for_hidden(const std::string& name, const Section& given, const MotionSizes& seen,
                     std::vector<std::string>& out) {
  if (!given.atol_pos || !given.atol_vel || seen.none()) return;
  for (const bool angle : {false, true}) {
    const MotionSize& motion = seen.of(angle);
    if (motion.velocity == 0 || !hides(*given.atol_pos, *given.atol_vel, motion)) continue;
    out.push_back(fmt::format(
        "accuracy: {0}.atol_pos = {1:.3g} and {0}.atol_vel = {2:.3g} hide {3} of at most {4:.3g}, with "
        "velocities of at most {5:.3g}; write `auto` for both, or numbers far below these",
        name, *given.atol_pos, *given.atol_vel, angle ? "rotations" : "displacements", motion.position,
        motion.velocity));
  }
}

Report::Sizes report_of(const MotionSizes& sizes, bool with_angles) {
  Report::Sizes out{.position = sizes.length.position, .velocity = sizes.length.velocity};
  if (!with_angles) return out;
  out.angle = sizes.angle.position;
  out.angular_velocity = sizes.angle.velocity;
  return out;
}

}  // namespace

std::vector<std::string> hidden_motion(const config::Scenario& scenario, const Assembly& a) {
  std::vector<std::string> out;
  look_for_hidden("solve", scenario.solve, a.scale->seen, out);
  for (const config::SolveOverride& o : scenario.solve_overrides)
    if (o.solve.atol_pos != scenario.solve.atol_pos || o.solve.atol_vel != scenario.solve.atol_vel)
      look_for_hidden("solve.parts", o.solve, a.scale->seen, out);
  if (a.cut()) look_for_hidden("control", scenario.control, a.scale->seen, out);
  return out;
}

Report::Tolerances tolerances_now(const config::Scenario& scenario, const Assembly& a) {
  const bool angles = traits_of(*a.model).angles;
  Report::Tolerances out;
  out.motion = report_of(a.scale->seen, angles);
  out.solve = report_of(integrator_options(scenario, scenario.solve, *a.scale).tolerances.absolute(), angles);
  if (a.overlap)
    out.control = report_of(a.plan.layers.states().absolute(), angles);
  else if (a.cut())
    out.control = report_of(a.plan.classic.norms.states().absolute(), angles);
  return out;
}

MotionSizes largest_of_all(Exchange& exchange, const MotionSizes& here) {
  std::array<double, 4> sizes{here.length.position, here.length.velocity, here.angle.position,
                              here.angle.velocity};
  exchange.max(sizes);
  return {{sizes[0], sizes[1]}, {sizes[2], sizes[3]}};
}

MotionScale initial_scale(const Assembly& a, double end, const std::atomic<bool>* interrupt) {
  MotionScale all;
  std::vector<double> u(a.conditions->size());
  a.conditions->evaluate(0, initial_states(*a.model, a.local.interface), u);
  together(*a.exchange, [&] {
    for (std::size_t i = 0; i < a.local.own_parts; ++i) {
      if (a.local.parts[i].index() >= a.partition.parts.size()) continue;  // it has no bodies
      const MotionScale part = PartAtStart(a, i, u, interrupt).scale(end);
      all.seen.raise_to(part.seen);
      all.rounding.raise_to(part.rounding);
    }
  });
  expect_measured(a, end, all.seen);
  all.seen = largest_of_all(*a.exchange, all.seen);
  all.rounding = largest_of_all(*a.exchange, all.rounding);
  find_arms(a, all);
  return all;
}

}  // namespace cosimo
