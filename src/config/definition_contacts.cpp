// `ground` and `contacts` of the `model:` section of the table.
#include <string>
#include <utility>
#include <vector>

#include "config/definition.hpp"
#include "config/definition_parts.hpp"

namespace cosimo::config {

namespace {

const char* const names_text =
    "names of bodies and of shapes of the ground; `*` in one stands for any text, `ground` for all of the "
    "ground";

std::vector<Form> one_or_more() {
  return {name(), list({name()}, 1)};
}

Form nonnegative() {
  return number({.low = 0});
}

Form ground_form() {
  return section({
      required("name", {name()}, "what contacts and messages call it; no body has the same name"),
      required("shape", {shape_form(true)}, "what it looks like"),
      silent("position", {numbers(3, 3)}, "[0, 0, 0]", "place of its centre; of a plane: a point of it",
             "length"),
      silent_derived("orientation", {orientation_form()}, "the global axes", "of its reference axes"),
  });
}

Form contact_form() {
  return section({
      required("name", {name()}, "what messages call it"),
      silent_derived("among", one_or_more(), "`between` is given",
                     std::string("all of these may touch each other: ") + names_text),
      silent_derived("between", {list(one_or_more(), 2, 2)}, "`among` is given",
                     "all of the first may touch all of the second; as for `among`"),
      required("stiffness", {positive_number()},
               "of every point that touches: the force is stiffness p^exponent (1 + damping p') with the "
               "penetration p, and never pulls",
               "force/length^exponent"),
      silent("exponent", {number({.low = 1})}, "1.5", "1.5 is what Hertz found for spheres"),
      silent("damping", {nonnegative()}, "0", "what is lost in a contact", "time/length"),
      silent("friction", {nonnegative()}, "0", "coefficient of friction"),
      silent("slip", {positive_number()}, "0.01",
             "without `sticking`: speed below which friction fades; what it could hold creeps more slowly",
             "length/time"),
      silent_derived(
          "sticking",
          {section({
              required("stiffness", {positive_number()}, "along the surface, of every point that touches",
                       "force/length"),
              silent_derived(
                  "damping", {nonnegative()},
                  "half of what is critical for the lightest point of a body, which turns as it is pushed",
                  "along the surface, while it sticks", "force time/length"),
          })},
          "friction fades below `slip`", "friction holds: bodies that stick do not creep"),
      silent_derived("spacing", {positive_number()}, "half the smallest extent of each shape",
                     "edges of boxes and meshes are felt at points so far apart, at most 64 on an edge",
                     "length"),
  });
}

}  // namespace

std::vector<Key> contact_keys() {
  return {
      silent_derived("ground", {list({ground_form()}, 1)}, "nothing",
                     "shapes that are fixed to the ground, for contacts"),
      silent_derived("contacts", {list({contact_form()}, 1)}, "bodies pass through each other",
                     "which bodies with a `shape` touch each other and the `ground`, and how"),
  };
}

}  // namespace cosimo::config
