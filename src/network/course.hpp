// Courses of numbers over time as polynomials, and inputs of the whole whose courses are known: somebody
// outside sets them between macro steps (Simulation::set()), and nothing has to be predicted.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/archive.hpp"
#include "network/component.hpp"
#include "numerics/polynomial.hpp"

namespace cosimo {

/// The same polynomial in the local time of the window.
Polynomial on_window(const Polynomial& p, const Window& window);

/// From t on: the value, then its derivatives with respect to time, at most max_degree.
Polynomial course_of(double t, std::span<const double> derivatives);

/// What a run is driven by from outside. Every rank has all of them.
struct OuterInputs {
  struct Input {
    std::string name;
    double start = 0;
    Polynomial course{};
  };
  std::vector<Input> inputs;

  void add(std::string name, double start);
  /// Everything at its start again.
  void begin();
  void archive(Archive& a);
};

}  // namespace cosimo
