#include "multibody/place_machines.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "mechanics/cylinder_element.hpp"
#include "mechanics/gear_mesh_element.hpp"
#include "multibody/config_values.hpp"

namespace cosimo {

namespace {

CylinderSpec cylinder(const Placement& at, const config::Element& e, const Marker& from, const Marker& to) {
  const config::Cylinder& c = *e.cylinder;
  CylinderSpec spec;
  spec.retracted = c.retracted;
  spec.stroke = c.stroke;
  spec.area = c.area;
  constexpr double share = 0.05;
  spec.dead = c.dead.value_or(std::array{share * c.area[0] * c.stroke, share * c.area[1] * c.stroke});
  spec.bulk = c.bulk;
  spec.leakage = c.leakage;
  spec.damping = e.d;
  spec.supply = c.supply;
  spec.tank = c.tank;
  spec.flow = c.flow;
  spec.drop = c.drop;
  spec.command = c.command;
  spec.pressures = c.pressures.value_or(std::array{0.5 * c.supply, 0.5 * c.supply});
  const double length = (marker_frame(at.frame(e.to), to).r - marker_frame(at.frame(e.from), from).r).norm(),
               out = length - c.retracted;
  if (!(spec.dead[0] + c.area[0] * out > 0 && spec.dead[1] + c.area[1] * (c.stroke - out) > 0))
    throw Error(at.located(
        e.place, "model.elements." + e.name + ".retracted",
        {.problem = "its ends are " + std::to_string(length) + " apart at the start, and it is " +
                    std::to_string(c.retracted) + " to " + std::to_string(c.retracted + c.stroke) + " long",
         .remedy = "check `retracted`, `stroke` and where its ends are"}));
  spec.stop_stiffness = c.stop_stiffness.value_or(10 * c.bulk * c.area[0] / c.stroke);
  spec.stop_damping = c.stop_damping;
  spec.breakpoints = e.breakpoints;
  spec.curves = at.scenario().curves;
  return spec;
}

}  // namespace

std::unique_ptr<ForceElement> place_cylinder(const Placement& at, const config::Element& e,
                                             const Marker& from, const Marker& to) {
  return make_cylinder(e.name, from, to, cylinder(at, e, from, to));
}

std::unique_ptr<ForceElement> place_gear_mesh(const Placement& at, const config::Element& e) {
  const config::Joint& first = at.model().joints[static_cast<std::size_t>(e.joints[0])];
  const Mat3 axes = axes_along(vec(first.axis));
  const std::array<std::int32_t, 2> wheels{e.from, e.to};
  std::array<Marker, 2> centre;
  for (std::size_t i = 0; i < 2; ++i) {
    const config::Joint& joint = at.model().joints[static_cast<std::size_t>(e.joints[i])];
    const Placement::Points p = at.points(joint, true);
    centre[i] = at.marker(wheels[i], joint.to == config::on_ground ? p.from : p.to, axes);
  }
  const Frame from = marker_frame(at.frame(e.from), centre[0]), to = marker_frame(at.frame(e.to), centre[1]);
  const Vec3 d = to.r - from.r, across = d - axes.col(2).dot(d) * axes.col(2);
  const auto z1 = static_cast<double>(e.teeth[0]), z2 = static_cast<double>(e.teeth[1]);
  if (e.from == e.to || !(across.norm() > 1e-9 * (from.r.norm() + to.r.norm())))
    throw Error(at.located(
        e.place, "model.elements." + e.name + ".joints",
        {.problem = e.from == e.to ? "both joints carry the same wheel" : "the axes of both wheels coincide",
         .remedy = "name joints of two wheels whose axes lie apart"}));
  GearMeshSpec spec;
  spec.radius_from = across.norm() * z1 / (z1 + z2);
  spec.radius_to = across.norm() * z2 / (z1 + z2);
  spec.pitch = 2 * std::numbers::pi * across.norm() / std::fabs(z1 + z2);
  spec.gap = e.gap.value_or(0);
  if (!(spec.gap < spec.pitch))
    throw Error(at.located(e.place, "model.elements." + e.name + ".gap",
                           {.problem = "teeth are " + std::to_string(spec.pitch) +
                                       " apart along the pitch circle: with so wide a gap they never touch",
                            .remedy = "write a smaller gap, or fewer teeth"}));
  spec.stiffness = e.law_stiffness;
  spec.damping = e.law_damping.value_or(0);
  spec.centred = gear_mesh_place(spec, from, to);
  return make_gear_mesh(e.name, centre[0], centre[1], spec);
}

}  // namespace cosimo
