// Coupling variables where outputs depend on inputs at once.
//
// Most outputs are states: they do not change when an input jumps. Some components feed through (the
// proportional part of a controller): then u = phi(y) alone is not consistent, because y is not what it will
// be with that u. Which signal depends on which is known before the run:
//
//   FeedGraph graph(interface, variables);       from Interface::transfers
//   graph.settle(u, refresh);                   refresh(u) evaluates all feeding outputs at u, then phi
//
// Without a circle as many evaluations are enough as the longest path has steps. A circle (an algebraic loop)
// is solved by Newton's method for the variables on it, with differences for the derivatives: loops are
// small. All of it is a function of u and refresh alone: ranks that see the same numbers do the same.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "network/coupling_variables.hpp"
#include "network/interface.hpp"

namespace cosimo {

class FeedGraph {
 public:
  FeedGraph() = default;
  FeedGraph(const Interface& interface, const CouplingVariables& variables);

  /// Some signal depends on another at once.
  bool needed() const { return rounds_ > 0; }
  /// The variables on circles, ascending; empty: there are none.
  std::span<const std::size_t> loop() const { return loop_; }

  /// Writes all coupling variables that follow from u into `out`.
  using Refresh = std::function<void(std::span<const double> u, std::span<double> out)>;
  /// From any u, best a near one, to a consistent one. False when an algebraic loop has no solution near.
  [[nodiscard]] bool settle(std::span<double> u, const Refresh& refresh) const;

 private:
  void pass(std::span<double> u, std::vector<double>& fresh, const Refresh& refresh) const;
  bool residual(std::span<const double> w, std::span<double> u, std::vector<double>& fresh,
                const Refresh& refresh, std::span<double> r) const;

  int rounds_ = 0;
  std::vector<std::size_t> loop_;
};

}  // namespace cosimo
