// What the error of a step is measured in: w = atol + rtol |y| (3.21)-(3.23), coordinate by coordinate.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "numerics/tolerances.hpp"

namespace cosimo {

/// Tolerances as one step uses them, coordinate by coordinate.
class ErrorWeights {
 public:
  ErrorWeights(const Tolerances& tolerances, std::span<const std::uint8_t> angles)
      : rtol_(tolerances.rtol), absolute_(tolerances.absolute()), angles_(angles) {}

  double rtol() const { return rtol_; }
  /// All coordinates are lengths.
  bool alike() const { return angles_.empty(); }
  const MotionSize& absolute(std::size_t i) const { return absolute_.of(!alike() && angles_[i] != 0); }
  double q(std::size_t i, double at) const { return absolute(i).position + rtol_ * std::fabs(at); }
  double v(std::size_t i, double at) const { return absolute(i).velocity + rtol_ * std::fabs(at); }
  const MotionSizes& absolute() const { return absolute_; }

 private:
  double rtol_;
  MotionSizes absolute_;
  std::span<const std::uint8_t> angles_;
};

/// The same for first-order states. `nominals` as in System.
class StateWeights {
 public:
  StateWeights(const Tolerances& tolerances, std::span<const double> nominals)
      : rtol_(tolerances.rtol), nominals_(nominals) {}
  double nominal(std::size_t i) const { return nominals_.empty() ? 1.0 : nominals_[i]; }
  double operator()(std::size_t i, double at) const { return rtol_ * (0.01 * nominal(i) + std::fabs(at)); }

 private:
  double rtol_;
  std::span<const double> nominals_;
};

}  // namespace cosimo
