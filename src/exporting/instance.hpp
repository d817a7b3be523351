// One instance of an exported FMU: the same for FMI 2.0 and 3.0, on top of Simulation.
//
//   Instance instance(read_manifest(resources), resources, log);
//   instance.set(parameter, 3);                       parameters and inputs, before the start
//   instance.begin({.tolerance = 1e-6, .stop = 2});   initialisation
//   instance.start();                                 from here on inputs alone can be set
//   Step step = instance.step(0, 0.01);
//   State state = instance.save();  ...  instance.restore(state);
//
// The model is built where something is first asked of it, and again when a parameter has changed since. What
// is wrong with a call throws Error; a step that failed is a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cosimo/simulation.hpp"
#include "exporting/manifest.hpp"

namespace cosimo::exporting {

enum class Phase : std::uint8_t { made, beginning, running, ended };

/// What is asked of the run before it begins.
struct Experiment {
  std::optional<double> tolerance{}, stop{};
};

struct Step {
  bool ok = true;
  double reached = 0;
  std::string reason{};
};

/// Of an input: what has been set of it since the last step.
enum class Touch : std::uint8_t { no, set, handed_over };

/// Everything that a step depends on.
struct State {
  Phase phase = Phase::made;
  Experiment experiment;
  std::vector<double> values;                    ///< of inputs and parameters, as they were set
  std::vector<std::vector<double>> derivatives;  ///< of inputs, from the first on
  std::vector<Touch> touched;
  std::vector<std::byte> simulation;  ///< empty: it has not been built

  std::vector<std::byte> bytes(const std::string& token) const;
  /// Throws Error for bytes of another model.
  static State of_bytes(std::span<const std::byte> bytes, const std::string& token);
};

class Instance {
 public:
  using Notice = std::function<void(const std::string&)>;
  Instance(Manifest manifest, std::filesystem::path resources, Notice notice);

  const Manifest& manifest() const { return manifest_; }
  Phase phase() const { return phase_; }

  void begin(const Experiment& experiment);
  void start();
  void end();
  void reset();

  double get(std::uint32_t reference);
  void set(std::uint32_t reference, double value);
  /// Of an input, for the next step alone.
  void set_derivative(std::uint32_t reference, int order, double value);
  /// The rate of an output; only those that have one among the variables of the run know it.
  double rate(std::uint32_t reference);

  [[nodiscard]] Step step(double t, double size);
  double time() const { return simulation_ ? simulation_->time() : 0; }

  State save();
  void restore(const State& state);

 private:
  const Variable& variable(std::uint32_t reference) const;
  Simulation& simulation();
  void hand_over();

  const Manifest manifest_;
  const std::filesystem::path resources_;
  const Notice notice_;
  Phase phase_ = Phase::made;
  Experiment experiment_;
  std::vector<double> values_;
  std::vector<std::vector<double>> derivatives_;
  std::vector<Touch> touched_;
  std::vector<std::size_t> places_;  ///< of outputs and inputs among the variables of the simulation
  std::optional<Simulation> simulation_;
  bool failed_ = false;
};

}  // namespace cosimo::exporting
