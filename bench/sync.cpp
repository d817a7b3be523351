// An empty macro step with 100 subsystems on two threads against one rk step of 1000 masses.
#include <fmt/format.h>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/timing.hpp"
#include "parallel/pool.hpp"

namespace cosimo::bench {

void sync(const Options& options, Table& table) {
  const int rounds = options.quick ? 3 : 10;
  const Whole whole(table_5_9(1000));
  const Sampler sampler(1000, 1e-4);
  IntegratorOptions rk;
  rk.method = Method::rk;
  const auto integrator = make_integrator(whole.system, rk);
  integrator->start(0.0, whole.equations.initial_position(), whole.equations.initial_velocity());
  double t = 0;
  Pool pool(options.threads > 1 ? options.threads : 2);
  auto empty = [](std::size_t) {};
  const auto best =
      interleaved(rounds, {[&] {
                             const auto before = integrator->status().counters.steps;
                             t += 1e-4;
                             const double s = seconds([&] { (void)integrator->advance(t, {}).ok; });
                             return s / static_cast<double>(integrator->status().counters.steps - before);
                           },
                           [&] {
                             constexpr int repeat = 2000;
                             return seconds([&] {
                                      for (int i = 0; i < repeat; ++i) pool.run(100, empty);
                                    }) /
                                    repeat;
                           }});
  table.add({"sync", fmt::format("empty macro step, 100 subsystems, {} threads", pool.threads()),
             "rk step of 1000 masses", 1e6 * best[0], 1e6 * best[1], "us", best[1] / best[0], Goal::at_most,
             1.0, "ours / step"});
}

}  // namespace cosimo::bench
