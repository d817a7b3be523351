// Runs of every method over irregular macro steps with changing inputs, for the tests of archive().
//
//   ArchiveRun run = cases()[i].make();
//   auto integrator = run.start();
//   run.step(k, *integrator)            macro step k: all that can be seen of it, to the bit
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "integrator/constrained_testing.hpp"
#include "integrator/ida_testing.hpp"
#include "integrator/integrator.hpp"
#include "integrator/testing.hpp"
#include "integrator/top_testing.hpp"

namespace cosimo::testing {

/// All that can be seen of an integrator, the method by its first letters.
inline std::vector<double> everything(const Integrator& integrator) {
  std::vector<double> seen(integrator.position().begin(), integrator.position().end());
  seen.insert(seen.end(), integrator.velocity().begin(), integrator.velocity().end());
  const Integrator::Status s = integrator.status();
  const Counters& c = s.counters;
  for (const std::int64_t x : {c.steps, c.rejected, c.evaluations, c.factorizations, c.solves, s.switches,
                               s.stiff_steps, s.merson_steps})
    seen.push_back(static_cast<double>(x));
  for (const double x : {s.last_step, s.next_step, 1.0 * s.method[0], 1.0 * s.method[1]}) seen.push_back(x);
  return seen;
}

struct ArchiveRun {
  std::shared_ptr<const System> system;
  Begin begin;
  IntegratorOptions options;
  double macro = 0.1;                   ///< mean macro step
  std::function<void(double)> drive{};  ///< makes the inputs change with the number of the macro step
  static constexpr int steps = 24;

