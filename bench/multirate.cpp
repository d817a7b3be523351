// Stiff contacts in two small end subsystems (last model of Section 5.8, scaled): the
// uncut run must follow the contacts with every mass, the cut one only with 50.
#include <fmt/format.h>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/scenarios.hpp"

namespace cosimo::bench {

void multirate(const Options& options, Table& table) {
  const int masses = options.quick ? 2'000 : 10'000;
  const double end = options.quick ? 2e-4 : 1e-3;
  const int inner = options.quick ? 2 : 10;
  const int threads = options.thread_count();
  const int last = masses - 25;
  const std::vector<std::int64_t> contacts{3, 5, 7, last + 19, last + 21, last + 24};
  std::string cuts = "26";
  for (int i = 1; i < inner; ++i) cuts += fmt::format(", {}", 26 + i * (masses - 50) / inner);
  cuts += fmt::format(", {}", last + 1);
  const std::string bodies = fmt::format("{}", fmt::join(contacts, ", "));
  const std::string text =
      table_5_9_yaml(static_cast<std::size_t>(masses),
                     fmt::format("    initial: {{v: {{uniform: [-100, 100]}}}}\n    loads: [{{contact: "
                                 "{{bodies: [{}], A: -1.0e-2, B: 5.0e5}}}}]",
                                 bodies)) +
      fmt::format(
          "simulate: {{end: {}, output: {}, record: [{}]}}\npartition: {{method: manual, cuts: [{}]}}\n", end,
          end / 200, bodies, cuts);
  const Scratch scratch;
  run_to(text,
         {"reference", {"partition=none", "solve.method=rk", "solve.rtol=1e-12", "solve.atol_pos=1e-15"}, 1},
         scratch / "reference");
  std::vector<Setting> settings;
  for (const char* rtol : {"1e-5", "1e-6", "1e-7", "1e-8"})
    for (const char* method : {"rk", "rosenbrock", "auto"})
      settings.push_back(
          {fmt::format("uncut {} rtol {}", method, rtol),
           {"partition=none", fmt::format("solve.method={}", method), fmt::format("solve.rtol={}", rtol)},
           1});
  const std::size_t uncut = settings.size();
  for (const char* rtol : {"1e-3", "1e-4", "1e-5"})
    for (const char* solve : {"1e-5", "1e-6", "1e-7"})
      for (const char* method : {"rk", "auto"})
        settings.push_back(
            {fmt::format("exCV rtol {} {} rtol {} on {} threads", rtol, method, solve, threads),
             {"control.estimator=exCV", fmt::format("control.rtol={}", rtol),
              fmt::format("solve.method={}", method), fmt::format("solve.rtol={}", solve)},
             threads});
  const auto runs = measure(text, settings, scratch / "reference", {}, options.quick ? 1 : 2, scratch);
  for (const Measured& m : runs) table.remark(describe(m));
  // Equal error in the contact bodies: both at most 1e-4.
  const Measured &a = fastest(std::span(runs).first(uncut), 1e-4),
                 &b = fastest(std::span(runs).subspan(uncut), 1e-4);
  const auto steps = [](const Measured& m) { return static_cast<double>(m.report.micro_steps_max); };
  table.remark(
      fmt::format("what multirate can give here: the uncut run takes {:.0f} steps with all masses, the cut "
                  "one {:.0f} with "
                  "all but 50: a factor {:.1f}, times threads; the rest is the macro step",
                  steps(a), static_cast<double>(b.report.micro_steps_total) / (inner + 2),
                  steps(a) * (inner + 2) / static_cast<double>(b.report.micro_steps_total)));
  table.add({"multirate", fmt::format("{} masses, contacts in 2 x 25, {}", masses, b.setting.name),
             a.setting.name, a.seconds, b.seconds, "s", a.seconds / b.seconds, Goal::at_least, 20,
             fmt::format("errors of the contact bodies {:.1e}, {:.1e}", a.error, b.error)});
}

}  // namespace cosimo::bench
