// Derivatives of all coupling variables with respect to the states at the ends of their couplings: sparse
// rows whose places never change.
//
//   force, torque         all coordinates of both ends; with feed-through the coupling variables that
//                         prescribe the motion of one end take the place of that end
//   position, velocity    the one coordinate of its end
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "network/coupling_variables.hpp"
#include "network/laws.hpp"

namespace cosimo {

class ConditionGradients {
 public:
  explicit ConditionGradients(const CouplingVariables& variables);

  std::size_t size() const { return rows_.size(); }
  /// Of a variable with respect to the coordinates of one end, from first_coordinate() on; empty when it
  /// cannot depend on them.
  std::span<Slope> at(std::size_t variable, CutSide side) {
    const Row& r = rows_[variable];
    return side == CutSide::from ? slopes(r.from, r.to) : slopes(r.to, r.motion);
  }
  std::span<const Slope> at(std::size_t variable, CutSide side) const {
    return const_cast<ConditionGradients*>(this)->at(variable, side);
  }
  /// Of all components of a force that begins with this variable, by the coordinates of both ends.
  Laws::Rows force(std::size_t variable) {
    const Row& r = rows_[variable];
    return {all_.data() + r.from, all_.data() + r.to, r.end - r.from};
  }
  /// Within its end.
  std::size_t first_coordinate(std::size_t variable) const { return rows_[variable].coordinate; }

  /// With respect to the variables that prescribe the motion of an end; zero unless the force feeds through.
  std::span<Slope> motion(std::size_t variable) {
    const Row& r = rows_[variable];
    return slopes(r.motion, r.end);
  }
  std::span<const Slope> motion(std::size_t variable) const {
    return const_cast<ConditionGradients*>(this)->motion(variable);
  }
  /// The first of them; the velocities follow motion().size() later.
  std::size_t motion_variable(std::size_t variable) const { return rows_[variable].fed; }

 private:
  struct Row {
    std::size_t from = 0, to = 0, motion = 0, end = 0;  ///< where the slopes of each kind begin
    std::size_t coordinate = 0;
    std::size_t fed = 0;
  };
  std::span<Slope> slopes(std::size_t first, std::size_t last) { return {all_.data() + first, last - first}; }

  std::vector<Row> rows_;
  std::vector<Slope> all_;
};

}  // namespace cosimo
