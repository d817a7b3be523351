// A third kind of component, for tests alone: an electric circuit of a resistor, a coil and a capacitor in
// series behind a breaker, with the current i and the voltage u_c of the capacitor as states:
//
//   L i' = u - R i - u_c,   C u_c' = i;   the breaker opens where |i| reaches `most`: i = 0 from then on
//
// It takes part in whatever its capabilities allow and is known to nobody: this file and its place in a
// Wiring are all there is of it.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "native/signal_component.hpp"

namespace cosimo::testing {

struct CircuitValues {
  double R = 1, L = 0.1, C = 0.01;
  double most = std::numeric_limits<double>::infinity();  ///< current that opens the breaker
  double u_c = 0;                                         ///< at the start
};

class Circuit final : public SignalSystem {
 public:
  explicit Circuit(const CircuitValues& values) : values_(values) {}

  Extent extent() const override { return {.z = 2, .s = 1, .roots = 1}; }
  bool evaluate(double t, const Whole& y, double* /*a*/, double* rate) const override {
    const auto [R, L, C, most, u_c] = values_;
    rate[0] = y.s[0] != 0 ? 0 : (inputs_at(t)[0] - R * y.z[0] - y.z[1]) / L;
    rate[1] = y.z[0] / C;
    return std::isfinite(rate[0]);
  }
  void state_tangent(double t, const Whole& y, StateTangent& out) const override {
    for (auto* block : {&out.M, &out.C, &out.K, &out.z.f_z, &out.z.z_x, &out.z.z_w, &out.z.z_z})
      block->clear();
    const double closed = y.s[0] != 0 ? 0 : 1;
    out.z.z_z = {{0, 0, -closed * values_.R / values_.L}, {0, 1, -closed / values_.L}, {1, 0, 1 / values_.C}};
    out.z_t[0] = closed * rates_at(t)[0] / values_.L;
  }
  void roots(double, const Whole& y, double* g) const override {
    g[0] = std::isfinite(values_.most) ? values_.most - std::fabs(y.z[0]) : 1;
  }
  Fired fire(double, std::span<const std::int8_t>, Editable& y) const override {
    y.s[0] = 1;
    y.z[0] = 0;
    return Fired::outputs;  // the current jumps
  }
  double output(std::size_t number, double, const Whole& y, std::span<const double>) const override {
    return number == 2 ? -y.z[0] : y.z[number];
  }

 private:
  CircuitValues values_;
};

class CircuitSpec final : public SignalSpec {
 public:
  CircuitSpec(std::string name, const CircuitValues& values, const IntegratorOptions& options)
      : SignalSpec(std::move(name), {{.name = "u", .required = true}},
                   {{.name = "i", .nominal = 1e-3},
                    {.name = "u_c", .nominal = 1e-3},
                    {.name = "drag", .nominal = 1e-3}},
                   options),
        values_(values) {}
  std::string kind() const override { return "circuit"; }
  bool ends_early() const override { return true; }
  std::unique_ptr<SignalSystem> make_system() const override { return std::make_unique<Circuit>(values_); }
  std::vector<double> initial_states() const override { return {0, values_.u_c}; }
  std::vector<double> initial_memory() const override { return {0}; }

 private:
  CircuitValues values_;
};

}  // namespace cosimo::testing
