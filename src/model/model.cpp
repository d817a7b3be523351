#include "model/model.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/check.hpp"
#include "mechanics/mechanism.hpp"

namespace cosimo {

std::vector<std::uint8_t> angles_of(const Model& model, std::span<const BodyId> bodies) {
  if (model.pendulum) return std::vector<std::uint8_t>(bodies.size(), 1);
  std::vector<std::uint8_t> angles;
  if (!model.mechanism) return angles;
  for (const BodyId body : bodies) {
    const BodyKind kind = model.mechanism->bodies[body.index()].kind;
    for (std::size_t k = 0; k < coordinates_of(kind); ++k) angles.push_back(is_angle(kind, k) ? 1 : 0);
  }
  return angles;
}

std::size_t element_count(const Model& model) {
  return model.mechanism ? model.mechanism->elements.size() : model.elements.count();
}

ElementEnds ends_of(const Model& model, ElementId element) {
  if (!model.mechanism) return {model.elements.from[element.index()], model.elements.to[element.index()]};
  const ForceElement& e = *model.mechanism->elements[element.index()];
  return {e.at_from.body, e.at_to.body};
}

std::string body_name(const Model& model, BodyId body) {
  if (body == ground) return "ground";
  if (model.mechanism) return model.mechanism->bodies[body.index()].name;
  return "body " + std::to_string(body.label());
}

std::string element_name(const Model& model, ElementId element) {
  if (model.mechanism) return model.mechanism->elements[element.index()]->name;
  return "element " + std::to_string(element.label());
}

std::string cut_name(const Model& model, ElementId element) {
  const auto [from, to] = ends_of(model, element);
  const std::string name = element_name(model, element) + " between ";
  if (model.mechanism) return name + body_name(model, from) + " and " + body_name(model, to);
  return name + "bodies " + std::to_string(from.label()) + " and " + std::to_string(to.label());
}

std::vector<std::int32_t> joined_groups(const Model& model) {
  std::vector<std::int32_t> group(model.bodies.count);
  if (model.pendulum) return group;
  std::iota(group.begin(), group.end(), 0);
  if (!model.mechanism) return group;
  const auto root = [&](std::int32_t body) {
    while (group[static_cast<std::size_t>(body)] != body) {
      std::int32_t& up = group[static_cast<std::size_t>(body)];
      up = group[static_cast<std::size_t>(up)];
      body = up;
    }
    return body;
  };
  for (const auto& constraint : model.mechanism->constraints) {
    const auto bodies = constraint->bodies();
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      const std::int32_t a = root(bodies[0].value), b = root(bodies[i].value);
      group[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  for (std::size_t i = 0; i < group.size(); ++i) group[i] = root(static_cast<std::int32_t>(i));
  // Roots are the smallest bodies of their groups: number them in that order.
  std::vector<std::int32_t> number(group.size(), -1);
  std::int32_t next = 0;
  for (std::int32_t& g : group) {
    std::int32_t& n = number[static_cast<std::size_t>(g)];
    if (n < 0) n = next++;
    g = n;
  }
  return group;
}

EffortMask coupling_components(const Model& model, ElementId element) {
  if (!model.mechanism) return EffortMask{1};
  const ForceElement& e = *model.mechanism->elements[element.index()];
  const auto& bodies = model.mechanism->bodies;
  const BodyId from = e.at_from.body == ground ? e.at_to.body : e.at_from.body;
  const BodyId to = e.at_to.body == ground ? e.at_from.body : e.at_to.body;
  return e.components() & felt_by(bodies[from.index()].kind, bodies[to.index()].kind);
}

Model make_model(std::shared_ptr<const Mechanism> mechanism, const std::vector<double>& x,
                 const std::vector<double>& v) {
  Model model;
  model.bodies.count = mechanism->bodies.size();
  model.bodies.first = mechanism->coordinate_offsets();
  COSIMO_CHECK(x.size() == model.bodies.first.back() && v.size() == x.size(), "initial state of a mechanism");
  std::vector<double> mass;
  for (const Body& body : mechanism->bodies) mass.push_back(body.mass);
  model.bodies.mass = Field(mass);
  model.bodies.x = x;
  model.bodies.v = v;
  model.mechanism = std::move(mechanism);
  return model;
}

}  // namespace cosimo
