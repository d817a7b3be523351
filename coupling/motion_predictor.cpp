#include "coupling/motion_predictor.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "core/check.hpp"
#include "signal/predictor.hpp"

namespace cosimo {
namespace {

/// The integral of a rate from its origin on, plus the value there.
Polynomial integral(const Polynomial& rate, double start) {
  Polynomial p;
  p.degree = rate.degree + 1;
  p.origin = rate.origin;
  p.scale = rate.scale;
  p.a[0] = start;
  for (int j = 0; j <= rate.degree; ++j)
    p.a[static_cast<std::size_t>(j) + 1] = rate.scale * rate.a[static_cast<std::size_t>(j)] / (j + 1);
  return p;
}

/// c (x_to - x_from) + d (v_to - v_from), coefficient by coefficient.
Polynomial linear_force(const SpringLaw& law, const Polynomial& from_x, const Polynomial& to_x,
                        const Polynomial& from_v, const Polynomial& to_v) {
  Polynomial p;
  p.degree = from_x.degree;
  p.origin = from_x.origin;
  p.scale = from_x.scale;
  for (std::size_t j = 0; j < p.a.size(); ++j)
    p.a[j] = law.c * (to_x.a[j] - from_x.a[j]) + law.d * (to_v.a[j] - from_v.a[j]);
  return p;
}

}  // namespace

MotionPredictor::MotionPredictor(const CouplingConditions& conditions, int degree)
    : conditions_(conditions),
      degree_(degree),
      end_(conditions.variables().couplings()),
      x_(2 * conditions.variables().couplings()),
      v_(x_.size()) {
  COSIMO_CHECK(0 <= degree && degree <= max_acceleration_degree,
               "accelerations of degree " + std::to_string(degree));
}

void MotionPredictor::predict(const History& accelerations, const CutStates& y, double t_next) {
  COSIMO_CHECK(accelerations.variables() == x_.size(), std::to_string(accelerations.variables()) +
                                                           " accelerations at " + std::to_string(x_.size()) +
                                                           " ends of cuts");
  used_ = used_degree(accelerations, degree_);
  t_ = accelerations.time(0);
  t_next_ = t_next;
  COSIMO_CHECK(t_next > t_, "a step from " + std::to_string(t_) + " to " + std::to_string(t_next));

  const auto points = static_cast<std::size_t>(used_) + 1;
  std::array<double, max_acceleration_degree + 1> times{}, values{};
  for (std::size_t j = 0; j < points; ++j) times[j] = accelerations.time(j);
  for (std::size_t i = 0; i < x_.size(); ++i) {
    for (std::size_t j = 0; j < points; ++j) values[j] = accelerations.values(j)[i];
    const Polynomial a = interpolate({times.data(), points}, {values.data(), points}, t_, t_next - t_);
    const std::size_t c = i / 2;
    const bool to = i % 2 == 1;
    v_[i] = integral(a, to ? y.to_v[c] : y.from_v[c]);
    x_[i] = integral(v_[i], to ? y.to_x[c] : y.from_x[c]);
    (to ? end_.to_v : end_.from_v)[c] = v_[i](t_next);
    (to ? end_.to_x : end_.from_x)[c] = x_[i](t_next);
  }
}

Polynomial MotionPredictor::force(CouplingId coupling) const {
  const SpringLaw& law = conditions_.law(coupling);
  const std::size_t from = 2 * coupling.index(), to = from + 1;
  if (law.C == 0 && law.D == 0) return linear_force(law, x_[from], x_[to], v_[from], v_[to]);

  const auto last = static_cast<std::size_t>(used_) + 2;
  std::array<double, max_degree + 1> times{}, values{};
  for (std::size_t j = 0; j <= last; ++j) {
    const double angle = std::numbers::pi * static_cast<double>(j) / static_cast<double>(last);
    const double t = j == last ? t_next_ : t_ + (t_next_ - t_) * (0.5 - 0.5 * std::cos(angle));
    times[j] = t;
    values[j] = law.force(x_[to](t) - x_[from](t), v_[to](t) - v_[from](t));
  }
  return interpolate({times.data(), last + 1}, {values.data(), last + 1}, t_, t_next_ - t_);
}

void MotionPredictor::polynomials(std::span<Polynomial> out) const {
  const CouplingVariables& variables = conditions_.variables();
  COSIMO_CHECK(t_next_ > t_, "nothing was predicted");
  COSIMO_CHECK(out.size() == variables.size(), std::to_string(out.size()) + " polynomials for " +
                                                   std::to_string(variables.size()) + " variables");
  for (std::size_t i = 0; i < out.size(); ++i) {
    const CouplingVariable& variable = variables[i];
    const std::size_t end = 2 * variable.coupling.index() + (variable.of == CutSide::to ? 1 : 0);
    switch (variable.quantity) {
      case Quantity::force:
        out[i] = force(variable.coupling);
        break;
      case Quantity::position:
        out[i] = x_[end];
        break;
      case Quantity::velocity:
        out[i] = v_[end];
        break;
    }
  }
}

}  // namespace cosimo
