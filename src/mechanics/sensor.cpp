#include "mechanics/sensor.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "mechanics/mechanism.hpp"

namespace cosimo {

namespace {

using Kind = Sensor::Kind;
using What = Measured::What;

double part(const Vec3& vector, const std::optional<Vec3>& direction) {
  return direction ? direction->dot(vector) : vector.norm();
}

Vec3 acceleration_of(const Frame& centre, const Vec6& alpha, const Marker& marker) {
  const Vec3 arm = centre.R * marker.point;
  return alpha.head<3>() + alpha.tail<3>().cross(arm) + centre.w.cross(centre.w.cross(arm));
}

class Reader {
 public:
  Reader(const Mechanism& mechanism, const SensorView& at, std::span<double> arguments)
      : mechanism_(mechanism), at_(at), arguments_(arguments) {}

  double read(const Sensor& s, std::span<const double> before) {
    switch (s.kind) {
      case Kind::distance:
        return (marker_at(at_.centres, s.to).r - marker_at(at_.centres, s.from).r).norm();
      case Kind::position:
        return part(marker_at(at_.centres, s.to).r, s.direction);
      case Kind::joint_value:
        return at_.joints[*s.coordinate].value;
      case Kind::joint_rate:
        return at_.joints[*s.coordinate].rate;
      case Kind::speed:
        return part(marker_at(at_.centres, s.to).v, s.direction);
      case Kind::acceleration: {
        const std::size_t body = s.to.body.index();
        return part(acceleration_of(at_.centres[body], at_.accelerations[body], s.to), s.direction);
      }
      case Kind::force:
      case Kind::torque:
        return load(s, s.kind == Kind::torque);
      case Kind::power:
        return power(s);
      case Kind::formula:
        return formula(s, before);
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

 private:
  Vec3 load_vector(const Sensor& s, bool torque) const {
    if (s.readings) {
      const Vec3 told = Eigen::Map<const Vec3>(at_.readings.data() + s.readings->first);
      return s.opposite ? Vec3(-told) : told;
    }
    if (s.element) {
      const Effort& effort = at_.efforts[*s.element];
      return torque ? effort.torque_to : Vec3(-effort.force);
    }
    const double* const row = at_.reactions.data() + 6 * *s.constraint + (torque ? 3 : 0);
    return {row[0], row[1], row[2]};
  }
  double load(const Sensor& s, bool torque) const {
    if (s.readings && s.readings->last == s.readings->first + 1) return at_.readings[s.readings->first];
    const Vec3 vector = load_vector(s, torque);
    return s.coordinate && !s.direction ? axis(s).dot(vector) : part(vector, s.direction);
  }
  Vec3 axis(const Sensor& s) const {
    const JointCoordinate& joint = mechanism_.joint_coordinates[*s.coordinate];
    // What acts on the last body of a joint to the ground acts on `from`.
    const double sign = joint.to.body == ground && s.constraint ? -1 : 1;
    return sign * marker_at(at_.centres, joint.from).R.col(2);
  }
  double power(const Sensor& s) const {
    if (s.element) {
      const ForceElement& element = *mechanism_.elements[*s.element];
      const Effort& effort = at_.efforts[*s.element];
      const Frame from = marker_at(at_.centres, element.at_from), to = marker_at(at_.centres, element.at_to);
      return effort.force.dot(from.v - to.v) + effort.torque_from.dot(from.w) + effort.torque_to.dot(to.w);
    }
    const bool turns = mechanism_.joint_coordinates[*s.coordinate].along == Along::angle;
    return axis(s).dot(load_vector(s, turns)) * at_.joints[*s.coordinate].rate;
  }

  double known(const Measured& m, std::span<const double> before) const {
    if (m.what == What::sensor) return before[m.number];
    if (m.what == What::joint_value) return at_.joints[m.number].value;
    if (m.what == What::joint_rate) return at_.joints[m.number].rate;
    const Frame& centre = at_.centres[m.body.index()];
    const bool rate = m.what == What::coordinate_rate;
    if (m.component == 3) return rate ? centre.w.z() : centre.turned;
    const Vec3 arm = centre.R * mechanism_.bodies[m.body.index()].reference;
    const Vec3 place = rate ? Vec3(centre.v + centre.w.cross(arm)) : Vec3(centre.r + arm);
    return place[static_cast<Eigen::Index>(m.component)];
  }
  double formula(const Sensor& s, std::span<const double> before) {
    arguments_[0] = at_.t;
    for (std::size_t k = 0; k < s.known.size(); ++k) arguments_[k + 1] = known(s.known[k], before);
    return (*s.formula)(arguments_.first(s.known.size() + 1));
  }

  const Mechanism& mechanism_;
  const SensorView& at_;
  std::span<double> arguments_;
};

void look(const Mechanism& mechanism, std::size_t sensor, std::set<BodyId>& bodies,
          std::set<std::size_t>& coordinates) {
  const auto body = [&](const Marker& marker) {
    if (marker.body != ground) bodies.insert(marker.body);
  };
  const auto joint = [&](std::size_t number) {
    coordinates.insert(number);
    body(mechanism.joint_coordinates[number].from);
    body(mechanism.joint_coordinates[number].to);
  };
  const Sensor& s = mechanism.sensors[sensor];
  if (s.kind == Kind::distance) body(s.from);
  if (s.kind == Kind::distance || s.kind == Kind::position || s.kind == Kind::speed) body(s.to);
  if (s.coordinate) joint(*s.coordinate);
  for (const Measured& m : s.known) {
    if (m.what == What::sensor)
      look(mechanism, m.number, bodies, coordinates);
    else if (m.what == What::joint_value || m.what == What::joint_rate)
      joint(m.number);
    else
      bodies.insert(m.body);
  }
}

}  // namespace

SensorReadings::SensorReadings(const Mechanism& mechanism)
    : mechanism_(mechanism), values_(mechanism.sensors.size()), wanted_(values_.size(), true) {
  std::size_t most = 0;
  for (const Sensor& sensor : mechanism.sensors) {
    most = std::max(most, sensor.known.size());
    accelerated_ = accelerated_ || sensor.kind == Kind::acceleration;
  }
  arguments_.resize(most + 1);
}

SensorReadings::SensorReadings(const Mechanism& mechanism, std::span<const std::size_t> wanted)
    : SensorReadings(mechanism) {
  wanted_.assign(wanted_.size(), false);
  for (const std::size_t sensor : wanted) want(sensor);
}

void SensorReadings::want(std::size_t sensor) {
  wanted_[sensor] = true;
  for (const Measured& m : mechanism_.sensors[sensor].known)
    if (m.what == What::sensor) want(m.number);
}

/// A formula knows only what is before it.
void SensorReadings::evaluate(const SensorView& at) {
  Reader reader(mechanism_, at, arguments_);
  for (std::size_t k = 0; k < values_.size(); ++k)
    if (wanted_[k]) values_[k] = reader.read(mechanism_.sensors[k], values_);
}

bool follows_from_state(std::span<const Sensor> sensors, std::size_t sensor) {
  const Sensor& s = sensors[sensor];
  if (s.kind == Kind::acceleration || s.kind == Kind::force || s.kind == Kind::torque ||
      s.kind == Kind::power)
    return false;
  return std::ranges::all_of(s.known, [&](const Measured& m) {
    return m.what != What::sensor || follows_from_state(sensors, m.number);
  });
}

Looked looked_at(const Mechanism& mechanism, std::span<const std::size_t> sensors) {
  std::set<BodyId> bodies;
  std::set<std::size_t> coordinates;
  for (const std::size_t sensor : sensors) look(mechanism, sensor, bodies, coordinates);
  return {{bodies.begin(), bodies.end()}, {coordinates.begin(), coordinates.end()}};
}

}  // namespace cosimo
