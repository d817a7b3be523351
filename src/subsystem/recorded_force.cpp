#include "subsystem/recorded_force.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace cosimo {

namespace {

/// Value, rate and acceleration of the stretch at one instant.
struct Stretch {
  double x, v, a;
};

Polynomial quintic(double t, double h, const Stretch& s0, const Stretch& s1) {
  const double v = h * s0.v, a = h * h * s0.a;
  const double dx = (s1.x - s0.x) - v - 0.5 * a;
  const double dv = h * (s1.v - s0.v) - a;
  const double da = h * h * (s1.a - s0.a);
  Polynomial p;
  p.degree = 5;
  p.origin = t;
  p.scale = h;
  p.a = {s0.x, v, 0.5 * a, 10 * dx - 4 * dv + 0.5 * da, -15 * dx + 7 * dv - da, 6 * dx - 3 * dv + 0.5 * da,
         0};
  return p;
}

/// Second derivative.
double curvature(const Polynomial& p, double t) {
  const double s = (t - p.origin) / p.scale;
  double r = 0;
  for (int j = p.degree; j >= 2; --j) r = r * s + j * (j - 1) * p.a[static_cast<std::size_t>(j)];
  return r / (p.scale * p.scale);
}

}  // namespace

void RecordedForce::record(const Trace& trace, std::size_t from, std::size_t to) {
  const std::size_t columns = trace.dofs.size();
  COSIMO_CHECK(trace.t.size() >= 2, "a trace of at least one step");
  const auto stretch = [&](std::size_t row) {
    const std::size_t a = row * columns + from, b = row * columns + to;
    return Stretch{trace.q[b] - trace.q[a], trace.v[b] - trace.v[a], trace.a[b] - trace.a[a]};
  };
  clear();
  for (std::size_t row = 0; row + 1 < trace.t.size(); ++row) {
    stretch_.push_back(
        quintic(trace.t[row], trace.t[row + 1] - trace.t[row], stretch(row), stretch(row + 1)));
    end_.push_back(trace.t[row + 1]);
  }
}

void RecordedForce::clear() {
  end_.clear();
  stretch_.clear();
}

const Polynomial& RecordedForce::piece(double t) const {
  const auto found = std::lower_bound(end_.begin(), end_.end(), t);
  return stretch_[std::min(static_cast<std::size_t>(found - end_.begin()), stretch_.size() - 1)];
}

double RecordedForce::value(double t) const {
  if (stretch_.empty()) return 0;
  const Polynomial& p = piece(t);
  return law_.force(p(t), p.rate(t));
}

double RecordedForce::rate(double t) const {
  if (stretch_.empty()) return 0;
  const Polynomial& p = piece(t);
  const double x = p(t), v = p.rate(t);
  return law_.stiffness(x) * v + law_.damping(v) * curvature(p, t);
}

}  // namespace cosimo
