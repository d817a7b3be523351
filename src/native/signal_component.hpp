// Components whose equations we know and that talk in signals: controllers, circuits, drives.
//
// Derive a SignalSystem for the equations (first-order states z, memory s, root functions:
// integrator/whole.hpp) and a SignalSpec that makes it:
//
//   struct Lag final : SignalSystem { ... };
//   class LagSpec final : public SignalSpec {
//     std::unique_ptr<SignalSystem> make_system() const override { return std::make_unique<Lag>(...); }
//     ...
//   };
//
// Inputs and outputs are numbered as the spec names them, whether they are connected or not.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "integrator/integrator.hpp"
#include "native/driven_system.hpp"
#include "network/component_spec.hpp"

namespace cosimo {

/// Which of a component's inputs and outputs are connected, and where.
struct SignalEnds {
  std::vector<Port> ports;                ///< in the order of the couplings
  std::vector<std::size_t> variables;     ///< the coupling variable behind every connected input
  std::vector<std::size_t> input_number;  ///< of the component's, for every connected input
  std::vector<std::size_t> output_number;
};
SignalEnds signal_ends(const Interface& interface, PartId id);

/// Equations without second-order coordinates. Each lane has its own.
class SignalSystem : public System, public DrivenSystem {
 public:
  // What the kinds say: extent(), evaluate(), state_tangent(), and roots(), fire(), commit() where they have
  // them.
  /// Output `number` at a state, when the inputs have these values.
  virtual double output(std::size_t number, double t, const Whole& y, std::span<const double> in) const = 0;

  /// The values of all inputs at t, and their rates; zero where nothing is connected.
  std::span<const double> inputs_at(double t) const;
  std::span<const double> rates_at(double t) const;
  bool connected(std::size_t input) const { return connected_[input] != 0; }

  void connect(const SignalEnds& ends, std::size_t inputs);
  void begin_at(std::vector<double> z, std::vector<double> s);

  const System& system() const final { return *this; }
  void drive(std::span<const Polynomial> inputs) final;
  void begin(const double* q, const double* v, double* z, double* s) const final;
  void outputs(double t, const Whole& state, std::span<const double> inputs,
               std::span<PortState> y) const override;

  std::size_t size() const final { return 0; }
  const TangentPattern& pattern() const final { return pattern_; }
  std::size_t reach() const final { return 0; }
  bool acceleration(double, const double*, const double*, double*, Range) const final { return true; }
  void tangent(double, const double*, const double*, Tangent&) const final {}
  void time_derivative(double, const double*, const double*, double*) const final {}
  std::span<const std::int32_t> driven() const final { return {}; }
  double next_breakpoint(double t) const override;

 private:
  TangentPattern pattern_{0, {}};
  std::vector<std::size_t> input_number_, output_number_;
  std::vector<std::uint8_t> connected_;
  std::vector<double> first_z_, first_s_;
  std::vector<Polynomial> courses_;
  mutable std::vector<double> values_, rates_;
};

class SignalSpec : public ComponentSpec {
 public:
  SignalSpec(std::string name, std::vector<SignalPort> inputs, std::vector<SignalPort> outputs,
             const IntegratorOptions& options)
      : name_(std::move(name)), inputs_(std::move(inputs)), outputs_(std::move(outputs)), options_(options) {}

  const std::string& name() const override { return name_; }
  std::span<const SignalPort> inputs() const override { return inputs_; }
  std::span<const SignalPort> outputs() const override { return outputs_; }
  std::unique_ptr<Component> make(const Interface& interface, PartId id) const override;

  virtual std::unique_ptr<SignalSystem> make_system() const = 0;
  /// z and s at t = 0.
  virtual std::vector<double> initial_states() const = 0;
  virtual std::vector<double> initial_memory() const { return {}; }

 private:
  std::string name_;
  std::vector<SignalPort> inputs_, outputs_;
  IntegratorOptions options_;
};

}  // namespace cosimo
