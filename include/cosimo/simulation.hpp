// A run that somebody else drives: step by step, with a look inside, and back again.
//
//   cosimo::Simulation simulation(cosimo::Scenario::load("model.yaml"));
//   simulation.advance(0.5);                          // ends exactly there
//   double x = simulation.get("chassis.x");           // and der(chassis.x), its rate
//   simulation.set("der(chassis.x)", 2 * x);          // a push
//   simulation.set("throttle", 0.3);                  // an input of the scenario, from now on
//   simulation.set_course("steering", {0, 0.1});      // one that moves: 0 now, with the rate 0.1
//   const auto state = simulation.save();
//   simulation.advance(1.0);
//   simulation.restore(state);                        // at 0.5 again, to the bit
//   simulation.advance(1.0);                          // gives the same as before
//   cosimo::Report report = simulation.report();
//
// One advance() to the end does what cosimo::run() does, to the bit. Instants in between become macro points:
// they cost a shortened step each. With a cluster, all ranks make the same calls.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cosimo/cosimo.hpp"

namespace cosimo {

class Simulation {
 public:
  /// Builds the model and claims the output folder, where there is one. Throws Error for wrong input.
  explicit Simulation(Scenario scenario, RunOptions options = {});
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  double time() const;  ///< last accepted point
  double end() const;   ///< simulate.end; infinite with RunOptions::open_end

  struct Outcome {
    bool ok = true;  ///< it has come where it was asked to go
    double time = 0;
    std::string reason{};  ///< why not: what failed, or that it was interrupted
  };
  /// Goes on to this instant, not beyond end(). Throws Error when it lies behind. After a failure
  /// there is only restore() and report().
  Outcome advance(double until);

  /// Names of everything that get() knows, in the order of the results: "wheel.x" and its rate "der(wheel.x)"
  /// for every coordinate of the recorded bodies ("7.x" for a body without a name), then what a mechanism
  /// also records: "energy.kinetic", "strut.Fz"; then outputs of subsystems, "controller.out", and inputs of
  /// the scenario, by their names.
  const std::vector<std::string>& variables() const;
  /// The value of a variable at time(). Throws Error, with the nearest name, when there is none.
  double get(std::string_view name) const;
  /// Another value for a coordinate or its rate at time(); the run goes on from there, as after an event: the
  /// histories of the coupling begin anew. Throws Error for what cannot be set: other variables, quaternions,
  /// coordinates of bodies in joints, and what lies beside the centre of mass. Only of a simulation without
  /// an output folder.
  /// An input keeps the value until another is set. Where it jumps, by more than control.rtol of its size,
  /// the run goes on as after an event; otherwise as if nothing had been.
  void set(std::string_view name, double value);
  /// Of an input: its value and its derivatives with respect to time (at most six) at time(), which say how
  /// it goes on.
  void set_course(std::size_t input, std::span<const double> derivatives);
  void set_course(std::string_view input, std::initializer_list<double> derivatives);
  /// The place of a name in variables(); get() and set() take it instead of the name.
  std::size_t index(std::string_view name) const;
  double get(std::size_t variable) const;
  void set(std::size_t variable, double value);
  /// All of them, in the order of variables().
  std::vector<double> values() const;
  /// It is an input of the scenario.
  bool is_input(std::size_t variable) const;
  /// The place of its rate among the variables; that of itself when its rate is none of them.
  std::size_t rate_of(std::size_t variable) const;

  /// The whole state at time(), to go back to; only of a simulation without an output folder, since results
  /// on disk are not taken back. On rank 0 of a cluster, empty elsewhere.
  std::vector<std::byte> save() const;
  /// A state that a simulation of the same scenario has saved, on any number of threads and ranks.
  void restore(const std::vector<std::byte>& state);

  /// Ends the simulation where it is: files are complete, and nothing but the report can be asked for.
  const Report& report();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
