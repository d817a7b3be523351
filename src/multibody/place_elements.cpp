#include "multibody/place_elements.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "config/sensors.hpp"
#include "core/check.hpp"
#include "core/error.hpp"
#include "mechanics/law_element.hpp"
#include "mechanics/pull_spring_element.hpp"
#include "mechanics/sensed_force.hpp"
#include "mechanics/slide_spring_element.hpp"
#include "multibody/config_values.hpp"
#include "multibody/place_machines.hpp"
#include "multibody/place_tyre.hpp"
#include "multibody/sensor_translate.hpp"

namespace cosimo {

namespace {

Along along(config::Measure measure) {
  switch (measure) {
    case config::Measure::length:
      return Along::length;
    case config::Measure::displacement:
      return Along::displacement;
    case config::Measure::angle:
      return Along::angle;
  }
  throw Bug("nothing to act along");
}

/// Angles between the bodies must remember their turns.
bool turns_in_space(const Placement& at, const config::Element& e) {
  const auto rigid = [&](std::int32_t end) {
    return end != config::on_ground && at.kind(end) == BodyKind::rigid;
  };
  return rigid(e.from) || rigid(e.to);
}

LawSpec general_law(const Placement& at, const config::Element& e) {
  return {along(e.measure), e.law, e.breakpoints, at.scenario().curves,
          e.measure == config::Measure::angle && turns_in_space(at, e)};
}

AppliedSpec applied(const Placement& at, const config::Element& e) {
  return {e.force, e.torque, e.breakpoints, at.scenario().curves, turns_in_space(at, e)};
}

BushingSpec bushing(const config::Element& e) {
  BushingSpec spec;
  for (std::size_t i = 0; i < 6; ++i) {
    spec.law[i].c = e.stiffness[i];
    spec.law[i].d = e.damping[i];
  }
  return spec;
}

TableSpec table(const Placement& at, const config::Element& e) {
  TableSpec spec;
  spec.along = along(e.measure);
  spec.damping = e.d;
  spec.turns = e.measure == config::Measure::angle && turns_in_space(at, e);
  for (const auto& [s, force] : e.points) {
    spec.s.push_back(s);
    spec.force.push_back(force);
  }
  return spec;
}

/// Half of what is critical for the lighter body.
double damping_of_sticking(const Placement& at, const config::Element& e) {
  double lightest = std::numeric_limits<double>::infinity();
  for (const std::int32_t end : {e.from, e.to}) {
    if (end == config::on_ground) continue;
    const config::Body& body = at.model().bodies[static_cast<std::size_t>(end)];
    const auto& i = body.inertia;
    const double inertia = at.kind(end) == BodyKind::planar ? i[2] : (i[0] + i[1] + i[2]) / 3;
    lightest = std::min(lightest, e.measure == config::Measure::angle ? inertia : body.mass);
  }
  return std::isfinite(lightest) ? std::sqrt(e.law_stiffness * lightest) : 0;
}

FrictionSpec friction(const Placement& at, const config::Element& e) {
  return {along(e.measure),
          e.law_stiffness,
          e.law_damping.value_or(damping_of_sticking(at, e)),
          e.limit,
          e.sliding.value_or(e.limit),
          e.d,
          e.stribeck,
          e.stribeck_exponent};
}

/// A gap counts from where the bodies are placed.
StopSpec stop(const Placement& at, const config::Element& e, const Marker& from, const Marker& to) {
  StopSpec spec;
  spec.along = along(e.measure);
  spec.stiffness = e.law_stiffness;
  spec.exponent = e.exponent;
  spec.damping = e.law_damping.value_or(0);
  spec.restitution = e.restitution;
  spec.turns = e.measure == config::Measure::angle && turns_in_space(at, e);
  spec.lower = e.lower;
  spec.upper = e.upper;
  if (e.gap)
    spec.lower =
        travel(spec.along, marker_frame(at.frame(e.from), from), marker_frame(at.frame(e.to), to)).s - *e.gap;
  return spec;
}

GroundContactSpec contact(const Placement& at, const config::Element& e) {
  GroundContactSpec spec;
  spec.road.height = e.road_height;
  for (const config::RoadWave& wave : e.waves)
    spec.road.waves.push_back({wave.amplitude, wave.wavelength, wave.phase});
  spec.radius = e.radius;
  spec.stiffness = e.contact_stiffness;
  spec.exponent = e.exponent;
  spec.damping = e.contact_damping;
  spec.friction = e.friction;
  spec.slip = e.slip;
  spec.planar = at.kind(e.to) == BodyKind::planar || at.kind(e.to) == BodyKind::point2;
  return spec;
}

/// Whatever is wrong with the library is reported where the file names it.
std::unique_ptr<ForceElement> user(const Placement& at, const config::Element& e, const Marker& from,
                                   const Marker& to) {
  try {
    return make_user_element(e.name, from, to, {e.library, e.function, e.values});
  } catch (const Error& error) {
    std::vector<Fault> faults = error.faults();
    for (Fault& fault : faults) {
      put_place(at.scenario(), e.place, fault);
      if (fault.field.empty()) fault.field = "model.elements." + e.name;
    }
    throw Error(std::move(faults));
  }
}

struct ElementEnds {
  Marker from, to;
};

ElementEnds ends(const Placement& at, const config::Element& e) {
  const Placement::Points p = at.points(e);
  using Kind = config::ElementKind;
  const bool about_axis = e.kind == Kind::torsion || e.kind == Kind::applied || e.kind == Kind::table ||
                          e.kind == Kind::law || e.kind == Kind::friction || e.kind == Kind::stop;
  const Mat3 axes = about_axis                ? axes_along(vec(e.axis))
                    : e.kind == Kind::bushing ? rotation(e.axes)
                                              : Mat3(Mat3::Identity());
  if (e.joint >= 0) {
    const JointSides joint = at.sides(at.model().joints[static_cast<std::size_t>(e.joint)]);
    return {joint.from, joint.to};
  }
  return {at.marker(e.from, p.from, axes), at.marker(e.to, p.to, axes)};
}

}  // namespace

std::unique_ptr<ForceElement> place_element(const Placement& at, const config::Element& e,
                                            MechanismBuilder& builder) {
  if (e.kind == config::ElementKind::gear_mesh) return place_gear_mesh(at, e);  // its joints say where it is
  const Placement::Points p = at.points(e);
  const auto [from, to] = ends(at, e);
  using Kind = config::ElementKind;
  const PowerLaw law{e.c, e.d, e.C, e.D, e.ex, e.ev};
  switch (e.kind) {
    case Kind::spring: {
      const double unstretched = e.length.value_or((p.to - p.from).norm());
      if (e.tension_only) return make_pull_spring(e.name, from, to, law, unstretched);
      return make_spring(e.name, from, to, {law, unstretched, e.vector_damping});
    }
    case Kind::torsion:
      if (e.measure == config::Measure::displacement)
        return make_slide_spring(e.name, from, to, law, e.angle);
      return make_torsion(e.name, from, to, {law, e.angle, turns_in_space(at, e)});
    case Kind::bushing:
      return make_bushing(e.name, from, to, bushing(e));
    case Kind::contact:
      return make_contact(e.name, to, contact(at, e));
    case Kind::table:
      return make_table(e.name, from, to, table(at, e));
    case Kind::law:
      return make_law(e.name, from, to, general_law(at, e));
    case Kind::friction:
      return make_friction(e.name, from, to, friction(at, e));
    case Kind::stop:
      return make_stop(e.name, from, to, stop(at, e, from, to));
    case Kind::cylinder:
      return place_cylinder(at, e, from, to);
    case Kind::tyre:
      return place_tyre(at.scenario(), e, p.to, builder);
    case Kind::gear_mesh:
      break;  // above
    case Kind::applied:
      return make_applied(e.name, from, to, applied(at, e));
    case Kind::user:
      return user(at, e, from, to);
  }
  throw Bug("an element of no kind");
}

std::unique_ptr<ForceGroup> place_sensed(const Placement& at, const config::Element& e, const Mechanism& made,
                                         std::span<const Sensor> sensors) {
  std::vector<std::string> names;
  config::Element numbered = e;
  numbered.law = config::with_numbers(e.law, names);
  for (auto* formulas : {&numbered.force, &numbered.torque})
    for (std::string& formula : *formulas) formula = config::with_numbers(formula, names);
  std::vector<Measured> known;
  for (const std::string& name : names) known.push_back(measured(name, made, sensors));
  const auto [from, to] = ends(at, e);
  SensedNumbers numbers({sensors, made.joint_coordinates, made.bodies, at.scenario().curves}, known);
  if (e.kind == config::ElementKind::law)
    return make_sensed_law(e.name, from, to, general_law(at, numbered), std::move(numbers));
  return make_sensed_applied(e.name, from, to, applied(at, numbered), std::move(numbers));
}

bool follows_sensors(const config::Element& e) {
  return config::has_brackets(e.law) || std::ranges::any_of(e.force, config::has_brackets) ||
         std::ranges::any_of(e.torque, config::has_brackets);
}

}  // namespace cosimo
