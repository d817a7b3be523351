#include "bench/models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "bench/timing.hpp"
#include "model/chain.hpp"
#include "model/graphs.hpp"
#include "results/compare.hpp"

namespace cosimo::bench {

Model table_5_9(std::size_t masses) {
  ChainSpec spec;
  spec.masses = masses;
  spec.mass = 5.0e-5;
  spec.c = 2.5e6;
  spec.d = 0.25;
  spec.C = 1.0e10;
  spec.D = 5.0e-5;
  spec.x = Uniform{-1e-2, 1e-2};
  spec.v = Uniform{-1e2, 1e2};
  spec.seed = 12345;
  return make_chain(spec);
}

std::string table_5_9_yaml(std::size_t masses, const std::string& extra) {
  return fmt::format(
      R"(cosimo: 1
model:
  chain:
    masses: {}
    mass: 5.0e-5
    spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}}
    seed: 12345
{}
)",
      masses,
      extra.empty() ? "    initial: {x: {uniform: [-1.0e-2, 1.0e-2]}, v: {uniform: [-100, 100]}}" : extra);
}

std::string table_5_1_yaml() {
  return R"(cosimo: 1
model:
  chain:
    masses: 50
    mass: 10
    spring: {c: 1.0e6, d: 1.0e2, C: 1.0e12, D: 1, ex: 6, ev: 3}
    ends: [fixed, free]
    loads: [{harmonic: {bodies: [50], amplitude: 5.0e7, omega: 500}}]
)";
}

std::string steel_rod_yaml(std::size_t elements, double damping_ratio) {
  constexpr double mass = 0.493, length = 0.2, radius = 0.01, young = 2.1e11;
  const auto n = static_cast<double>(elements);
  const double m = mass / n, c = young * std::numbers::pi * radius * radius * n / length;
  return fmt::format(
      R"(cosimo: 1
model:
  chain:
    masses: {0}
    mass: {1}
    spring: {{c: {2}, d: {3}}}
    ends: [fixed, free]
    loads:
      - impulse: {{bodies: [{0}], amplitude: -5.0e5, start: 5.0e-7, duration: 5.0e-5, steepness: 1.0e-7}}
)",
      elements, m, c, 2 * damping_ratio * std::sqrt(c * m));
}

std::string asymmetric_yaml(double mass_ratio, double damping) {
  return fmt::format(
      R"(cosimo: 1
model:
  chain:
    masses: 2
    mass: [{}, 1]
    spring: {{c: 1.0e6, d: [0, {}, 0]}}
    initial: {{x: [0.05, 0]}}
    loads: [{{harmonic: {{bodies: [2], amplitude: 1.0e5, omega: 50}}}}]
)",
      1 / mass_ratio, damping);
}

std::string run_yaml(std::size_t masses, std::size_t parts, double end) {
  std::vector<std::size_t> beside;
  for (std::size_t i = 1; i < parts; ++i)
    for (const std::size_t side : {0, 1}) beside.push_back(i * masses / parts + side);
  return fmt::format("simulate: {{end: {}, output: {}, record: [{}]}}\npartition: {{parts: {}}}\n", end,
                     end / 100, fmt::join(beside, ", "), parts);
}

Whole::Whole(Model m)
    : model(std::move(m)), equations(model, uncut(model).parts.front()), system(equations, {}) {}

double rms_nrmse(const Trajectory& a, const Trajectory& reference) {
  const std::size_t columns = reference.columns;
  const std::size_t rows = reference.position.size() / columns;
  double total = 0;
  std::vector<double> x(rows), y(rows);
  for (const auto member : {&Trajectory::position, &Trajectory::velocity})
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t i = 0; i < rows; ++i) {
        x[i] = (a.*member)[i * columns + j];
        y[i] = (reference.*member)[i * columns + j];
      }
      const double e = nrmse(x, y);
      total += e * e;
    }
  return std::sqrt(total / static_cast<double>(2 * columns));
}

Sampler::Sampler(std::size_t masses, double end) {
  const std::size_t columns = std::min<std::size_t>(masses, 200);
  for (std::size_t i = 0; i < columns; ++i)
    dofs.push_back(static_cast<std::int32_t>((2 * i + 1) * masses / (2 * columns)));
  for (int k = 1; k <= 100; ++k) times.push_back(end * k / 100);
}

Integration integrate(const Whole& whole, const IntegratorOptions& options, const Sampler& sampler) {
  const auto integrator = make_integrator(whole.system, options);
  Integration result;
  result.trajectory.columns = sampler.dofs.size();
  result.trajectory.position.resize(sampler.dofs.size() * sampler.times.size());
  result.trajectory.velocity = result.trajectory.position;
  integrator->start(0.0, whole.equations.initial_position(), whole.equations.initial_velocity());
  const double begin = now();
  const AdvanceResult done = integrator->advance(
      sampler.times.back(),
      {sampler.times, sampler.dofs, result.trajectory.position, result.trajectory.velocity});
  result.seconds = now() - begin;
  if (!done.ok) throw std::runtime_error(fmt::format("integration failed: {}", done.reason));
  result.counters = integrator->status().counters;
  return result;
}

Underway::Underway(std::size_t masses, Method method) : whole_(table_5_9(masses)) {
  IntegratorOptions options;
  options.method = method;
  integrator_ = make_integrator(whole_.system, options);
  integrator_->start(0.0, whole_.equations.initial_position(), whole_.equations.initial_velocity());
  advance(1e-4);
}

void Underway::advance(double t) {
  const AdvanceResult done = integrator_->advance(t, {});
  if (!done.ok) throw std::runtime_error(fmt::format("integration failed: {}", done.reason));
  time_ = t;
}

double Underway::micro_step_seconds() {
  const auto before = integrator_->status().counters.steps;
  const double s = seconds([this] { advance(time_ + 1e-4); });
  return s / static_cast<double>(integrator_->status().counters.steps - before);
}

}  // namespace cosimo::bench
