#include "multibody/mechanism_translate.hpp"

#include <Eigen/Geometry>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/error.hpp"
#include "multibody/config_values.hpp"
#include "multibody/joint_start.hpp"
#include "multibody/place_contacts.hpp"
#include "multibody/place_elements.hpp"
#include "multibody/place_joints.hpp"
#include "multibody/place_ropes.hpp"
#include "multibody/placement.hpp"
#include "multibody/sensor_translate.hpp"

namespace cosimo {

namespace {

class Placer {
 public:
  explicit Placer(const config::Scenario& scenario) : scenario_(scenario), model_(*scenario.mechanism) {}

  PlacedMechanism place() {
    PlacedMechanism placed = build(false);
    try {
      apply_start_values(model_, placed, [&] { return Placer(scenario_).build(true); });
    } catch (const Error& error) {
      Fault fault = error.faults().front();
      for (const config::Joint& joint : model_.joints)
        if (fault.field == "model.joints." + joint.name) put_place(scenario_, joint.place, fault);
      throw Error(std::move(fault));
    }
    return placed;
  }

 private:
  /// `held`: with motors that hold the start values of joints.
  PlacedMechanism build(bool held) {
    builder_.gravity(vec(model_.gravity));
    for (const NamedCurve& each : scenario_.curves) builder_.add(*each.curve);
    for (const config::Body& body : model_.bodies) add(body);
    for (const config::Element& element : model_.elements)
      if (!follows_sensors(element)) builder_.add(place_element(at_, element, builder_));
    for (const config::Rope& rope : model_.ropes) builder_.add(place_rope(at_, rope));
    for (const config::Joint& joint : model_.joints) {
      if (joint.compliant) builder_.add(place_compliant_joint(at_, joint));
      if (joins_markers(joint.kind))
        builder_.show(joint.name, joint_kind(joint.kind), at_.sides(joint),
                      joint.start.value_or(config::JointStart{}).angle);
    }
    for (const config::Joint& joint : model_.joints) {
      if (!joint.compliant) builder_.add(place_joint(at_, joint));
    }
    for (auto& group : place_contacts(scenario_)) builder_.add(std::move(group));
    for (const config::Joint& joint : model_.joints)
      if (held && joint.start)
        for (auto& motor : hold_start(at_, joint)) builder_.add(std::move(motor));
    if (!held) add_sensors();
    return builder_.finish();
  }

  /// And the forces that follow them.
  void add_sensors() {
    const auto marker = [&](std::int32_t body, const std::optional<config::Vector>& point) {
      return at_.marker(body, at_.in_space(body, vec(point.value_or(config::Vector{}))));
    };
    std::vector<Sensor> sensors;
    for (const config::Sensor& sensor : model_.sensors)
      sensors.push_back(make_sensor(sensor, model_, builder_.made(),
                                    {marker(sensor.from, sensor.at_from), marker(sensor.to, sensor.at_to)},
                                    scenario_.curves, sensors));
    for (const config::Element& element : model_.elements)
      if (follows_sensors(element)) builder_.add(place_sensed(at_, element, builder_.made(), sensors));
    for (std::size_t k = 0; k < sensors.size(); ++k) {
      find_readings(model_.sensors[k], builder_.made(), sensors[k]);
      builder_.add(std::move(sensors[k]));
    }
  }

  void add(const config::Body& given) {
    Body body;
    body.name = given.name;
    body.kind = body_kind(given);
    body.mass = given.mass;
    body.inertia = inertia_tensor(given.inertia);
    body.reference = -vec(given.center);
    body.shape = given.shape;
    Frame frame;
    frame.R = reference_axes(given);
    const Vec3 arm = frame.R * vec(given.center);
    frame.w = vec(given.angular_velocity);
    frame.r = vec(given.position) + arm;
    frame.v = vec(given.velocity) + frame.w.cross(arm);
    builder_.add(std::move(body), frame);
  }

  const config::Scenario& scenario_;
  const config::Mechanism& model_;
  MechanismBuilder builder_;
  const Placement at_{scenario_, builder_};
};

}  // namespace

PlacedMechanism place_mechanism(const config::Scenario& scenario) {
  COSIMO_CHECK(scenario.mechanism.has_value(), "the model is not given by its bodies");
  return Placer(scenario).place();
}

}  // namespace cosimo
