// Bodies and joints of the `model:` section of the table.
#include <string>
#include <utility>
#include <vector>

#include "config/choices.hpp"
#include "config/definition.hpp"
#include "config/definition_parts.hpp"
#include "config/joint_springs.hpp"
#include "config/sensors.hpp"

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
  return silent(end, {name()}, "ground", "body that this end is on, `body.marker`, or `ground`");
}

Key of_length(Key key) {
  key.dimension = "length";
  return key;
}

Key mesh_scale(std::string name, std::vector<Form> forms, std::string fallback, std::string description,
               std::string dimension) {
  Key key = with_default(std::move(name), std::move(forms), std::move(fallback), std::move(description),
                         std::move(dimension));
  key.own_unit = true;
  return key;
}

/// A body by its shape: what it weighs follows.
Key shape_key() {
  return silent_derived(
      "shape", {shape_form(false)}, "`mass` and `inertia` are given",
      "what mass, centre and inertia follow from, with `density` or `mass`; `center` is its "
      "centre, that of a mesh is in the file");
}

Key look_key() {
  return silent_derived(
      "look",
      {list(
          {section({
              required("shape", {shape_form(false)}, "a `shape` as above; a mesh may be open"),
              silent("at", {numbers(3, 3)}, "[0, 0, 0]",
                     "its middle, or the origin of the coordinates of a mesh, from the reference point along "
                     "the reference axes",
                     "length"),
              silent_derived("orientation", {orientation_form()}, "the reference axes",
                             "of the shape against them"),
          })},
          1)},
      "`shape`, or a box with the inertia", "shapes that pictures show; nothing else follows from them");
}

Key markers_key(std::string whose) {
  return silent_derived("markers", {settings({numbers(1, 3)})}, "none", std::move(whose), "length");
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

/// Where a joint begins.
Key start_key() {
  return silent_derived(
      "start",
      {section({
          silent("angle", {number()}, "0", "of a revolute or cylindrical joint, less than half a turn",
                 "angle"),
          silent("displacement", {number()}, "0", "of a prismatic or cylindrical joint", "length"),
          silent("speed", {number()}, "0",
                 "of the angle of a revolute joint, of the displacement of the others",
                 "length/time or angle/time"),
          silent("angular_speed", {number()}, "0", "of the angle of a cylindrical joint", "angle/time"),
      })},
      "as placed",
      "where a revolute, prismatic or cylindrical joint begins, from the placement of the bodies: it moves "
      "all "
      "that is beyond it");
}

const char* const as_placed = "the other side's point as placed";
const char* const breakpoints_text = "ascending instants where the formula may jump; no step passes over one";

}  // namespace

Form shape_form(bool on_ground) {
  const Key axis = silent("axis", {numbers(3, 3)}, "[0, 0, 1]", "its axis along the reference axes");
  const auto round = [&](const char* name, std::string description, std::string length_text,
                         std::vector<Key> more = {}) {
    std::vector<Key> keys{required("radius", {positive_number()}, "outer radius", "length")};
    for (Key& key : more) keys.push_back(std::move(key));
    keys.push_back(required("length", {positive_number()}, std::move(length_text), "length"));
    keys.push_back(axis);
    return option(name, {section(std::move(keys))}, std::move(description));
  };
  std::vector<Key> shapes{
      of_length(option("box", {numbers(3, 3)}, "its edges along the reference axes")),
      of_length(option("sphere", {positive_number()}, "its radius")),
      round("cylinder", "a solid cylinder", "along its axis"),
      round("tube", "a cylinder with a bore", "along its axis",
            {required("inner", {number({.low = 0})}, "radius of the bore", "length")}),
      round("capsule", "a cylinder with half a sphere on either end", "of the cylinder, without the ends"),
      option("mesh",
             {section({
                 required("file", {text()},
                          "an STL or OBJ file with a closed surface, relative to the file that names it"),
                 mesh_scale("scale", {positive_number()}, "1",
                            "of its coordinates: the unit of the file, such as `1 mm`, or 1e-3 in metres",
                            "length"),
             })},
             "the solid inside a surface of triangles, whose coordinates are along the reference axes"),
  };
  if (on_ground)
    shapes.push_back(option("plane", {numbers(3, 3)},
                            "all that lies below a plane: its normal, along the reference axes"));
  return choice(std::move(shapes));
}

