// Generators of the `model:` section of the table: models made of a few numbers.
#include <string>
#include <utility>
#include <vector>

#include "config/choices.hpp"
#include "config/definition.hpp"
#include "config/definition_parts.hpp"

namespace cosimo::config {

namespace {

constexpr std::int64_t max_links = 1'000'000;

Key gravity_key(std::string fallback, std::string description) {
  return with_default("gravity", {number()}, std::move(fallback), std::move(description), "length/time^2");
}

Key seed_key() {
  return with_default("seed", {integer(0)}, "0", "seed of everything random in the model");
}

Key every_key() {
  return with_default("every", {integer(1, max_links)}, "1", "n: every n-th joint");
}

Form nonnegative() {
  return number({.low = 0});
}

Key pendulum_key() {
  return option(
      ModelKind::pendulum,
      {section({
          required("links", {integer(1, max_links)},
                   "number of links; bodies link1, ..., joints joint1, ..."),
          parameter("length", "1", "of each link, > 0", "length"),
          parameter("mass", "1", "of each link, > 0", "mass"),
          with_default("formulation", {one_of<Formulation>()}, Formulation::absolute,
                       "bodies and constraints, or one angle per link"),
          with_default("joint", {one_of<LinkJoint>()}, LinkJoint::revolute, "joints between the links"),
          with_default("body", {one_of<LinkBody>()}, LinkBody::point,
                       "mass at the lower end of a link, or spread evenly over it"),
          derived("dimensions", {integer(2, 3)}, "2, or 3 with `joint: spherical`",
                  "in the plane (gravity along -y) or in space (along -z)"),
          parameter("angle", "0", "of each link at t = 0, from the downward vertical towards +x", "angle"),
          parameter("angular_velocity", "0", "of each link at t = 0", "angle/time"),
          with_default("damping", {nonnegative()}, "0", "torque per relative angular velocity in each joint",
                       "force length time/angle"),
          gravity_key("9.81", "downwards"),
          seed_key(),
          compliant_key({every_key()}, "all joints are constraints",
                        "joints n+1, 2n+1, ... as stiff force elements, which may be cut"),
      })},
      "links that hang one below the other from a fixed point");
}

Key lattice_key() {
  return option(
      ModelKind::lattice,
      {section({
          required("size", {list({integer(1, max_masses)}, 1, 3)},
                   "masses along each axis; body (i, j, k) has the number 1 + i + nx (j + ny k), i from 0"),
          with_default("coordinates", {one_of<Coordinates>()}, Coordinates::scalar,
                       "one displacement per mass, or points in as many dimensions as the size has entries"),
          parameter("mass", "", "of each body, > 0", "mass"),
          spring_key("no lists"),
          with_default("spacing", {positive_number()}, "1", "of the grid, and unstretched length of springs",
                       "length"),
          with_default(
              "initial",
              {section(
                  {parameter("x", "0", "displacement from the grid; in space one per coordinate", "length"),
                   parameter("v", "0", "velocity; in space one per coordinate", "length/time")})},
              "{}", "initial state"),
          with_default("diagonals", {boolean()}, "false",
                       "with `coordinates: space`: also springs along the diagonals of the squares"),
          with_default("ends", {one_of<End>()}, End::fixed,
                       "a spring to a wall at both ends of every row, or none"),
          seed_key(),
          loads_key(),
      })},
      "masses on a grid, joined to their neighbours by springs");
}

Key network_key() {
  return option(ModelKind::network,
                {section({
                    required("masses", {integer(1, max_masses)}, "number of point masses"),
                    with_default("neighbours", {positive_number()}, "4", "mean number of springs at a mass"),
                    with_default("dimensions", {integer(2, 3)}, "3", "in the plane or in space"),
                    parameter("mass", "1", "of each body, > 0", "mass"),
                    required("spring",
                             {section({parameter("c", "", "stiffness; no lists", "force/length"),
                                       parameter("d", "0", "damping of the relative velocity; no lists",
                                                 "force time/length")})},
                             "springs, unstretched as placed"),
                    with_default("radius", {positive_number()}, "1",
                                 "half the edge of the cube that masses lie in", "length"),
                    parameter("velocity", "0", "initial velocity, one number per coordinate", "length/time"),
                    with_default("fixed", {integer(0, max_masses)}, "0",
                                 "how many masses are also joined to the ground"),
                    gravity_key("0", "downwards along the last axis"),
                    seed_key(),
                })},
                "point masses at random places, joined to neighbours nearby at random");
}

Key four_bars_key() {
  return option(
      ModelKind::four_bars,
      {section({
          required("loops", {integer(1, max_links)}, "number of loops"),
          with_default("length", {positive_number()}, "1", "of every bar", "length"),
          with_default("mass", {positive_number()}, "1", "of every bar", "mass"),
          with_default("velocity", {number()}, "1", "of the upper ends at t = 0, along x", "length/time"),
          gravity_key("9.81", "along -y"),
          with_default("dimensions", {integer(2, 3)}, "2",
                       "planar bodies, or rigid ones with redundant constraints"),
          compliant_key({every_key()}, "all joints are constraints",
                        "joints before couplers n+1, 2n+1, ... as stiff force elements, which may be cut"),
      })},
      "upright bars upright1, ... on the ground, their upper ends joined by bars coupler1, ...");
}

Key vehicle_body_key(const char* which, std::string mass, std::string inertia, std::string description) {
  return with_default(which,
                      {section({
                          with_default("mass", {positive_number()}, std::move(mass), "mass", "mass"),
                          with_default("inertia", {numbers(3, 3)}, std::move(inertia),
                                       "xx, yy, zz about the centre of mass", "mass length^2"),
                      })},
                      "{}", std::move(description));
}

Key vehicle_key() {
  const Form suspension = section({
      with_default("stiffness", {positive_number()}, "2.5e4", "of one wheel's spring", "force/length"),
      with_default("damping", {nonnegative()}, "2000", "of one wheel's damper", "force time/length"),
      with_default("length", {positive_number()}, "0.5", "of a spring, unstretched and as placed", "length"),
  });
  const Form tyre = section({
      with_default("radius", {positive_number()}, "0.3", "of a wheel", "length"),
      with_default("stiffness", {positive_number()}, "2.0e5", "of a tyre", "force/length"),
      with_default("damping", {nonnegative()}, "0.02", "factor of the tyre's damping", "time/length"),
      with_default("friction", {nonnegative()}, "0",
                   "coefficient of friction; wheels do not turn, so it brakes the vehicle"),
      with_default("slip", {positive_number()}, "0.01", "speed above which friction acts in full",
                   "length/time"),
  });
  const Form road = section({
      with_default(
          "roughness", {nonnegative()}, "1.0e-6",
          "spectral density of the heights (ISO 8608) times the square of the wave number: its value at "
          "1 rad/length",
          "length"),
      with_default("length", {positive_number()}, "100", "longest wave", "length"),
      with_default("waves", {integer(0, 10'000)}, "50",
                   "number of waves, down to a thousandth of the longest"),
      with_default("seed", {integer(0)}, "0", "seed of the phases"),
  });
  return option(
      ModelKind::vehicle,
      {section({
          with_default("axles", {integer(1, 1000)}, "2", "axles with two wheels each"),
          with_default("wheelbase", {positive_number()}, "2.7", "from the first to the last axle", "length"),
          with_default("track", {positive_number()}, "1.5", "between the wheels of an axle", "length"),
          with_default("height", {positive_number()}, "0.6", "of the chassis' centre of mass", "length"),
          vehicle_body_key("chassis", "1200", "[500, 2000, 2200]", "the body on the axles"),
          vehicle_body_key("wheel", "40", "[1, 1.6, 1]", "a wheel with its share of the suspension"),
          with_default("suspension", {suspension}, "{}", "springs, preloaded to carry the vehicle as placed"),
          with_default("tyre", {tyre}, "{}", "contact of the wheels with the road"),
          with_default("road", {road}, "{}", "waves of random phase below the wheels"),
          with_default("speed", {number()}, "20", "at t = 0, along x", "length/time"),
          gravity_key("9.81", "along -z"),
          compliant_key({}, "wheels are guided by joints", "guides of the wheels as stiff force elements"),
      })},
      "a chassis on axles with suspension, on a rough road; everything has a default");
}

}  // namespace

std::vector<Key> generator_keys() {
  return {pendulum_key(), lattice_key(), network_key(), four_bars_key(), vehicle_key()};
}

}  // namespace cosimo::config
