// The `model:` section of the table.
#include <string>
#include <utility>
#include <vector>

#include "config/choices.hpp"
#include "config/definition.hpp"
#include "config/definition_parts.hpp"

namespace cosimo::config {

namespace {

Key bodies_key() {
  Key key = required("bodies",
                     {words({"all"}), integers(1, 1),
                      choice({option("fraction", {number({.low = 0, .high = 1, .low_open = true})},
                                     "this share of the bodies, random by the seed"),
                              option("beside_cuts_of", {integer(2, max_masses)},
                                     "the bodies on both sides of the cuts of an equal division into n "
                                     "parts, whatever `partition` says")})},
                     "bodies the load acts on, numbered from 1");
  key.type = "bodies";
  return key;
}

Key sign_key() {
  return with_default("sign", {one_of<Sign>()}, Sign::plus,
                      "sign of the force from body to body; `random` by the seed");
}

Key load(LoadKind kind, std::vector<Key> own, std::string description) {
  std::vector<Key> keys{bodies_key()};
  for (Key& key : own) keys.push_back(std::move(key));
  keys.push_back(sign_key());
  return option(kind, {section(std::move(keys))}, std::move(description));
}

}  // namespace

Key loads_key() {
  const Key amplitude = parameter("amplitude", "", "largest force", "force");
  const Key omega = parameter("omega", "", "angular frequency", "angle/time");
  const Key phase = parameter("phase", "0", "phase at t = 0", "angle");
  const Form loads = choice({
      load(LoadKind::harmonic, {amplitude, omega, phase}, "amplitude sin(omega t + phase), (2.11)"),
      load(LoadKind::contact,
           {parameter("A", "", "force at x = 0", "force"),
            parameter("B", "", "growth of the force with the position", "1/length")},
           "A exp(B x), (2.12)"),
      load(LoadKind::impulse,
           {amplitude,
            required("start", {number({.low = 0}), numbers(1)},
                     "when the pulse begins; a list gives several pulses", "time"),
            required("duration", {positive_number()}, "length of the pulse", "time"),
            required("steepness", {positive_number()}, "time constant of its edges; small is steep", "time")},
           "a smooth rectangular pulse, (2.13)"),
      load(LoadKind::powersine,
           {amplitude, omega, phase,
            required("exponent", {positive_number()}, "power of the sine; the sign is kept")},
           "amplitude sin(omega t + phase)^exponent, (2.14)"),
      load(LoadKind::curve,
           {required("name", {name()}, "one of `model.curves`"),
            parameter("amplitude", "1", "factor of the curve", "force")},
           "amplitude times a curve through given points, such as an earthquake record"),
  });
  return with_default("loads", {list({loads})}, "[]", "external forces, each entry one of the following");
}

Key curves_key() {
  const Form outside = words({"hold", "zero", "error"});
  return silent_derived(
      "curves",
      {list({section({
          required("name", {name()}, "what loads and formulas call it: `name(t)`"),
          silent_derived("file", {text()}, "`points` are given",
                         "a CSV file, relative to the file that names it"),
          silent_derived("points", {list({numbers(2, 2)})}, "`file` is given",
                         "`[t, value]` with t ascending"),
          with_default("time", {integer(1), text()}, "1", "the column of the times: its number or its name"),
          with_default("value", {integer(1), text()}, "2",
                       "the column of the values: its number or its name"),
          with_default("factor", {number()}, "1", "of the values, such as 9.81 for multiples of gravity"),
          with_default("time_factor", {positive_number()}, "1",
                       "of the times, such as 1e-3 for milliseconds"),
          silent_derived("unit", {text()}, "that of what calls it",
                         "of the values, times `factor`: such as `gn` for multiples of gravity"),
          silent_derived("time_unit", {text()}, "that of what calls it",
                         "of the times, or of whatever else the curve is over, such as `ms`"),
          with_default("between", {words({"linear", "cubic", "step"})}, "linear",
                       "straight lines between the points, a smooth curve that does not overshoot, or the "
                       "value of the point before"),
          with_default("before", {outside}, "hold",
                       "the first value before it, zero, or no value: the run ends there"),
          with_default("after", {outside}, "hold",
                       "the last value after it, zero, or no value: the run ends there"),
      })})},
      "none",
      "courses over time, or over anything else, from columns of files or points, for loads and formulas");
}

Key parameter(std::string name, std::string fallback, std::string description, std::string dimension) {
  Key key;
  key.name = std::move(name);
  key.forms = {number(), numbers(1),
               choice({
                   option("uniform", {numbers(2, 2)}, "random, uniform in [a, b), by the seed"),
                   option("half_sine",
                          {section({
                              required("base", {number()}, "smallest value for a positive factor"),
                              required("factor", {number()}, "height of the bulge relative to base", "1"),
                              required("period", {integer(1)}, "number of entries from one foot to the next"),
                          })},
                          "base (1 + factor sin(pi (i mod period) / period)), i from 0"),
                   option("ramp", {numbers(2, 2)}, "from a (first entry) to b (last entry) in equal steps"),
                   option("blocks",
                          {list({section({
                                    required("count", {integer(1, max_masses + 1)}, "entries in this block"),
                                    required("value", {number()}, "value of each of them"),
                                })},
                                1)},
                          "constant in blocks; the counts add up to the number of entries"),
               })};
  key.required = fallback.empty();
  key.fallback = std::move(fallback);
  key.description = std::move(description);
  key.dimension = std::move(dimension);
  key.type = "parameter";
  return key;
}

Key spring_key(const std::string& description) {
  return required("spring",
                  {section({
                      parameter("c", "", "linear stiffness", "force/length"),
                      parameter("d", "0", "linear damping", "force time/length"),
                      parameter("C", "0", "stiffness of the power term", "force/length^ex"),
                      parameter("D", "0", "damping of the power term", "force (time/length)^ev"),
                      with_default("ex", {positive_number()}, "3", "exponent of the power spring"),
                      with_default("ev", {positive_number()}, "3", "exponent of the power damper"),
                  })},
                  "spring/dampers c dx + d dv + C |dx|^ex + D |dv|^ev (signed), (2.9); " + description);
}

Key chain_key() {
  const Form chain = section({
      required("masses", {integer(1, max_masses)}, "number of bodies"),
      parameter("mass", "", "mass of each body, > 0", "mass"),
      spring_key("lists have masses + 1 entries, element i joins body i-1 to body i"),
      with_default(
          "initial",
          {section({parameter("x", "0", "position of each body at t = 0, from its place at rest", "length"),
                    parameter("v", "0", "velocity of each body at t = 0", "length/time")})},
          "{}", "initial state"),
      with_default("ends", {list({one_of<End>()}, 2, 2)}, "[fixed, fixed]",
                   "first and last end: joined to a wall or not"),
      with_default("seed", {integer(0)}, "0", "seed of everything random in the model"),
      loads_key(),
  });
  return option(ModelKind::chain, {chain}, "oscillator chain between two walls");
}

Key model_definition() {
  std::vector<Key> keys{chain_key(), curves_key()};
  for (Key& key : mechanism_keys()) keys.push_back(std::move(key));
  for (Key& key : generator_keys()) keys.push_back(std::move(key));
  Key model =
      silent_derived("model", {section(std::move(keys))}, "none: the `subsystems` alone",
                     "the mechanics, and nothing else: exactly one of `chain`, `bodies`, `pendulum`, "
                     "`lattice`, `network`, `four_bars` and `vehicle` describes it, or none where there are "
                     "`subsystems`; any number in it may be arithmetic over `parameters`, such as `2*L`");
  model.arithmetic = true;
  return model;
}

}  // namespace cosimo::config