Key compliant_key(std::vector<Key> own, std::string otherwise, std::string description) {
  own.push_back(required("stiffness", {positive_number()}, "of blocked translations", "force/length"));
  own.push_back(silent("damping", {nonnegative()}, "0", "of blocked translations", "force time/length"));
  own.push_back(
      silent("rotational_stiffness", {nonnegative()}, "0", "of blocked rotations", "force length/angle"));
  own.push_back(
      silent("rotational_damping", {nonnegative()}, "0", "of blocked rotations", "force length time/angle"));
  return silent_derived("compliant", {section(std::move(own))}, std::move(otherwise), std::move(description));
}

Form orientation_form() {
  return section({
      silent_derived("axis", {numbers(3, 3)}, "no rotation", "axis of a rotation by `angle`"),
      silent_derived("angle", {number()}, "no rotation", "angle of the rotation about `axis`", "angle"),
      silent_derived("quaternion", {numbers(4, 4)}, "not used", "w, x, y, z; any length but 0"),
      silent_derived("euler", {numbers(3, 3)}, "not used", "angles about z, then the new y, then the new x",
                     "angle"),
  });
}

Form body_form() {
  const Key position =
      silent("position", {numbers(3, 3)}, "[0, 0, 0]", "place of the reference point", "length");
  const Key velocity =
      silent("velocity", {numbers(3, 3)}, "[0, 0, 0]", "velocity of the reference point", "length/time");
  const Key markers = markers_key(
      "points of the body with names, from its reference point along its reference axes: `{tip: [1, 0, 0]}`; "
      "joints and elements call one `body.tip`");
  const Form rigid = section({
      name_key("what results and messages call it"),
      kind_key({BodyKind::rigid}, "a rigid body in space"),
      silent_derived("mass", {positive_number()}, "that of `shape` and `density`", "mass", "mass"),
      shape_key(),
      silent_derived("density", {positive_number()}, "`mass` is given", "of the `shape`", "mass/length^3"),
      silent_derived(
          "inertia", {numbers(3, 6)}, "that of `shape`",
          "about the centre of mass along the reference axes: xx, yy, zz, or xx, yy, zz, xy, xz, yz with "
          "xy = -integral of x y dm",
          "mass length^2"),
      silent("center", {numbers(3, 3)}, "[0, 0, 0]",
             "centre of mass, from the reference point along the reference axes", "length"),
      position,
      silent_derived("orientation", {orientation_form()}, "the global axes",
                     "of the reference axes at t = 0"),
      velocity,
      silent("angular_velocity", {numbers(3, 3)}, "[0, 0, 0]", "along the global axes", "angle/time"),
      markers,
      look_key(),
  });
  const Form planar = section({
      name_key("what results and messages call it"),
      kind_key({BodyKind::planar}, "a rigid body in the plane of x and y"),
      mass_key(),
      required("inertia", {positive_number()}, "about the centre of mass", "mass length^2"),
      silent("center", {numbers(2, 2)}, "[0, 0]",
             "centre of mass, from the reference point along the reference axes", "length"),
      silent("position", {numbers(2, 2)}, "[0, 0]", "place of the reference point", "length"),
      silent("angle", {number()}, "0", "rotation of the reference axes at t = 0", "angle"),
      silent("velocity", {numbers(2, 2)}, "[0, 0]", "velocity of the reference point", "length/time"),
      silent("angular_velocity", {number()}, "0", "angular velocity", "angle/time"),
      markers,
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
      end_keys(as_placed), Keys{axis_key("direction of its axis in space at t = 0"), compliant, start_key()},
      joint_spring_keys());
  const Form distance = joined_section(
      Keys{name, kind_key({JointKind::distance}, "two points keep their distance")},
      end_keys("the reference point"),
      Keys{silent_derived("length", {positive_number()}, "as placed", "the distance", "length"), compliant});
  const Form motor = section({
      name,
      kind_key({JointKind::motor}, "prescribes the motion in a revolute or prismatic joint"),
      required("joint", {config::name()}, "the joint it drives"),
      silent_derived("angle", {formula({"t"})}, "`displacement`", "of a revolute joint, from its placement",
                     "angle"),
      silent_derived("displacement", {formula({"t"})}, "`angle`", "of a prismatic joint, from its placement",
                     "length"),
      silent_derived("speed", {formula({"t"})}, "`angle` or `displacement`",
                     "of the angle or the displacement, instead of it", "length/time or angle/time"),
      silent_derived("acceleration", {formula({"t"})}, "`angle` or `displacement`",
                     "of the angle or the displacement, instead of it", "length/time^2 or angle/time^2"),
      silent("start", {number()}, "0", "with `speed` or `acceleration`: angle or displacement at t = 0",
             "length or angle"),
      silent("start_speed", {number()}, "0", "with `acceleration`: its speed at t = 0",
             "length/time or angle/time"),
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

Key submodels_key() {
  return silent_derived(
      "submodels",
      {list({section({
          required("use", {text()},
                   "a file with `parameters`, `curves`, `submodels`, `bodies`, `joints`, `elements`, `ropes` "
                   "and `include`, or a robot in URDF or MJCF, relative to the file that names it"),
          silent_derived("name", {name()}, "that of the file",
                         "its bodies, joints, elements and ropes are called `name.body`, with `count` "
                         "`name1.body`, `name2.body`, ..."),
          silent_derived("count", {integer(1)}, "one, without a number", "how many there are"),
          silent("first", {integer(0)}, "1", "the number `i` of the first one, with `count`"),
          silent_derived("set", {dictionary()}, "what the file says",
                         "values of its parameters; formulas may use `i`, the number of the instance"),
          silent_derived("position", {numbers(1, 3)}, "as in the file",
                         "by which everything that is placed in space is shifted; formulas may use `i`",
                         "length"),
          silent_derived(
              "join", {settings({name()})}, "none",
              "names in the file that stand for bodies outside it: `{frame: car}`; `{...}` in a name "
              "holds a whole number: `{previous: \"link{i-1}.bar\"}`"),
          silent_derived(
              "import",
              {section({
                  silent("fix", {boolean()}, "false",
                         "the root link, or the first body that is free, does not move"),
                  silent_derived("stops",
                                 {section({
                                     required("stiffness", {positive_number()},
                                              "of a stop, in SI as everything in the file", "1"),
                                     silent("damping", {nonnegative()}, "0", "as of a `stop`, in SI", "1"),
                                 })},
                                 "they are left out", "limits of joints become stops"),
                  silent_derived("armature", {words({"ignore"})}, "it is refused",
                                 "what becomes of the inertia of rotors in MJCF"),
              })},
              "`{fix: false}`", "how a robot in URDF or MJCF is read"),
      })})},
      "none", "models in files of their own, each used any number of times; their entries come first");
}

std::vector<Key> mechanism_keys() {
  std::vector<Key> keys{
      silent_derived("parameters", {dictionary()}, "none",
                     "numbers with names, for formulas; each may use those before it"),
      silent_derived(
          "include", {text(), list({text()})}, "nothing",
          "files with `parameters`, `curves`, `submodels`, `bodies`, `joints`, `elements`, `ropes` and "
          "`include` of this "
          "model, relative to this file; their entries come first"),
      submodels_key(),
      silent("gravity", {numbers(1, 3)}, "[0, 0, 0]", "acceleration of all `bodies`", "length/time^2"),
      markers_key("points of the ground with names, which joints and elements call `ground.name`"),
      option(ModelKind::bodies, {list({body_form()}, 1)},
             "bodies of the model, each entry of one of these kinds"),
      option("joints", {list({joint_form()})}, "what the bodies cannot do, each entry of one of these kinds"),
      option("elements", {list({element_form()})},
             "force elements between the bodies; numbered from 1, compliant joints follow after the last"),
      option("ropes", {list({rope_form()})}, "ropes and belts that run over bodies"),
      sensors_key(),
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
  for (Key& key : contact_keys()) keys.push_back(std::move(key));
  return keys;
}

}  // namespace cosimo::config
