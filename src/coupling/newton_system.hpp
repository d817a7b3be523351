// The linear system of the implicit schemes (2.27)-(2.29) for any coupling graph:
//
//   (I - dphi/du - dphi/dy dy/du) delta = -g
//
// dy/du, the interface Jacobian, comes block by block from the subsystems; it is sparse because a subsystem
// only answers to its own inputs. The pattern is analysed once (KLU); every factor() refills the values.
//
//   NewtonSystem newton(conditions, subsystems);
//   newton.factor(gradients, responses);       // may be kept for many solves
//   newton.solve(residual);                    // in place: residual g -> correction delta
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "coupling/conditions.hpp"
#include "numerics/sparse_lu.hpp"

namespace cosimo {

/// One subsystem as the interface sees it.
struct InterfaceBlock {
  struct End {
    CouplingId coupling;
    CutSide side = CutSide::from;
    std::size_t coordinates = 1;  ///< of the body
  };
  std::vector<std::size_t> inputs;  ///< the coupling variable behind every input
  std::vector<End> ports;

  /// Coordinates of all ports: the outputs.
  std::size_t outputs() const {
    std::size_t count = 0;
    for (const End& end : ports) count += end.coordinates;
    return count;
  }
};

/// d(x, v of a coordinate of a port's body) / d(end value of an input).
struct OutputDerivative {
  double x = 0, v = 0;
};

class NewtonSystem {
 public:
  NewtonSystem(const CouplingConditions& conditions, std::span<const InterfaceBlock> blocks);
  ~NewtonSystem();

  /// `responses[b][i * outputs + o]`: input i, output o of block b. False if the matrix is singular or not
  /// finite; the factors are then those of before.
  /// `sizes`: how large each variable is, where they have units of their own; empty: all are alike. Whether a
  /// matrix is singular must not depend on units.
  [[nodiscard]] bool factor(const ConditionGradients& gradients,
                            std::span<const std::span<const OutputDerivative>> responses,
                            std::span<const double> sizes = {});
  bool factored() const;
  /// Solves in place for the correction: delta = -(dg/du)^-1 g.
  void solve(std::span<double> residual) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cosimo
