// Bodies and joints of the `model:` section of the table.
#include <string>
#include <utility>
#include <vector>

#include "config/choices.hpp"
#include "config/definition.hpp"
#include "config/definition_parts.hpp"

namespace cosimo::config {

namespace {

template <class E>
Key kind_key(std::initializer_list<E> kinds, std::string description) {
  return required("kind", {one_of(kinds)}, std::move(description));
}

Key name_key(std::string description) {
  return required("name", {name()}, std::move(description));
}

Form nonnegative() {
  return number({.low = 0});
}

Key mass_key() {
  return required("mass", {positive_number()}, "mass", "mass");
}

Key ends_key(const char* end) {
  return silent(end, {name()}, "ground", "body that this end is on, or `ground`");
}

/// The two bodies that a joint or an element is between, and where.
std::vector<Key> end_keys(const std::string& absent) {
  return {ends_key("from"), ends_key("to"),
          silent_derived("at", {numbers(1, 3)}, absent, "point on both, in space at t = 0", "length"),
          silent_derived("at_from", {numbers(1, 3)}, absent,
                         "point on `from`, from its reference point along its reference axes", "length"),
          silent_derived("at_to", {numbers(1, 3)}, absent,
                         "point on `to`, from its reference point along its reference axes", "length")};
}

Key axis_key(std::string description) {
  return silent("axis", {numbers(2, 3)}, "[0, 0, 1]", std::move(description));
}

template <class... Lists>
Form joined_section(Lists... lists) {
  std::vector<Key> keys;
  const auto take = [&](std::vector<Key> list) {
    for (Key& key : list) keys.push_back(std::move(key));
  };
  (take(std::move(lists)), ...);
  return section(std::move(keys));
}

using Keys = std::vector<Key>;

const char* const as_placed = "the other side's point as placed";
const char* const breakpoints_text = "ascending instants where the formula may jump; no step passes over one";

}  // namespace

Key compliant_key(std::vector<Key> own, std::string otherwise, std::string description) {
  own.push_back(required("stiffness", {positive_number()}, "of blocked translations", "force/length"));
  own.push_back(silent("damping", {nonnegative()}, "0", "of blocked translations", "force time/length"));
  own.push_back(silent("rotational_stiffness", {nonnegative()}, "0", "of blocked rotations", "force length"));
  own.push_back(
      silent("rotational_damping", {nonnegative()}, "0", "of blocked rotations", "force length time"));
  return silent_derived("compliant", {section(std::move(own))}, std::move(otherwise), std::move(description));
}

Form orientation_form() {
  return section({
      silent_derived("axis", {numbers(3, 3)}, "no rotation", "axis of a rotation by `angle`"),
      silent_derived("angle", {number()}, "no rotation", "angle of the rotation about `axis`"),
      silent_derived("quaternion", {numbers(4, 4)}, "not used", "w, x, y, z; any length but 0"),
      silent_derived("euler", {numbers(3, 3)}, "not used", "angles about z, then the new y, then the new x"),
  });
}

Form body_form() {
  const Key position =
      silent("position", {numbers(3, 3)}, "[0, 0, 0]", "place of the reference point", "length");
  const Key velocity =
      silent("velocity", {numbers(3, 3)}, "[0, 0, 0]", "velocity of the reference point", "length/time");
  const Form rigid = section({
      name_key("what results and messages call it"),
      kind_key({BodyKind::rigid}, "a rigid body in space"),
      mass_key(),
      required(
          "inertia", {numbers(3, 6)},
          "about the centre of mass along the reference axes: xx, yy, zz, or xx, yy, zz, xy, xz, yz with "
          "xy = -integral of x y dm",
          "mass length^2"),
      silent("center", {numbers(3, 3)}, "[0, 0, 0]",
             "centre of mass, from the reference point along the reference axes", "length"),
      position,
      silent_derived("orientation", {orientation_form()}, "the global axes",
                     "of the reference axes at t = 0"),
      velocity,
      silent("angular_velocity", {numbers(3, 3)}, "[0, 0, 0]", "along the global axes", "1/time"),
  });
  const Form planar = section({
      name_key("what results and messages call it"),
      kind_key({BodyKind::planar}, "a rigid body in the plane of x and y"),
      mass_key(),
      required("inertia", {positive_number()}, "about the centre of mass", "mass length^2"),
      silent("center", {numbers(2, 2)}, "[0, 0]",
             "centre of mass, from the reference point along the reference axes", "length"),
      silent("position", {numbers(2, 2)}, "[0, 0]", "place of the reference point", "length"),
      silent("angle", {number()}, "0", "rotation of the reference axes at t = 0"),
      silent("velocity", {numbers(2, 2)}, "[0, 0]", "velocity of the reference point", "length/time"),
      silent("angular_velocity", {number()}, "0", "angular velocity", "1/time"),
  });
  const Form point = section({
      name_key("what results and messages call it"),
      kind_key({BodyKind::point}, "a point mass"),
      silent("dimensions", {integer(1, 3)}, "3", "it moves along x, in the plane of x and y, or in space"),
      mass_key(),
      silent_derived("position", {number(), numbers(1, 3)}, "0", "place, as many numbers as dimensions",
                     "length"),
      silent_derived("velocity", {number(), numbers(1, 3)}, "0", "velocity, as many numbers as dimensions",
                     "length/time"),
  });
  return variants({rigid, planar, point});
}

Form joint_form() {
  const Key name = name_key("what results and messages call it; no element has the same name");
  const std::string constraint = "it is a constraint";
  const Key compliant =
      compliant_key({}, constraint, "a stiff force element of the same name instead, which may be cut");
  const Form universal = joined_section(
      Keys{name, kind_key({JointKind::universal}, "two axes that cross: one on `from`, one on `to`")},
      end_keys(as_placed),
      Keys{axis_key("axis on `from`, in space at t = 0"),
           silent_derived("second_axis", {numbers(3, 3)}, "perpendicular to `axis`",
                          "axis on `to`, perpendicular to `axis`, in space at t = 0"),
           compliant});
  const Form pair = joined_section(
      Keys{name, kind_key({JointKind::revolute, JointKind::prismatic, JointKind::cylindrical,
                           JointKind::spherical, JointKind::planar, JointKind::fixed},
                          "rotation about `axis`, translation along it, both, rotation about a point, motion "
                          "in the plane across `axis`, or none")},
      end_keys(as_placed), Keys{axis_key("direction of its axis in space at t = 0"), compliant});
  const Form distance = joined_section(
      Keys{name, kind_key({JointKind::distance}, "two points keep their distance")},
      end_keys("the reference point"),
      Keys{silent_derived("length", {positive_number()}, "as placed", "the distance", "length"), compliant});
  const Form motor = section({
      name,
      kind_key({JointKind::motor}, "prescribes the motion in a revolute or prismatic joint"),
      required("joint", {config::name()}, "the joint it drives"),
      silent_derived("angle", {formula({"t"})}, "`displacement`", "of a revolute joint, from its placement"),
      silent_derived("displacement", {formula({"t"})}, "`angle`", "of a prismatic joint, from its placement",
                     "length"),
      silent("breakpoints", {numbers(0)}, "[]", breakpoints_text, "time"),
  });
  const Form gear = section({
      name,
      kind_key({JointKind::gear}, "ties the angles of two revolute or cylindrical joints"),
      required("joints", {list({config::name()}, 2, 2)}, "the two joints"),
      required("teeth", {list({integer(-1'000'000, 1'000'000)}, 2, 2)},
               "teeth[0] phi_1 + teeth[1] phi_2 stays; signs give the sense of rotation"),
  });
  return variants({pair, universal, distance, motor, gear});
}

std::vector<Key> mechanism_keys() {
  return {
      silent_derived("parameters", {dictionary()}, "none",
                     "numbers with names, for formulas; each may use those before it"),
      silent_derived(
          "include", {text(), list({text()})}, "nothing",
          "files with `parameters`, `curves`, `bodies`, `joints`, `elements` and `include` of this model, "
          "relative to this file; their entries come first"),
      silent("gravity", {numbers(1, 3)}, "[0, 0, 0]", "acceleration of all `bodies`", "length/time^2"),
      option(ModelKind::bodies, {list({body_form()}, 1)},
             "bodies of the model, each entry of one of these kinds"),
      option("joints", {list({joint_form()})}, "what the bodies cannot do, each entry of one of these kinds"),
      option("elements", {list({element_form()})},
             "force elements between the bodies; numbered from 1, compliant joints follow after the last"),
      silent_derived("start",
                     {section({
                         with_default("equilibrium", {boolean()}, "false",
                                      "begin where all forces balance; initial velocities are kept"),
                         with_default("assemble", {words({"auto"}), boolean()}, "auto",
                                      "move initial states onto the joints that they contradict: by any "
                                      "shift (`true`), by less than 0.1 % of the size of the model and of "
                                      "the velocities given (`auto`), not at all (`false`)"),
                     })},
                     "`{equilibrium: false, assemble: auto}`", "how a model with bodies begins"),
  };
}

}  // namespace cosimo::config
