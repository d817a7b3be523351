// A component of a network and its lanes: what a coupling scheme knows of physics.
//
// A Component is immutable: equations, inputs, outputs. A Lane is one mutable state of it with its own solver
// memory. The actual run and the comparison run of an error estimator are lanes of the same component and
// independent tasks:
//
//   auto lane = component.make_lane();
//   auto memory = lane->make_snapshot();
//   lane->save(*memory);
//   StepResult r = lane->advance({T0, T1}, inputs, samples);   // inputs: one polynomial per input
//   lane->outputs(T1, {}, y);                                  // at T1
//   lane->restore(*memory);                                    // as if nothing had happened, to the bit
//   lane->archive(a);                                          // the state as bytes, for checkpoints
//
// Every port is one end of a coupling: of a cut element, or of a signal. It takes inputs, the coupling
// variables that drive it, and it gives outputs, each a value with its rate:
//
//   cut element   takes the element's force, component by component, or position and velocity of the far body
//                 (Section 2.1); gives positions and velocities of its own body
//   signal        takes one value where it ends; gives one where it begins. A signal that is a motion has a
//                 rate; of others it may be zero
//
// The implicit schemes also want to know how the outputs answer to the inputs' end values (the interface
// Jacobian, Appendix A): advance() fills a Response when it is given one.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive.hpp"
#include "core/ids.hpp"
#include "core/snapshot.hpp"
#include "network/interface.hpp"
#include "numerics/polynomial.hpp"
#include "numerics/samples.hpp"
#include "numerics/solver_status.hpp"

namespace cosimo {

/// One macro step in time.
struct Window {
  double begin = 0;
  double end = 0;
  double size() const { return end - begin; }
};

enum class StepStatus {
  ok,       ///< the end was reached
  early,    ///< an event is ahead that others must hear of: `reached` says where, the state is that before it
  discard,  ///< the step cannot be used, a shorter one may work
  failed    ///< the solver gave up
};

struct StepResult {
  StepStatus status = StepStatus::ok;
  double reached = 0;
  std::string_view reason{};  ///< static, of the model, or the lane's own until its next advance()
};

/// One end of a coupling.
struct Port {
  CouplingId coupling;
  CutSide side = CutSide::from;
  std::size_t input = 0, inputs = 0;    ///< its first input, and how many it has
  std::size_t output = 0, outputs = 1;  ///< likewise
};

/// An output: a value and its rate. Position and velocity of a coordinate, or a signal.
struct PortState {
  double x = 0;
  double v = 0;
};

/// How the derivatives of the outputs with respect to the end values of the inputs are found (Appendix A).
/// Finite differences are not among them: they need other lanes, not other code.
enum class ResponseMethod {
  series,      ///< the first terms of the power series in H (A.5); one term: `sap`
  rk,          ///< one implicit Runge-Kutta step of the variational equation (A.8), states extrapolated
  sensitivity  ///< the derivative of the discrete solution, carried through the solver's own steps
};

/// Asked of advance(), and its answer.
struct Response {
  ResponseMethod method = ResponseMethod::series;
  int terms = 1;  ///< of the series
  /// By how much an input at t moves per unit of its end value: a Lagrange basis polynomial.
  Polynomial shape{};
  /// d(output o) / d(end value of input i) at [i * outputs + o]; all of them, zeros included.
  std::vector<PortState> derivative{};
};

class Copying;  // network/overlapping.hpp

class Lane {
 public:
  virtual ~Lane() = default;

  /// Null: it cannot carry copies of other components' bodies.
  virtual Copying* copying() { return nullptr; }

