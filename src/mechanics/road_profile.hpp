// The height of a rough road (mechanics/elements.hpp) with its derivatives along it.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "mechanics/elements.hpp"

namespace cosimo {

/// Height of the road with three derivatives.
struct RoadHeight {
  double h = 0, h1 = 0, h2 = 0, h3 = 0;
};

/// A road, with all that its height needs and does not change.
class RoadProfile {
 public:
  explicit RoadProfile(const Road& road) : level_(road.height) {
    for (const Road::Wave& wave : road.waves) {
      const double k = 2 * std::numbers::pi / wave.wavelength;
      waves_.push_back({wave.amplitude, wave.phase, k, k * k, k * k * k});
    }
  }

  RoadHeight at(double x) const {
    RoadHeight out{level_, 0, 0, 0};
    for (const Wave& wave : waves_) {
      const double angle = wave.k * x + wave.phase;
      const double sine = wave.amplitude * std::sin(angle), cosine = wave.amplitude * std::cos(angle);
      out.h += sine;
      out.h1 += wave.k * cosine;
      out.h2 -= wave.k2 * sine;
      out.h3 -= wave.k3 * cosine;
    }
    return out;
  }

 private:
  struct Wave {
    double amplitude, phase, k, k2, k3;  ///< powers of the wave number
  };
  double level_;
  std::vector<Wave> waves_;
};

}  // namespace cosimo
