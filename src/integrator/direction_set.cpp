#include "integrator/direction_set.hpp"

#include <cmath>

#include "core/check.hpp"

namespace cosimo {

void DirectionSet::begin(const System& system, Directions* wanted) {
  wanted_ = wanted;
  if (wanted == nullptr) return;
  const std::size_t inputs = system.inputs();
  wanted->q.assign(inputs * wanted->dofs.size(), 0.0);
  wanted->v.assign(inputs * wanted->dofs.size(), 0.0);
  if (directions_.size() != inputs || size_ != system.size()) allocate(inputs, system.size());
  for (Direction& d : directions_) {
    std::fill(d.q + d.range.first, d.q + d.range.last, 0.0);
    std::fill(d.v + d.range.first, d.v + d.range.last, 0.0);
    d.range = {};
  }
  next_instant();
}

void DirectionSet::allocate(std::size_t inputs, std::size_t size) {
  size_ = size;
  storage_ = Slab(2 * inputs, size, 0);
  directions_.resize(inputs);
  for (std::size_t i = 0; i < inputs; ++i)
    directions_[i] = {i, storage_.row(2 * i).data(), storage_.row(2 * i + 1).data(), {}};
}

void DirectionSet::finish() {
  if (!wanted()) return;
  std::size_t k = 0;
  for (const Direction& d : directions_) {
    for (const std::int32_t dof : wanted_->dofs) {
      const auto i = static_cast<std::size_t>(dof);
      COSIMO_CHECK(i < size_, "a derivative of a degree of freedom that exists");
      wanted_->q[k] = d.q[i];
      wanted_->v[k] = d.v[i];
      ++k;
    }
  }
}

void trim(Direction& direction) {
  Range& range = direction.range;
  double *const q = direction.q, *const v = direction.v;
  double largest_q = 0, largest_v = 0;
  for (std::size_t i = range.first; i < range.last; ++i) {
    largest_q = std::max(largest_q, std::abs(q[i]));
    largest_v = std::max(largest_v, std::abs(v[i]));
  }
  const double small_q = negligible_direction * largest_q, small_v = negligible_direction * largest_v;
  const auto negligible = [&](std::size_t i) {
    return std::abs(q[i]) <= small_q && std::abs(v[i]) <= small_v;
  };
  const auto cut = [&](std::size_t i) { q[i] = v[i] = 0; };
  while (range.first < range.last && negligible(range.first)) cut(range.first++);
  while (range.first < range.last && negligible(range.last - 1)) cut(--range.last);
}

}  // namespace cosimo
