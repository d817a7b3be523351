#include "model/equations.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "numerics/sums.hpp"

namespace cosimo {

namespace {

bool contains(Range dofs, std::size_t i) {
  return dofs.first <= i && i < dofs.last;
}

}  // namespace

Equations::Equations(const Model& model, const Part& part) : size_(part.bodies.size()) {
  COSIMO_CHECK(!model.mechanism, "the equations of a scalar model");
  const DofMap dof_of(part.bodies);
  COSIMO_CHECK(dof_of.low().valid() && dof_of.high().index() < model.bodies.count,
               "a part names body " + std::to_string(dof_of.high().label()) + " of a model with " +
                   std::to_string(model.bodies.count));
  add_bodies(model, part);
  add_elements(model, part, dof_of);
  loads_ = LoadTable(model.loads, dof_of);
}

void Equations::add_bodies(const Model& model, const Part& part) {
  const bool equal = model.bodies.mass.uniform();
  AlignedVector mass(equal ? 1 : size_);
  for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = model.bodies.mass[part.bodies[i].index()];
  masses_ = Masses(std::move(mass));
  q0_ = AlignedVector(size_);
  v0_ = AlignedVector(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    q0_[i] = model.bodies.x[part.bodies[i].index()];
    v0_[i] = model.bodies.v[part.bodies[i].index()];
  }
}

void Equations::add_elements(const Model& model, const Part& part, const DofMap& dof_of) {
  const SpringDampers& table = model.elements;
  std::vector<ElementId> link(size_ - 1);
  std::vector<Edge> edges;
  edges.reserve(size_ - 1);
  std::vector<SpringEnd> ends;
  ends.reserve(2 * part.elements.size());
  for (const ElementId e : part.elements) {
    const BodyId from = table.from[e.index()];
    const BodyId to = table.to[e.index()];
    const std::int32_t first = dof_of(from);
    const std::int32_t second = dof_of(to);
    COSIMO_CHECK((first >= 0 || from == ground) && (second >= 0 || to == ground),
                 "element " + std::to_string(e.label()) + " leaves its part");
    const auto [a, b] = std::minmax({first, second});
    const SpringLaw law = table.law(e);
    if (b < 0 || a == b || !law.acts()) continue;
    ends.push_back({b, a, e});
    if (a < 0) {
      attachments_.attach(b, a, law);
      continue;
    }
    ends.push_back({a, b, e});
    edges.push_back({a, b});
    if (b == a + 1 && !link[static_cast<std::size_t>(a)].valid())
      link[static_cast<std::size_t>(a)] = e;
    else
      attachments_.attach(a, b, law);
  }
  springs_ = SpringSlices(table, size_, ends);
  pattern_ = TangentPattern(size_, std::move(edges));
  links_ = Links(table, size_, link);
  links_.number_edges(pattern_);
  attachments_.finish(pattern_);
}

bool Equations::acceleration(double t, const double* q, const double* v, double* a, Range dofs,
                             std::span<const InputForce> inputs) const {
  return driven_acceleration(t, q, v, a, dofs, [&](auto push) {
    for (const InputForce& input : inputs)
      if (contains(dofs, static_cast<std::size_t>(input.dof))) push(input.dof, input.value);
  });
}

void Equations::tangent(double /*t*/, const double* q, const double* v, Tangent& out, Range dofs) const {
  for (std::size_t i = dofs.first; i < dofs.last; ++i) out.mass[i] = masses_.mass(i);
  links_.tangent(q, v, out, dofs, pattern_.edges_from(dofs));
  attachments_.add_tangent(q, v, out, dofs);
  loads_.add_stiffness(q, out.k_diag.data(), dofs);
}

void Equations::time_derivative(double t, const double* /*q*/, const double* /*v*/, double* a_t,
                                std::span<const InputForce> inputs) const {
  std::fill(a_t, a_t + size_, 0.0);
  for (const InputForce& input : inputs) {
    const auto i = static_cast<std::size_t>(input.dof);
    a_t[i] += input.rate * masses_.inverse(i);
  }
  loads_.add_rates(t, a_t, masses_);
}

double Equations::energy(const double* q, const double* v) const {
  const double kinetic =
      reproducible_sum(size_, [&](std::size_t i) { return 0.5 * masses_.mass(i) * v[i] * v[i]; });
  return kinetic + links_.potential(q) + attachments_.potential(q);
}

}  // namespace cosimo
