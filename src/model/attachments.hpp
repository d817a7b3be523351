// Derivatives of the elements that no run contains (model/links.hpp): those to the ground, and those that
// join coordinates that are not neighbours.
//
// Each is stored once per coordinate it acts on, as seen from there: the law (2.9) is
// odd, so the force on a coordinate is F(x_other - x_own, v_other - v_own) whatever
// the element's direction. Rows are sorted by coordinate. A block evaluates its own
// rows only, at the price that an element between two coordinates is evaluated twice.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "model/spring_damper.hpp"
#include "numerics/second_order.hpp"

namespace cosimo {

class Attachments {
 public:
  /// `other` is -1 for the ground.
  void attach(std::int32_t dof, std::int32_t other, const SpringLaw& law);
  /// Sorts the rows and finds their edges; call once, after the last attach().
  void finish(const TangentPattern& pattern);

  void add_tangent(const double* q, const double* v, Tangent& out, Range dofs) const;
  double potential(const double* q) const;

 private:
  struct Row {
    std::int32_t dof = -1;
    std::int32_t other = -1;  ///< -1: ground
    std::int32_t edge = -1;   ///< set in the row of the smaller coordinate only
    SpringLaw law;
  };
  template <class F>
  void for_rows(Range dofs, F f) const;  ///< f(row) for the rows of these coordinates, in order

  std::vector<Row> rows_;
};

}  // namespace cosimo
