#include "subsystem/linear_oscillator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "core/checked_cast.hpp"
#include "subsystem/cut_ports.hpp"
#include "subsystem/series_response.hpp"

namespace cosimo {

namespace {

struct OscillatorSnapshot final : Snapshot {
  OscillatorState state;
  std::int64_t steps = 0;
};

void check_linear(const SpringLaw& law) {
  COSIMO_CHECK(law.C == 0 && law.D == 0, "a linear oscillator with a nonlinear element");
}

/// sum_i weight_i p_i on the window.
Polynomial combined(std::span<const Polynomial> inputs, std::span<const double> weight,
                    const Window& window) {
  Polynomial sum;
  sum.origin = window.begin;
  sum.scale = window.size();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Polynomial p = on_window(inputs[i], window);
    sum.degree = std::max(sum.degree, p.degree);
    for (std::size_t j = 0; j <= static_cast<std::size_t>(p.degree); ++j) sum.a[j] += weight[i] * p.a[j];
  }
  return sum;
}

}  // namespace

LinearOscillator::LinearOscillator(const Model& model, const Part& part, PartId id,
                                   const Interface& interface)
    : bodies_(part.bodies),
      places_(places_of(model, bodies_)),
      cut_ports_(ports_of(model, interface, id, bodies_)),
      ports_(plain_ports(cut_ports_)),
      inputs_(inputs_of(cut_ports_, CouplingVariables(interface))) {
  COSIMO_CHECK(bodies_.size() == 1, "an oscillator is one body");
  const BodyId body = bodies_[0];
  COSIMO_CHECK(count(model.loads, body, BodyId(body.value + 1)) == 0, "an oscillator without loads");
  initial_ = {model.bodies.x[body.index()], model.bodies.v[body.index()]};
  const double inverse_mass = 1 / model.bodies.mass[body.index()];
  const auto attach = [&](const SpringLaw& law) {
    check_linear(law);
    k_ += law.c * inverse_mass;
    c_ += law.d * inverse_mass;
  };
  for (const ElementId e : part.elements) {
    const BodyId from = model.elements.from[e.index()], to = model.elements.to[e.index()];
    COSIMO_CHECK((from == body && to == ground) || (from == ground && to == body),
                 "an oscillator's elements join it to the ground");
    attach(model.elements.law(e));
  }
  for (const CutPort& port : cut_ports_) {
    if (port.drive == Drive::force) {
      effect_.push_back(port.side == CutSide::from ? inverse_mass : -inverse_mass);
      continue;
    }
    attach(port.law);
    effect_.push_back(port.law.c * inverse_mass);
    effect_.push_back(port.law.d * inverse_mass);
  }
}

std::unique_ptr<Lane> LinearOscillator::make_lane() const {
  return std::make_unique<OscillatorLane>(*this);
}

StepResult OscillatorLane::advance(const Window& window, std::span<const Polynomial> inputs,
                                   const Samples& samples, Response* response) {
  COSIMO_CHECK(inputs.size() == oscillator_.effect_.size(), "one polynomial per input");
  if (propagator_.step() != window.size())
    propagator_ = OscillatorPropagator(oscillator_.k_, oscillator_.c_, window.size());
  if (response != nullptr) respond(window, *response);
  const Polynomial force = combined(inputs, oscillator_.effect_, window);
  sample(window, force, samples);
  state_ = propagator_(state_, force);
  ++steps_;
  if (std::isfinite(state_.x) && std::isfinite(state_.v)) return {StepStatus::ok, window.end, {}};
  return {StepStatus::failed, window.begin, "the state is not finite"};
}

void OscillatorLane::sample(const Window& window, const Polynomial& force, const Samples& samples) const {
  const std::size_t columns = samples.dofs.size();
  for (std::size_t row = 0; row < samples.times.size(); ++row) {
    const Window until{window.begin, samples.times[row]};
    OscillatorState z = state_;
    if (until.end == window.end)
      z = propagator_(z, force);
    else if (until.size() > 0)
      z = OscillatorPropagator(oscillator_.k_, oscillator_.c_, until.size())(z, on_window(force, until));
    for (std::size_t j = 0; j < columns; ++j) {
      samples.position[row * columns + j] = z.x;
      samples.velocity[row * columns + j] = z.v;
    }
  }
}

/// What becomes of the state when the force per mass moves by the shape.
OscillatorState OscillatorLane::unit_answer(const Window& window, const Response& response) const {
  if (response.method != ResponseMethod::series)
    return propagator_(OscillatorState{}, on_window(response.shape, window));
  COSIMO_CHECK(response.terms >= 1, "a series needs a term");
  std::vector<double> integrals(static_cast<std::size_t>(response.terms) + 1);
  shape_integrals(response.shape, window, integrals);
  OscillatorState answer;
  double w = 1, before = 0;
  for (std::size_t n = 0; n + 1 < integrals.size(); ++n) {
    answer.x += integrals[n + 1] * w;
    answer.v += integrals[n] * w;
    const double after = -(oscillator_.c_ * w + oscillator_.k_ * before);
    before = w;
    w = after;
  }
  return answer;
}

void OscillatorLane::respond(const Window& window, Response& response) const {
  const OscillatorState unit = unit_answer(window, response);
  const auto& effect = oscillator_.effect_;
  const std::size_t ports = oscillator_.ports_.size();
  response.derivative.resize(effect.size() * ports);
  for (std::size_t i = 0; i < effect.size(); ++i)
    for (std::size_t p = 0; p < ports; ++p)
      response.derivative[i * ports + p] = {effect[i] * unit.x, effect[i] * unit.v};
}

bool OscillatorLane::accelerations(double /*t*/, std::span<const double> inputs,
                                   std::span<const PortState> shift, std::span<double> a) const {
  const PortState by = shift.empty() ? PortState{} : shift[0];
  double sum = -(oscillator_.k_ * (state_.x + by.x) + oscillator_.c_ * (state_.v + by.v));
  for (std::size_t i = 0; i < inputs.size(); ++i) sum += oscillator_.effect_[i] * inputs[i];
  std::fill(a.begin(), a.end(), sum);
  return std::isfinite(sum);
}

void OscillatorLane::outputs(double /*t*/, std::span<const double> /*inputs*/, std::span<PortState> y) const {
  std::fill(y.begin(), y.end(), PortState{state_.x, state_.v});
}

std::unique_ptr<Snapshot> OscillatorLane::make_snapshot() const {
  return std::make_unique<OscillatorSnapshot>();
}

void OscillatorLane::save(Snapshot& snapshot) const {
  OscillatorSnapshot& own = checked_cast<OscillatorSnapshot>(snapshot);
  own.state = state_;
  own.steps = steps_;
}

void OscillatorLane::restore(const Snapshot& snapshot) {
  const OscillatorSnapshot& own = checked_cast<OscillatorSnapshot>(snapshot);
  state_ = own.state;
  steps_ = own.steps;
}

SolverStatus OscillatorLane::status() const {
  SolverStatus status;
  status.counters.steps = status.counters.evaluations = steps_;
  status.method = "exact";
  return status;
}

}  // namespace cosimo
