// A system with constraints and first-order states for the tests of integrators.
#pragma once

#include <cmath>
#include <vector>

#include "integrator/constrained_testing.hpp"

namespace cosimo::testing {

/// Point 0 of Particles feels the force z0 of a spring and a damper in a row, towards the y axis, and what z1
/// does: a state that follows the height of the point with some lag. With `height` there is a root where the
/// point passes that height.
class LaggingParticles final : public Particles {
 public:
  explicit LaggingParticles(const Particles& particles) : Particles(particles) {}
  double c = 3, relaxation = 2, lag = 0.7, push = 0.5;
  double height = std::nan("");
  std::function<Fired(double, std::span<const std::int8_t>, Editable&)> event;

  Extent extent() const override { return {.z = 2, .roots = std::isnan(height) ? 0U : 1U}; }
  bool evaluate(double t, const Whole& y, double* a, double* z_rate) const override {
    Small lambda{};
    return evaluate_with_multipliers(t, y, a, z_rate, lambda.data());
  }
  bool evaluate_with_multipliers(double t, const Whole& y, double* a, double* z_rate,
                                 double* lambda) const override {
    state_rates(y, z_rate);
    return motion_of(all_forces(y), t, y.q, y.v, a, lambda);
  }
  bool whole_residual(double, const Whole& y, const double* alpha, const double* lambda, double* r,
                      double* z_rate) const override {
    state_rates(y, z_rate);
    return residual_of(all_forces(y), y.q, alpha, lambda, r);
  }
  void linearise_whole(double t, const Whole& y, const double* alpha, const double* lambda,
                       StateTangent& out) const override {
    linearise(t, y.q, y.v, alpha, lambda, out);  // the forces of the states depend on nothing else
    out.z.f_z = {{0, 0, -1}, {1, 1, push}};
    out.z.z_w = {{0, 0, c}};
    out.z.z_x = {{1, 1, 1 / lag}};
    out.z.z_z = {{0, 0, -relaxation}, {1, 1, -1 / lag}};
  }
  void roots(double, const Whole& y, double* g) const override { g[0] = y.q[1] - height; }
  Fired fire(double t, std::span<const std::int8_t> crossed, Editable& y) const override {
    return event(t, crossed, y);
  }

 private:
  void state_rates(const Whole& y, double* z_rate) const {
    z_rate[0] = c * y.v[0] - relaxation * y.z[0];
    z_rate[1] = (y.q[1] - y.z[1]) / lag;
  }
  Small all_forces(const Whole& y) const {
    Small f = forces(y.q, y.v);
    f[0] -= y.z[0];
    f[1] += push * y.z[1];
    return f;
  }
};

}  // namespace cosimo::testing
