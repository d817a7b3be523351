#include "model/model.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "mechanics/mechanism.hpp"

namespace cosimo {

std::vector<std::size_t> places_of(const Model& model, std::span<const BodyId> bodies) {
  std::vector<std::size_t> places;
  places.reserve(bodies.size());
  for (const BodyId body : bodies) {
    const Range own = model.coordinates(body);
    for (std::size_t i = own.first; i < own.last; ++i) places.push_back(i);
  }
  return places;
}

std::vector<std::uint8_t> angles_of(const Model& model, std::span<const BodyId> bodies) {
  if (model.pendulum) return std::vector<std::uint8_t>(bodies.size(), 1);
  std::vector<std::uint8_t> angles;
  if (!model.mechanism) return angles;
  for (const BodyId body : bodies) {
    const BodyKind kind = model.mechanism->bodies[body.index()].kind;
    for (std::size_t k = 0; k < coordinates_of(kind); ++k) angles.push_back(is_angle(kind, k) ? 1 : 0);
  }
  if (std::find(angles.begin(), angles.end(), 1) == angles.end()) angles.clear();
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

EffortMask coupling_components(const Model& model, ElementId element) {
  if (!model.mechanism) return EffortMask{1};
  const ForceElement& e = *model.mechanism->elements[element.index()];
  const auto& bodies = model.mechanism->bodies;
  const BodyId from = e.at_from.body == ground ? e.at_to.body : e.at_from.body;
  const BodyId to = e.at_to.body == ground ? e.at_from.body : e.at_to.body;
  return e.components() & felt_by(bodies[from.index()].kind, bodies[to.index()].kind);
}

Extent remembered_extent(const Model& model) {
  return model.mechanism ? model.mechanism->memory_offsets().back() : Extent{};
}

std::vector<std::size_t> remembered_places(const Model& model, std::span<const ElementId> elements,
                                           std::span<const BodyId> bodies) {
  std::vector<std::size_t> places;
  if (!model.mechanism) return places;
  const std::vector<Extent> first = model.mechanism->memory_offsets();
  for (const ElementId e : elements)
    for (std::size_t k = first[e.index()].z; k < first[e.index() + 1].z; ++k) places.push_back(k);
  for (const ElementId e : elements)
    for (std::size_t k = first[e.index()].s; k < first[e.index() + 1].s; ++k)
      places.push_back(first.back().z + k);
  const auto& groups = model.mechanism->groups;
  for (std::size_t g = 0, e = model.mechanism->elements.size(); g < groups.size(); ++g, ++e) {
    if (std::ranges::find(bodies, groups[g]->bodies().front()) == bodies.end()) continue;
    for (std::size_t k = first[e].s; k < first[e + 1].s; ++k) places.push_back(first.back().z + k);
  }
  return places;
}

BodyId keeper_of(const Model& model, ElementId element) {
  const ElementEnds ends = ends_of(model, element);
  return ends.from == ground ? ends.to : ends.from;
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
