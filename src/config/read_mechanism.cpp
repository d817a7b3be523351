// `model:` with bodies, joints and elements. Keys that are absent have the defaults of the structs.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "config/contacts.hpp"
#include "config/joint_springs.hpp"
#include "config/read.hpp"
#include "config/read_values.hpp"
#include "config/sensors.hpp"
#include "config/tyres.hpp"

namespace cosimo::config {

namespace {

using Kind = Form::Kind;
using Numbers = std::unordered_map<std::string_view, std::int32_t>;

void take(const Value& value, std::string_view name, double& member) {
  if (const Value* found = value.find(name)) member = found->number;
}

void take(const Value& value, std::string_view name, std::optional<double>& member) {
  if (const Value* found = value.find(name)) member = found->number;
}

void take(const Value& value, std::string_view name, std::vector<double>& member) {
  if (const Value* found = value.find(name)) member = found->numbers;
}

Vector vector_of(const Value& value) {
  Vector out{};
  if (value.is(Kind::number)) out[0] = value.number;
  std::copy(value.numbers.begin(), value.numbers.end(), out.begin());
  return out;
}

void take(const Value& value, std::string_view name, Vector& member) {
  if (const Value* found = value.find(name)) member = vector_of(*found);
}

void take(const Value& value, std::string_view name, std::optional<Vector>& member) {
  if (const Value* found = value.find(name)) member = vector_of(*found);
}

using Quaternion = std::array<double, 4>;

Quaternion about(const Vector& axis, double angle) {
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  const double s = std::sin(0.5 * angle) / length;
  return {std::cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
}

/// Hamilton's product: first b, then a, about fixed axes.
Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Quaternion normalised(Quaternion q) {
  // Divided by the largest entry first, so that no square overflows.
  double largest = 0;
  for (const double x : q) largest = std::max(largest, std::abs(x));
  double square = 0;
  for (double& x : q) {
    x /= largest;
    square += x * x;
  }
  for (double& x : q) x /= std::sqrt(square);
  return q;
}

Body read_body(const Value& entry, const ShapeMasses& shapes) {
  Body body;
  body.name = word(entry, "name");
  body.kind = chosen<BodyKind>(entry, "kind");
  if (body.kind == BodyKind::planar) body.dimensions = 2;
  if (const Value* dimensions = entry.find("dimensions")) body.dimensions = dimensions->integer;
  take(entry, "mass", body.mass);
  if (const Value* inertia = entry.find("inertia")) {
    if (inertia->is(Kind::number)) body.inertia[2] = inertia->number;
    std::copy(inertia->numbers.begin(), inertia->numbers.end(), body.inertia.begin());
  }
  take(entry, "center", body.center);
  if (entry.find("shape") != nullptr) {
    const ShapeMass& shape = shapes.at(body.name);
    body.mass = shape.mass;
    body.inertia = shape.inertia;
    body.shape = shape.outline;
    for (std::size_t i = 0; i < 3; ++i) body.center[i] += shape.center[i];
  }
  if (entry.find("look") != nullptr) {
    auto look = std::make_shared<SolidShape>(*shapes.at(body.name).look);
    look->centroid = body.center;
    body.shape = std::move(look);
  }
  take(entry, "position", body.position);
  if (const Value* orientation = entry.find("orientation")) body.orientation = read_orientation(*orientation);
  take(entry, "angle", body.angle);
  take(entry, "velocity", body.velocity);
  body.velocity_given = entry.find("velocity") != nullptr;
  body.angular_velocity_given = entry.find("angular_velocity") != nullptr;
  if (const Value* rate = entry.find("angular_velocity")) {
    body.angular_velocity = rate->is(Kind::number) ? Vector{0, 0, rate->number} : vector_of(*rate);
  }
  body.place = place_of(entry);
  return body;
}

std::int32_t body_number(const Value& entry, std::string_view key, const Numbers& bodies) {
  const Value* name = entry.find(key);
  return name == nullptr || name->word == "ground" ? on_ground : bodies.at(name->word);
}

/// Ends and points, the same for joints and elements.
template <class Connection>
void read_ends(const Value& entry, const Numbers& bodies, Connection& out) {
  out.name = word(entry, "name");
  take_choice(entry, "kind", out.kind);
  out.from = body_number(entry, "from", bodies);
  out.to = body_number(entry, "to", bodies);
  take(entry, "at", out.at);
  take(entry, "at_from", out.at_from);
  take(entry, "at_to", out.at_to);
  take(entry, "axis", out.axis);
  take(entry, "breakpoints", out.breakpoints);
  if (const Value* length = entry.find("length")) out.length = length->number;
  out.place = place_of(entry);
}

JointStart read_start(const Value& value, JointKind kind) {
  JointStart start;
  take(value, "angle", start.angle);
  take(value, "displacement", start.displacement);
  take(value, "speed", start.speed);
  take(value, "angular_speed", start.angular_speed);
  if (kind == JointKind::revolute) std::swap(start.speed, start.angular_speed);
  return start;
}

Joint read_joint(const Value& entry, const Numbers& bodies, const Numbers& joints) {
  Joint joint;
  read_ends(entry, bodies, joint);
  take(entry, "second_axis", joint.second_axis);
  if (const Value* compliant = entry.find("compliant")) joint.compliant = read_compliance(*compliant);
  if (const Value* driven = entry.find("joint")) joint.joint = joints.at(driven->word);
  for (const auto& [name, integrals] :
       {std::pair{"angle", 0}, {"displacement", 0}, {"speed", 1}, {"acceleration", 2}}) {
    if (const Value* motion = entry.find(name)) {
      joint.motion = motion->word;
      joint.motion_integrals = integrals;
    }
  }
  if (const Value* start = entry.find("start"); start != nullptr && start->is(Kind::section))
    joint.start = read_start(*start, joint.kind);
  else
    take(entry, "start", joint.motion_start);
  take(entry, "start_speed", joint.motion_rate);
  if (const Value* tied = entry.find("joints")) {
    for (std::size_t i = 0; i < 2; ++i) {
      joint.joints[i] = joints.at(tied->items[i].word);
      joint.teeth[i] = at(entry, "teeth").items[i].integer;
    }
  }
  return joint;
}

void read_law(const Value& entry, Element& element) {
  take(entry, "c", element.c);
  take(entry, "d", element.d);
  take(entry, "C", element.C);
  take(entry, "D", element.D);
  take(entry, "ex", element.ex);
  take(entry, "ev", element.ev);
  take(entry, "angle", element.angle);
  if (const Value* rope = entry.find("tension_only")) element.tension_only = rope->boolean;
  if (const Value* damping = entry.find("damping"))
    element.vector_damping = damping->word == word_of(Damping::vector);
}

void read_six(const Value* value, std::array<double, 6>& out) {
  if (value == nullptr) return;
  if (value->is(Kind::number)) std::fill(out.begin(), out.begin() + 3, value->number);
  std::copy(value->numbers.begin(), value->numbers.end(), out.begin());
}

void read_contact(const Value& entry, const Numbers& bodies, Element& element) {
  element.to = body_number(entry, "body", bodies);
  take(entry, "at_body", element.at_to);
  take(entry, "radius", element.radius);
  take(entry, "stiffness", element.contact_stiffness);
  take(entry, "damping", element.contact_damping);
  take(entry, "exponent", element.exponent);
  take(entry, "friction", element.friction);
  take(entry, "slip", element.slip);
  read_road(entry, element.road_height, element.waves);
}

void read_applied(const Value& entry, Element& element) {
  const std::vector<std::string> known = references_of(entry);
  if (const Value* force = entry.find("force")) {
    for (std::size_t i = 0; i < force->items.size(); ++i)
      element.force[i] = with_brackets(force->items[i].word, known);
  }
  if (const Value* torque = entry.find("torque")) {
    const bool about_z = torque->items.size() == 1;
    for (std::size_t i = 0; i < torque->items.size(); ++i)
      element.torque[about_z ? 2 : i] = with_brackets(torque->items[i].word, known);
  }
}

/// Laws of one number.
void read_measured(const Value& entry, Element& element) {
  take_choice(entry, "measure", element.measure);
  take(entry, "d", element.d);
  take(entry, "stiffness", element.law_stiffness);
  take(entry, "damping", element.law_damping);
  take(entry, "exponent", element.exponent);
  take(entry, "limit", element.limit);
  take(entry, "sliding", element.sliding);
  take(entry, "stribeck", element.stribeck);
  take(entry, "stribeck_exponent", element.stribeck_exponent);
  take(entry, "restitution", element.restitution);
  take(entry, "lower", element.lower);
  take(entry, "upper", element.upper);
  take(entry, "gap", element.gap);
  const Value* points = entry.find("points");
  for (std::size_t i = 0; points != nullptr && i < points->items.size(); ++i)
    element.points.push_back({points->items[i].numbers[0], points->items[i].numbers[1]});
}

std::optional<std::array<double, 2>> pair_of(const Value* value) {
  if (value == nullptr) return std::nullopt;
  return std::array{value->numbers[0], value->numbers[1]};
}

void read_cylinder(const Value& entry, Element& element) {
  Cylinder out;
  out.area = *pair_of(entry.find("areas"));
  out.dead = pair_of(entry.find("dead"));
  out.pressures = pair_of(entry.find("pressures"));
  out.command = word(entry, "command");
  take(entry, "retracted", out.retracted);
  take(entry, "stroke", out.stroke);
  take(entry, "bulk", out.bulk);
  take(entry, "leakage", out.leakage);
  take(entry, "supply", out.supply);
  take(entry, "tank", out.tank);
  take(entry, "flow", out.flow);
  take(entry, "drop", out.drop);
  take(entry, "stop_stiffness", out.stop_stiffness);
  take(entry, "stop_damping", out.stop_damping);
  take(entry, "d", element.d);
  element.cylinder = std::make_shared<const Cylinder>(std::move(out));
}

/// The wheels are what the joints carry.
void read_gear_mesh(const Value& entry, const std::vector<Joint>& joints, const Numbers& numbers,
                    Element& element) {
  if (element.kind != ElementKind::gear_mesh) return;
  for (std::size_t i = 0; i < 2; ++i) {
    element.joints[i] = numbers.at(at(entry, "joints").items[i].word);
    element.teeth[i] = at(entry, "teeth").items[i].integer;
    const Joint& joint = joints[static_cast<std::size_t>(element.joints[i])];
    (i == 0 ? element.from : element.to) = joint.to == on_ground ? joint.from : joint.to;
  }
}

Rope read_rope(const Value& entry, const Numbers& bodies) {
  Rope rope;
  rope.name = word(entry, "name");
  rope.place = place_of(entry);
  for (const Value& given : at(entry, "path").items) {
    RopeStation& station = rope.path.emplace_back();
    station.body = body_number(given, "body", bodies);
    take(given, "at", station.at);
    take(given, "at_body", station.at_body);
    take(given, "axis", station.axis);
    take(given, "radius", station.radius);
    if (const Value* turns = given.find("turns")) station.turns = turns->integer;
    if (const Value* friction = given.find("friction")) station.friction = friction->number;
    if (given.find("around") != nullptr)
      station.sense = chosen<Around>(given, "around") == Around::counterclockwise ? 1 : -1;
  }
  if (const Value* closed = entry.find("closed")) rope.closed = closed->boolean;
  for (std::size_t k = 0; k < rope.path.size(); ++k) {
    const bool passes = rope.closed || (k > 0 && k + 1 < rope.path.size());
    RopeStation& station = rope.path[k];
    if (passes && station.radius == 0 && !station.friction) station.friction = 0;  // an eyelet
  }
  take(entry, "stiffness", rope.stiffness);
  take(entry, "damping", rope.damping);
  take(entry, "tension", rope.tension);
  take(entry, "length", rope.length);
  take(entry, "breakpoints", rope.breakpoints);
  if (const Value* fed = entry.find("pay_out")) rope.pay_out = fed->word;
  return rope;
}

/// In a joint: its bodies, and its one coordinate.
void read_in_joint(const Value& entry, const std::vector<Joint>& joints, const Numbers& numbers,
                   Element& element) {
  const Value* name = entry.find("joint");
  if (name == nullptr) return;
  element.joint = numbers.at(name->word);
  const Joint& joint = joints[static_cast<std::size_t>(element.joint)];
  element.from = joint.from;
  element.to = joint.to;
  element.axis = joint.axis;
  if (entry.find("measure") == nullptr)
    element.measure = joint.kind == JointKind::prismatic ? Measure::displacement : Measure::angle;
}

Element read_element(const Value& entry, const Numbers& bodies) {
  Element element;
  read_ends(entry, bodies, element);
  switch (element.kind) {
    case ElementKind::spring:
    case ElementKind::torsion:
      read_law(entry, element);
      break;
    case ElementKind::contact:
      read_contact(entry, bodies, element);
      break;
    case ElementKind::tyre:
      read_contact(entry, bodies, element);
      element.tyre = read_tyre(entry);
      break;
    case ElementKind::friction:
    case ElementKind::stop:
    case ElementKind::table:
      read_measured(entry, element);
      break;
    case ElementKind::gear_mesh:
      take(entry, "stiffness", element.law_stiffness);
      take(entry, "damping", element.law_damping);
      take(entry, "gap", element.gap);
      break;
    case ElementKind::cylinder:
      read_cylinder(entry, element);
      break;
    case ElementKind::law:
      take_choice(entry, "measure", element.measure);
      element.law = with_brackets(word(entry, "force"), references_of(entry));
      break;
    case ElementKind::applied:
      read_applied(entry, element);
      break;
    case ElementKind::bushing:
      read_six(entry.find("stiffness"), element.stiffness);
      read_six(entry.find("damping"), element.damping);
      if (const Value* axes = entry.find("axes")) element.axes = read_orientation(*axes);
      break;
    case ElementKind::user:
      if (entry.find("library") != nullptr) element.library = word(entry, "library");
      element.function = word(entry, "function");
      take(entry, "values", element.values);
      break;
  }
  return element;
}

Sensor read_sensor(const Value& entry, const Numbers& bodies, const Numbers& joints) {
  Sensor sensor;
  sensor.name = word(entry, "name");
  take_choice(entry, "kind", sensor.kind);
  sensor.from = body_number(entry, "from", bodies);
  sensor.to = body_number(entry, entry.find("body") != nullptr ? "body" : "to", bodies);
  take(entry, "at_from", sensor.at_from);
  take(entry, entry.find("at_body") != nullptr ? "at_body" : "at_to", sensor.at_to);
  take(entry, "direction", sensor.direction);
  take_choice(entry, "measure", sensor.measure);
  if (const Value* joint = entry.find("joint")) sensor.joint = joints.at(joint->word);
  if (const Value* formula = entry.find("formula")) sensor.formula = formula->word;
  if (const Value* of = entry.find("of")) {
    sensor.of = of->word;
    for (const Value& reference : of->items) sensor.known.push_back(reference.word);
  }
  sensor.place = place_of(entry);
  return sensor;
}

/// The axis of an angle where none is given: that of the joint about which the bodies turn.
void find_axis(const std::vector<Joint>& joints, Element& element) {
  for (const Joint& joint : joints) {
    const bool hinge = joint.kind == JointKind::revolute || joint.kind == JointKind::cylindrical;
    if (hinge && std::minmax(joint.from, joint.to) == std::minmax(element.from, element.to)) {
      element.axis = joint.axis;
      return;
    }
  }
}

Numbers numbered(const Value* entries) {
  Numbers numbers;
  std::int32_t next = 0;
  if (entries == nullptr) return numbers;
  for (const Value& entry : entries->items) numbers.emplace(word(entry, "name"), next++);
  return numbers;
}

}  // namespace

Quaternion read_orientation(const Value& value) {
  if (const Value* given = value.find("quaternion")) {
    const std::vector<double>& n = given->numbers;
    return normalised({n[0], n[1], n[2], n[3]});
  }
  if (const Value* euler = value.find("euler")) {
    const std::vector<double>& n = euler->numbers;
    return normalised(
        product(product(about({0, 0, 1}, n[0]), about({0, 1, 0}, n[1])), about({1, 0, 0}, n[2])));
  }
  return normalised(about(vector_of(at(value, "axis")), number(value, "angle")));
}

Compliance read_compliance(const Value& value) {
  Compliance compliance;
  take(value, "stiffness", compliance.stiffness);
  take(value, "damping", compliance.damping);
  take(value, "rotational_stiffness", compliance.rotational_stiffness);
  take(value, "rotational_damping", compliance.rotational_damping);
  return compliance;
}

Mechanism read_mechanism(const Value& model, const ShapeMasses& shapes) {
  Mechanism mechanism;
  take(model, "gravity", mechanism.gravity);
  const Value& bodies = at(model, "bodies");
  const Value* joints = model.find("joints");
  const Numbers body_numbers = numbered(&bodies);
  const Numbers joint_numbers = numbered(joints);
  mechanism.bodies.reserve(bodies.items.size());
  for (const Value& entry : bodies.items) mechanism.bodies.push_back(read_body(entry, shapes));
  if (joints != nullptr) {
    for (const Value& entry : joints->items)
      mechanism.joints.push_back(read_joint(entry, body_numbers, joint_numbers));
  }
  if (const Value* elements = model.find("elements")) {
    for (const Value& entry : elements->items) {
      mechanism.elements.push_back(read_element(entry, body_numbers));
      Element& element = mechanism.elements.back();
      read_in_joint(entry, mechanism.joints, joint_numbers, element);
      read_gear_mesh(entry, mechanism.joints, joint_numbers, element);
      if (element.kind == ElementKind::applied && entry.find("axis") == nullptr)
        find_axis(mechanism.joints, element);
    }
  }
  if (joints != nullptr) read_joint_springs(*joints, mechanism);
  read_contacts(model, shapes, mechanism);
  if (const Value* ropes = model.find("ropes"))
    for (const Value& entry : ropes->items) mechanism.ropes.push_back(read_rope(entry, body_numbers));
  if (const Value* sensors = model.find("sensors"))
    for (const Value& entry : sensors->items)
      mechanism.sensors.push_back(read_sensor(entry, body_numbers, joint_numbers));
  return mechanism;
}

}  // namespace cosimo::config
