// Force elements of the `model:` section of the table.
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "config/choices.hpp"
#include "config/definition.hpp"
#include "config/definition_parts.hpp"
#include "config/sensors.hpp"
#include "config/tyres.hpp"

namespace cosimo::config {

namespace {

using Keys = std::vector<Key>;

Keys head(ElementKind kind, std::string description) {
  return {required("name", {name()}, "what results and messages call it"),
          required("kind", {one_of({kind})}, std::move(description))};
}

Keys ends(const std::string& absent = "the reference point; of the ground the origin") {
  const auto end = [](const char* name_of_end) {
    return silent(name_of_end, {name()}, "ground", "body that this end is on, `body.marker`, or `ground`");
  };
  return {end("from"), end("to"),
          silent_derived("at", {numbers(1, 3)}, absent, "point on both, in space at t = 0", "length"),
          silent_derived("at_from", {numbers(1, 3)}, absent,
                         "point on `from`, from its reference point along its reference axes", "length"),
          silent_derived("at_to", {numbers(1, 3)}, absent,
                         "point on `to`, from its reference point along its reference axes", "length")};
}

/// Law (2.9) of one element; `s` is what it acts on.
Keys law(const std::string& effort, const std::string& s) {
  return {silent("c", {number()}, "0", "linear stiffness", effort + (s.empty() ? "" : "/" + s)),
          silent("d", {number()}, "0", "linear damping", effort + " time" + (s.empty() ? "" : "/" + s)),
          silent("C", {number()}, "0", "stiffness of the power term",
                 effort + (s.empty() ? "" : "/" + s + "^ex")),
          silent("D", {number()}, "0", "damping of the power term",
                 effort + (s.empty() ? "" : " (time/" + s + ")^ev")),
          silent("ex", {positive_number()}, "3", "exponent of the power spring"),
          silent("ev", {positive_number()}, "3", "exponent of the power damper")};
}

template <class... Lists>
Form joined_section(Lists... lists) {
  Keys keys;
  const auto take = [&](Keys list) {
    for (Key& key : list) keys.push_back(std::move(key));
  };
  (take(std::move(lists)), ...);
  return section(std::move(keys));
}

/// What a law of one number acts on.
Keys measured() {
  return {
      silent_derived("joint", {name()}, "the ends say where it acts",
                     "a revolute, prismatic or cylindrical joint: it acts on its angle or displacement from "
                     "the placement, and needs no ends and no axis"),
      silent("measure", {one_of<Measure>()}, std::string(word_of(Measure::length)),
             "what it acts on: the `length` from point to point, the `displacement` of the point of `to` "
             "from that of `from` along `axis`, or the `angle` of `to` about `axis` from the placement"),
      silent_derived("axis", {numbers(1, 3)},
                     "z for `angle`; needed for `displacement` and meaningless for `length`",
                     "axis on `from`, in space at t = 0")};
}

Form friction_form() {
  return joined_section(
      head(ElementKind::friction,
           "dry friction that holds: up to `limit` a stiff spring and damper, which slide beyond"),
      ends(), measured(),
      Keys{
          required("limit", {positive_number()}, "largest force while it sticks", "force or force length"),
          silent_derived("sliding", {positive_number()}, "`limit`", "force while it slides, at most `limit`",
                         "force or force length"),
          silent_derived("stribeck", {positive_number()}, "the force falls from `limit` to `sliding` at once",
                         "the speed v of Stribeck: sliding at the speed u it is sliding + (limit - sliding) "
                         "exp(-(u/v)^stribeck_exponent)",
                         "length/time or angle/time"),
          silent("stribeck_exponent", {number({.low = 1})}, "2", "see `stribeck`", "1"),
          required("stiffness", {positive_number()},
                   "while it sticks: large enough that `limit`/`stiffness` is a displacement that does not "
                   "matter",
                   "force/length or force length/angle"),
          silent_derived("damping", {number({.low = 0})},
                         "sqrt(stiffness m), m the mass of the lighter body, of an angle its mean inertia",
                         "while it sticks, so that it does not tremble",
                         "force time/length or force length time/angle"),
          silent("d", {number({.low = 0})}, "0", "viscous friction beside it, all the time",
                 "force time/length or force length time/angle")});
}

Form stop_form() {
  const auto bound = [](const char* name_of_bound, std::string description) {
    return silent_derived(name_of_bound, {number()}, "none", std::move(description), "length or angle");
  };
  return joined_section(
      head(ElementKind::stop, "a buffer that acts beyond a bound alone and never pulls back"), ends(),
      measured(),
      Keys{bound("lower", "it pushes below"), bound("upper", "it pulls above"),
           silent_derived("gap", {number({.low = 0})}, "none",
                          "the way from the placement to `lower`, instead of it", "length or angle"),
           required("stiffness", {positive_number()}, "force per penetration^exponent",
                    "force/length^exponent or force length/angle^exponent"),
           silent("exponent", {number({.low = 1})}, "1", "of the penetration"),
           silent("damping", {number({.low = 0})}, "0",
                  "force = stiffness p^exponent (1 + damping p'), p the penetration; never negative",
                  "time/length or time/angle"),
           silent_derived("restitution", {number({.low = 0, .high = 1, .low_open = true})}, "`damping` holds",
                          "share of its speed with which a body is thrown back, at any speed: the damping of "
                          "each impact follows",
                          "1")});
}

Form gear_mesh_form() {
  return joined_section(
      head(ElementKind::gear_mesh,
           "teeth of two wheels that meet with backlash and stiffness; the wheels are the bodies `to` of two "
           "joints with parallel axes, or `from` where `to` is the ground"),
      Keys{
          required("joints", {list({config::name()}, 2, 2)},
                   "the revolute or cylindrical joints of the wheels"),
          required("teeth", {list({integer(std::numeric_limits<std::int64_t>::min())}, 2, 2)},
                   "numbers of teeth, which divide the distance of the axes into pitch radii; negative for "
                   "a ring that has its teeth inside"),
          required("stiffness", {positive_number()}, "of the teeth, along the pitch circles", "force/length"),
          silent("damping", {number({.low = 0})}, "0", "while teeth touch", "force time/length"),
          silent("gap", {number({.low = 0})}, "0",
                 "backlash along the pitch circles; at t = 0 each tooth is in the middle of it", "length")});
}

Form cylinder_form() {
  const Form nonnegative = number({.low = 0});
  return joined_section(
      head(ElementKind::cylinder, "a hydraulic cylinder between two points, with its valve"), ends(),
      Keys{
          required("retracted", {nonnegative}, "from point to point with the rod in", "length"),
          required("stroke", {positive_number()}, "way of the rod", "length"),
          required("areas", {numbers(2, 2)}, "of the piston in the bore, and around the rod", "length^2"),
          silent_derived("dead", {numbers(2, 2)}, "5 % of what either side holds",
                         "volumes that remain in both sides at the ends of the stroke", "length^3"),
          required("bulk", {positive_number()}, "bulk modulus of the oil", "force/length^2"),
          silent("leakage", {nonnegative}, "0", "past the piston, for each unit of pressure",
                 "length^5/(force time)"),
          required("supply", {number()}, "pressure of the pump", "force/length^2"),
          silent("tank", {number()}, "0", "pressure of the return", "force/length^2"),
          required("flow", {positive_number()}, "through the open valve at the pressure difference `drop`",
                   "length^3/time"),
          required("drop", {positive_number()}, "pressure difference that `flow` belongs to",
                   "force/length^2"),
          required("command", {formula({"t"})},
                   "how far the valve is open, a formula of t from -1 to 1: positive drives the rod out",
                   "1"),
          silent_derived("pressures", {numbers(2, 2)}, "half of `supply`", "in both sides at t = 0",
                         "force/length^2"),
          silent("d", {nonnegative}, "0", "viscous friction", "force time/length"),
          silent_derived("stop_stiffness", {positive_number()}, "10 `bulk` `areas[1]`/`stroke`",
                         "of the buffers at both ends of the stroke", "force/length"),
          silent("stop_damping", {nonnegative}, "0", "likewise", "force time/length"),
          silent("breakpoints", {numbers(0)}, "[]",
                 "ascending instants where the command may jump; no step passes over one", "time"),
      });
}

Form table_form() {
  return joined_section(
      head(ElementKind::table, "a force or torque given by points, as a monotone curve without overshoot"),
      ends(), measured(),
      Keys{required("points", {list({numbers(2, 2)})},
                    "`[s, F]` with s ascending; F is positive where it makes s smaller, as the force of a "
                    "stretched spring. Beyond the ends the curve is straight",
                    "length or angle, force or force length"),
           silent("d", {number({.low = 0})}, "0", "linear damping",
                  "force time/length or force length time/angle")});
}

Form law_form() {
  return joined_section(
      head(ElementKind::law, "a force or torque that is any formula of a length, a displacement or an angle"),
      ends(), measured(),
      Keys{required("force", {formula(force_variables({"t", "s", "rate"}))},
                    "formulas know t, what it acts on (s), how fast that changes (rate), sensors and "
                    "coordinates; positive where it makes s smaller, as the force of a stretched spring",
                    "force or force length"),
           references_key("the formula"),
           silent("breakpoints", {numbers(0)}, "[]",
                  "ascending instants where the formula may jump; no step passes over one", "time")});
}

Form contact_form() {
  const Form nonnegative = number({.low = 0});
  return joined_section(
      head(ElementKind::contact, "penalty of a sphere (in the plane a disc) on a body against the ground"),
      Keys{
          required("body", {name()}, "the body, or `body.marker`"),
          silent_derived("at", {numbers(1, 3)}, "the reference point",
                         "centre of the sphere, in space at t = 0", "length"),
          silent_derived("at_body", {numbers(1, 3)}, "the reference point",
                         "the same from the reference point along the reference axes", "length"),
          silent("radius", {nonnegative}, "0", "of the sphere", "length"),
          required("stiffness", {positive_number()}, "normal force per penetration^exponent",
                   "force/length^exponent"),
          silent("damping", {nonnegative}, "0",
                 "normal force = stiffness p^exponent (1 + damping p'), p the penetration; never pulling",
                 "time/length"),
          silent("exponent", {number({.low = 1})}, "1", "of the penetration"),
          silent("friction", {nonnegative}, "0", "coefficient of friction"),
          silent("slip", {positive_number()}, "0.01",
                 "speed above which friction acts in full; at the fraction x of it, (3 x - x^3)/2 of the "
                 "friction",
                 "length/time"),
          road_key(),
      });
}

Form applied_form() {
  const auto formulas = [](const char* what, std::string description, std::string dimension) {
    return silent_derived(what, {list({formula(force_variables(applied_names()))}, 1, 3)}, "none",
                          std::move(description), std::move(dimension));
  };
  return joined_section(
      head(ElementKind::applied, "force and torque as formulas of time and state"), ends(),
      Keys{
          formulas("force",
                   "on `to` at its point, along the global x, y, z; opposite on `from` at its point; "
                   "formulas know t, and of `to` relative to `from` x, y, z, vx, vy, vz, wx, wy, wz along "
                   "global axes, length, rate, and angle; sensors and coordinates",
                   "force"),
          formulas("torque",
                   "on `to`, about the global x, y, z; on `from` the one that balances force and torque; one "
                   "entry: about z",
                   "force length"),
          silent_derived("axis", {numbers(2, 3)},
                         "z for planar bodies, otherwise that of the revolute or cylindrical joint between "
                         "`from` and `to`",
                         "axis of `angle`, on `from`, in space at t = 0"),
          silent("breakpoints", {numbers(0)}, "[]",
                 "ascending instants where a formula may jump; no step passes over one", "time"),
          references_key("the formula"),
      });
}

}  // namespace

Form element_form() {
  const Form spring = joined_section(
      head(ElementKind::spring, "spring/damper along the line between two points, law (2.9)"), ends(),
      law("force", "length"),
      Keys{silent_derived("length", {number({.low = 0})}, "as placed", "unstretched", "length"),
           silent("damping", {one_of<Damping>()}, std::string(word_of(Damping::line)),
                  "`d` acts on the change of length, or on the whole relative velocity"),
           silent("tension_only", {boolean()}, "false",
                  "a rope: no force while it is shorter than `length`, and dampers never give more than the "
                  "spring does")});
  const Form torsion = joined_section(
      head(ElementKind::torsion,
           "spring/damper about an axis of `from`, law (2.9) in the angle; turns are counted, between rigid "
           "bodies where no cut and no overlap parts them"),
      ends("irrelevant"),
      Keys{silent("axis", {numbers(2, 3)}, "[0, 0, 1]", "axis on `from`, in space at t = 0")},
      law("force length", "angle"),
      Keys{silent("angle", {number()}, "0",
                  "unloaded angle of `to` relative to `from`, measured from their placement", "angle")});
  const Form bushing = joined_section(
      head(ElementKind::bushing, "springs and dampers of all six relative motions"), ends(),
      Keys{silent_derived("axes", {orientation_form()}, "the global axes", "its axes on `from` at t = 0"),
           required("stiffness", {number({.low = 0}), numbers(6, 6)},
                    "of translations along and rotations about its axes; one number: of the translations",
                    "force/length, force length/angle"),
           silent_derived("damping", {number({.low = 0}), numbers(6, 6)}, "0", "likewise",
                          "force time/length, force length time/angle")});
  const Form user =
      joined_section(head(ElementKind::user, "whatever a shared library computes"), ends(),
                     Keys{silent_derived("library", {text()}, "the program that runs the scenario has it",
                                         "the file, relative to the one that names it"),
                          required("function", {text()}, "its symbol, or the name that the program gave it"),
                          silent("values", {numbers(0)}, "[]", "numbers that the function is given")});
  return variants({spring, torsion, bushing, contact_form(), friction_form(), stop_form(), gear_mesh_form(),
                   cylinder_form(), tyre_form(), table_form(), law_form(), applied_form(), user});
}

}  // namespace cosimo::config
