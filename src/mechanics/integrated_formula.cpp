#include "mechanics/integrated_formula.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace cosimo {

namespace {

/// Gauss-Legendre of eight points on [-1, 1]: places and weights of the positive half.
constexpr std::array<double, 4> places{0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                       0.96028985649753623168};
constexpr std::array<double, 4> weights{0.36268378337836198297, 0.31370664587788728734,
                                        0.22238103445337447054, 0.10122853629037625915};
constexpr int first_panels = 64, deepest = 52;
constexpr double tolerance = 4e-15;
constexpr std::size_t most_halvings = 500'000;

}  // namespace

IntegratedFormula::IntegratedFormula(const Expression& formula, const Start& start,
                                     std::span<const double> breaks, double end)
    : formula_(formula), times_(start.times) {
  knots_.push_back({0, {start.value, start.rate}});
  std::vector<double> ends;
  for (int k = 1; k <= first_panels; ++k) ends.push_back(end * k / first_panels);
  std::ranges::copy_if(breaks, std::back_inserter(ends), [&](double t) { return t > 0 && t < end; });
  std::ranges::sort(ends);
  measure_noise(end);
  double a = 0;
  for (const double b : ends) {
    if (b > a) divide(a, b, 0);
    a = std::max(a, b);
  }
}

IntegratedFormula::State IntegratedFormula::onwards(const State& state, double a, double b) const {
  const double half = 0.5 * (b - a), middle = 0.5 * (a + b);
  double sum = 0, moment = 0;  // of f, and of (b - s) f
  for (std::size_t k = 0; k < places.size(); ++k)
    for (const double x : {-places[k], places[k]}) {
      const double f = formula_(std::array{middle + half * x}) * weights[k] * half;
      sum += f;
      moment += half * (1 - x) * f;
    }
  if (times_ == 1) return {state[0] + sum, 0};
  return {state[0] + state[1] * (b - a) + moment, state[1] + sum};
}

/// Near zero a formula may be what is left of greater numbers, as 1 - cos(t) is: no panel is so short that
/// the rule agrees with itself better than the values that it adds. Fourth differences over so short a time
/// are rounding alone, about eight times that of a value.
void IntegratedFormula::measure_noise(double end) {
  const double step = 1e-9 * end;
  for (int k = 0; k < first_panels; ++k) {
    const double t = end * (k + places[static_cast<std::size_t>(k) % places.size()]) / first_panels;
    const auto f = [&](int steps) { return formula_(std::array{t + steps * step}); };
    const double difference = f(-2) - 4 * f(-1) + 6 * f(0) - 4 * f(1) + f(2);
    const double found =
        std::max(8 * std::numeric_limits<double>::epsilon() * std::fabs(f(0)), 0.25 * std::fabs(difference));
    if (std::isfinite(found)) noise_ = std::max(noise_, found);
  }
}

void IntegratedFormula::divide(double a, double b, int depth) {
  const double middle = 0.5 * (a + b);
  const State whole = onwards({}, a, b), half = onwards({}, a, middle), both = onwards(half, middle, b);
  const std::size_t first = times_ == 1 ? 0 : 1;  // the integral of the formula itself
  const double size = std::fabs(half[first]) + std::fabs(both[first] - half[first]);
  const double allowed = std::max(tolerance * std::max(size_, size), noise_ * (b - a));
  if (depth < deepest && middle > a && middle < b && !(std::fabs(whole[first] - both[first]) <= allowed) &&
      std::isfinite(both[first])) {
    if (++halvings_ > most_halvings)
      throw Error(
          Fault{.problem = "its speed or acceleration changes too often to be integrated ahead of the run",
                .remedy = "write it without cancelling terms, or as a table"});
    divide(a, middle, depth + 1);
    divide(middle, b, depth + 1);
    return;
  }
  size_ += size;
  const State before = knots_.back().state;
  knots_.push_back({b, onwards(before, a, b)});
  width_ = b - a;
}

IntegratedFormula::State IntegratedFormula::at(double t) const {
  const auto after = std::ranges::upper_bound(knots_, t, {}, &Knot::t);
  Knot from = after == knots_.begin() ? knots_.front() : after[-1];
  if (after == knots_.end() && width_ > 0) {
    // Beyond the end: panels as long as the last one.
    for (; t - from.t > width_; from.t += width_) from.state = onwards(from.state, from.t, from.t + width_);
  }
  return t == from.t ? from.state : onwards(from.state, from.t, t);
}

}  // namespace cosimo
