#include "multibody/place_ropes.hpp"

#include <fmt/format.h>

#include <limits>
#include <set>

#include "mechanics/rope.hpp"
#include "multibody/config_values.hpp"

namespace cosimo {

namespace {

/// Lengths are known to rounding, and so are the forces of a rope to rounding times its stiffness.
void refuse_noise(const Placement& at, const config::Rope& rope) {
  std::set<std::int32_t> bodies;
  for (const config::RopeStation& each : rope.path) bodies.insert(each.body);
  double force = rope.tension;
  for (const std::int32_t body : bodies)
    if (body != config::on_ground)
      force += vec(at.model().gravity).norm() * at.model().bodies[static_cast<std::size_t>(body)].mass;
  constexpr double rounding = std::numeric_limits<double>::epsilon(), bearable = 1e-4;
  if (force == 0 || !(rope.stiffness * rounding > bearable * force)) return;
  throw Error(at.located(
      rope.place, "model.ropes." + rope.name + ".stiffness",
      {.value = fmt::format("{:g}", rope.stiffness),
       .problem = fmt::format("is so large that the rounding of lengths alone makes forces of {:.2g}, where "
                              "tension and weights are {:.2g}",
                              rope.stiffness * rounding, force),
       .remedy = fmt::format("write at most {:.0e}: a stiffer rope hangs no differently",
                             bearable * force / rounding)}));
}

}  // namespace

std::unique_ptr<ForceGroup> place_rope(const Placement& at, const config::Rope& given) {
  RopeSpec spec;
  for (const config::RopeStation& each : given.path) {
    const Vec3 point =
        each.at ? vec(*each.at) : at.in_space(each.body, vec(each.at_body.value_or(config::Vector{})));
    RopeStation& station = spec.stations.emplace_back();
    station.at = at.marker(each.body, point, axes_along(vec(each.axis)));
    station.placed = marker_frame(at.frame(each.body), station.at);
    station.radius = each.radius;
    station.sense = each.sense;
    station.turns = static_cast<int>(each.turns);
    station.friction = each.friction;
  }
  spec.closed = given.closed;
  spec.stiffness = given.stiffness;
  spec.damping = given.damping;
  spec.tension = given.tension;
  spec.length = given.length;
  spec.pay_out = given.pay_out;
  spec.breakpoints = given.breakpoints;
  spec.curves = at.scenario().curves;
  refuse_noise(at, given);
  try {
    return make_rope(given.name, spec);
  } catch (const Error& error) {
    const Fault& fault = error.faults().front();
    throw Error(at.located(given.place, "model.ropes." + fault.field, fault));
  }
}

}  // namespace cosimo
