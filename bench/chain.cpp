// The chain of Table 5.9 cut into subsystems, explicit controlled run (exCV), against the
// fastest uncut run of our own on one thread. Both must meet NRMSE (5.2) <= 1e-3 over the
// states of the coupling bodies.
#include <fmt/format.h>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/scenarios.hpp"

namespace cosimo::bench {

void chain(const Options& options, Table& table) {
  const std::size_t masses = options.quick ? 10'000 : 100'000;
  const double end = options.quick ? 2e-4 : 2e-3;
  const int parts = 100;
  const int threads = options.thread_count();
  std::string record;
  for (int i = 1; i < parts; ++i) {
    const auto cut = static_cast<std::size_t>(i) * masses / static_cast<std::size_t>(parts);
    record += fmt::format("{}{}, {}", i > 1 ? ", " : "", cut, cut + 1);
  }
  const std::string text =
      table_5_9_yaml(masses) +
      fmt::format("simulate: {{end: {}, output: {}, record: [{}]}}\npartition: {{parts: {}}}\n", end,
                  end / 100, record, parts);
  const Scratch scratch;
  run_to(text,
         {"reference", {"partition=none", "solve.method=rk", "solve.rtol=1e-10", "solve.atol_pos=1e-13"}, 1},
         scratch / "reference");

  std::vector<Setting> settings;
  for (const char* rtol : {"1e-3", "3e-4", "1e-4", "5e-5", "2e-5"})
    settings.push_back({fmt::format("uncut rk rtol {}", rtol),
                        {"partition=none", "solve.method=rk", fmt::format("solve.rtol={}", rtol)},
                        1});
  settings.push_back(
      {"uncut rosenbrock rtol 1e-4", {"partition=none", "solve.method=rosenbrock", "solve.rtol=1e-4"}, 1});
  const std::size_t uncut = settings.size();
  for (const char* rtol : {"2e-4", "1e-4", "5e-5"})
    for (const char* solve : {"1e-4", "3e-5", "1e-5"}) settings.push_back(cut_setting(rtol, solve, threads));
  const auto runs = measure(text, settings, scratch / "reference", {}, options.quick ? 1 : 2, scratch);
  for (const Measured& m : runs) table.remark(describe(m));
  const Measured &a = fastest(std::span(runs).first(uncut), 1e-3),
                 &b = fastest(std::span(runs).subspan(uncut), 1e-3);
  table.add({"chain", fmt::format("{} masses, {} parts, {}", masses, parts, b.setting.name), a.setting.name,
             a.seconds, b.seconds, "s", a.seconds / b.seconds, Goal::at_least, threads >= 16 ? 7.0 : 1.0,
             fmt::format("errors {:.1e}, {:.1e}", a.error, b.error)});
}

}  // namespace cosimo::bench
