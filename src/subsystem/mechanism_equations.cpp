#include "subsystem/mechanism_equations.hpp"

#include <algorithm>

#include "model/dof_map.hpp"

namespace cosimo {

MechanismEquations::MechanismEquations(const Model& model, const Part& part)
    : model_(model), dynamics_(*model.mechanism, part.bodies, part.elements) {
  for (const BodyId body : part.bodies) {
    const Range own = model.coordinates(body);
    x_.insert(x_.end(), model.bodies.x.begin() + static_cast<std::ptrdiff_t>(own.first),
              model.bodies.x.begin() + static_cast<std::ptrdiff_t>(own.last));
    v_.insert(v_.end(), model.bodies.v.begin() + static_cast<std::ptrdiff_t>(own.first),
              model.bodies.v.begin() + static_cast<std::ptrdiff_t>(own.last));
  }
  const DofMap place_of(part.bodies);
  const auto outside = [&](BodyId body) { return body != ground && place_of(body) < 0; };
  const auto inside = [&](BodyId body) { return body != ground && place_of(body) >= 0; };
  for (std::size_t e = 0; e < element_count(model); ++e) {
    const ElementEnds ends = ends_of(model, ElementId{e});
    if ((inside(ends.from) && outside(ends.to)) || (outside(ends.from) && inside(ends.to)))
      cut_.emplace_back(e);
  }
}

double MechanismEquations::next_breakpoint(double t) const {
  double next = dynamics_.next_breakpoint(t);
  for (const ElementId e : cut_)
    next = std::min(next, model_.mechanism->elements[e.index()]->next_breakpoint(t));
  return next;
}

}  // namespace cosimo
