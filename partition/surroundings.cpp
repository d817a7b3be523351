#include "partition/surroundings.hpp"

namespace cosimo {

Surroundings::Surroundings(const Model& model) : first_(model.bodies.count + 1, 0) {
  const SpringDampers& elements = model.elements;
  const auto for_ends = [&](auto visit) {
    for (std::size_t e = 0; e < elements.count(); ++e) {
      const BodyId a = elements.from[e], b = elements.to[e];
      if (a == b || !elements.law(ElementId{e}).acts()) continue;
      if (a != ground) visit(a, ElementId{e}, b);
      if (b != ground) visit(b, ElementId{e}, a);
    }
  };
  for_ends([&](BodyId body, ElementId, BodyId) { ++first_[body.index() + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  incident_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for_ends([&](BodyId body, ElementId element, BodyId other) {
    incident_[next[body.index()]++] = {element, other};
  });
}

}  // namespace cosimo
