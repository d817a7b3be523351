#include "model/loads.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace cosimo {

namespace {

/// From here on tanh rounds to one and its derivative to less than one unit of its last place.
constexpr double saturation = 20;

/// tanh(s) without the cost of calling it where the result is +-1 anyway.
double edge(double s) {
  return std::fabs(s) < saturation ? std::tanh(s) : std::copysign(1.0, s);
}

double edge_slope(double s) {
  if (!(std::fabs(s) < saturation)) return 0.0;
  const double c = 1.0 / std::cosh(s);
  return c * c;
}

}  // namespace

double Harmonic::value(double t) const {
  return std::sin(omega * t + phase);
}

double Harmonic::rate(double t) const {
  return omega * std::cos(omega * t + phase);
}

double Impulse::value(double t) const {
  return 0.5 * (edge((t - start) / steepness) - edge((t - (start + duration)) / steepness));
}

double Impulse::rate(double t) const {
  const double rise = edge_slope((t - start) / steepness);
  const double fall = edge_slope((t - (start + duration)) / steepness);
  return 0.5 * (rise - fall) / steepness;
}

std::array<double, 2> Impulse::acting() const {
  // A little wider than the saturated edges, so that rounding cannot cut a non-zero value off.
  const double margin = (saturation + 1) * std::fabs(steepness);
  const auto [early, late] = std::minmax({start, start + duration});
  return {early - margin, late + margin};
}

/// Even whole exponents lose the sign, all others keep it.
double PowerSine::value(double t) const {
  const double s = std::sin(omega * t + phase);
  if (std::trunc(exponent) == exponent) return std::pow(s, exponent);
  return std::copysign(std::pow(std::fabs(s), exponent), s);
}

/// For exponents below one the slope is unbounded where the sine vanishes; it is held there.
double PowerSine::rate(double t) const {
  double base = std::sin(omega * t + phase);
  if (std::trunc(exponent) != exponent) base = std::max(std::fabs(base), std::numeric_limits<double>::min());
  return exponent * std::pow(base, exponent - 1) * (omega * std::cos(omega * t + phase));
}

std::size_t count(const Loads& loads, BodyId first, BodyId last) {
  std::size_t sum = 0;
  for_each_table([&](auto table) { sum += on(loads.*table, first, last).size(); });
  return sum;
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
  Timetable all(std::move(times));
  const Curve* last = nullptr;  // of many bodies in a row
  for (const CurveLoad& load : loads.curve)
    if (load.curve.get() != std::exchange(last, load.curve.get()))
      all.merge(load.curve->breaks(Breaks::value));
  return all.instants();
}

void sort_by_body(Loads& loads) {
  for_each_table([&](auto table) {
    std::ranges::stable_sort(loads.*table, {}, [](const auto& load) { return load.body; });
  });
}

}  // namespace cosimo
