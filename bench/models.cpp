#include "bench/models.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "bench/timing.hpp"
#include "model/chain.hpp"
#include "partition/partition.hpp"
#include "record/compare.hpp"

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
