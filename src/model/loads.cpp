#include "model/loads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/load_shapes.hpp"

namespace cosimo {

double force(const Harmonic& load, double t) {
  return load.amplitude * sine(load.omega, load.phase, t);
}

double rate(const Harmonic& load, double t) {
  return load.amplitude * sine_rate(load.omega, load.phase, t);
}

double force(const Impulse& load, double t) {
  return load.amplitude * pulse(load.start, load.duration, load.steepness, t);
}

double rate(const Impulse& load, double t) {
  return load.amplitude * pulse_rate(load.start, load.duration, load.steepness, t);
}

double force(const PowerSine& load, double t) {
  return load.amplitude * power_sine(load.omega, load.phase, load.exponent, t);
}

double rate(const PowerSine& load, double t) {
  return load.amplitude * power_sine_rate(load.omega, load.phase, load.exponent, t);
}

std::vector<double> breakpoints(const Loads& loads) {
  // Twice exp(-36) of the amplitude is left at the borders of an edge: nothing, for every tolerance. The
  // places inside keep a step from taking the quiet foot and the flank together, where its estimated error
  // may be small by chance.
  constexpr double places[] = {-18, -8, -4, -1.5, 0, 1.5, 4, 8, 18};
  std::vector<double> times;
  double finest = std::numeric_limits<double>::infinity();
  for (const Impulse& load : loads.impulse) finest = std::min(finest, load.steepness);
  for (const Impulse& load : loads.impulse)
    for (const double edge : {load.start, load.start + load.duration}) {
      for (const double place : places) times.push_back(edge + place * load.steepness);
    }
  std::sort(times.begin(), times.end());
  // Two that differ by rounding (0.1 + 0.2 and 0.3), or by far less than any edge is wide, are one.
  const auto same = [&](double a, double b) {
    return b - a <= std::max(1e-12 * std::fabs(b), 1e-3 * finest);
  };
  times.erase(std::unique(times.begin(), times.end(), same), times.end());
  return times;
}

void sort_by_body(Loads& loads) {
  const auto earlier = [](const auto& a, const auto& b) { return a.body < b.body; };
  std::stable_sort(loads.harmonic.begin(), loads.harmonic.end(), earlier);
  std::stable_sort(loads.contact.begin(), loads.contact.end(), earlier);
  std::stable_sort(loads.impulse.begin(), loads.impulse.end(), earlier);
  std::stable_sort(loads.powersine.begin(), loads.powersine.end(), earlier);
}

}  // namespace cosimo
