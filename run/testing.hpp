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
#include "run/assembly.hpp"
#include "run/local_reference.hpp"
#include "run/observer.hpp"
#include "run/session.hpp"
#include "run/time_loop.hpp"
#include "scheme/explicit.hpp"

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
  const bool coupling = estimator == "exCV";
  return fmt::format(
      "estimator: {}, safety: 2, r_min: 0.75, r_max: 1.25, order: 2, rtol: {}, atol_pos: 1.0e-8, atol_vel: "
      "1.0e-5, atol_u: 1",
      estimator, coupling ? "1.0e-3" : "1.0e-5");
}

/// Keeps everything it is told.
class Memory final : public Observer {
 public:
  std::vector<double> time, position, velocity, u;
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
  std::unique_ptr<Assembly> assembly;
  Session session;
  Memory memory;
  LoopOptions& loop = session.loop;
  std::unique_ptr<LaneSet>& lanes = session.lanes;
  std::unique_ptr<Scheme>& scheme = session.scheme;
  std::optional<LocalReference>& local = session.local;

  explicit Bench(const std::string& text, int threads = 1, const TestHooks& hooks = {})
      : scenario(config::parse_scenario(text, "test")),
        assembly(assemble(scenario)),
        session(scenario, *assembly, threads, hooks) {}

  /// The scheme of a run with classic cuts, and that of one with overlaps.
  ExplicitScheme& classic() { return dynamic_cast<ExplicitScheme&>(*session.scheme); }
  OverlapScheme& overlap() { return dynamic_cast<OverlapScheme&>(*session.scheme); }

  LoopResult run() {
    return TimeLoop(*assembly, *lanes, *scheme, *session.control, loop, memory, local ? &*local : nullptr,
                    nullptr)
        .run();
  }
};

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
