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

}  // namespace

Key subsystems_definition() {
  const Form entry = section({required("name", {name()},
                                       "what connections, results and messages call it; no name of a "
                                       "body, a joint or an element"),
                              pid_key(), lag_key()});
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
  });
  return silent_derived("connections", {list({entry}, 1)}, "none",
                        "signals from outputs to inputs of subsystems and bodies; with classic cuts only");
}

}  // namespace cosimo::config
