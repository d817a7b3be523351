// Spring/damper elements with the force law (2.9) of the dissertation:
//
//   F = c dx + d dv + C sgn(dx) |dx|^ex + D sgn(dv) |dv|^ev,
//
// dx = x_to - x_from, dv = v_to - v_from. F pulls `from` forward and `to` back:
// +F acts on `from`, -F on `to`. Either end may be the ground (x = v = 0). The law is
// odd in (dx, dv), so exchanging the ends of an element changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/ids.hpp"
#include "core/lazy_array.hpp"
#include "core/range_set.hpp"
#include "model/field.hpp"

namespace cosimo {

/// The law of one element.
struct SpringLaw {
  double c = 0, d = 0, C = 0, D = 0;
  double ex = 3, ev = 3;

  double force(double dx, double dv) const;
  double stiffness(double dx) const;  ///< dF/d(dx)
  double damping(double dv) const;    ///< dF/d(dv)
  double potential(double dx) const;  ///< energy stored in the spring

  bool acts() const { return c != 0 || d != 0 || C != 0 || D != 0; }
};

/// A table of them. Exponents are common to the table.
struct SpringDampers {
  LazyArray<BodyId> from, to;
  Field c, d, C{0.0}, D{0.0};
  double ex = 3, ev = 3;
  std::optional<RangeSet> filled;  ///< rows of a windowed model (model/model.hpp); otherwise all are

  std::size_t count() const { return from.size(); }
  SpringLaw law(ElementId e) const {
    const std::size_t i = e.index();
    return {c[i], d[i], C[i], D[i], ex, ev};
  }
};

}  // namespace cosimo
