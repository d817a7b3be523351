// Save plus restore of one subsystem of 1000 masses against one micro step.
#include <fmt/format.h>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/timing.hpp"

namespace cosimo::bench {

namespace {

void one_method(const char* name, Method method, double target, int rounds, Table& table) {
  const Whole whole(table_5_9(1000));
  IntegratorOptions options;
  options.method = method;
  const auto integrator = make_integrator(whole.system, options);
  integrator->start(0.0, whole.equations.initial_position(), whole.equations.initial_velocity());
  double t = 1e-4;
  if (!integrator->advance(t, {}).ok) return;  // past the start
  const auto memory = integrator->make_snapshot();
  const auto best =
      interleaved(rounds, {[&] {
                             const auto before = integrator->status().counters.steps;
                             t += 1e-4;
                             const double s = seconds([&] { (void)integrator->advance(t, {}).ok; });
                             return s / static_cast<double>(integrator->status().counters.steps - before);
                           },
                           [&] {
                             constexpr int repeat = 50;
                             double total = 0;
                             for (int i = 0; i < repeat; ++i) {
                               // A step in between, so that restoring has something to put back.
                               total += seconds([&] { integrator->save(*memory); });
                               (void)integrator->advance(t + 2e-6, {}).ok;
                               total += seconds([&] { integrator->restore(*memory); });
                             }
                             return total / repeat;
                           }});
  table.add({"snapshot", fmt::format("{}: save + restore, 1000 masses", name), "one micro step",
             1e6 * best[0], 1e6 * best[1], "us", best[1] / best[0], Goal::at_most, target, "ours / step"});
}

}  // namespace

void snapshot(const Options& options, Table& table) {
  const int rounds = options.quick ? 3 : 10;
  one_method("ida", Method::ida, 0.25, rounds, table);
  one_method("rk", Method::rk, 0.05, rounds, table);
  one_method("rosenbrock", Method::rosenbrock, 0.05, rounds, table);
}

}  // namespace cosimo::bench
