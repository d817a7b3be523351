// Components beside the mechanical model and the signals between all components, as plain structs.
//
//   subsystems:  [{name: controller, pid: {kp: 100}}]
//   connections: [{from: 3.x, to: controller.measured}, {from: controller.out, to: 3.force}]
//
// A new kind is a word of SubsystemKind (choices.hpp), a struct in SubsystemSpec::Kind, and a row each in the
// table of ports (subsystems.cpp), of keys (definition_subsystems.cpp) and of readers (read_subsystems.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/choices.hpp"
#include "config/mechanism.hpp"

namespace cosimo::config {

/// out = kp e + ki (integral of e) + kd s / (filter s + 1) e, e = reference - measured; states begin at zero.
struct Pid {
  double kp = 0, ki = 0, kd = 0;  ///< not all zero
  double filter = 0.01;           ///< time constant of the derivative, > 0
  /// Formula of t (numerics/expression.hpp), parameters replaced; "0" where the input `reference` is
  /// connected.
  std::string reference = "0";
};

/// time_constant out' = gain in - out.
struct Lag {
  double time_constant = 1;  ///< > 0
  double gain = 1;
  double initial = 0;  ///< out at t = 0
};

/// A model of another tool (docs/fmi.md).
struct Fmu {
  std::string file;
  std::optional<FmuInterface> interface {};  ///< empty: co-simulation where the FMU has it
  struct Value {
    std::string name;
    std::variant<std::vector<double>, std::string> value;  ///< truth values are 0 and 1
  };
  std::vector<Value> set{};
  std::int64_t substeps = 8;
  bool isolate = false;
  double time_limit = 60;  ///< seconds, of an isolated one
};

/// A number that somebody outside sets while the run goes on.
struct Input {
  double start = 0;
};

struct SubsystemSpec {
  using Kind = std::variant<Pid, Lag, Fmu, Input>;  ///< in the order of SubsystemKind
  std::string name;                                 ///< none of a body, a joint or an element
  Place place;
  Kind kind;
};

/// A signal from an output to an input, both by names that split_signal() takes apart. The input is
/// factor times the output, plus offset.
struct Connection {
  std::string from, to;
  Place place;
  double factor = 1, offset = 0;
};

/// An input that is not optional must be connected; for one that is, a key of the same name may hold a value.
struct InputPort {
  std::string_view name;
  bool optional = false;
};

/// What can be connected to a kind of subsystem; of an FMU only the FMU knows.
struct SubsystemPorts {
  std::vector<InputPort> inputs;
  std::vector<std::string_view> outputs;
};
const SubsystemPorts& ports_of(SubsystemKind kind);
const SubsystemPorts& ports_of(const SubsystemSpec& subsystem);

/// `component.variable` or `der(component.variable)`, as views of the text.
struct SignalName {
  std::string_view component;  ///< a subsystem, or a body by name or number; empty: the text is no such name
  std::string_view variable;
  bool derivative = false;
};
/// Names of bodies may have dots, and so may variables: the component is the longest beginning before a dot
/// that `known` accepts; where it accepts none, everything up to the first dot.
SignalName split_signal(std::string_view text, const std::function<bool(std::string_view)>& known);

}  // namespace cosimo::config
