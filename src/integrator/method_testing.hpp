// What suites over all methods of integration share: an integrator of the method under test, and its states
// compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "integrator/integrator.hpp"

namespace cosimo::testing {

/// Position and velocity together, for comparison to the bit.
inline std::vector<double> state(const Integrator& integrator) {
  std::vector<double> result(integrator.position().begin(), integrator.position().end());
  result.insert(result.end(), integrator.velocity().begin(), integrator.velocity().end());
  return result;
}

inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(a[i] - b[i]));
  return largest;
}

class MethodTest : public ::testing::TestWithParam<Method> {
 protected:
  IntegratorOptions options(double tolerance) const {
    IntegratorOptions o;
    o.method = GetParam();
    o.tolerances = {tolerance, tolerance, tolerance};
    return o;
  }
  std::unique_ptr<Integrator> make(const System& system, double tolerance) const {
    return make_integrator(system, options(tolerance));
  }
};

}  // namespace cosimo::testing
