// A subsystem and its lanes.
//
// A Subsystem is immutable: equations, inputs, outputs. A Lane is one mutable state of
// it with its own solver memory. The actual run and the comparison run of an error
// estimator are lanes of the same subsystem and independent tasks:
//
//   auto lane = subsystem.make_lane();
//   auto memory = lane->make_snapshot();
//   lane->save(*memory);
//   StepResult r = lane->advance({T0, T1}, inputs, samples);   // inputs: one polynomial per input
//   lane->outputs(y);                                          // states of the coupling bodies at T1
//   lane->restore(*memory);                                    // as if nothing had happened, to the bit
//   lane->archive(a);                                          // the state as bytes, for checkpoints
//
// Every port is one end of a cut element that belongs to the subsystem. It takes inputs, the coupling
// variables that drive it: the element's force, component by component, or position and velocity of the far
// body (Section 2.1). And it gives outputs: the state of the body it acts on, one per coordinate.
//
// The implicit schemes also want to know how the outputs answer to the inputs' end values (the interface
// Jacobian, Appendix A): advance() fills a Response when it is given one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/archive.hpp"
#include "core/ids.hpp"
#include "integrator/integrator.hpp"
#include "model/coupling_variables.hpp"
#include "model/spring_damper.hpp"
#include "numerics/polynomial.hpp"

namespace cosimo {

/// One macro step in time.
struct Window {
  double begin = 0;
  double end = 0;
  double size() const { return end - begin; }
};

enum class StepStatus {
  ok,       ///< the end was reached
  early,    ///< stopped before the end on purpose; `reached` says where
  discard,  ///< the step cannot be used, a shorter one may work
  failed    ///< the solver gave up
};

struct StepResult {
  StepStatus status = StepStatus::ok;
  double reached = 0;
  std::string_view reason{};  ///< static, of the model, or the lane's own until its next advance()
};

struct Port {
  CouplingId coupling;
  CutSide side = CutSide::from;  ///< which end of the cut element
  BodyId body;                   ///< the coupling body
  std::int32_t dof = 0;          ///< its coordinate in the subsystem
  Drive drive = Drive::force;
  std::size_t input = 0;        ///< its first input: of a force, or of positions followed by their velocities
  SpringLaw law{};              ///< of the element, with Drive::motion; scalar models
  ElementId element{};          ///< the one that is cut
  std::size_t output = 0;       ///< its first output
  std::size_t coordinates = 1;  ///< of the body: outputs
  std::size_t components = 1;   ///< of the element's force: inputs with Drive::force
  std::size_t far_coordinates = 1;  ///< of the body at the other end: with Drive::motion inputs, twice

  std::size_t inputs() const { return drive == Drive::force ? components : 2 * far_coordinates; }
};

/// State of one coordinate of a coupling body.
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

class Lane {
 public:
  virtual ~Lane() = default;

  /// `inputs[i]` is the course of input i of the subsystem; they are copied. `response` may be null.
  [[nodiscard]] virtual StepResult advance(const Window& window, std::span<const Polynomial> inputs,
                                           const Sampling& samples, Response* response) = 0;
  [[nodiscard]] StepResult advance(const Window& window, std::span<const Polynomial> inputs,
                                   const Sampling& samples) {
    return advance(window, inputs, samples, nullptr);
  }
  /// Accelerations of the coupling bodies in the present state, one per output, when the inputs have these
  /// values; with a shift (one per output, or none) where the coupling bodies alone are moved by it. False
  /// when a force overflows.
  [[nodiscard]] virtual bool accelerations(double t, std::span<const double> inputs,
                                           std::span<const PortState> shift, std::span<double> a) const = 0;
  [[nodiscard]] bool accelerations(double t, std::span<const double> inputs, std::span<double> a) const {
    return accelerations(t, inputs, {}, a);
  }
  /// States of the coupling bodies at the end reached, one per output.
  virtual void outputs(std::span<PortState> y) const = 0;
  virtual std::span<const double> position() const = 0;
  virtual std::span<const double> velocity() const = 0;
  /// What it has beside coordinates (integrator/whole.hpp).
  virtual std::span<const double> states() const { return {}; }
  virtual std::span<const double> memory() const { return {}; }

  virtual std::unique_ptr<Snapshot> make_snapshot() const = 0;
  virtual void save(Snapshot& snapshot) const = 0;
  virtual void restore(const Snapshot& snapshot) = 0;
  /// The complete state at the macro point last reached, exact to the bit: a lane of the same subsystem that
  /// loads it goes on like the one that saved it. After an ArchiveError it may be neither here nor there.
  virtual void archive(Archive& a) = 0;
  virtual Integrator::Status status() const = 0;
  /// Work since the start, counted (evaluations times bodies, linear algebra in the same currency) and
  /// not measured. restore() puts it back.
  virtual double work() const = 0;
};

/// Evaluations, with the linear algebra of implicit methods in the same currency.
inline double counted_work(const Counters& c) {
  return static_cast<double>(c.evaluations + 3 * c.factorizations + 2 * c.solves);
}

/// Coordinates of all ports' bodies.
inline std::size_t output_count(std::span<const Port> ports) {
  std::size_t count = 0;
  for (const Port& port : ports) count += port.coordinates;
  return count;
}

class Subsystem {
 public:
  virtual ~Subsystem() = default;

  virtual std::span<const BodyId> bodies() const = 0;  ///< owned, in coordinate order
  /// Where each coordinate of the subsystem stands among the model's; empty: every body has one.
  virtual std::span<const std::size_t> coordinates() const { return {}; }
  /// Where each of its states z, then of its memory s, stands among those of the model: first all z there,
  /// then all s (Mechanism::memory_offsets()).
  virtual std::span<const std::size_t> remembered() const { return {}; }
  /// Not zero where a coordinate is an angle or part of a quaternion; empty: all are lengths.
  virtual std::span<const std::uint8_t> angles() const { return {}; }
  virtual std::span<const Port> ports() const = 0;
  /// The coupling variable behind every input (model/coupling_variables.hpp).
  virtual std::span<const std::size_t> inputs() const = 0;
  /// True when save() and restore() cost next to nothing (one-step methods).
  virtual bool cheap_snapshot() const = 0;
  /// First instant after t at which a load has an edge; infinity when there is none.
  virtual double next_breakpoint(double t) const = 0;
  /// A new lane in the initial state. It refers to the subsystem, which must outlive it.
  virtual std::unique_ptr<Lane> make_lane() const = 0;
};

}  // namespace cosimo