  std::unique_ptr<Integrator> make() const { return make_integrator(*system, options); }
  std::unique_ptr<Integrator> start() const {
    auto integrator = make();
    integrator->start(0, begin.q, begin.v);
    return integrator;
  }
  double time(int k) const {
    const RandomStream length(3, 1);
    double t = 0;
    for (int i = 0; i < k; ++i) t += macro * length.uniform(static_cast<std::uint64_t>(i), 0.2, 1.8);
    return t;
  }
  std::vector<double> step(int k, Integrator& integrator) const {
    if (drive) drive(k);
    const double t = time(k), end = time(k + 1);
    const std::array times{t + 0.3 * (end - t), t + 0.301 * (end - t), end};
    const std::array<std::int32_t, 2> dofs{0, static_cast<std::int32_t>(system->size() - 1)};
    std::array<double, 6> q{}, v{};
    const AdvanceResult result = integrator.advance(end, {times, dofs, q, v});
    std::vector<double> seen = everything(integrator);
    seen.insert(seen.end(), q.begin(), q.end());
    seen.insert(seen.end(), v.begin(), v.end());
    seen.push_back(result.ok ? 1 : 0);
    return seen;
  }
};

struct ArchiveCase {
  const char* name;
  ArchiveRun (*make)();
};

namespace archive_cases {

inline IntegratorOptions with(Method method, double tolerance, Linear linear = Linear::automatic) {
  IntegratorOptions options;
  options.method = method;
  options.linear = linear;
  options.tolerances = {tolerance, tolerance, tolerance};
  return options;
}

inline Begin scattered(std::size_t n) {
  const RandomStream x(7, 1), w(7, 2);
  Begin begin;
  for (std::size_t i = 0; i < n; ++i) {
    begin.q.push_back(x.uniform(i, -0.5, 0.5));
    begin.v.push_back(w.uniform(i, -0.5, 0.5));
  }
  return begin;
}

/// A force on the last mass that jumps at every macro point, and a load with a kink.
inline ArchiveRun chain(const ChainParameters& parameters, const IntegratorOptions& options) {
  const auto system = std::make_shared<Chain>(30, parameters);
  const auto amplitude = std::make_shared<double>(0);
  system->input = {[=](double t) { return *amplitude * std::sin(2 * t); },
                   [=](double t) { return *amplitude * 2 * std::cos(2 * t); }};
  system->load = {[](double t) { return t < 1.1 ? 0.0 : t - 1.1; },
                  [](double t) { return t < 1.1 ? 0.0 : 1.0; }};
  system->breakpoints = {1.1};
  return {system, scattered(30), options, 0.1, [=](double k) { *amplitude = 1 + std::sin(k); }};
}
template <Method method, Linear linear = Linear::automatic>
ArchiveRun soft_chain() {
  return chain({1, 1, 0.05, 2}, with(method, 1e-6, linear));
}
template <Method method>
ArchiveRun stiff_chain() {
  return chain({1, 1e4, 3e2}, with(method, 1e-5));
}
template <Stop stop>
ArchiveRun stopping() {
  ArchiveRun run = soft_chain<Method::ida>();
  run.options.stop = stop;
  run.options.limit = 2;
  return run;
}
template <Method method>
ArchiveRun tree() {
  return {std::make_shared<Network>(9, branched_tree()), scattered(9), with(method, 1e-6)};
}
template <Method method>
ArchiveRun ring() {
  std::vector<Edge> edges{{0, 7}};
  for (std::int32_t i = 0; i < 7; ++i) edges.push_back({i, i + 1});
  return {std::make_shared<Network>(8, edges), scattered(8), with(method, 1e-6)};
}
template <Method method>
ArchiveRun pendulum_run() {
  return {std::make_shared<Particles>(double_pendulum()), double_pendulum_at(0.5, 0.9), with(method, 1e-6)};
}
template <Method method>
ArchiveRun stiff_pendulum_run() {
  return {std::make_shared<Particles>(stiff_pendulum(1e8, 1e4)), double_pendulum_at(0.5, 0.5),
          with(method, 1e-5)};
}
/// It swings without damping, hardly visible: only stability limits its steps.
template <Method method>
ArchiveRun swinging_pendulum_run() {
  return {std::make_shared<Particles>(stiff_pendulum(1e5, 0)), double_pendulum_at(0.5, 0.5),
          with(method, 1e-2)};
}
template <Method method>
ArchiveRun sliding_run() {
  return {std::make_shared<Particles>(driven_pendulum(0.3, 4)), driven_pendulum_at(0.3, 4),
          with(method, 1e-6)};
}
template <Method method>
ArchiveRun top_run() {
  return {std::make_shared<Top>(), top_at(0.6, 60, 1), with(method, 1e-5), 0.02};
}

}  // namespace archive_cases

/// Every method, every linear solver, with and without constraints.
inline std::vector<ArchiveCase> all_archive_cases() {
  using namespace archive_cases;
  return {{"rk", soft_chain<Method::rk>},
          {"merson", soft_chain<Method::merson>},
          {"rosenbrock", soft_chain<Method::rosenbrock>},
          {"rosenbrock_klu", soft_chain<Method::rosenbrock, Linear::klu>},
          {"rosenbrock_ring", ring<Method::rosenbrock>},
          {"automatic", stiff_chain<Method::automatic>},
          {"ida", soft_chain<Method::ida>},
          {"ida_klu", soft_chain<Method::ida, Linear::klu>},
          {"ida_dense", soft_chain<Method::ida, Linear::dense>},
          {"ida_stiff", stiff_chain<Method::ida>},
          {"ida_tree", tree<Method::ida>},
          {"ida_ring", ring<Method::ida>},
          {"ida_exact", stopping<Stop::exact>},
          {"ida_limit", stopping<Stop::limit>},
          {"constrained_rk", pendulum_run<Method::rk>},
          {"constrained_merson", pendulum_run<Method::merson>},
          {"constrained_radau", pendulum_run<Method::radau>},
          {"constrained_automatic", stiff_pendulum_run<Method::automatic>},
          {"constrained_swinging_automatic", swinging_pendulum_run<Method::automatic>},
          {"constrained_ida", pendulum_run<Method::ida>},
          {"sliding_radau", sliding_run<Method::radau>},
          {"sliding_ida", sliding_run<Method::ida>},
          {"top_rk", top_run<Method::rk>},
          {"top_merson", top_run<Method::merson>},
          {"top_radau", top_run<Method::radau>},
          {"top_ida", top_run<Method::ida>}};
}

}  // namespace cosimo::testing
