#include "mechanics/sensed_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/check.hpp"
#include "mechanics/along_rates.hpp"
#include "mechanics/builder.hpp"

namespace cosimo {

namespace {

using What = Measured::What;

/// Places of the frames of both ends in a row of slopes, and what is theirs of it.
struct Ends {
  Eigen::Matrix<double, 1, 12> from = Eigen::Matrix<double, 1, 12>::Zero(), to = from;
};

/// From derivatives by the displacements and velocities of both markers.
Ends ends_of(const Vec12& by_place, const Vec12& by_velocity) {
  Ends out;
  out.from << by_place.head<6>().transpose(), by_velocity.head<6>().transpose();
  out.to << by_place.tail<6>().transpose(), by_velocity.tail<6>().transpose();
  return out;
}

}  // namespace

std::vector<std::string> with_references(std::vector<std::string> names, std::size_t references) {
  for (std::size_t k = 1; k <= references; ++k) names.push_back("ref" + std::to_string(k));
  return names;
}

std::vector<Expression> switches_of(const Expression& formula, std::span<const std::string> names,
                                    std::span<const NamedCurve> curves) {
  std::vector<Expression> out;
  for (const std::string& text : formula.switches()) {
    Expression each(text, names, curves);
    if (!each.is_constant()) out.push_back(std::move(each));
  }
  return out;
}

SensedNumbers::SensedNumbers(const Sources& sources, std::span<const Measured> wanted) {
  for (const Measured& each : wanted) wanted_.push_back(add(sources, each));
}

std::size_t SensedNumbers::add(Node node) {
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

SensedNumbers::Node SensedNumbers::of_point(const Marker& point, const std::optional<Vec3>& direction,
                                            bool rate) {
  Node node;
  node.kind = rate ? Node::Kind::rate : Node::Kind::travel;
  node.along = direction ? Along::displacement : Along::length;
  if (direction) node.from.axes = axes_along(*direction);
  node.to = point;
  return node;
}

std::size_t SensedNumbers::of_joint(const JointCoordinate& joint, bool rate) {
  Node node;
  node.kind = rate ? Node::Kind::rate : Node::Kind::travel;
  node.along = joint.along;
  node.from = joint.from;
  node.to = joint.to;
  if (!rate && joint.in_space) {
    node.angle = angles_++;
    node.start = joint.start;
  }
  return add(std::move(node));
}

std::size_t SensedNumbers::add(const Sources& sources, const Measured& wanted) {
  switch (wanted.what) {
    case What::sensor:
      return add(sources, sources.sensors[wanted.number]);
    case What::joint_value:
    case What::joint_rate:
      return of_joint(sources.joints[wanted.number], wanted.what == What::joint_rate);
    case What::coordinate:
    case What::coordinate_rate:
      break;
  }
  Marker point;
  point.body = wanted.body;
  point.point = sources.bodies[wanted.body.index()].reference;
  const bool rate = wanted.what == What::coordinate_rate;
  if (wanted.component < 3)
    return add(of_point(point, Vec3::Unit(static_cast<Eigen::Index>(wanted.component)), rate));
  Node node;  // the angle in the plane, whose turns the body counts
  node.kind = rate ? Node::Kind::rate : Node::Kind::travel;
  node.along = Along::angle;
  node.to = point;
  return add(std::move(node));
}

std::size_t SensedNumbers::add(const Sources& sources, const Sensor& sensor) {
  using Kind = Sensor::Kind;
  switch (sensor.kind) {
    case Kind::distance: {
      Node node;
      node.from = sensor.from;
      node.to = sensor.to;
      return add(std::move(node));
    }
    case Kind::position:
      return add(of_point(sensor.to, sensor.direction, false));
    case Kind::speed: {
      Node node = of_point(sensor.to, sensor.direction, true);
      if (!sensor.direction) node.kind = Node::Kind::speed;
      return add(std::move(node));
    }
    case Kind::joint_value:
    case Kind::joint_rate:
      return of_joint(sources.joints[*sensor.coordinate], sensor.kind == Kind::joint_rate);
    case Kind::formula: {
      Node node;
      node.kind = Node::Kind::formula;
      node.formula = sensor.formula;
      node.switches =
          switches_of(*sensor.formula, with_references({"t"}, sensor.known.size()), sources.curves);
      for (const Measured& each : sensor.known) node.known.push_back(add(sources, each));
      return add(std::move(node));
    }
    default:
      throw Bug("a sensor that does not follow from the state");
  }
}

std::vector<BodyId> SensedNumbers::bodies() const {
  std::set<BodyId> all;
  for (const Node& node : nodes_)
    for (const Marker* end : {&node.from, &node.to})
      if (end->body != ground) all.insert(end->body);
  return {all.begin(), all.end()};
}

void SensedNumbers::place(std::span<const BodyId> members) {
  const auto place_of = [&](const Marker& end) {
    if (end.body == ground) return nowhere;
    return static_cast<std::size_t>(std::ranges::find(members, end.body) - members.begin());
  };
  for (Node& node : nodes_) {
    node.from_at = place_of(node.from);
    node.to_at = place_of(node.to);
  }
}

Timetable SensedNumbers::breaks(Breaks which) const {
  Timetable all;
  for (const Node& node : nodes_)
    if (node.formula) all.merge(node.formula->breaks(which));
  return all;
}

std::size_t SensedNumbers::switch_count() const {
  std::size_t count = 0;
  for (const Node& node : nodes_) count += node.switches.size();
  return count;
}

void SensedNumbers::make_room(Work& work, std::size_t frames) const {
  std::size_t most = 0;
  for (const Node& node : nodes_) most = std::max(most, node.known.size());
  work.values.resize(nodes_.size());
  work.arguments.resize(most + 1);
  work.derivatives.resize(most + 1);
  if (work.slopes.size() == 0) work.slopes.resize(index(nodes_.size()), index(12 * frames + 1));
}

Frame SensedNumbers::marker(const Marker& marker, std::size_t at, std::span<const Frame> frames) {
  return marker_frame(at == nowhere ? Frame{} : frames[at], marker);
}

std::span<const double> SensedNumbers::arguments(const Node& node, double t, Work& work) const {
  work.arguments[0] = t;
  for (std::size_t k = 0; k < node.known.size(); ++k) work.arguments[k + 1] = work.values[node.known[k]];
  return std::span(work.arguments).first(node.known.size() + 1);
}

double SensedNumbers::find(const Node& node, const At& at, Work& work) const {
  if (node.kind == Node::Kind::formula) return (*node.formula)(arguments(node, at.t, work));
  const Frame from = marker(node.from, node.from_at, at.frames), to = marker(node.to, node.to_at, at.frames);
  if (node.kind == Node::Kind::speed) return to.v.norm();
  const double* const last = !node.angle ? nullptr : at.s != nullptr ? at.s + *node.angle : &node.start;
  const Travel found = travel(node.along, from, to, last);
  return node.kind == Node::Kind::rate ? found.rate : found.s;
}

void SensedNumbers::find(const At& at, Work& work) const {
  for (std::size_t k = 0; k < nodes_.size(); ++k) work.values[k] = find(nodes_[k], at, work);
}

void SensedNumbers::find_slopes(const At& at, Work& work) const {
  work.slopes.setZero();
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const Node& node = nodes_[k];
    auto row = work.slopes.row(index(k));
    if (node.kind == Node::Kind::formula) {
      const auto known = arguments(node, at.t, work);
      node.formula->gradient(known, work.derivatives);
      row[row.size() - 1] = work.derivatives[0];
      for (std::size_t i = 0; i < node.known.size(); ++i)
        if (work.derivatives[i + 1] != 0)
          row += work.derivatives[i + 1] * work.slopes.row(index(node.known[i]));
      continue;
    }
    const Frame from = marker(node.from, node.from_at, at.frames),
                to = marker(node.to, node.to_at, at.frames);
    Ends ends;
    if (node.kind == Node::Kind::speed) {
      if (work.values[k] > 0) ends.to.segment<3>(6) = to.v.transpose() / work.values[k];
    } else if (node.kind == Node::Kind::rate) {
      ends = ends_of(rate_by_place(node.along, from, to), travel(node.along, from, to).J);
    } else {
      ends = ends_of(travel(node.along, from, to).J, Vec12::Zero());
    }
    for (const auto& [part, place, end] :
         {std::tuple{&ends.from, node.from_at, &node.from}, {&ends.to, node.to_at, &node.to}})
      if (place != nowhere)
        row.segment<12>(index(12 * place)) += *part * marker_jacobian(at.frames[place], *end);
  }
}

void SensedNumbers::commit(const Work& work, double* s) const {
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    if (nodes_[k].angle) s[*nodes_[k].angle] = work.values[k];
}

void SensedNumbers::switches(Work& work, double t, Switch* out) const {
  for (const Node& node : nodes_)
    for (const Expression& each : node.switches) *out++ = {.value = each(arguments(node, t, work))};
}

void SensedNumbers::add_to(std::vector<double>& parameters) const {
  for (const Node& node : nodes_) {
    parameters.insert(parameters.end(), {double(node.kind), double(node.along), node.start});
    for (const Marker* end : {&node.from, &node.to}) {
      parameters.push_back(static_cast<double>(end->body == ground ? -1 : std::int64_t(end->body.index())));
      parameters.insert(parameters.end(), end->point.begin(), end->point.end());
      parameters.insert(parameters.end(), end->axes.reshaped().begin(), end->axes.reshaped().end());
    }
    for (const std::size_t known : node.known) parameters.push_back(static_cast<double>(known));
    if (node.formula)
      for (const char c : node.formula->text()) parameters.push_back(c);
  }
}

}  // namespace cosimo
