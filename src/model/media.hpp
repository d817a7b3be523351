// What the elements around every body let through: the medium in which errors of a far edge travel
// (control/cone.hpp).
//
// In a scalar model it follows the state: tangents of the laws at the states given. In a mechanism it is that
// of the initial state (partition/body_graph.hpp): stiffness and damping are the largest eigenvalues of
// M^-1 K and M^-1 D of every element as the body feels it, M the body's own mass matrix. With K of an element
// positive semidefinite, x_i K_ij x_j is at most the mean of x_i K_ii x_i and x_j K_jj x_j, and so
//
//   sum_e (k_e + s d_e) (cosh(phi_i - phi_j) - 1) <= s^2
//
// with the eigenvalues k_e, d_e keeps the equations positive definite as it does in a chain. Constraints only
// forbid motions: where the condition holds body by body, all at the same phi, it holds for a group that they
// join. An element that does nothing at first, a slack or a purely cubic one, counts as the mean of the
// others does. What changes later, such as a law that stiffens, shows in the errors measured
// (control/layers.hpp).
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"
#include "numerics/medium.hpp"
#include "partition/body_graph.hpp"

namespace cosimo {

class Media {
 public:
  /// Both must outlive it.
  Media(const Model& model, const BodyGraph& graph);

  /// Of these bodies at the given states of all, one entry per coordinate.
  void at(std::span<const BodyId> bodies, std::span<const double> x, std::span<const double> v,
          std::span<Medium> out) const;
  /// At the initial state.
  Medium at_start(BodyId body) const {
    Medium medium;
    at({&body, 1}, model_.bodies.x, model_.bodies.v, {&medium, 1});
    return medium;
  }

 private:
  const Model& model_;
  const BodyGraph& graph_;
  std::vector<Medium> fixed_;  ///< per body of a mechanism
};

}  // namespace cosimo
