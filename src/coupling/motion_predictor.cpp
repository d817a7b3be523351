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
Polynomial linear_force(const Laws::Linear& law, const Polynomial& from_x, const Polynomial& to_x,
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
      end_(conditions.layout()),
      x_(conditions.layout().count()),
      v_(x_.size()) {
  COSIMO_CHECK(0 <= degree && degree <= max_acceleration_degree,
               "accelerations of degree " + std::to_string(degree));
}

void MotionPredictor::predict(const History& accelerations, const CutStates& y, double t_next) {
  COSIMO_CHECK(accelerations.variables() == x_.size(), std::to_string(accelerations.variables()) +
                                                           " accelerations at " + std::to_string(x_.size()) +
                                                           " coordinates of ends of cuts");
  used_ = used_degree(accelerations, degree_);
  t_ = accelerations.time(0);
  t_next_ = t_next;
  COSIMO_CHECK(t_next > t_, "a step from " + std::to_string(t_) + " to " + std::to_string(t_next));
  for (std::size_t c = 0; c < conditions_.layout().couplings(); ++c)
    for (const CutSide side : {CutSide::from, CutSide::to}) predict_end(accelerations, y, c, side);
}

void MotionPredictor::predict_end(const History& accelerations, const CutStates& y, std::size_t coupling,
                                  CutSide side) {
  const auto points = static_cast<std::size_t>(used_) + 1;
  std::array<double, max_acceleration_degree + 1> times{}, values{};
  for (std::size_t j = 0; j < points; ++j) times[j] = accelerations.time(j);
  const Range coordinates = conditions_.layout().coordinates(coupling, side);
  std::size_t i = conditions_.layout().joint_first(coupling, side);
  for (std::size_t k = coordinates.first; k < coordinates.last; ++k, ++i) {
    for (std::size_t j = 0; j < points; ++j) values[j] = accelerations.values(j)[i];
    const Polynomial a = interpolate({times.data(), points}, {values.data(), points}, t_, t_next_ - t_);
    v_[i] = integral(a, y.v(side)[k]);
    x_[i] = integral(v_[i], y.x(side)[k]);
    end_.v(side)[k] = v_[i](t_next_);
    end_.x(side)[k] = x_[i](t_next_);
  }
}

/// Of the kappa_a + 3 points of the step, both ends among them.
double MotionPredictor::chebyshev_point(std::size_t number) const {
  const auto last = static_cast<std::size_t>(used_) + 2;
  const double angle = std::numbers::pi * static_cast<double>(number) / static_cast<double>(last);
  return number == last ? t_next_ : t_ + (t_next_ - t_) * (0.5 - 0.5 * std::cos(angle));
}

/// All components of the force of a cut.
void MotionPredictor::forces(std::size_t coupling, std::span<Polynomial> out) const {
  const CutLayout& layout = conditions_.layout();
  if (const auto linear = conditions_.laws().linear(coupling)) {
    const std::size_t from = layout.joint_first(coupling, CutSide::from), to = from + 1;
    out[0] = linear_force(*linear, x_[from], x_[to], v_[from], v_[to]);
    return;
  }
  const auto points = static_cast<std::size_t>(used_) + 3;
  std::array<double, max_degree + 1> times{}, values{};
  std::array<std::array<double, most_components>, max_degree + 1> force{};
  struct Motion {
    std::array<double, most_coordinates> x{}, v{};
  };
  for (std::size_t j = 0; j < points; ++j) {
    const double t = times[j] = chebyshev_point(j);
    const auto at = [&](CutSide side) {
      Motion motion;
      const std::size_t first = layout.joint_first(coupling, side);
      for (std::size_t k = 0; k < layout.coordinates(coupling, side).size(); ++k) {
        motion.x[k] = x_[first + k](t);
        motion.v[k] = v_[first + k](t);
      }
      return motion;
    };
    const Motion from = at(CutSide::from), to = at(CutSide::to);
    conditions_.laws().force(coupling, t, {{from.x.data(), from.v.data()}, {to.x.data(), to.v.data()}},
                             force[j].data());
  }
  for (std::size_t k = 0; k < out.size(); ++k) {
    for (std::size_t j = 0; j < points; ++j) values[j] = force[j][k];
    out[k] = interpolate({times.data(), points}, {values.data(), points}, t_, t_next_ - t_);
  }
}

void MotionPredictor::polynomials(std::span<Polynomial> out) const {
  const CouplingVariables& variables = conditions_.variables();
  COSIMO_CHECK(t_next_ > t_, "nothing was predicted");
  COSIMO_CHECK(out.size() == variables.size(), std::to_string(out.size()) + " polynomials for " +
                                                   std::to_string(variables.size()) + " variables");
  for (std::size_t i = 0; i < out.size(); ++i) {
    const CouplingVariable& variable = variables[i];
    const std::size_t c = variable.coupling.index();
    const std::size_t place = conditions_.layout().joint_first(c, variable.of) + variable.component;
    switch (variable.quantity) {
      case Quantity::force:
      case Quantity::torque:
        if (variable.component == 0) forces(c, out.subspan(i, conditions_.laws().components(c)));
        break;
      case Quantity::signal:  // its rate is all that is known of it
      case Quantity::position:
        out[i] = x_[place];
        break;
      case Quantity::velocity:
        out[i] = v_[place];
        break;
    }
  }
}

}  // namespace cosimo
