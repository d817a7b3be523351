#include "multibody/sensor_translate.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "config/sensors.hpp"
#include "core/check.hpp"
#include "multibody/config_values.hpp"

namespace cosimo {

namespace {

std::optional<std::size_t> coordinate_of(const Mechanism& made, std::string_view joint, std::string_view name,
                                         bool rate) {
  for (std::size_t k = 0; k < made.joint_coordinates.size(); ++k) {
    const JointCoordinate& each = made.joint_coordinates[k];
    if (each.joint == joint && (name.empty() || name == (rate ? each.rate_name : each.value_name))) return k;
  }
  return std::nullopt;
}

template <class Named>
std::optional<std::size_t> place_of(const std::vector<Named>& list, const std::string& name) {
  for (std::size_t k = 0; k < list.size(); ++k)
    if (list[k]->name == name) return k;
  return std::nullopt;
}

/// The one joint in which an element or a motor acts.
std::optional<std::size_t> acts_in(const config::Mechanism& model, const Mechanism& made,
                                   const std::string& name) {
  for (const config::Joint& joint : model.joints)
    if (joint.name == name && joint.kind == config::JointKind::motor)
      return coordinate_of(made, model.joints[static_cast<std::size_t>(joint.joint)].name, {}, false);
  for (const config::Element& element : model.elements) {
    if (element.name != name || element.joint < 0) continue;
    const char* const what = element.measure == config::Measure::angle ? "angle" : "displacement";
    return coordinate_of(made, model.joints[static_cast<std::size_t>(element.joint)].name, what, false);
  }
  return std::nullopt;
}

/// Numbers of a law over many bodies, `law.name`: one, or the vector `law.name.Fx`, ...
std::optional<Range> readings_of(const Mechanism& made, const std::string& name, const char* vector) {
  std::size_t first = 0;
  for (const auto& group : made.groups) {
    const std::vector<std::string> all = group->readings();
    const bool own = name == group->name || name.starts_with(group->name + ".");
    for (std::size_t k = 0; own && k < all.size(); ++k) {
      const std::string full = group->name + "." + all[k];
      if (full == name) return Range{first + k, first + k + 1};
      if (full == name + vector) return Range{first + k, first + k + 3};
    }
    first += all.size();
  }
  return std::nullopt;
}

std::string_view joint_name(const config::Sensor& given, const config::Mechanism& model) {
  return model.joints[static_cast<std::size_t>(given.joint)].name;
}

}  // namespace

Measured measured(const std::string& text, const Mechanism& made, std::span<const Sensor> sensors) {
  const config::SensorReference at = config::split_reference(text);
  Measured out;
  if (at.variable.empty()) {
    const auto found = std::ranges::find(sensors, at.owner, &Sensor::name);
    out.number = static_cast<std::size_t>(found - sensors.begin());
    return out;
  }
  for (const bool rate : {false, true})
    if (const auto joint = coordinate_of(made, at.owner, at.variable, rate); joint && !at.derivative)
      return {rate ? Measured::What::joint_rate : Measured::What::joint_value, *joint, BodyId(), 0};
  out.what = at.derivative ? Measured::What::coordinate_rate : Measured::What::coordinate;
  out.body = made.find_body(at.owner);
  out.component = at.variable == "x" ? 0 : at.variable == "y" ? 1 : at.variable == "z" ? 2 : 3;
  COSIMO_CHECK(out.body.valid(), "a body of this name");
  return out;
}

void find_readings(const config::Sensor& given, const Mechanism& made, Sensor& sensor) {
  using Kind = Sensor::Kind;
  if ((sensor.kind != Kind::force && sensor.kind != Kind::torque) || sensor.element || sensor.constraint)
    return;
  const bool torque = sensor.kind == Kind::torque;
  const auto law = place_of(made.groups, given.of);  // one in the place of an element
  sensor.opposite = law.has_value() && !torque;
  if (law) sensor.readings = readings_of(made, given.of, torque ? ".Tx_to" : ".Fx");
  if (!sensor.readings) sensor.readings = readings_of(made, given.of, torque ? ".Tx" : ".Fx");
  COSIMO_CHECK(sensor.readings.has_value(), "an element, a joint or a law of this name");
}

Sensor make_sensor(const config::Sensor& given, const config::Mechanism& model, const Mechanism& made,
                   const SensorEnds& ends, std::span<const NamedCurve> curves,
                   std::span<const Sensor> before) {
  using From = config::SensorKind;
  using Kind = Sensor::Kind;
  Sensor out;
  out.name = given.name;
  out.from = ends.from;
  out.to = ends.to;
  if (given.direction) out.direction = vec(*given.direction).normalized();
  switch (given.kind) {
    case From::distance:
      out.kind = Kind::distance;
      break;
    case From::position:
      out.kind = Kind::position;
      break;
    case From::acceleration:
      out.kind = Kind::acceleration;
      break;
    case From::angle:
    case From::displacement:
      out.kind = Kind::joint_value;
      out.coordinate = coordinate_of(made, joint_name(given, model), word_of(given.kind), false);
      break;
    case From::speed: {
      out.kind = given.joint >= 0 ? Kind::joint_rate : Kind::speed;
      const bool turns = given.measure == config::Measure::angle;
      if (given.joint < 0) break;
      const bool both =
          model.joints[static_cast<std::size_t>(given.joint)].kind == config::JointKind::cylindrical;
      out.coordinate =
          coordinate_of(made, joint_name(given, model), both && turns ? "angular_speed" : "speed", true);
      break;
    }
    case From::force:
    case From::torque:
    case From::power:
      out.kind = given.kind == From::force    ? Kind::force
                 : given.kind == From::torque ? Kind::torque
                                              : Kind::power;
      out.element = place_of(made.elements, given.of);
      if (!out.element) out.constraint = place_of(made.constraints, given.of);
      out.coordinate = acts_in(model, made, given.of);
      break;
    case From::formula:
      out.kind = Kind::formula;
      out.formula = Expression(given.formula, config::sensor_variables(given.known.size()), curves);
      for (const std::string& name : given.known) out.known.push_back(measured(name, made, before));
      break;
  }
  return out;
}

}  // namespace cosimo
