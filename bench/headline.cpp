// The full model of Section 5.8: 100 000 masses, 100 subsystems, impulses beside the cuts,
// 1 s. Published: 26 900 s uncut, 1014 s co-simulated on a cluster with error 4e-5.
//
//   bench/run headline --until 1        the whole second, for a larger machine
//   bench/run headline                  a prefix; the projection is stated as such
//
// The error is measured on the first 0.11 s (two impulses) or on the prefix, if shorter.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/scenarios.hpp"

namespace cosimo::bench {

void headline(const Options& options, Table& table) {
  const double until = options.until > 0 ? options.until : options.quick ? 2e-4 : 2e-3;
  const double judged = std::min(until, 0.11);
  const int threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  const std::string text =
      table_5_9_yaml(
          100'000,
          "    initial: {x: {uniform: [-1.0e-2, 1.0e-2]}, v: {uniform: [-100, 100]}}\n"
          "    loads: [{impulse: {bodies: {beside_cuts_of: 100}, sign: alternating, amplitude: 1.0e6,\n"
          "                       start: [1.0e-4, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],\n"
          "                       duration: 1.0e-3, steepness: 1.0e-6}}]") +
      fmt::format("simulate: {{end: {}, output: {}, record: coupling}}\npartition: {{parts: 100}}\n", until,
                  std::min(1e-4, until / 100));
  std::string bodies;
  for (int i = 1; i < 100; ++i) bodies += fmt::format("{}{}, {}", i > 1 ? ", " : "", 1000 * i, 1000 * i + 1);

  const Scratch scratch;
  const std::string judged_end = fmt::format("simulate.end={}", judged),
                    record = fmt::format("simulate.record=[{}]", bodies);
  run_to(
      text,
      {"reference",
       {"partition=none", record, judged_end, "solve.method=rk", "solve.rtol=1e-10", "solve.atol_pos=1e-13"},
       1},
      scratch / "reference");
  const Setting uncut{
      "uncut rk rtol 1e-6", {"partition=none", record, judged_end, "solve.method=rk", "solve.rtol=1e-6"}, 1};
  const Setting cut{fmt::format("exCV rtol 1e-6 on {} threads", threads),
                    {"control.estimator=exCV", "control.rtol=1e-6", "control.atol_u=0.01", "solve.method=rk",
                     "solve.rtol=1e-6"},
                    threads};
  const Report uncut_report = run_to(text, uncut, scratch / "uncut");
  const Report cut_report = run_to(text, cut, scratch / "cut");
  const double uncut_error = compare(scratch / "uncut", scratch / "reference").both;
  const double cut_error = compare(scratch / "cut", scratch / "reference").both;
  const double uncut_scaled = uncut_report.wall_s * until / judged;
  table.remark(
      fmt::format("uncut rk: {:.1f} s for t = {:g}, error {:.1e}; co-simulation: {:.1f} s for t = {:g}, "
                  "error {:.1e}, {} macro steps, mean H {:.3g}",
                  uncut_report.wall_s, judged, uncut_error, cut_report.wall_s, until, cut_error,
                  cut_report.macro_steps, cut_report.mean_H));
  if (until < 1)
    table.remark(
        fmt::format("projection to 1 s (same rate assumed, a prefix with one impulse): uncut {:.0f} s, "
                    "co-simulation {:.0f} s",
                    uncut_scaled / until, cut_report.wall_s / until));
  table.add({"headline", fmt::format("Section 5.8, t = {:g}, {}", until, cut.name), uncut.name, uncut_scaled,
             cut_report.wall_s, "s", uncut_scaled / cut_report.wall_s, Goal::none, 0,
             fmt::format("errors {:.1e}, {:.1e}; published 26900 s uncut, 1014 s on a cluster for 1 s",
                         uncut_error, cut_error)});
}

}  // namespace cosimo::bench
