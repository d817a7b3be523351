// The `subsystems:` and `connections:` sections of the table.
#include <string>
#include <utility>
#include <vector>

#include "config/definition.hpp"
#include "config/subsystems.hpp"

namespace cosimo::config {

namespace {

/// One kind of entry of `subsystems`; `meaning` says what it computes.
Key kind_key(SubsystemKind kind, std::vector<Key> keys, std::string meaning) {
  const SubsystemPorts& ports = ports_of(kind);
  const char* before = "; inputs: ";
  for (const InputPort& input : ports.inputs) {
    meaning += before + ("`" + std::string(input.name)) + (input.optional ? "` (if connected)" : "`");
    before = ", ";
  }
  before = "; outputs: ";
  for (const std::string_view output : ports.outputs) {
    meaning += before + ("`" + std::string(output)) + "`";
    before = ", ";
  }
  return option(kind, {section(std::move(keys))}, std::move(meaning));
}

Key pid_key() {
  return kind_key(
      SubsystemKind::pid,
      {
          with_default("kp", {number()}, "0", "gain of the error; one of the gains is not zero"),
          with_default("ki", {number()}, "0", "gain of its integral", "1/time"),
          with_default("kd", {number()}, "0", "gain of its derivative", "time"),
          with_default("filter", {positive_number()}, "0.01",
                       "time constant T of the filter s/(T s + 1) of the derivative", "time"),
          silent("reference", {formula({"t"})}, "0",
                 "the value wanted, a formula of t; not where the input `reference` is connected"),
      },
      "controller of the error e = `reference` - `measured`: kp e + ki (integral of e) + kd "
      "(filtered derivative of e)");
}

Key lag_key() {
  return kind_key(
      SubsystemKind::lag,
      {
          required("time_constant", {positive_number()}, "how long the output takes to follow", "time"),
          with_default("gain", {number()}, "1", "output for a constant input of 1"),
          with_default("initial", {number()}, "0", "output at t = 0"),
      },
      "first-order lag: time_constant `out`' = gain `in` - `out`");
}

Key input_key() {
  return kind_key(SubsystemKind::input,
                  {with_default("start", {number()}, "0", "its value until somebody sets another")},
                  "a number from outside: a program that drives the run or an importer of the exported FMU "
                  "sets it (docs/fmi.md); in `cosimo run` it stays");
}

/// An FMU's keys stand beside its name.
std::vector<Key> fmu_keys() {
  return {
      option(SubsystemKind::fmu, {text()},
             "a model of another tool: the file, relative to the one that names it; inputs and outputs are "
             "those "
             "of the FMU, of arrays `y[1]`, `A[2,3]`"),
      silent_derived(
          "set", {settings({boolean(), number(), text(), numbers(1)})}, "none",
          "values for parameters, inputs without a connection and start values of an FMU, by the names "
          "of its variables"),
      silent_derived(
          "interface", {one_of<FmuInterface>()}, "`co-simulation` where the FMU has it",
          "who solves the equations of an FMU: `co-simulation`: itself; `model-exchange`: our solvers"),
      silent("substeps", {integer(1, 10'000)}, "8",
             "for an FMU that takes its inputs as constants: steps of the FMU in a macro step, each with the "
             "mean "
             "of the input"),
      silent("isolate", {boolean()}, "false",
             "run an FMU in a process of its own, so that it cannot bring down the run"),
      silent("time_limit", {positive_number()}, "60",
             "of an isolated FMU: no call may take longer, in seconds of wall time"),
  };
}

}  // namespace

Key subsystems_definition() {
  std::vector<Key> keys{required("name", {name()},
                                 "what connections, results and messages call it; no name of a "
                                 "body, a joint or an element"),
                        pid_key(), lag_key(), input_key()};
  for (Key& key : fmu_keys()) keys.push_back(std::move(key));
  const Form entry = section(std::move(keys));
  Key key = silent_derived("subsystems", {list({entry}, 1)}, "none",
                           "components beside the model, each with a name and exactly one kind; any number "
                           "in it may be arithmetic over `model.parameters`");
  key.arithmetic = true;
  return key;
}

Key connections_definition() {
  const Form entry = section({
      required("from", {text()},
               "an output: `controller.out` of a subsystem, `3.x` or `arm.x` for a coordinate of a body by "
               "its number or name, `der(3.x)` for its velocity"),
      required(
          "to", {text()},
          "an input: `controller.measured` of a subsystem; a force on a body: `3.force` in a chain or "
          "scalar lattice, `arm.Fx`, `arm.Fy`, `arm.Fz` along the axes of space at the reference point of "
          "a body of a mechanism; `arm.Tx`, `arm.Ty`, `arm.Tz`: a torque on one that turns, `Tz` in the "
          "plane; each is connected once"),
      silent("factor", {number()}, "1", "the input is `factor` times the output, plus `offset`"),
      silent("offset", {number()}, "0", "see `factor`"),
  });
  Key key = silent_derived("connections", {list({entry}, 1)}, "none",
                           "signals from outputs to inputs of subsystems and bodies; with classic cuts only");
  key.arithmetic = true;
  return key;
}

}  // namespace cosimo::config
