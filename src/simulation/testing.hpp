// Models of the documents as scenario texts, and short ways to run them in tests.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "parallel/pool.hpp"
#include "results/compare.hpp"
#include "scheme/explicit.hpp"
#include "simulation/assembly.hpp"
#include "simulation/local_reference.hpp"
#include "simulation/observer.hpp"
#include "simulation/session.hpp"
#include "simulation/time_loop.hpp"

namespace cosimo::testing {

/// Table 5.1: 50 masses, free last end, harmonic force on the last body.
inline std::string table_5_1(bool linear, const std::string& rest) {
  return fmt::format(R"(cosimo: 1
model:
  chain:
    masses: 50
    mass: 10
    spring: {{c: 1.0e6, d: 100, C: {}, D: {}, ex: 6, ev: 3}}
    ends: [fixed, free]
    loads: [{{harmonic: {{bodies: [50], amplitude: 5.0e7, omega: 500}}}}]
partition: {{parts: 10}}
{}
)",
                     linear ? "0" : "1.0e12", linear ? "0" : "1", rest);
}

/// Table 5.2: the two-mass oscillators M1 (linear), M2 (nonlinear), M3 (contact).
inline std::string two_masses(int model, const std::string& rest) {
  static const char* physics[] = {
      "mass: [2, 1], spring: {c: [1.0e5, 5.0e3, 1.0e3], d: 0}, initial: {x: [-2, 0], v: [100, -200]}",
      "mass: [5, 1], spring: {c: [1.0e3, 1.0e2, 1.0e4], d: 0, C: [1.0e4, 1.0e5, 1.0e3], D: [1.0e-3, 5.0e-4, "
      "0], ex: 7, "
      "ev: 3}, initial: {x: [-1, 0], v: [100, -200]}",
      "mass: [50, 1], spring: {c: [1.0e5, 1.0e5, 1.0e3], d: 0, C: [0, 1.0e5, 0], D: [0, 1.0e-2, 0]}, "
      "initial: {x: [-2, 0], v: [100, -200]}, loads: [{contact: {bodies: [1], A: -1.0e-2, B: 1.0e7}}]"};
  return fmt::format("cosimo: 1\nmodel: {{chain: {{masses: 2, {}}}}}\npartition: {{parts: 2}}\n{}\n",
                     physics[model - 1], rest);
}

/// Settings of Section 5.2.
inline std::string section_5_2(const std::string& estimator) {
  const bool coupling = estimator.ends_with("CV");
  return fmt::format(
      "estimator: {}, safety: 2, r_min: 0.75, r_max: 1.25, order: 2, rtol: {}, atol_pos: 1.0e-8, atol_vel: "
      "1.0e-5, atol_u: 1",
      estimator, coupling ? "1.0e-3" : "1.0e-5");
}

/// Section 5.4, second model, 290 masses in 11 subsystems of 40 heavy and 10 light masses; `shift`
/// moves every cut one heavy mass away from the light block.
inline std::string section_5_4(bool shift, const std::string& rest) {
  std::string blocks, cuts;
  int body = 0;
  for (int part = 0; part < 11; ++part) {
    const bool heavy = part % 2 == 0;
    blocks +=
        fmt::format("{}{{count: {}, value: {}}}", part ? ", " : "", heavy ? 40 : 10, heavy ? "10" : "0.1");
    body += heavy ? 40 : 10;
    // Element i joins body i-1 to body i. The cut after a heavy part moves left, after a light part right.
    if (part < 10) cuts += fmt::format("{}{}", part ? ", " : "", body + 1 + (shift ? (heavy ? -1 : 1) : 0));
  }
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 290, mass: {{blocks: [{}]}}, spring: {{c: 1.0e7, d: 1.0e3, C: 1.0e14, D: 1.0e4}}, seed: 11,
          initial: {{x: {{uniform: [-1.0e-4, 1.0e-4]}}, v: {{uniform: [-1.0e-2, 1.0e-2]}}}},
          loads: [{{powersine: {{bodies: {{fraction: 0.2}}, sign: random, amplitude: {{uniform: [1.0e5, 1.0e6]}},
                    omega: {{uniform: [750, 1000]}}, exponent: 95}}}}]}}
partition: {{method: manual, cuts: [{}]}}
{}
)",
                     blocks, cuts, rest);
}