  /// `inputs[i]` is the course of input i of the component; they are copied. `response` may be null.
  [[nodiscard]] virtual StepResult advance(const Window& window, std::span<const Polynomial> inputs,
                                           const Samples& samples, Response* response) = 0;
  [[nodiscard]] StepResult advance(const Window& window, std::span<const Polynomial> inputs,
                                   const Samples& samples) {
    return advance(window, inputs, samples, nullptr);
  }
  /// The outputs at the instant reached; `inputs` are the values of all inputs there, which only outputs that
  /// depend on them at once look at (Component::feeds()).
  virtual void outputs(double t, std::span<const double> inputs, std::span<PortState> y) const = 0;
  /// Accelerations of the outputs that are motions in the present state, one per output, when the inputs have
  /// these values; with a shift (one per output, or none) where the coupling bodies alone are moved by it.
  /// False when a force overflows. A component without motions leaves them as they are.
  [[nodiscard]] virtual bool accelerations(double /*t*/, std::span<const double> /*inputs*/,
                                           std::span<const PortState> /*shift*/,
                                           std::span<double> /*a*/) const {
    return true;
  }
  [[nodiscard]] bool accelerations(double t, std::span<const double> inputs, std::span<double> a) const {
    return accelerations(t, inputs, {}, a);
  }
  /// Second-order pairs, first-order states, and memory without a differential equation.
  virtual std::span<const double> position() const = 0;
  virtual std::span<const double> velocity() const = 0;
  virtual std::span<const double> states() const { return {}; }
  virtual std::span<const double> memory() const { return {}; }

  /// The events that are due at the instant reached: what ended the last advance() early if `decreed`, and
  /// whatever else is no more than rounding away. True when outputs have jumped.
  virtual bool fire(bool /*decreed*/) { return false; }
  /// Other states at the instant t that was reached; the lane goes on from them.
  virtual void set_state(double t, std::span<const double> q, std::span<const double> v,
                         std::span<const double> z) = 0;

  virtual std::unique_ptr<Snapshot> make_snapshot() const = 0;
  virtual void save(Snapshot& snapshot) const = 0;
  virtual void restore(const Snapshot& snapshot) = 0;
  /// The complete state at the macro point last reached, exact to the bit: a lane of the same component that
  /// loads it goes on like the one that saved it. After an ArchiveError it may be neither here nor there.
  virtual void archive(Archive& a) = 0;
  virtual SolverStatus status() const = 0;
  /// Work since the start, counted (evaluations times bodies, linear algebra in the same currency) and
  /// not measured. restore() puts it back.
  virtual double work() const = 0;
};

/// Outputs of all ports.
template <class Ports>
std::size_t output_count(const Ports& ports) {
  std::size_t count = 0;
  for (const auto& port : ports) count += port.outputs;
  return count;
}

class Component {
 public:
  virtual ~Component() = default;

  /// The ends of its couplings in their order, the `from` end first; inputs and outputs follow each other.
  virtual std::span<const Port> ports() const = 0;
  /// The coupling variable behind every input (network/coupling_variables.hpp).
  virtual std::span<const std::size_t> inputs() const = 0;
  /// Some output depends on some input at once, without a state in between.
  virtual bool feeds() const { return false; }
  /// True when save() and restore() cost next to nothing (one-step methods).
  virtual bool cheap_snapshot() const = 0;
  /// False: save() and restore() do not work, and a step that was taken stays.
  virtual bool goes_back() const { return true; }
  /// Its events make outputs jump: advance() may end early.
  virtual bool ends_early() const { return false; }
  /// The first instant after t that no macro step may jump over; infinity when there is none.
  virtual double next_event(double /*t*/) const { return std::numeric_limits<double>::infinity(); }
  /// A new lane in the initial state. It refers to the component, which must outlive it.
  virtual std::unique_ptr<Lane> make_lane() const = 0;

  // Of what it is made, for those who record it.
  virtual std::span<const BodyId> bodies() const { return {}; }  ///< owned, in the order of their coordinates
  /// Where each position is among the coordinates of the whole model.
  virtual std::span<const std::size_t> places() const { return {}; }
  /// Where each of its states, then of its memory, is among those of the whole model: first all states there,
  /// then all memory.
  virtual std::span<const std::size_t> remembered() const { return {}; }
  /// Not zero where a position is an angle or part of a quaternion; empty: all are lengths.
  virtual std::span<const std::uint8_t> angles() const { return {}; }
};

}  // namespace cosimo
