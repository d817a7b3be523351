#include "multibody/mechanism_translate.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "config/sensors.hpp"
#include "core/check.hpp"
#include "core/error.hpp"
#include "mechanics/cylinder_element.hpp"
#include "mechanics/gear_mesh_element.hpp"
#include "mechanics/law_element.hpp"
#include "mechanics/prescribed_motion.hpp"
#include "mechanics/pull_spring_element.hpp"
#include "mechanics/rope.hpp"
#include "mechanics/sensed_force.hpp"
#include "mechanics/slide_spring_element.hpp"
#include "multibody/config_values.hpp"
#include "multibody/joint_start.hpp"
#include "multibody/place_contacts.hpp"
#include "multibody/place_tyre.hpp"
#include "multibody/sensor_translate.hpp"
#include "numerics/expression.hpp"

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
        if (fault.field == "model.joints." + joint.name) put_place(joint.place, fault);
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
      if (!follows_sensors(element)) add(element);
    for (const config::Rope& rope : model_.ropes) add(rope);
    for (const config::Joint& joint : model_.joints) {
      if (joint.compliant) builder_.add(compliant(joint));
      if (joins_markers(joint.kind))
        builder_.show(joint.name, joint_kind(joint.kind), sides(joint),
                      joint.start.value_or(config::JointStart{}).angle);
    }
    for (const config::Joint& joint : model_.joints) {
      if (!joint.compliant) builder_.add(constraint(joint));
    }
    for (auto& group : place_contacts(scenario_)) builder_.add(std::move(group));
    for (const config::Joint& joint : model_.joints)
      if (held && joint.start) hold(joint);
    if (!held) add_sensors();
    return builder_.finish();
  }

  /// And the forces that follow them.
  void add_sensors() {
    const auto marker = [&](std::int32_t body, const std::optional<config::Vector>& point) {
      return builder_.marker(id(body), in_space(body, vec(point.value_or(config::Vector{}))));
    };
    std::vector<Sensor> sensors;
    for (const config::Sensor& sensor : model_.sensors)
      sensors.push_back(make_sensor(sensor, model_, builder_.made(),
                                    {marker(sensor.from, sensor.at_from), marker(sensor.to, sensor.at_to)},
                                    scenario_.curves, sensors));
    for (const config::Element& element : model_.elements)
      if (follows_sensors(element)) add_sensed(element, sensors);
    for (std::size_t k = 0; k < sensors.size(); ++k) {
      find_readings(model_.sensors[k], builder_.made(), sensors[k]);
      builder_.add(std::move(sensors[k]));
    }
  }

  static bool follows_sensors(const config::Element& e) {
    return config::has_brackets(e.law) || std::ranges::any_of(e.force, config::has_brackets) ||
           std::ranges::any_of(e.torque, config::has_brackets);
  }

  void add_sensed(const config::Element& e, std::span<const Sensor> sensors) {
    const Mechanism& made = builder_.made();
    std::vector<std::string> names;
    config::Element numbered = e;
    numbered.law = config::with_numbers(e.law, names);
    for (auto* formulas : {&numbered.force, &numbered.torque})
      for (std::string& formula : *formulas) formula = config::with_numbers(formula, names);
    std::vector<Measured> known;
    for (const std::string& name : names) known.push_back(measured(name, made, sensors));
    const auto [from, to] = ends(e);
    SensedNumbers numbers({sensors, made.joint_coordinates, made.bodies, scenario_.curves}, known);
    builder_.add(e.kind == config::ElementKind::law
                     ? make_sensed_law(e.name, from, to, law(numbered), std::move(numbers))
                     : make_sensed_applied(e.name, from, to, applied(numbered), std::move(numbers)));
  }

  LawSpec law(const config::Element& e) const {
    return {along(e.measure), e.law, e.breakpoints, scenario_.curves,
            e.measure == config::Measure::angle && turns_in_space(e)};
  }
  AppliedSpec applied(const config::Element& e) const {
    return {e.force, e.torque, e.breakpoints, scenario_.curves, turns_in_space(e)};
  }

  void hold(const config::Joint& joint) {
    using Kind = config::JointKind;
    const auto add = [&](JointKind kind, double value, double rate) {
      const std::vector<std::string> time{"t"};
      const Expression motion(fmt::format("{:.17g} + {:.17g}*t", value, rate), time);
      builder_.add(make_motor(joint.name, kind, sides(joint), motion, {}));
    };
    if (joint.kind != Kind::prismatic)
      add(JointKind::revolute, joint.start->angle, joint.start->angular_speed);
    if (joint.kind != Kind::revolute)
      add(JointKind::prismatic, joint.start->displacement, joint.start->speed);
  }

  /// Where two ends are, in space as placed.
  struct Points {
    Vec3 from, to;
  };

  static BodyId id(std::int32_t number) { return BodyId(number); }

  BodyKind kind(std::int32_t number) const {
    if (number == config::on_ground) return BodyKind::rigid;
    return body_kind(model_.bodies[static_cast<std::size_t>(number)]);
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

  /// A point that is given in a body's reference axes, in space.
  Vec3 in_space(std::int32_t number, const Vec3& point) const {
    if (number == config::on_ground) return point;
    const Frame& frame = builder_.frame(id(number));
    return frame.r + frame.R * (point - vec(model_.bodies[static_cast<std::size_t>(number)].center));
  }

  /// `shared`: an end whose point is not given is where the other one is; else at the reference point.
  template <class Connection>
  Points points(const Connection& c, bool shared) const {
    if (c.at) return {vec(*c.at), vec(*c.at)};
    const auto place = [&](std::int32_t body, const std::optional<config::Vector>& own, std::int32_t far,
                           const std::optional<config::Vector>& other) {
      if (own) return in_space(body, vec(*own));
      if (shared && other) return in_space(far, vec(*other));
      return in_space(body, Vec3::Zero());
    };
    return {place(c.from, c.at_from, c.to, c.at_to), place(c.to, c.at_to, c.from, c.at_from)};
  }

  JointSides sides(const config::Joint& joint) const {
    const Points p = points(joint, joint.kind != config::JointKind::distance);
    const Mat3 axes = joint_axes(joint);
    return {builder_.marker(id(joint.from), p.from, axes), builder_.marker(id(joint.to), p.to, axes),
            kind(joint.from), kind(joint.to)};
  }

  double length(const config::Joint& joint) const {
    const Points p = points(joint, false);
    return joint.length.value_or((p.to - p.from).norm());
  }

  PrescribedMotion integrated_motion(const config::Joint& motor, const Expression& formula) const {
    try {
      return {formula,
              motor.breakpoints,
              {motor.motion_integrals, motor.motion_start, motor.motion_rate},
              scenario_.simulate.end};
    } catch (const Error& error) {
      Fault fault = error.faults().front();
      fault.field = motor.name;
      throw Error(std::move(fault));
    }
  }

  std::unique_ptr<Constraint> constraint(const config::Joint& joint) const {
    if (joint.kind == config::JointKind::distance)
      return make_distance(joint.name, sides(joint), length(joint));
    if (joint.kind == config::JointKind::motor) {
      const config::Joint& driven = model_.joints[static_cast<std::size_t>(joint.joint)];
      const std::vector<std::string> variables{"t"};
      const Expression formula(joint.motion, variables, scenario_.curves);
      if (joint.motion_integrals == 0)
        return make_motor(joint.name, joint_kind(driven.kind), sides(driven), formula, joint.breakpoints);
      return make_motor(joint.name, joint_kind(driven.kind), sides(driven),
                        integrated_motion(joint, formula));
    }
    if (joint.kind == config::JointKind::gear) {
      const auto tied = [&](std::size_t i) -> const config::Joint& {
        return model_.joints[static_cast<std::size_t>(joint.joints[i])];
      };
      const auto start = [&](std::int32_t body) { return builder_.frame(id(body)); };
      return make_gear(joint.name, sides(tied(0)), sides(tied(1)),
                       {static_cast<int>(joint.teeth[0]), static_cast<int>(joint.teeth[1])},
                       {start(tied(0).from), start(tied(0).to), start(tied(1).from), start(tied(1).to)});
    }
    return make_joint(joint.name, joint_kind(joint.kind), sides(joint));
  }

  std::unique_ptr<ForceElement> compliant(const config::Joint& joint) const {
    const JointSides s = sides(joint);
    if (joint.kind != config::JointKind::distance)
      return make_compliant_joint(joint.name, joint_kind(joint.kind), s.from, s.to,
                                  compliance(*joint.compliant));
    SpringSpec spec;
    spec.law.c = joint.compliant->stiffness;
    spec.law.d = joint.compliant->damping;
    spec.length = length(joint);
    return make_spring(joint.name, s.from, s.to, spec);
  }

  void add(const config::Element& e) {
    if (e.kind == config::ElementKind::gear_mesh) return add_gear_mesh(e);
    const auto [from, to] = ends(e);
    add(e, points(e, false), from, to);
  }

  struct ElementEnds {
    Marker from, to;
  };
  ElementEnds ends(const config::Element& e) const {
    const Points p = points(e, false);
    using Kind = config::ElementKind;
    const bool about_axis = e.kind == Kind::torsion || e.kind == Kind::applied || e.kind == Kind::table ||
                            e.kind == Kind::law || e.kind == Kind::friction || e.kind == Kind::stop;
    const Mat3 axes = about_axis                ? axes_along(vec(e.axis))
                      : e.kind == Kind::bushing ? rotation(e.axes)
                                                : Mat3(Mat3::Identity());
    if (e.joint >= 0) {
      const JointSides joint = sides(model_.joints[static_cast<std::size_t>(e.joint)]);
      return {joint.from, joint.to};
    }
    return {builder_.marker(id(e.from), p.from, axes), builder_.marker(id(e.to), p.to, axes)};
  }

  void add(const config::Element& e, const Points& p, const Marker& from, const Marker& to) {
    using Kind = config::ElementKind;
    const PowerLaw law{e.c, e.d, e.C, e.D, e.ex, e.ev};
    switch (e.kind) {
      case Kind::spring: {
        const double unstretched = e.length.value_or((p.to - p.from).norm());
        if (e.tension_only) return builder_.add(make_pull_spring(e.name, from, to, law, unstretched));
        return builder_.add(make_spring(e.name, from, to, {law, unstretched, e.vector_damping}));
      }
      case Kind::torsion:
        if (e.measure == config::Measure::displacement)
          return builder_.add(make_slide_spring(e.name, from, to, law, e.angle));
        return builder_.add(make_torsion(e.name, from, to, {law, e.angle, turns_in_space(e)}));
      case Kind::bushing:
        return builder_.add(make_bushing(e.name, from, to, bushing(e)));
      case Kind::contact:
        return builder_.add(make_contact(e.name, to, contact(e)));
      case Kind::table:
        return builder_.add(make_table(e.name, from, to, table(e)));
      case Kind::law:
        return builder_.add(make_law(e.name, from, to, this->law(e)));
      case Kind::friction:
        return builder_.add(make_friction(e.name, from, to, friction(e)));
      case Kind::stop:
        return builder_.add(make_stop(e.name, from, to, stop(e, from, to)));
      case Kind::cylinder:
        return builder_.add(make_cylinder(e.name, from, to, cylinder(e, from, to)));
      case Kind::tyre:
        return builder_.add(place_tyre(scenario_, e, p.to, builder_));
      case Kind::gear_mesh:
        break;  // its joints say where it is
      case Kind::applied:
        return builder_.add(make_applied(e.name, from, to, applied(e)));
      case Kind::user:
        return builder_.add(user(e, from, to));
    }
  }

  /// The teeth divide the distance of the axes.
  void add_gear_mesh(const config::Element& e) {
    const config::Joint& first = model_.joints[static_cast<std::size_t>(e.joints[0])];
    const Mat3 axes = axes_along(vec(first.axis));
    const std::array<std::int32_t, 2> wheels{e.from, e.to};
    std::array<Marker, 2> centre;
    for (std::size_t i = 0; i < 2; ++i) {
      const config::Joint& joint = model_.joints[static_cast<std::size_t>(e.joints[i])];
      const Points p = points(joint, true);
      centre[i] = builder_.marker(id(wheels[i]), joint.to == config::on_ground ? p.from : p.to, axes);
    }
    const Frame from = marker_frame(builder_.frame(id(e.from)), centre[0]),
                to = marker_frame(builder_.frame(id(e.to)), centre[1]);
    const Vec3 d = to.r - from.r, across = d - axes.col(2).dot(d) * axes.col(2);
    const auto z1 = static_cast<double>(e.teeth[0]), z2 = static_cast<double>(e.teeth[1]);
    if (e.from == e.to || !(across.norm() > 1e-9 * (from.r.norm() + to.r.norm())))
      throw Error(located(e.place, "model.elements." + e.name + ".joints",
                          {.problem = e.from == e.to ? "both joints carry the same wheel"
                                                     : "the axes of both wheels coincide",
                           .remedy = "name joints of two wheels whose axes lie apart"}));
    GearMeshSpec spec;
    spec.radius_from = across.norm() * z1 / (z1 + z2);
    spec.radius_to = across.norm() * z2 / (z1 + z2);
    spec.pitch = 2 * std::numbers::pi * across.norm() / std::fabs(z1 + z2);
    spec.gap = e.gap.value_or(0);
    if (!(spec.gap < spec.pitch))
      throw Error(located(e.place, "model.elements." + e.name + ".gap",
                          {.problem = "teeth are " + std::to_string(spec.pitch) +
                                      " apart along the pitch circle: with so wide a gap they never touch",
                           .remedy = "write a smaller gap, or fewer teeth"}));
    spec.stiffness = e.law_stiffness;
    spec.damping = e.law_damping.value_or(0);
    spec.centred = gear_mesh_place(spec, from, to);
    builder_.add(make_gear_mesh(e.name, centre[0], centre[1], spec));
  }

  void add(const config::Rope& given) {
    RopeSpec spec;
    for (const config::RopeStation& each : given.path) {
      const Vec3 point =
          each.at ? vec(*each.at) : in_space(each.body, vec(each.at_body.value_or(config::Vector{})));
      RopeStation& station = spec.stations.emplace_back();
      station.at = builder_.marker(id(each.body), point, axes_along(vec(each.axis)));
      station.placed = marker_frame(builder_.frame(id(each.body)), station.at);
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
    spec.curves = scenario_.curves;
    refuse_noise(given);
    try {
      builder_.add(make_rope(given.name, spec));
    } catch (const Error& error) {
      const Fault& fault = error.faults().front();
      throw Error(located(given.place, "model.ropes." + fault.field, fault));
    }
  }

  /// Lengths are known to rounding, and so are the forces of a rope to rounding times its stiffness.
  void refuse_noise(const config::Rope& rope) const {
    std::set<std::int32_t> bodies;
    for (const config::RopeStation& each : rope.path) bodies.insert(each.body);
    double force = rope.tension;
    for (const std::int32_t body : bodies)
      if (body != config::on_ground)
        force += vec(model_.gravity).norm() * model_.bodies[static_cast<std::size_t>(body)].mass;
    constexpr double rounding = std::numeric_limits<double>::epsilon(), bearable = 1e-4;
    if (force == 0 || !(rope.stiffness * rounding > bearable * force)) return;
    throw Error(located(rope.place, "model.ropes." + rope.name + ".stiffness",
                        {.value = fmt::format("{:g}", rope.stiffness),
                         .problem = fmt::format(
                             "is so large that the rounding of lengths alone makes forces of {:.2g}, where "
                             "tension and weights are {:.2g}",
                             rope.stiffness * rounding, force),
                         .remedy = fmt::format("write at most {:.0e}: a stiffer rope hangs no differently",
                                               bearable * force / rounding)}));
  }

  Fault located(const config::Place& place, std::string field, Fault fault) const {
    const auto source = static_cast<std::size_t>(place.source);
    if (source < scenario_.sources.size()) fault.file = scenario_.sources[source];
    fault.line = place.line;
    fault.column = place.column;
    fault.field = std::move(field);
    return fault;
  }

  CylinderSpec cylinder(const config::Element& e, const Marker& from, const Marker& to) const {
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
    const double length = (marker_frame(builder_.frame(id(e.to)), to).r -
                           marker_frame(builder_.frame(id(e.from)), from).r)
                              .norm(),
                 out = length - c.retracted;
    if (!(spec.dead[0] + c.area[0] * out > 0 && spec.dead[1] + c.area[1] * (c.stroke - out) > 0))
      throw Error(located(
          e.place, "model.elements." + e.name + ".retracted",
          {.problem = "its ends are " + std::to_string(length) + " apart at the start, and it is " +
                      std::to_string(c.retracted) + " to " + std::to_string(c.retracted + c.stroke) + " long",
           .remedy = "check `retracted`, `stroke` and where its ends are"}));
    spec.stop_stiffness = c.stop_stiffness.value_or(10 * c.bulk * c.area[0] / c.stroke);
    spec.stop_damping = c.stop_damping;
    spec.breakpoints = e.breakpoints;
    spec.curves = scenario_.curves;
    return spec;
  }

  static BushingSpec bushing(const config::Element& e) {
    BushingSpec spec;
    for (std::size_t i = 0; i < 6; ++i) {
      spec.law[i].c = e.stiffness[i];
      spec.law[i].d = e.damping[i];
    }
    return spec;
  }

  static Along along(config::Measure measure) {
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
  bool turns_in_space(const config::Element& e) const {
    const auto rigid = [&](std::int32_t end) {
      return end != config::on_ground && kind(end) == BodyKind::rigid;
    };
    return rigid(e.from) || rigid(e.to);
  }

  TableSpec table(const config::Element& e) const {
    TableSpec spec;
    spec.along = along(e.measure);
    spec.damping = e.d;
    spec.turns = e.measure == config::Measure::angle && turns_in_space(e);
    for (const auto& [s, force] : e.points) {
      spec.s.push_back(s);
      spec.force.push_back(force);
    }
    return spec;
  }

  FrictionSpec friction(const config::Element& e) const {
    return {along(e.measure),
            e.law_stiffness,
            e.law_damping.value_or(damping_of_sticking(e)),
            e.limit,
            e.sliding.value_or(e.limit),
            e.d,
            e.stribeck,
            e.stribeck_exponent};
  }

  /// Half of what is critical for the lighter body.
  double damping_of_sticking(const config::Element& e) const {
    double lightest = std::numeric_limits<double>::infinity();
    for (const std::int32_t end : {e.from, e.to}) {
      if (end == config::on_ground) continue;
      const config::Body& body = model_.bodies[static_cast<std::size_t>(end)];
      const auto& i = body.inertia;
      const double inertia = kind(end) == BodyKind::planar ? i[2] : (i[0] + i[1] + i[2]) / 3;
      lightest = std::min(lightest, e.measure == config::Measure::angle ? inertia : body.mass);
    }
    return std::isfinite(lightest) ? std::sqrt(e.law_stiffness * lightest) : 0;
  }

  /// A gap counts from where the bodies are placed.
  StopSpec stop(const config::Element& e, const Marker& from, const Marker& to) const {
    StopSpec spec;
    spec.along = along(e.measure);
    spec.stiffness = e.law_stiffness;
    spec.exponent = e.exponent;
    spec.damping = e.law_damping.value_or(0);
    spec.restitution = e.restitution;
    spec.turns = e.measure == config::Measure::angle && turns_in_space(e);
    spec.lower = e.lower;
    spec.upper = e.upper;
    if (e.gap)
      spec.lower = travel(spec.along, marker_frame(builder_.frame(id(e.from)), from),
                          marker_frame(builder_.frame(id(e.to)), to))
                       .s -
                   *e.gap;
    return spec;
  }

  GroundContactSpec contact(const config::Element& e) const {
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
    spec.planar = kind(e.to) == BodyKind::planar || kind(e.to) == BodyKind::point2;
    return spec;
  }

  void put_place(const config::Place& place, Fault& fault) const {
    const auto source = static_cast<std::size_t>(place.source);
    if (source < scenario_.sources.size()) fault.file = scenario_.sources[source];
    fault.line = place.line;
    fault.column = place.column;
  }

  /// Whatever is wrong with the library is reported where the file names it.
  std::unique_ptr<ForceElement> user(const config::Element& e, const Marker& from, const Marker& to) const {
    try {
      return make_user_element(e.name, from, to, {e.library, e.function, e.values});
    } catch (const Error& error) {
      std::vector<Fault> faults = error.faults();
      for (Fault& fault : faults) {
        put_place(e.place, fault);
        if (fault.field.empty()) fault.field = "model.elements." + e.name;
      }
      throw Error(std::move(faults));
    }
  }

  const config::Scenario& scenario_;
  const config::Mechanism& model_;
  MechanismBuilder builder_;
};

}  // namespace

PlacedMechanism place_mechanism(const config::Scenario& scenario) {
  COSIMO_CHECK(scenario.mechanism.has_value(), "the model is not given by its bodies");
  return Placer(scenario).place();
}

}  // namespace cosimo