/// Model 1 of the 2017 paper, fewer masses: 1.0 kg, 1e7 N/m, cubic 1e9, d = 1, D = 1e-2.
inline std::string paper_model_1(double H, int kappa, const std::string& couple = "") {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 120, mass: 1, spring: {{c: 1.0e7, d: 1, C: 1.0e9, D: 1.0e-2}},
          initial: {{x: {{uniform: [-0.1, 0.1]}}, v: {{uniform: [-100, 100]}}}}, seed: 5}}
partition: {{parts: 6}}
simulate: {{end: 0.02, output: 1.0e-4}}
control: {{step: {}, order: {}}}
solve: {{method: rk, rtol: 1.0e-8}}
{}
)",
                     H, kappa, couple);
}

/// Keeps everything it is told.
class Memory final : public Observer {
 public:
  std::vector<double> time, position, velocity, u;
  std::vector<std::int32_t> layers;  ///< of overlaps, per accepted step and cut
  std::vector<StepRow> steps;
  void output(double t, std::span<const double> q, std::span<const double> v) override {
    time.push_back(t);
    position.insert(position.end(), q.begin(), q.end());
    velocity.insert(velocity.end(), v.begin(), v.end());
  }
  void step(const StepRow& row, const Scheme& scheme, const AttemptCost&) override {
    steps.push_back(row);
    const auto now = scheme.point().u;
    if (row.accepted) u.insert(u.end(), now.begin(), now.end());
    const auto copied = scheme.point().cut_layers;
    if (row.accepted) layers.insert(layers.end(), copied.begin(), copied.end());
    if (row.accepted && on_step) on_step();
  }
  void macro_point(double, double, int) override {}
  std::function<void()> on_step;

  std::size_t accepted() const {
    return static_cast<std::size_t>(
        std::count_if(steps.begin(), steps.end(), [](const StepRow& r) { return r.accepted; }));
  }
};

/// A whole run in memory, with access to its inside.
struct Bench {
  config::Scenario scenario;
  std::unique_ptr<const Assembly> assembly;
  Session session;
  Memory memory;
  LoopOptions& loop = session.loop;
  std::unique_ptr<LaneSet>& lanes = session.lanes;
  std::unique_ptr<Scheme>& scheme = session.scheme;
  std::optional<LocalReference>& local = session.local;

  /// `settings`: "key=value", as after --set.
  explicit Bench(const std::string& text, int threads = 1, const TestHooks& hooks = {},
                 std::span<const std::string> settings = {})
      : scenario(config::parse_scenario(text, "test", settings)),
        assembly(assemble(scenario, nullptr, nullptr, hooks.wiring)),
        session(scenario, *assembly, threads, hooks) {}

  /// The scheme of a run with classic cuts, and that of one with overlaps.
  ClassicScheme& classic() { return dynamic_cast<ClassicScheme&>(*session.scheme); }
  OverlapScheme& overlap() { return dynamic_cast<OverlapScheme&>(*session.scheme); }

  LoopResult run() {
    return TimeLoop(*assembly, *lanes, *scheme, *session.control, loop, memory, local ? &*local : nullptr,
                    nullptr)
        .run();
  }
};

/// Largest |x| of the run; infinite when it broke down.
inline double largest(const std::string& text) {
  Bench bench(text);
  if (bench.run().status != LoopResult::Status::ok) return INFINITY;
  double most = 0;
  for (const double x : bench.memory.position)
    most = std::max(most, std::isfinite(x) ? std::fabs(x) : INFINITY);
  return most;
}

/// Root mean square over the bodies of the NRMSE (5.1) over the output times.
struct Deviation {
  double position = 0, velocity = 0;
};

inline Deviation deviation(const Memory& run, const Memory& reference) {
  const std::size_t rows = reference.time.size(), bodies = reference.position.size() / rows;
  std::vector<double> a(rows), b(rows);
  const auto level = [&](const std::vector<double>& value, const std::vector<double>& exact) {
    double sum = 0;
    for (std::size_t j = 0; j < bodies; ++j) {
      for (std::size_t i = 0; i < rows; ++i) {
        a[i] = value.at(i * bodies + j);
        b[i] = exact[i * bodies + j];
      }
      const double error = nrmse(a, b);
      sum += error * error;
    }
    return std::sqrt(sum / static_cast<double>(bodies));
  };
  return {level(run.position, reference.position), level(run.velocity, reference.velocity)};
}

/// Least-squares slope of log(error) over log(H).
inline double observed_order(std::span<const double> H, std::span<const double> error) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(H.size());
  for (std::size_t i = 0; i < H.size(); ++i) {
    const double x = std::log(H[i]), y = std::log(error[i]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace cosimo::testing
