// What is told at output times of springs between point masses and to the ground: their forces, and with the
// weight of the masses the energy that they store. These are most of what a large network has, so they have
// tables of their own, and the members of a team share them. The numbers are those that the elements
// themselves give.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "mechanics/mechanism.hpp"
#include "mechanics/spring_force.hpp"
#include "parallel/team.hpp"

namespace cosimo {

class PointOutputs {
 public:
  /// `first`: the first coordinate of every body.
  PointOutputs(const Mechanism& mechanism, std::span<const std::size_t> first);

  /// Whether an element is one of these springs.
  bool has(std::size_t element) const { return has_[element] != 0; }
  /// Forces of these springs, not a number where there is none; other entries stay as they are. `team` may be
  /// null.
  void evaluate(const double* q, const double* v, Team* team, std::span<Effort> efforts);
  /// At the state evaluated last; nothing where the mechanism has other elements or bodies.
  std::optional<double> potential_energy(const double* q) const;

 private:
  struct End {
    std::ptrdiff_t first = -1;  ///< coordinate; -1: on the ground
    Vec3 place = Vec3::Zero();  ///< there
    std::size_t dimensions = 3;

    Vec3 at(const double* x, const Vec3& on_ground) const {
      if (first < 0) return on_ground;
      const double* const own = x + first;
      return {own[0], dimensions > 1 ? own[1] : 0.0, dimensions > 2 ? own[2] : 0.0};
    }
  };
  struct Spring {
    std::size_t element;
    End from, to;
    SpringForce force;
  };

  const Mechanism& mechanism_;
  std::vector<End> bodies_;  ///< all of them, where all are points
  std::vector<Spring> springs_;
  std::vector<char> has_;
  std::vector<double> energy_;  ///< per spring
};

}  // namespace cosimo
