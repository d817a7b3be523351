// What the test FMUs have in common: a model is plain data, so that a state is a copy of it.
//
//   value references:  10.. parameters, 100.. inputs, 200.. outputs, 300.. states, 400.. derivatives, 500..
//   integers
#pragma once

#include <unistd.h>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int most_derivatives = 6;

template <std::size_t parameters, std::size_t inputs, std::size_t outputs, std::size_t states,
          std::size_t indicators_>
struct Data {
  static constexpr std::size_t np = parameters, nu = inputs, ny = outputs, nx = states, ni = indicators_;
  double t = 0;
  double p[np + 1]{}, u[nu + 1]{}, du[nu + 1][most_derivatives]{}, y[ny + 1]{}, x[nx + 1]{}, dx[nx + 1]{};
  double u0[nu + 1]{}, t0 = 0;  ///< inputs at the beginning of a step
  std::int32_t whole[4]{};
  bool truth[4]{};
  double next_time = never;
  bool started = false;

  std::span<double> at(std::uint32_t r) {
    if (r >= 10 && r < 10 + np) return {&p[r - 10], 1};
    if (r >= 100 && r < 100 + nu) return {&u[r - 100], 1};
    if (r >= 200 && r < 200 + ny) return {&y[r - 200], 1};
    if (r >= 300 && r < 300 + nx) return {&x[r - 300], 1};
    if (r >= 400 && r < 400 + nx) return {&dx[r - 400], 1};
    return {};
  }
  // What models say beside rates() and outputs(), where they have it.
  void start() {}
  void indicators(double*) const {}
  bool event() { return false; }            ///< true: states have changed
  double due() const { return never; }      ///< co-simulation of FMI 3.0: of the next event,
  double longest() const { return never; }  ///< and of steps that are not returned from early
  void text(std::uint32_t, const char*, std::size_t) {}
  /// 0: fine; 2, 3, 4: the status to return. `whole[0]`, the integer `mode`, says how to misbehave.
  int mood() const { return 0; }
  int first_mood() const { return 0; }
};

/// Inputs on the way through a step: their values and derivatives at its beginning.
template <class M>
void drive(M& m, double t) {
  for (std::size_t i = 0; i < M::nu; ++i) {
    double power = 1, value = m.u0[i];
    for (int k = 0; k < most_derivatives; ++k) {
      power *= (t - m.t0) / (k + 1);
      value += power * m.du[i][k];
    }
    m.u[i] = value;
  }
}

/// Classical Runge-Kutta steps, far smaller than what anybody measures. `drive(m, t)` sets the inputs.
template <class M, class Drive>
void integrate(M& m, double end, int steps, Drive drive) {
  m.t0 = m.t;
  for (std::size_t i = 0; i < M::nu; ++i) m.u0[i] = m.u[i];
  const double h = (end - m.t) / steps;
  for (int s = 0; s < steps; ++s) {
    double k[4][M::nx + 1], from[M::nx + 1];
    const double t = m.t0 + s * h;
    std::memcpy(from, m.x, sizeof from);
    for (int stage = 0; stage < 4; ++stage) {
      const double c = stage == 0 ? 0 : stage == 3 ? 1 : 0.5;
      for (std::size_t i = 0; i < M::nx; ++i) m.x[i] = from[i] + (stage == 0 ? 0 : c * h * k[stage - 1][i]);
      m.t = t + c * h;
      drive(m, m.t);
      m.rates();
      for (std::size_t i = 0; i < M::nx; ++i) k[stage][i] = m.dx[i];
    }
    for (std::size_t i = 0; i < M::nx; ++i)
      m.x[i] = from[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  m.t = end;
  drive(m, end);
  std::memset(m.du, 0, sizeof m.du);
}
template <class M>
void integrate(M& m, double end) {
  integrate(m, end, 64, [](M& on_its_way, double t) { drive(on_its_way, t); });
}
